// vitro asm: assembly text to EU machine code.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/cli.h"
#include "cli/json.h"
#include "gen/models.h"
#include "isa/assemble.h"

namespace vitro::cli {
namespace {

struct Options {
  std::string device, input, output;
  bool compact = false, no_compact = false, json = false, no_validate = false;
};

int run(const Options& o) {
  const gen::Device* device = gen::find_device(o.device);
  if (!device) return complain(exit_usage, "unknown device " + o.device);
  if (!o.json && o.output.empty() && isatty(STDOUT_FILENO))
    return complain(exit_usage, "machine code is not for terminals: name a file with -o, or use --json");
  const Result<std::string> source = read_file(o.input);
  if (!source) return complain(exit_file, source.error().message);

  isa::AssembleOptions options;
  options.validate = !o.no_validate;
  if (o.compact) options.compact = isa::CompactMode::all;
  if (o.no_compact) options.compact = isa::CompactMode::none;
  const isa::Model& m = device->model();
  const isa::Assembly a = isa::assemble(m, *source, options);
  report(o.input, *source, a.diagnostics);
  if (!a.ok()) return exit_bad_input;

  std::string out;
  if (o.json) {
    nlohmann::ordered_json j;
    j["device"] = o.device;
    j["size"] = a.code.size();
    j["instructions"] = nlohmann::ordered_json::array();
    for (const isa::PlacedInstruction& p : a.instructions) {
      j["instructions"].push_back(to_json(m, p.instruction, p.offset, p.size));
      j["instructions"].back()["line"] = p.line;
    }
    out = j.dump(2) + "\n";
    if (!o.output.empty() && o.output != "-") {
      if (const Result<bool> w = write_file(o.output, {reinterpret_cast<const char*>(a.code.data()), a.code.size()});
          !w)
        return complain(exit_file, w.error().message);
    }
  } else {
    out.assign(reinterpret_cast<const char*>(a.code.data()), a.code.size());
  }
  const Result<bool> w = write_file(o.json || o.output.empty() ? "-" : o.output, out);
  return w ? int(exit_ok) : complain(exit_file, w.error().message);
}

}  // namespace

void add_asm(CLI::App& app, int& result) {
  auto o = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("asm", "assemble EU text to machine code");
  sub->add_option("-g,--device", o->device, "device: snb, bdw, kbl or apl")->required();
  sub->add_option("input", o->input, "assembly text, - for standard input")->required();
  sub->add_option("-o,--output", o->output, "machine code; standard output if it is not a terminal");
  auto* compact = sub->add_flag("--compact", o->compact, "compact every instruction that has a 64-bit form");
  sub->add_flag("--no-compact", o->no_compact, "compact none, even if marked {Compacted}")->excludes(compact);
  sub->add_flag("--no-validate", o->no_validate, "do not check the rules of the generation");
  sub->add_flag("--json", o->json, "print the instructions as JSON (the code still goes to -o)");
  sub->footer(
      "The text is that of Intel's iga64, extended (docs/assembly.md). Try:\n"
      "  echo 'mov (8|M0) r10.0<1>:f 1.0:f' | vitro asm -g kbl - -o one.bin\n"
      "  vitro disasm -g kbl --offsets one.bin\n"
      "Errors are printed as file:line:column with the line and a caret, all of them in one run.\n"
      "Exit code: 0 assembled, 1 errors in the text, 2 wrong command line, 3 a file could not be read or written.");
  sub->callback([o, &result] { result = run(*o); });
}

}  // namespace vitro::cli
