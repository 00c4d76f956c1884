// Files and the terminal, for every subcommand: reading and writing whole files with "-" for the standard streams,
// diagnostics on standard error, colour only where a person looks.
#include "cli/cli.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

namespace vitro::cli {

Result<std::string> read_file(const std::string& path) {
  if (path == "-") return std::string(std::istreambuf_iterator<char>(std::cin), {});
  if (std::filesystem::is_directory(path)) return failure(fmt::format("cannot read {}: it is a folder", path));
  std::ifstream f(path, std::ios::binary);
  if (!f) return failure(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  return std::string(std::istreambuf_iterator<char>(f), {});
}

Result<bool> write_file(const std::string& path, std::string_view bytes) {
  if (path == "-") {
    std::cout.write(bytes.data(), std::streamsize(bytes.size())).flush();
    if (!std::cout) return failure("cannot write to standard output");
    return true;
  }
  std::ofstream f(path, std::ios::binary | std::ios::trunc);
  f.write(bytes.data(), std::streamsize(bytes.size())).flush();
  if (!f) return failure(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
  return true;
}

bool colour_on(int fd) { return isatty(fd) && !std::getenv("NO_COLOR"); }

void report(const std::string& file, std::string_view source, const isa::Diagnostics& diagnostics) {
  const bool colour = colour_on(STDERR_FILENO);
  const std::string name = file == "-" ? "<stdin>" : file;
  for (const isa::Diagnostic& d : diagnostics) std::fputs(isa::render(name, source, d, colour).c_str(), stderr);
}

int complain(ExitCode code, std::string_view message) {
  fmt::print(stderr, "vitro: {}\n", message);
  return code;
}

}  // namespace vitro::cli
