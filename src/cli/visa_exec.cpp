// Running vISA by itself: variables to start with and to show, threads, their trace and what is told of them.
#include "cli/visa_exec.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>

#include "base/half.h"
#include "cli/cli.h"
#include "eu/convert.h"
#include "eu/lanes.h"
#include "gen/machine.h"
#include "visa/machine.h"
#include "visa/names.h"
#include "visa/write_text.h"

namespace vitro::cli {
namespace {

using visa::Machine;
using visa::Operation;

// Elements as JSON, by their type.
std::vector<OrderedJson> elements(isa::Type type, std::span<const std::byte> bytes) {
  std::vector<OrderedJson> out;
  eu::with_element<double>(type, [&]<class E>() {
    for (size_t at = 0; at + sizeof(E) <= bytes.size(); at += sizeof(E)) {
      E e;
      std::memcpy(&e, bytes.data() + at, sizeof e);
      if constexpr (std::is_integral_v<E>)
        out.push_back(element(type, int64_t(e)));
      else
        out.push_back(element(type, eu::widen<double>(e)));
    }
  });
  return out;
}

constexpr isa::Type eu_type(visa::Type t) {
  for (int n = 0; n < isa::type_count; ++n)
    if (isa::info(isa::Type(n)).name == visa::row(t).name) return isa::Type(n);
  return isa::Type::ud;
}

struct NamedVariable {
  uint32_t id = 0;
  visa::Type type = visa::Type::ud;
  uint32_t elements = 0;
  bool predicate = false;
};

// Values of a variable from its first element on.
struct Setting {
  NamedVariable variable{};
  std::vector<std::byte> bytes{};
};

class Kernel {
 public:
  explicit Kernel(const visa::Routine& routine) : routine_(routine), names_(routine) {}

  Result<NamedVariable> find(std::string_view name) const {
    for (uint32_t id = 0; id < names_.variables.size() + visa::predefined_variables; ++id) {
      if (names_.variable(id) != name) continue;
      if (id >= visa::predefined_variables) {
        const visa::Variable& v = routine_.variables[id - visa::predefined_variables];
        return NamedVariable{id, v.type, v.elements};
      }
      const visa::PredefinedVariable& v = visa::predefined[std::min<size_t>(id, std::size(visa::predefined) - 1)];
      return NamedVariable{id, v.type, v.elements};
    }
    for (uint32_t n = 0; n < names_.predicates.size(); ++n)
      if (names_.predicates[n] == name)
        return NamedVariable{visa::first_predicate + n, visa::Type::ud, routine_.predicates[n].elements, true};
    return failure(fmt::format("{}: {} has no such variable", name, routine_.text(routine_.name)));
  }
  // NAME=VALUE,VALUE...
  Result<Setting> setting(const std::string& text) const {
    const size_t equals = text.find('=');
    if (equals == text.npos) return failure(fmt::format("{}: not VARIABLE=VALUE,...", text));
    const Result<NamedVariable> v = find(text.substr(0, equals));
    if (!v) return tl::unexpected(v.error());
    if (v->predicate) return failure(fmt::format("{}: a predicate is set by setp", text));
    Setting s{*v};
    for (size_t at = equals + 1; at <= text.size();) {
      const size_t end = std::min(text.find(',', at), text.size());
      if (!append(s, text.substr(at, end - at)))
        return failure(
            fmt::format("{}: '{}' is no number of type {}", text, text.substr(at, end - at), visa::row(v->type).name));
      at = end + 1;
    }
    const size_t values = s.bytes.size() / visa::row(v->type).bytes;
    if (values > v->elements)
      return failure(fmt::format("{}: {} values, and the variable has {} elements", text, values, v->elements));
    return s;
  }
  const visa::Names& names() const { return names_; }
  const visa::Routine& routine() const { return routine_; }

 private:
  static bool append(Setting& s, const std::string& word) {
    bool good = false;
    eu::with_element<double>(eu_type(s.variable.type), [&]<class E>() {
      E e{};
      if constexpr (std::is_integral_v<E>) {
        int64_t v = 0;
        uint64_t u = 0;
        using Signed = std::make_signed_t<E>;
        using Unsigned = std::make_unsigned_t<E>;
        if (CLI::detail::lexical_cast(word, v))  // as a number or as bits
          e = E(v), good = v < 0 ? v >= std::numeric_limits<Signed>::min() : uint64_t(v) <= Unsigned(-1);
        else if (CLI::detail::lexical_cast(word, u))
          e = E(u), good = u <= Unsigned(-1);
      } else {
        double v = 0;
        good = CLI::detail::lexical_cast(word, v);
        e = eu::narrow<E>(v, false);
      }
      const auto* bytes = reinterpret_cast<const std::byte*>(&e);
      s.bytes.insert(s.bytes.end(), bytes, bytes + sizeof e);
    });
    return good;
  }

