// vitro visa: Intel's virtual ISA, as text and as binary objects.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/visa_check.h"
#include "cli/visa_compare.h"
#include "cli/visa_exec.h"
#include "cli/visa_input.h"
#include "visa/write_bytes.h"
#include "visa/write_text.h"

namespace vitro::cli {
namespace {

struct Options {
  std::string action, output, object_version;
  std::vector<std::string> inputs;
  bool alone = false, plain = false;
  CheckOptions check{};
  VisaExecOptions exec{};
};

bool set_version(visa::Object& object, const std::string& text) {
  unsigned major = 0, minor = 0;
  char behind = 0;
  if (std::sscanf(text.c_str(), "%u.%u%c", &major, &minor, &behind) != 2 || major > 255 || minor > 255) return false;
  const uint32_t v = visa::version(uint8_t(major), uint8_t(minor));
  if (v < visa::oldest_version || v > visa::newest_version) return false;
  object.major = uint8_t(major), object.minor = uint8_t(minor);
  return true;
}

int run(const Options& o) {
  if (o.check.rules) return print_visa_rules(o.check);
  if (o.inputs.empty()) return complain(exit_usage, "no input is named");
  const bool assemble = o.action == "asm";
  if (assemble && o.output.empty() && isatty(STDOUT_FILENO))
    return complain(exit_usage, "binary objects are not for terminals: name a file with -o");
  const bool compares = o.action == "compare";
  if (compares && o.inputs.size() != 2) return complain(exit_usage, "compare takes a kernel and its code");
  int code = exit_ok;
  Result<VisaInput> input = read_visa(compares ? std::vector{o.inputs[0]} : o.inputs, o.alone, code);
  if (!input) return input.error().message.empty() ? code : complain(ExitCode(code), input.error().message);
  if (o.action == "check") return check_visa(*input, o.inputs[0], o.check);
  if (o.action == "exec" || o.action == "compare") {
    VisaExecOptions exec = o.exec;
    exec.device = o.check.device, exec.json = o.check.json;
    return o.action == "exec" ? execute_visa(*input, o.inputs[0], exec)
                              : compare_visa(*input, o.inputs[0], o.inputs[1], exec);
  }
  if (!o.object_version.empty() && !set_version(input->object, o.object_version))
    return complain(exit_usage, fmt::format("version {} is not known: they go from 3.0 to 4.1", o.object_version));
  std::string out;
  if (assemble) {
    const visa::BytesResult made = visa::write_bytes(input->object);
    if (!made.ok()) {
      if (input->source.files.empty())
        for (const isa::Diagnostic& d : made.diagnostics)
          complain(exit_bad_input, fmt::format("{}: at 0x{:X}: {}", o.inputs[0], d.line, d.message));
      else
        input->source.report(made.diagnostics);
      return exit_bad_input;
    }
    out.assign(reinterpret_cast<const char*>(made.bytes.data()), made.bytes.size());
  } else {
    out = visa::write_text(input->object, {.numbers = !o.plain, .predefined = !o.plain});
  }
  const Result<bool> written = write_file(o.output.empty() ? "-" : o.output, out);
  return written ? int(exit_ok) : complain(exit_file, written.error().message);
}

}  // namespace

void add_visa(CLI::App& app, int& result) {
  auto o = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("visa", "read, write, check and run vISA, the virtual ISA of Intel's compilers");
  sub->add_option("action", o->action,
                  "asm: make a binary object; disasm: print as text; check: which rules are broken; "
                  "exec: run a kernel by itself; compare: run a kernel and its code, and say where they differ")
      ->required()
      ->check(CLI::IsMember({"asm", "disasm", "check", "exec", "compare"}));
  sub->add_option("input", o->inputs, "vISA text or a binary object, - for standard input; texts are read as one");
  sub->add_option("-o,--output", o->output, "what is made; standard output by default");
  sub->add_option("--object-version", o->object_version, "version to write, 3.0 to 4.1; that of the input by default");
  sub->add_flag("--alone", o->alone, "of NAME.visaasm do not read NAME_f0.visaasm and so on, its functions, too");
  sub->add_flag("--plain", o->plain, "print neither numbers of instructions nor the list of predefined variables");
  sub->add_option("-g,--device", o->check.device,
                  "check, exec: device the program is for: bdw, kbl or apl; kbl by default")
      ->check(CLI::IsMember({"bdw", "kbl", "apl"}));
  sub->add_flag("--errors", o->check.errors, "check: leave out what the documents and Intel's tools read differently");
  sub->add_flag("--rules", o->check.rules, "check: list all rules, with their verdicts");
  sub->add_flag("--json", o->check.json, "check, exec: print findings, rules or the outcome as JSON");
  sub->add_option("--kernel", o->exec.kernel, "exec: the kernel of an object with several");
  sub->add_option("--set", o->exec.set,
                  "exec: a variable to start with: V0034=0.7 or V0034=1,2,3 from its first element on")
      ->allow_extra_args(false);
  sub->add_option("--dump", o->exec.dump, "exec: variables to print at the end: V0049,V0050")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_execution_options(*sub, o->exec.execution);
  sub->footer(
      "The text is what Intel's GenX_IR reads and IGC prints (docs/visa.md). The vISA of an OpenCL kernel:\n"
      "  mkdir dump && IGC_ShaderDumpEnable=1 IGC_DumpToCustomDir=$PWD/dump/ ocloc compile -file k.cl -device kbl\n"
      "  vitro visa asm dump/NAME.visaasm -o k.isa && vitro visa disasm k.isa\n"
      "Errors in a text are printed with line, column and caret, those in an object with the byte at fault. A check\n"
      "finds errors, what the documents leave undefined, and what they and Intel's tools read differently (a "
      "warning).\n"
      "Exit code: 0 done, 1 bad input, or one that a check finds wrong or undefined, 2 wrong command line, 3 a file "
      "could not be read or written.");
  sub->callback([o, &result] { result = run(*o); });
}

}  // namespace vitro::cli
