// vitro: an Intel GPU in software. One program, its subcommands in files of their own.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "cli/app.h"
#include "cli/cli.h"

int main(int argc, char** argv) {
  using namespace vitro::cli;
  CommandLine line;
  try {
    std::vector<std::string> words(argv + 1, argv + argc);
    line.program = take_program(line.app, words);
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    line.app.parse(words);
  } catch (const CLI::ParseError& e) {
    return line.app.exit(e, std::cout, std::cerr) == 0 ? exit_ok : exit_usage;
  }
  return line.result;
}
