// Running Intel's assembler: spawn, wait, read what it wrote.
#include "iga64.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>

namespace vitro::iga {
namespace {

// Runs the program with its output in a file and its complaints in another; the status is 0 or what it complained.
Result<std::string> run(const Iga64& iga, std::vector<std::string> arguments, const std::filesystem::path& output) {
  const std::filesystem::path complaints = iga.folder / "complaints.txt";
  arguments.insert(arguments.begin(), {iga.program, "-p=" + iga.platform});
  arguments.insert(arguments.end(), {"-o", output.string()});
  std::vector<char*> argv;
  for (std::string& a : arguments) argv.push_back(a.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, complaints.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  std::filesystem::remove(output);  // what a failed run leaves behind must not pass for its result
  pid_t child = 0;
  const int error = posix_spawn(&child, iga.program.c_str(), &files, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) return failure(fmt::format("{} cannot be started (error {})", iga.program, error));
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
    return failure(fmt::format("{} ended abnormally", iga.program));
  if (WEXITSTATUS(status) != 0 || !std::filesystem::exists(output))
    return failure(fmt::format("iga64 exits with status {}: {}", WEXITSTATUS(status), read_file(complaints)));
  return read_file(output);
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_file(const std::filesystem::path& path, std::string_view content) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(content.data(), std::streamsize(content.size()));
}

Result<std::string> disassemble(const Iga64& iga, std::span<const std::byte> code) {
  const std::filesystem::path in = iga.folder / "in.krn";
  write_file(in, {reinterpret_cast<const char*>(code.data()), code.size()});
  return run(iga, {"-d", in.string()}, iga.folder / "out.asm");
}

Result<Bytes> assemble(const Iga64& iga, std::string_view text, Compact compact) {
  const std::filesystem::path in = iga.folder / "in.asm";
  write_file(in, text);
  std::vector<std::string> arguments{"-a", in.string()};
  if (compact == Compact::automatic) arguments.push_back("-Xautocompact");
  const Result<std::string> out = run(iga, arguments, iga.folder / "out.krn");
  if (!out) return tl::unexpected(out.error());
  const auto bytes = std::as_bytes(std::span(*out));
  return Bytes(bytes.begin(), bytes.end());
}

}  // namespace vitro::iga
