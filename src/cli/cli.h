// What the subcommands of vitro share: exit codes, files, and the terminal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "isa/diagnostic.h"

namespace CLI {
class App;
}

namespace vitro::cli {

// For scripts: bad input, a wrong command line and an unreadable file are three different things.
enum ExitCode { exit_ok = 0, exit_bad_input = 1, exit_usage = 2, exit_file = 3 };

// "-" is standard input or output.
Result<std::string> read_file(const std::string& path);
Result<bool> write_file(const std::string& path, std::string_view bytes);

bool colour_on(int fd);  // a terminal, and NO_COLOR not set
void report(const std::string& file, std::string_view source, const isa::Diagnostics&);
int complain(ExitCode code, std::string_view message);

// Each adds its subcommand; the callback leaves its exit code in `result`.
void add_asm(CLI::App& app, int& result);
void add_disasm(CLI::App& app, int& result);
void add_decode(CLI::App& app, int& result);
void add_exec(CLI::App& app, int& result);
void add_run(CLI::App& app, const std::vector<std::string>& program, int& result);
void add_doctor(CLI::App& app, int& result);
void add_replay(CLI::App& app, int& result);
void add_visa(CLI::App& app, int& result);

// Of `vitro run OPTIONS [--] PROGRAM ...` the program and its arguments, which are not ours to parse: taken off the end
// of the words. Empty for other subcommands.
std::vector<std::string> take_program(const CLI::App& app, std::vector<std::string>& words);

// What --jit does, for the help of subcommands that have it.
inline constexpr const char* jit_text =
    "off: EU programs are interpreted; on: all are compiled before they run; auto: those that run long, meanwhile";

}  // namespace vitro::cli