  const visa::Routine& routine_;
  visa::Names names_;
};

// What happened, operation by operation: line, channels, text; operands before and results after.
class VisaTrace {
 public:
  VisaTrace(const VisaInput& input, int thread, OrderedJson* json) : input_(input), thread_(thread), json_(json) {}

  visa::MachineObserver observer() {
    return {
        [](void* self, Machine& m, const Operation& o, uint32_t e) { static_cast<VisaTrace*>(self)->before(m, o, e); },
        [](void* self, Machine& m, const Operation& o, uint32_t e) { static_cast<VisaTrace*>(self)->after(m, o, e); },
        this};
  }
  void finish() {
    if (!entry_.is_null()) show();
  }

 private:
  static OrderedJson lanes(Machine& m, const Operation& o, const visa::OperandPlan& s, uint32_t mask) {
    std::vector<OrderedJson> all = elements(s.type, m.look(o, s));
    if (!s.scalar)
      for (size_t l = 0; l < all.size(); ++l)
        if (!(mask >> l & 1)) all[l] = nullptr;
    return all;
  }
  static bool is_shown(const visa::OperandPlan& s) {
    return s.access == visa::Access::variable || s.access == visa::Access::indirect;
  }
  void before(Machine& m, const Operation& o, uint32_t enabled) {
    const visa::Routine& r = *m.frame().code->routine;
    std::string text;
    visa::write_instruction(text, r, visa::Names(r), *o.instruction);
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    text.erase(0, text.find_first_not_of(' '));
    int line = int(o.instruction->place);
    if (input_.object.from_text) static_cast<void>(input_.source.file_of(line));
    entry_ = {{"thread", thread_}, {"line", line}, {"channels", enabled << o.channel}, {"text", text}};
    for (unsigned n = 0; n < o.sources; ++n)
      if (is_shown(o.src[n])) entry_[fmt::format("src{}", n)] = lanes(m, o, o.src[n], o.lane_mask);
  }
  void after(Machine& m, const Operation& o, uint32_t enabled) {
    if (is_shown(o.dst)) entry_["dst"] = lanes(m, o, o.dst, enabled);
    if (o.dst.access == visa::Access::predicate) entry_["dst"] = fmt::format("0x{:X}", m.frame().predicates[o.dst.id]);
    show();
  }
  void show() {
    if (json_) {
      json_->push_back(std::move(entry_));
    } else {
      fmt::print("t{} {:4} [{:X}]  {}\n", thread_, entry_["line"].get<int>(), entry_["channels"].get<uint32_t>(),
                 entry_["text"].get<std::string>());
      for (const auto& [key, value] : entry_.items()) {
        if (key == "thread" || key == "line" || key == "channels" || key == "text") continue;
        std::vector<OrderedJson> values;
        if (value.is_array())
          for (const OrderedJson& v : value) values.push_back(v.is_null() ? OrderedJson("-") : v);
        else
          values.push_back(value);
        fmt::print("      {:<8} {}\n", key, in_one_line(values));
      }
    }
    entry_ = nullptr;
  }

  const VisaInput& input_;
  int thread_;
  OrderedJson* json_;
  OrderedJson entry_{};
};

class VisaThread : public RunningThread {
 public:
  VisaThread(const visa::Program& program, const Kernel& kernel, visa::RunFindings& findings,
             std::span<const Setting> settings, std::span<const NamedVariable> shown, int number,
             std::unique_ptr<VisaTrace> trace)
      : kernel_(kernel), settings_(settings), shown_(shown), trace_(std::move(trace)), machine_(program, &findings) {
    machine_.place(0, unsigned(number));
    if (trace_) machine_.observer = trace_->observer();
  }
  void start(const eu::SharedFunctions& functions) override {
    machine_.start(thread, functions);
    for (const Setting& s : settings_) machine_.write(s.variable.id, 0, s.bytes);
  }
  eu::Status run(uint64_t instructions) override { return machine_.run(instructions); }
  eu::Status status() const override { return machine_.status(); }
  uint64_t executed() const override { return machine_.executed(); }
  void stop(std::string reason) override { machine_.stop(std::move(reason)); }
  const std::optional<Fault>& fault() const override { return machine_.fault(); }
  std::string awaits() const override {
    const Operation* o = machine_.at();
    return fmt::format("line {}: {}: waits", o ? o->instruction->place : 0,
                       o ? o->instruction->row->mnemonic : std::string_view());
  }
  std::string where(const Fault& f) const override { return fmt::format("line {}", f.ip.value_or(0)); }
  uint32_t line() const { return machine_.last() ? machine_.last()->instruction->place : 0; }
  void finish() override {
    if (trace_) trace_->finish();
  }
  std::vector<Shown> shown() const override {
    std::vector<Shown> all;
    for (const NamedVariable& v : shown_) {
      if (v.predicate) {
        all.emplace_back(kernel_.names().predicates[v.id - visa::first_predicate],
                         std::vector<OrderedJson>{fmt::format("0x{:X}", machine_.predicate(v.id))});
        continue;
      }
      const isa::Type type = eu_type(v.type);
      all.emplace_back(fmt::format("{}:{}", kernel_.names().variable(v.id), isa::info(type).name),
                       elements(type, machine_.read(v.id)));
    }
    return all;
  }

