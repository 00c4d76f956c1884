// The input of `vitro visa`; see visa_input.h.
#include "cli/visa_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "visa/read_bytes.h"
#include "visa/read_text.h"

namespace vitro::cli {
namespace {

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

}  // namespace

void VisaSource::add(std::string name, std::string content) {
  if (!content.empty() && content.back() != '\n') content += '\n';
  const int line = files.empty() ? 1 : files.back().first_line + int(std::ranges::count(files.back().text, '\n'));
  text += content;
  files.push_back({std::move(name), std::move(content), line});
}

const VisaSource::File& VisaSource::file_of(int& line) const {
  auto file = std::find_if(files.rbegin(), files.rend(), [&](const File& f) { return f.first_line <= line; });
  if (file == files.rend()) --file;
  line -= file->first_line - 1;
  return *file;
}

void VisaSource::report(const isa::Diagnostics& diagnostics) const {
  for (isa::Diagnostic d : diagnostics) {
    const File& file = file_of(d.line);
    cli::report(file.name, file.text, {d});
  }
}

Result<VisaInput> read_visa(std::vector<std::string> names, bool alone, int& code) {
  if (names.size() == 1 && !alone)
    for (std::string& f : functions_beside(names[0])) names.push_back(std::move(f));
  VisaInput input;
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
      code = exit_ok;
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

}  // namespace vitro::cli
