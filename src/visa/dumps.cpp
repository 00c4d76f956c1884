// Finding kernels among dumps, and running threads from them. Documents: as dumps.h.
#include "visa/dumps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "visa/read_text.h"

namespace vitro::visa {
namespace {

namespace files = std::filesystem;

// What stands in a dump where an address is filled in.
constexpr uint32_t placeholder = 0x6E10CA2E;

std::optional<std::string> contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

uint32_t dword_at(std::span<const std::byte> bytes, size_t at) {
  uint32_t v = 0;
  if (at + sizeof v <= bytes.size()) std::memcpy(&v, bytes.data() + at, sizeof v);
  return v;
}

// Whether code in memory is that of a dump; the addresses that were filled in, in their order.
std::optional<std::vector<uint64_t>> same_code(std::span<const std::byte> code, std::span<const std::byte> dump) {
  if (code.empty() || code.size() > dump.size()) return std::nullopt;
  std::vector<uint64_t> addresses;
  for (size_t at = 0; at < code.size(); at += 8) {
    const size_t n = std::min<size_t>(8, code.size() - at);
    if (!std::memcmp(code.data() + at, dump.data() + at, n)) continue;
    // a 64-bit immediate stands in the upper half of its instruction
    if (n < 8 || (dword_at(dump, at) != placeholder && dword_at(dump, at + 4) != placeholder)) return std::nullopt;
    addresses.push_back(uint64_t(dword_at(code, at + 4)) << 32 | dword_at(code, at));
  }
  return addresses;
}

class Thread : public dispatch::SubstituteThread {
 public:
  Thread(const Program& program, RunFindings& findings, const Machine::Symbols& symbols)
      : machine_(program, &findings) {
    machine_.symbols = &symbols;
  }
  void start(eu::Executor& x, uint64_t group, unsigned number) override {
    machine_.start(x.thread, x.functions, x.clock);
    machine_.place(group, number);
  }
  eu::Status run(eu::Executor& x, uint64_t instructions) override {
    const eu::Status status = machine_.run(instructions);
    // an instruction that has to wait counts as begun
    x.executed = machine_.executed() + (status == eu::Status::waiting);
    x.status = status;
    x.fresh = false;
    if (machine_.fault()) {
      x.fault = machine_.fault();
      x.fault->reason =
          fmt::format("vISA of {}, line {}: {}", machine_.program().name(), x.fault->ip.value_or(0), x.fault->reason);
      x.fault->ip.reset();
    }
    return status;
  }

 private:
  Machine machine_;
};

struct Form : dispatch::Substitute {
  std::shared_ptr<const Object> object;
  std::shared_ptr<const Program> program;
  RunFindings& findings;
  Machine::Symbols symbols{};

  Form(std::shared_ptr<const Object> o, std::shared_ptr<const Program> p, RunFindings& f)
      : object(std::move(o)), program(std::move(p)), findings(f) {}
  std::unique_ptr<dispatch::SubstituteThread> make_thread() override {
    return std::make_unique<Thread>(*program, findings, symbols);
  }
};

}  // namespace

Dumps::Dumps(const isa::Model& model, const ProgramFacts& facts, std::string folder, Report report)
    : model_(model),
      facts_(facts),
      folder_(std::move(folder)),
      findings_([report](const RunFinding& f) { report(fmt::format("vISA: {}", to_text(f))); }) {}

void Dumps::look_again() {
  std::error_code error;
  for (const files::directory_entry& e : files::directory_iterator(folder_, error)) {
    if (e.path().extension() != ".dat") continue;
    const std::string stem = (e.path().parent_path() / e.path().stem()).string();
    if (dumps_.contains(stem)) continue;
    if (!files::exists(stem + ".visaasm", error)) continue;
    const std::optional<std::string> code = contents(e.path().string());
    if (!code || code->empty()) continue;
    Dump d{.stem = stem};
    d.code.resize(code->size());
    std::memcpy(d.code.data(), code->data(), code->size());
    dumps_.emplace(stem, std::move(d));
  }
}

bool Dumps::prepare(Dump& d) {
  if (std::exchange(d.tried, true)) return d.program != nullptr;
  std::string text;
  for (int n = -1;; ++n) {  // the kernel, then the functions it calls through the stack
    const std::optional<std::string> part =
        contents(n < 0 ? d.stem + ".visaasm" : fmt::format("{}_f{}.visaasm", d.stem, n));
    if (!part) break;
    text += *part + "\n";
  }
  TextResult read = read_text(text);
  if (!read.ok()) {
    d.problem = fmt::format("line {}: {}", read.diagnostics.front().line, read.diagnostics.front().message);
    return false;
  }
  auto object = std::make_shared<const Object>(std::move(read.object));
  uint32_t kernel = 0;
  while (kernel < object->routines.size() && !object->routines[kernel].is_kernel) ++kernel;
  if (kernel == object->routines.size()) {
    d.problem = "there is no kernel";
    return false;
  }
  auto program = std::make_shared<const Program>(model_, *object, kernel, facts_);
  if (!program->refusals().empty()) {
    const Refusal& r = program->refusals().front();
    d.problem = fmt::format("line {}: {}", r.line, r.what);
    return false;
  }
  d.object = std::move(object);
  d.program = std::move(program);
  return true;
}

std::shared_ptr<dispatch::Substitute> Dumps::match(const dispatch::Kernel& kernel) {
  const std::string at = fmt::format("kernel at {:#x}, {} bytes", kernel.address, kernel.code.size());
  std::string why = "no dump has its code";
  for (auto& [stem, d] : dumps_) {
    const std::optional<std::vector<uint64_t>> addresses = same_code(kernel.code, d.code);
    if (!addresses) continue;
    const std::string name = files::path(stem).filename().string();
    if (!prepare(d)) {
      why = fmt::format("{}: {}", name, d.problem);
      continue;
    }
    auto form = std::make_shared<Form>(d.object, d.program, findings_);
    const std::vector<std::string_view> symbols = d.program->symbols();
    if (symbols.size() != addresses->size()) {
      why = fmt::format("{}: {} symbols, {} addresses in the code", name, symbols.size(), addresses->size());
      continue;
    }
    for (size_t n = 0; n < symbols.size(); ++n) form->symbols[std::string(symbols[n])] = (*addresses)[n];
    matched_.insert(fmt::format("{} ({})", d.program->name(), name));
    return form;
  }
  unmatched_.insert(fmt::format("{}: {}", at, why));
  return nullptr;
}

std::shared_ptr<dispatch::Substitute> Dumps::find(const std::shared_ptr<const dispatch::Kernel>& kernel) {
  const std::lock_guard guard(lock_);
  Known& k = known_[kernel.get()];
  if (k.kernel.lock() == kernel) return k.substitute;
  look_again();
  k.kernel = kernel;
  k.substitute = match(*kernel);
  return k.substitute;
}

DumpCounts Dumps::counts() const {
  const std::lock_guard guard(lock_);
  return {{matched_.begin(), matched_.end()}, {unmatched_.begin(), unmatched_.end()}, findings_.count()};
}

}  // namespace vitro::visa