 private:
  const Kernel& kernel_;
  std::span<const Setting> settings_;
  std::span<const NamedVariable> shown_;
  std::unique_ptr<VisaTrace> trace_;
  Machine machine_;
};

// The kernel that is asked for, or the only one.
Result<uint32_t> choose_kernel(const visa::Object& object, const std::string& name) {
  int found = -1, kernels = 0;
  for (size_t n = 0; n < object.routines.size(); ++n) {
    const visa::Routine& r = object.routines[n];
    if (!r.is_kernel || (!name.empty() && r.text(r.name) != name)) continue;
    found = int(n);
    ++kernels;
  }
  if (kernels > 1) return failure(fmt::format("{} kernels; choose one with --kernel", kernels));
  if (found < 0) return failure(name.empty() ? "there is no kernel" : fmt::format("no kernel is called {}", name));
  return uint32_t(found);
}

}  // namespace

namespace {

using Prepared = std::function<void(Execution&, const VisaPlace&)>;

int run(const VisaInput& input, const std::string& name, const VisaExecOptions& o, const Prepared& prepared) {
  const gen::Device* device = gen::find_device(o.device);
  if (!device) return complain(exit_usage, "unknown device " + o.device);
  const Result<uint32_t> chosen = choose_kernel(input.object, o.kernel);
  if (!chosen) return complain(exit_bad_input, fmt::format("{}: {}", name, chosen.error().message));
  const gen::Machine& machine = gen::machine(*device);
  const visa::Program program(
      device->model(), input.object, *chosen,
      {.coordinate_mask = machine.media.coordinate_mask, .fftid_mask = machine.media.fftid_mask});
  const Kernel kernel(*program.kernel().routine);
  std::vector<Setting> settings;
  for (const std::string& text : o.set) {
    Result<Setting> s = kernel.setting(text);
    if (!s) return complain(exit_usage, "--set " + s.error().message);
    settings.push_back(std::move(*s));
  }
  std::vector<NamedVariable> shown;
  for (const std::string& text : o.dump) {
    const Result<NamedVariable> v = kernel.find(text);
    if (!v) return complain(exit_usage, "--dump " + v.error().message);
    shown.push_back(*v);
  }
  Execution execution(o.execution, *device);
  if (const int problem = execution.prepare()) return problem;
  OrderedJson json{{"device", o.device}}, instructions = OrderedJson::array(), found = OrderedJson::array();
  visa::RunFindings findings([&](const visa::RunFinding& f) {
    if (o.json)
      found.push_back({{"kernel", f.kernel},
                       {"line", f.line},
                       {"variable", f.variable},
                       {"finding", visa::text_of(f.kind)},
                       {"thread", f.thread},
                       {"channel", f.channel}});
    else
      fmt::print(stderr, "{}: {}\n", name, visa::to_text(f));
  });
  if (prepared)
    prepared(execution, [&](unsigned n) {
      return n < execution.threads().size() ? static_cast<const VisaThread&>(*execution.threads()[n]).line() : 0;
    });
  execution.run([&](int n) {
    auto trace = o.execution.trace ? std::make_unique<VisaTrace>(input, n, o.json ? &instructions : nullptr) : nullptr;
    return std::make_unique<VisaThread>(program, kernel, findings, settings, shown, n, std::move(trace));
  });
  const int result = execution.report(name, o.json ? &json : nullptr);
  if (o.json) {
    json["findings"] = found;
    if (o.execution.trace) json["trace"] = instructions;
    fmt::print("{}\n", json.dump(2));
  }
  return result;
}

}  // namespace

int execute_visa(const VisaInput& input, const std::string& name, const VisaExecOptions& o) {
  return run(input, name, o, {});
}
int run_visa(const VisaInput& input, const std::string& name, const VisaExecOptions& o, const Prepared& prepared) {
  return run(input, name, o, prepared);
}

}  // namespace vitro::cli
