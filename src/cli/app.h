// The command line of vitro as a tree of CLI11 applications: the one home of its subcommands, options and their words.
// The program parses with it; manual pages and completions are made from it (src/cli/pages).
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace vitro::cli {

struct CommandLine {
  CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  CLI::App app;
  std::vector<std::string> program{};  // of `vitro run`, with its arguments
  int result = 0;                      // the exit code that the chosen subcommand leaves
};

}  // namespace vitro::cli
