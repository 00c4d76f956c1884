// vitro visa: Intel's virtual ISA, as text and as binary objects.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/cli.h"
#include "visa/read_bytes.h"
#include "visa/read_text.h"
#include "visa/write_bytes.h"
#include "visa/write_text.h"

namespace vitro::cli {
namespace {

struct Options {
  std::string action, output, object_version;
  std::vector<std::string> inputs;
  bool alone = false, plain = false;
};

// Texts that are read as one, and whose lines they are.
struct Source {
  struct File {
    std::string name, text;
    int first_line;
  };
  std::vector<File> files{};
  std::string text{};

  void add(std::string name, std::string content) {
    if (!content.empty() && content.back() != '\n') content += '\n';
    const int line = files.empty() ? 1 : files.back().first_line + int(std::ranges::count(files.back().text, '\n'));
    text += content;
    files.push_back({std::move(name), std::move(content), line});
  }
  void report(const isa::Diagnostics& diagnostics) const {
    for (isa::Diagnostic d : diagnostics) {
      auto file = std::find_if(files.rbegin(), files.rend(), [&](const File& f) { return f.first_line <= d.line; });
      if (file == files.rend()) --file;
      d.line -= file->first_line - 1;
      cli::report(file->name, file->text, {d});
    }
  }
};

std::span<const std::byte> as_bytes(const std::string& s) {
  return {reinterpret_cast<const std::byte*>(s.data()), s.size()};
}

// IGC writes a kernel into NAME.visaasm and the functions it calls into NAME_f0.visaasm and so on.
std::vector<std::string> functions_beside(const std::string& kernel) {
  constexpr std::string_view ending = ".visaasm";
  std::vector<std::string> found;
  if (!kernel.ends_with(ending)) return found;
  const std::string stem = kernel.substr(0, kernel.size() - ending.size());
  for (size_t n = 0;; ++n) {
    const std::string name = fmt::format("{}_f{}{}", stem, n, ending);
    if (std::error_code error; !std::filesystem::exists(name, error)) return found;
    found.push_back(name);
  }
}

// An object, however it is spelt; otherwise the exit code, with everything said.
struct Input {
  visa::Object object{};
  Source source{};
};
Result<Input> read(const Options& o, int& code) {
  std::vector<std::string> names = o.inputs;
  if (names.size() == 1 && !o.alone)
    for (std::string& f : functions_beside(names[0])) names.push_back(std::move(f));
  Input input;
  for (const std::string& name : names) {
    Result<std::string> file = read_file(name);
    if (!file) {
      code = exit_file;
      return tl::unexpected(file.error());
    }
    if (visa::is_object(as_bytes(*file))) {
      code = exit_bad_input;
      if (names.size() > 1) return failure(fmt::format("{}: an object is read alone", name));
      Result<visa::Object> object = visa::read_bytes(as_bytes(*file));
      if (!object) return failure(fmt::format("{}: {}", name, object.error().message));
      input.object = std::move(*object);
      return input;
    }
    input.source.add(name, std::move(*file));
  }
  visa::TextResult result = visa::read_text(input.source.text);
  input.source.report(result.diagnostics);
  if (!result.ok()) {
    code = exit_bad_input;
    return failure("");
  }
  input.object = std::move(result.object);
  return input;
}

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
  const bool assemble = o.action == "asm";
  if (assemble && o.output.empty() && isatty(STDOUT_FILENO))
    return complain(exit_usage, "binary objects are not for terminals: name a file with -o");
  int code = exit_ok;
  Result<Input> input = read(o, code);
  if (!input) return input.error().message.empty() ? code : complain(ExitCode(code), input.error().message);
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
  CLI::App* sub = app.add_subcommand("visa", "read and write vISA, the virtual ISA of Intel's compilers");
  sub->add_option("action", o->action, "asm: make a binary object; disasm: print as text")
      ->required()
      ->check(CLI::IsMember({"asm", "disasm"}));
  sub->add_option("input", o->inputs, "vISA text or a binary object, - for standard input; texts are read as one")
      ->required();
  sub->add_option("-o,--output", o->output, "what is made; standard output by default");
  sub->add_option("--object-version", o->object_version, "version to write, 3.0 to 4.1; that of the input by default");
  sub->add_flag("--alone", o->alone, "of NAME.visaasm do not read NAME_f0.visaasm and so on, its functions, too");
  sub->add_flag("--plain", o->plain, "print neither numbers of instructions nor the list of predefined variables");
  sub->footer(
      "The text is what Intel's GenX_IR reads and IGC prints (docs/visa.md). The vISA of an OpenCL kernel:\n"
      "  mkdir dump && IGC_ShaderDumpEnable=1 IGC_DumpToCustomDir=$PWD/dump/ ocloc compile -file k.cl -device kbl\n"
      "  vitro visa asm dump/NAME.visaasm -o k.isa && vitro visa disasm k.isa\n"
      "Errors in a text are printed with line, column and caret, those in an object with the byte at fault.\n"
      "Exit code: 0 done, 1 bad input, 2 wrong command line, 3 a file could not be read or written.");
  sub->callback([o, &result] { result = run(*o); });
}

}  // namespace vitro::cli
