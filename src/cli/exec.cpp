// vitro exec: runs EU code by itself, without a device around it.
// What it has in common with other ways to run threads by themselves is in execution.h.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/cli.h"
#include "cli/code_thread.h"
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

Result<uint32_t> place_of(const Code& code, const std::string& text) {
  for (const isa::PlacedLabel& l : code.labels)
    if (l.name == text) return uint32_t(l.offset);
  uint32_t offset = 0;
  if (CLI::detail::lexical_cast(text, offset)) return offset;
  return failure(fmt::format("{} is neither a label nor an offset", text));
}

int run(const Options& o) {
  const gen::Device* device = gen::find_device(o.device);
  if (!device) return complain(exit_usage, "unknown device " + o.device);
  const isa::Model& m = device->model();
  const Result<std::vector<ShownRegister>> shown = parse_shown_registers(m, o.dump);
  if (!shown) return complain(exit_usage, "--dump " + shown.error().message);
  Execution execution(o.execution, *device);
  if (const int problem = execution.prepare()) return problem;
  Code code;
  if (const int problem = read_program(o.input, o.kernel, !o.no_validate, m, code)) return problem;
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
