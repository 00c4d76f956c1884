// vitro disasm: EU machine code to text.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/choice.h"
#include "cli/cli.h"
#include "cli/code_input.h"
#include "cli/json.h"
#include "gen/models.h"
#include "isa/disassemble.h"

namespace vitro::cli {
namespace {

struct Options {
  std::string device, input, output = "-", kernel;
  InputKind kind = InputKind::detect;
  bool json = false, offsets = false, iga = false, compact = false, no_compact = false, padding = false;
};

nlohmann::ordered_json block_json(const isa::Model& m, const CodeBlock& b, bool padding, int& errors) {
  nlohmann::ordered_json j;
  if (!b.name.empty()) j["kernel"] = b.name;
  j["size"] = b.code.size();
  j["instructions"] = nlohmann::ordered_json::array();
  for (const isa::DecodedInstruction& d : isa::decode_program(m, padding ? b.code : isa::without_padding(b.code))) {
    if (d.error.empty()) {
      j["instructions"].push_back(to_json(m, d.instruction, d.offset, d.size));
    } else {
      j["instructions"].push_back({{"offset", d.offset}, {"size", d.size}, {"error", d.error}});
      ++errors;
    }
  }
  return j;
}

int run(const Options& o) {
  const gen::Device* device = gen::find_device(o.device);
  if (!device) return complain(exit_usage, "unknown device " + o.device);
  const Result<std::string> file = read_file(o.input);
  if (!file) return complain(exit_file, file.error().message);
  Result<std::vector<CodeBlock>> blocks = read_code(*file, o.kind);
  if (!blocks) return complain(exit_bad_input, fmt::format("{}: {}", o.input, blocks.error().message));
  if (!o.kernel.empty()) {
    std::erase_if(*blocks, [&](const CodeBlock& b) { return b.name != o.kernel; });
    if (blocks->empty()) return complain(exit_bad_input, fmt::format("{}: no kernel is called {}", o.input, o.kernel));
  }

  const isa::Model& m = device->model();
  isa::DisassembleOptions options;
  options.offsets = o.offsets;
  options.print.iga = o.iga;
  options.print.compacted = !o.no_compact;
  options.skip_padding = !o.padding;
  int errors = 0;
  std::string out;
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const CodeBlock& b : *blocks) {
    if (o.json) {
      json.push_back(block_json(m, b, o.padding, errors));
      continue;
    }
    if (!b.name.empty()) out += fmt::format("{}// kernel {}\n", out.empty() ? "" : "\n", b.name);
    int n = 0;
    out += isa::disassemble(m, b.code, options, &n);
    errors += n;
  }
  if (o.json) out = nlohmann::ordered_json{{"device", o.device}, {"blocks", json}}.dump(2) + "\n";
  if (const Result<bool> w = write_file(o.output, out); !w) return complain(exit_file, w.error().message);
  if (errors) return complain(exit_bad_input, fmt::format("{}: {} instructions could not be decoded", o.input, errors));
  return exit_ok;
}

}  // namespace

void add_disasm(CLI::App& app, int& result) {
  auto o = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("disasm", "disassemble EU machine code");
  sub->add_option("-g,--device", o->device, "device: snb, bdw, kbl or apl")->required();
  sub->add_option("input", o->input, "machine code: raw, hexadecimal text, or a device binary of ocloc")->required();
  sub->add_option("-o,--output", o->output, "text; standard output by default");
  add_choice<InputKind>(*sub, "--input", o->kind,
                        {{"raw", InputKind::raw}, {"hex", InputKind::hex}, {"device", InputKind::device_binary}},
                        "what the file is (found out by default)");
  sub->add_option("--kernel", o->kernel, "only this kernel of a device binary");
  sub->add_flag("--offsets", o->offsets, "start each line with the instruction's offset");
  sub->add_flag("--iga", o->iga, "only what iga64 reads: leave out ignored bits");
  auto* compact = sub->add_flag("--compact", o->compact, "mark compacted instructions {Compacted} (default)");
  sub->add_flag("--no-compact", o->no_compact, "leave the mark out, so that assembling gives native instructions")
      ->excludes(compact);
  sub->add_flag("--padding", o->padding, "show zero bytes after the last instruction as illegal");
  sub->add_flag("--json", o->json, "print every field as JSON");
  sub->footer(
      "A device binary is shown kernel by kernel:\n"
      "  ocloc compile -file k.cl -device kbl && vitro disasm -g kbl k_Gen9core.bin\n"
      "Bytes that are no instruction become a comment naming the field at fault, and the exit code is 1.\n"
      "Exit code: 0 all decoded, 1 bad input, 2 wrong command line, 3 a file could not be read or written.");
  sub->callback([o, &result] { result = run(*o); });
}

}  // namespace vitro::cli
