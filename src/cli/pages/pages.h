// Manual pages and shell completions, made from the command line's own tree so that they cannot tell anything else.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace vitro::cli::pages {

// A subcommand or the whole program, as pages need it.
struct Option {
  std::vector<std::string> names;  // with their dashes; empty: a positional argument
  std::string positional;
  std::string description;
  bool takes_value = false, value_is_optional = false;
  std::vector<std::string> choices;  // empty: any value
  std::string value;                 // what to call it: DEVICE, FILE, N or WORD
};
struct Command {
  std::string name;  // "vitro", "run"
  std::string description, footer;
  std::vector<Option> options;
  bool runs_a_program = false;  // the rest of its words is another program's
};

Command describe(const CLI::App& app);
std::vector<Command> subcommands(const CLI::App& app);  // those that help shows

std::string manual(const Command& program, const std::vector<Command>& all);  // vitro(1)
std::string manual(const Command& subcommand);                                // vitro-NAME(1)
std::string bash_completion(const Command& program, const std::vector<Command>& all);
std::string zsh_completion(const Command& program, const std::vector<Command>& all);
std::string fish_completion(const Command& program, const std::vector<Command>& all);

}  // namespace vitro::cli::pages
