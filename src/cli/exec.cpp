// vitro exec: runs EU code by itself, without a device around it.
// What it has in common with other ways to run threads by themselves is in execution.h.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/cli.h"
#include "cli/code_input.h"
#include "cli/execution.h"
#include "cli/register_text.h"
#include "cli/trace.h"
#include "code/build.h"
#include "code/compiler.h"
#include "code/order.h"
#include "eu/compiled.h"
#include "gen/models.h"
#include "isa/assemble.h"

namespace vitro::cli {
namespace {

struct Options {
  std::string device, input, kernel, sip, dump;
  ExecutionOptions execution{};
  bool json = false, no_validate = false;
  std::string jit = "off";
};

struct Code {
  std::vector<std::byte> bytes;
  std::vector<isa::PlacedLabel> labels;
};

// Assembly is text that is not a list of hexadecimal words.
bool looks_like_assembly(std::string_view file) { return file.find('\0') == file.npos && !looks_like_hex(file); }

// The exit code, if the program cannot be had; complaints are printed.
int read_program(const Options& o, const isa::Model& m, Code& code) {
  const Result<std::string> file = read_file(o.input);
  if (!file) return complain(exit_file, file.error().message);
  if (looks_like_assembly(*file)) {
    isa::Assembly a = isa::assemble(m, *file, {.validate = !o.no_validate});
    report(o.input, *file, a.diagnostics);
    if (!a.ok()) return exit_bad_input;
    code = {std::move(a.code), std::move(a.labels)};
    return exit_ok;
  }
  Result<std::vector<CodeBlock>> blocks = read_code(*file, InputKind::detect);
  if (!blocks) return complain(exit_bad_input, fmt::format("{}: {}", o.input, blocks.error().message));
  if (!o.kernel.empty()) std::erase_if(*blocks, [&](const CodeBlock& b) { return b.name != o.kernel; });
  if (blocks->empty()) return complain(exit_bad_input, fmt::format("{}: no kernel is called {}", o.input, o.kernel));
  if (blocks->size() > 1)
    return complain(exit_bad_input, fmt::format("{}: {} kernels; choose one with --kernel", o.input, blocks->size()));
  code.bytes = std::move(blocks->front().code);
  return exit_ok;
}

Result<uint32_t> place_of(const Code& code, const std::string& text) {
  for (const isa::PlacedLabel& l : code.labels)
    if (l.name == text) return uint32_t(l.offset);
  uint32_t offset = 0;
  if (CLI::detail::lexical_cast(text, offset)) return offset;
  return failure(fmt::format("{} is neither a label nor an offset", text));
}

std::string title(const ShownRegister& r) {
  return r.type == isa::Type::none ? r.name : fmt::format("{}:{}", r.name, isa::info(r.type).name);
}

// A thread of EU code, interpreted or compiled.
class CodeThread : public RunningThread {
 public:
  CodeThread(const eu::Program& program, const eu::Compiled* code, const eu::SharedFunctions& functions, uint32_t sip,
             std::unique_ptr<Trace> trace, bool observed, std::span<const ShownRegister> shown)
      : code_(code),
        trace_(std::move(trace)),
        shown_(shown),
        executor_{.thread = thread, .program = program, .functions = functions, .sip = sip} {
    if (observed) executor_.observer = trace_->observer();
  }
  eu::Status run(uint64_t instructions) override {
    const eu::Status status = code_ ? code_->run(executor_, instructions) : executor_.run(instructions);
    // the last one was not carried out
    if (status == eu::Status::waiting) --executor_.executed;
    return status;
  }
  eu::Status status() const override { return executor_.status; }
  uint64_t executed() const override { return executor_.executed; }
  void stop(std::string reason) override {
    executor_.stop(std::move(reason));
    executor_.fault->instruction = instruction();
  }
  const std::optional<Fault>& fault() const override { return executor_.fault; }
  const uint32_t* awaited() const override {
    const eu::Plan* p = plan();
    if (!p || !p->row || p->row->format != isa::Format::wait) return nullptr;
    return &thread.notify[p->instruction.src[0].subreg / 4];
  }
  std::string awaits() const override {
    const std::string what = awaited() ? fmt::format("a notification in n0.{}", awaited() - thread.notify.data())
                                       : fmt::format("a message to be taken (SFID {})", plan()->instruction.sfid & 15);
    return fmt::format("{:04X}: {}: waits for {}", thread.ip, instruction(), what);
  }
  std::string where(const Fault& f) const override { return fmt::format("{:04X}", f.ip.value_or(0)); }
  void finish() override { trace_->finish(); }
  std::vector<Shown> shown() const override {
    std::vector<Shown> all;
    for (const ShownRegister& r : shown_)
      all.emplace_back(title(r), elements_of(executor_.program.model(), thread, r));
    return all;
  }

