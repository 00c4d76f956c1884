// vitro: an Intel GPU in software. One program, its subcommands in files of their own.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "cli/cli.h"
#include "gen/models.h"

namespace vitro::cli {

void add_devices(CLI::App& app, int& result) {
  app.add_subcommand("devices", "list the devices vitro knows")->callback([&result] {
    for (const gen::Device& d : gen::devices()) fmt::print("{:6}{}\n", d.name, d.title);
    result = exit_ok;
  });
}

}  // namespace vitro::cli

int main(int argc, char** argv) {
  using namespace vitro::cli;
  CLI::App app{"vitro: an Intel GPU in software (Sandy Bridge, Broadwell, Kaby Lake, Apollo Lake)"};
  app.require_subcommand(1);
  app.footer(
      "vitro SUBCOMMAND --help teaches each of them. Exit codes: 0 done, 1 bad input, 2 wrong command line, 3 file "
      "error.");
  int result = exit_ok;
  add_asm(app, result);
  add_disasm(app, result);
  add_exec(app, result);
  std::vector<std::string> program;
  add_run(app, program, result);
  add_devices(app, result);
  try {
    std::vector<std::string> words(argv + 1, argv + argc);
    program = take_program(app, words);
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    app.parse(words);
  } catch (const CLI::ParseError& e) {
    return app.exit(e, std::cout, std::cerr) == 0 ? exit_ok : exit_usage;
  }
  return result;
}
