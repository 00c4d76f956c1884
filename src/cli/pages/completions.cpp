// Completions for bash, zsh and fish. After the options of `vitro run` they complete another program and its arguments.
#include <fmt/format.h>

#include "cli/pages/pages.h"

namespace vitro::cli::pages {
namespace {

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size()) text.replace(at, what.size(), by);
  return text;
}

std::string in_quotes(const std::string& text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

std::vector<std::string> names_of(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const Command& c : commands) names.push_back(c.name);
  return names;
}

std::vector<std::string> option_names(const Command& c) {
  std::vector<std::string> names;
  for (const Option& o : c.options) names.insert(names.end(), o.names.begin(), o.names.end());
  return names;
}

// zsh: within the brackets of a description, and between the colons of a value.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return replaced(out, "'", "'\\''");
}

std::string zsh_option(const Option& o) {
  const std::string values = !o.choices.empty()    ? fmt::format("({})", fmt::join(o.choices, " "))
                             : o.value == "FILE"   ? "_files"
                             : o.value == "FOLDER" ? "_directories"
                                                   : " ";
  const std::string value = !o.takes_value        ? ""
                            : o.value_is_optional ? fmt::format("::{}:{}", o.value, values)
                                                  : fmt::format(":{}:{}", o.value, values);
  std::string out;
  for (const std::string& name : o.names)
    out += fmt::format("        '{}{}[{}]{}' \\\n", name,
                       !o.takes_value           ? ""
                       : name.starts_with("--") ? o.value_is_optional ? "=-" : "="
                                                : "+",
                       zsh_text(o.description), value);
  return out;
}

}  // namespace

std::string bash_completion(const Command& program, const std::vector<Command>& all) {
  std::string out = fmt::format(
      R"(# Completion of vitro for bash; made from its command line.
_vitro() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}} command=${{COMP_WORDS[1]}} words n
  # bash takes --option=value for three words
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${{COMP_WORDS[COMP_CWORD - 2]}}; fi
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W '{} {}' -- "$cur")
    return
  fi
)",
      fmt::join(names_of(all), " "), fmt::join(option_names(program), " "));
  for (const Command& c : all) {
    if (!c.runs_a_program) continue;
    std::vector<std::string> with_value;
    for (const Option& o : c.options)
      if (o.takes_value && !o.value_is_optional) with_value.insert(with_value.end(), o.names.begin(), o.names.end());
    out += fmt::format(
        R"(  if [[ $command == {} ]]; then  # the first word that is no option is the program
    for ((n = 2; n < COMP_CWORD; ++n)); do
      case ${{COMP_WORDS[n]}} in
        --) ((++n)); break ;;
        {}) if [[ ${{COMP_WORDS[n + 1]}} == = ]]; then ((n += 2)); else ((++n)); fi ;;
        -*) if [[ ${{COMP_WORDS[n + 1]}} == = ]]; then ((n += 2)); fi ;;
        *) break ;;
      esac
    done
    if ((n < COMP_CWORD)); then
      if declare -F _command_offset >/dev/null; then _command_offset "$n"; fi
      return
    elif ((n == COMP_CWORD)) && [[ $cur != -* && ${{COMP_WORDS[n - 1]}} != = ]]; then
      mapfile -t COMPREPLY < <(compgen -c -- "$cur")
      return
    fi
  fi
)",
        c.name, fmt::join(with_value, "|"));
  }
  out += "  case \"$command $prev\" in\n";
  std::vector<std::string> any_value;
  for (const Command& c : all)
    for (const Option& o : c.options) {
      if (!o.takes_value || o.names.empty()) continue;
      std::vector<std::string> patterns;
      for (const std::string& name : o.names) patterns.push_back(fmt::format("'{} {}'", c.name, name));
      if (o.choices.empty()) {
        any_value.insert(any_value.end(), patterns.begin(), patterns.end());
        continue;
      }
      // A value that may be left out follows an equals sign only.
      out += fmt::format("    {})\n      {}mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$cur\") && return\n      ;;\n",
                         fmt::join(patterns, " | "),
                         o.value_is_optional ? "[[ ${COMP_LINE:0:COMP_POINT} == *=* ]] && " : "",
                         fmt::join(o.choices, " "));
    }
  out += fmt::format("    {}) return ;;  # files, as for any word\n", fmt::join(any_value, " | "));
  out += "  esac\n  [[ $cur == -* ]] || return\n  case $command in\n";
  for (const Command& c : all) out += fmt::format("    {}) words='{}' ;;\n", c.name, fmt::join(option_names(c), " "));
  out += "    *) return ;;\n  esac\n  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n}\n";
  return out + "complete -o default -F _vitro vitro\n";
}

std::string zsh_completion(const Command& program, const std::vector<Command>& all) {
  std::string out =
      "#compdef vitro\n# Completion of vitro for zsh; made from its command line.\n_vitro() {\n"
      "  local curcontext=$curcontext state line\n  local -a commands\n  _arguments -C \\\n";
  for (const Option& o : program.options) out += zsh_option(o);
  out +=
      "        '1:subcommand:->subcommand' '*::argument:->argument'\n  case $state in\n    subcommand)\n      "
      "commands=(\n";
  for (const Command& c : all) out += fmt::format("        '{}:{}'\n", c.name, zsh_text(c.description));
  out += "      )\n      _describe -t commands subcommand commands\n      ;;\n    argument)\n      case $words[1] in\n";
  for (const Command& c : all) {
    out += fmt::format("        {})\n          _arguments -S \\\n", c.name);
    for (const Option& o : c.options)
      if (!o.names.empty()) out += zsh_option(o);
    for (const Option& o : c.options)
      if (o.names.empty()) out += fmt::format("        '1:{}:_files' \\\n", o.positional);
    if (c.runs_a_program) out += "        '(-)1:program: _command_names -e' '*::arguments: _normal' \\\n";
    out += "            && return\n          ;;\n";
  }
  return out + "      esac\n      ;;\n  esac\n}\n_vitro \"$@\"\n";
}

std::string fish_completion(const Command& program, const std::vector<Command>& all) {
  std::string out = "# Completion of vitro for fish; made from its command line.\n";
  const auto append = [&](const std::string& condition, const Option& o) {
    out += fmt::format("complete -c vitro -n {}", in_quotes(condition));
    for (const std::string& name : o.names)
      out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (o.takes_value && !o.value_is_optional) out += o.choices.empty() ? " -r" : " -x";
    if (!o.choices.empty()) out += fmt::format(" -a '{}'", fmt::join(o.choices, " "));
    out += fmt::format(" -d {}\n", in_quotes(o.description));
  };
  for (const Option& o : program.options) append("__fish_use_subcommand", o);
  for (const Command& c : all)
    out += fmt::format("complete -c vitro -f -n __fish_use_subcommand -a {} -d {}\n", c.name, in_quotes(c.description));
  for (const Command& c : all) {
    const std::string seen = "__fish_seen_subcommand_from " + c.name;
    for (const Option& o : c.options)
      if (!o.names.empty()) append(seen, o);
    if (c.runs_a_program)
      out += fmt::format("complete -c vitro -n '{}' -x -a '(__fish_complete_subcommand --fcs-skip=2)'\n", seen);
  }
  return out;
}

}  // namespace vitro::cli::pages