 private:
  const eu::Plan* plan() const { return executor_.program.at(thread.ip); }
  std::string instruction() const { return executor_.program.text_at(thread.ip); }

  const eu::Compiled* code_;
  std::unique_ptr<Trace> trace_;
  std::span<const ShownRegister> shown_;
  eu::Executor executor_;
};

int run(const Options& o) {
  const gen::Device* device = gen::find_device(o.device);
  if (!device) return complain(exit_usage, "unknown device " + o.device);
  const isa::Model& m = device->model();
  const Result<std::vector<ShownRegister>> shown = parse_shown_registers(m, o.dump);
  if (!shown) return complain(exit_usage, "--dump " + shown.error().message);
  Execution execution(o.execution, *device);
  if (const int problem = execution.prepare()) return problem;
  Code code;
  if (const int problem = read_program(o, m, code)) return problem;
  uint32_t sip = 0;
  if (!o.sip.empty()) {
    const Result<uint32_t> place = place_of(code, o.sip);
    if (!place) return complain(exit_usage, "--sip " + place.error().message);
    sip = *place;
  }

  const eu::Program program(m, code.bytes);
  std::shared_ptr<const eu::Compiled> compiled;
  if (o.jit == "on") {
    if (!code::has_compiler) return complain(exit_usage, "--jit=on: this vitro was built without the JIT");
    const code::Order order{.device = std::string(device->name), .kernel = code.bytes, .exact_nans = true};
    compiled = eu::load(program, code::compile(code::to_bytes(order)));
    if (!compiled) return complain(exit_bad_input, "the program cannot be compiled");
  }
  OrderedJson json{{"device", o.device}}, instructions = OrderedJson::array();
  execution.run([&](int n) {
    auto trace = std::make_unique<Trace>(program, n, o.json ? &instructions : nullptr);
    return std::make_unique<CodeThread>(program, compiled.get(), execution.functions(), sip, std::move(trace),
                                        o.execution.trace, *shown);
  });
  const int result = execution.report(o.input, o.json ? &json : nullptr);
  if (o.json) {
    if (o.execution.trace) json["trace"] = instructions;
    fmt::print("{}\n", json.dump(2));
  }
  return result;
}

}  // namespace

void add_exec(CLI::App& app, int& result) {
  auto o = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("exec", "run EU code by itself");
  sub->add_option("-g,--device", o->device, "device: snb, bdw, kbl or apl")->required();
  sub->add_option("input", o->input, "assembly text, or machine code: raw, hexadecimal, or a device binary")
      ->required();
  sub->add_option("--kernel", o->kernel, "the kernel of a device binary with several");
  add_execution_options(*sub, o->execution);
  sub->add_option("--sip", o->sip, "where the system routine for exceptions stands: a label or an offset");
  sub->add_option("--dump", o->dump,
                  "registers to print at the end: r10-r12:f,f0,acc0,a0; without a type they are hexadecimal");
  sub->add_option("--jit", o->jit, "on: the program is compiled; off: interpreted, as are programs that are traced")
      ->check(CLI::IsMember({"off", "on"}))
      ->capture_default_str();
  sub->add_flag("--json", o->json, "print the outcome, registers and trace as JSON");
  sub->add_flag("--no-validate", o->no_validate, "do not check the rules of the generation when assembling");
  sub->footer(
      "A thread ends by its message to the thread spawner, so a program's last instruction is\n"
      "  (W) send (8|M0) null r127 0x27 0x02000010 {EOT}        (snb: m1 in place of r127)\n"
      "A line of the trace is thread, offset, [channels] and text; below it come operands and results, lane 0 first,\n"
      "with - for lanes that were not written. docs/tutorial.md teaches the EU this way.\n"
      "Messages reach the memory that --mem binds through the data ports (binding tables, stateless, 64-bit\n"
      "addresses) and 64 KB of shared local memory for each group; an access to anything else is a fault.\n"
      "Exit code: 0 the thread ended, 1 bad input or a fault (with instruction, offset and reason), 2 wrong command\n"
      "line, 3 a file could not be read.");
  sub->callback([o, &result] { result = run(*o); });
}

}  // namespace vitro::cli
