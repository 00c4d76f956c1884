// Reading EU code: assembly, machine code as bytes or text, or a kernel of a device binary.
#include "cli/code_thread.h"

#include "cli/cli.h"
#include "cli/code_input.h"

namespace vitro::cli {
namespace {

// Assembly is text that is not a list of hexadecimal words.
bool looks_like_assembly(std::string_view file) { return file.find('\0') == file.npos && !looks_like_hex(file); }

}  // namespace

std::string title(const ShownRegister& r) {
  return r.type == isa::Type::none ? r.name : fmt::format("{}:{}", r.name, isa::info(r.type).name);
}

int read_program(const std::string& input, const std::string& kernel, bool validate, const isa::Model& m, Code& code) {
  const Result<std::string> file = read_file(input);
  if (!file) return complain(exit_file, file.error().message);
  if (looks_like_assembly(*file)) {
    isa::Assembly a = isa::assemble(m, *file, {.validate = validate});
    report(input, *file, a.diagnostics);
    if (!a.ok()) return exit_bad_input;
    code = {std::move(a.code), std::move(a.labels)};
    return exit_ok;
  }
  Result<std::vector<CodeBlock>> blocks = read_code(*file, InputKind::detect);
  if (!blocks) return complain(exit_bad_input, fmt::format("{}: {}", input, blocks.error().message));
  if (!kernel.empty()) std::erase_if(*blocks, [&](const CodeBlock& b) { return b.name != kernel; });
  if (blocks->empty()) return complain(exit_bad_input, fmt::format("{}: no kernel is called {}", input, kernel));
  if (blocks->size() > 1)
    return complain(exit_bad_input, fmt::format("{}: {} kernels; choose one with --kernel", input, blocks->size()));
  code.bytes = std::move(blocks->front().code);
  return exit_ok;
}

}  // namespace vitro::cli
