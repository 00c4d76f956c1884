// Manual pages as man(7) wants them. Words of the command line's help; sections that help has no room for are here.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "cli/pages/pages.h"

namespace vitro::cli::pages {
namespace {

struct Section {
  std::string_view command, title;
  std::vector<std::pair<std::string_view, std::string_view>> entries;  // a term and what it is
};
const std::vector<Section>& more_sections() {
  static const std::vector<Section> sections{
      {"run",
       "ENVIRONMENT",
       {{"VITRO_DEFAULT_JIT", "what counts where --jit is not given: off, on or auto"},
        {"VITRO_CACHE_DIR, XDG_CACHE_HOME", "where compiled code is kept: in the first, or in vitro below the second"},
        {"LD_PRELOAD", "is set for the program; libraries that are named there already stay behind vitro's"}}},
      {"run", "FILES", {{"~/.cache/vitro", "compiled code, at most 256 MiB; it can be removed at any time"}}},
  };
  return sections;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  // A line that begins like a request is none.
  if (!out.empty() && (out[0] == '.' || out[0] == '\'')) out.insert(0, "\\&");
  return out;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return char(std::toupper(c)); });
  return text;
}

std::string head(const std::string& name) {
  return fmt::format(".TH {} 1 \"\" \"vitro {}\" \"User Commands\"\n", upper(escaped(name)), VITRO_VERSION);
}

// Lines that are indented are examples.
void append_text(std::string& out, std::string_view text) {
  bool example = false;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with("  ") != example) out += example ? ".EE\n.PP\n" : ".PP\n.EX\n";
    example = line.starts_with("  ");
    if (!line.empty()) out += escaped(line) + "\n";
  }
  if (example) out += ".EE\n";
}

// What the footer says of exit codes is a section of its own, at the end.
size_t exit_codes(const std::string& footer) { return std::min(footer.find("Exit code"), footer.size()); }
void append_exit_codes(std::string& out, const std::string& footer) {
  const std::string_view text = std::string_view(footer).substr(exit_codes(footer));
  if (text.empty()) return;
  out += ".SH EXIT STATUS\n";
  append_text(out, text.substr(text.find(':') + 2));
}

void append_options(std::string& out, const Command& c) {
  for (const Option& o : c.options) {
    if (o.names.empty()) continue;
    out += ".TP\n";
    std::string names;
    for (const std::string& name : o.names)
      names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", escaped(name));
    if (o.takes_value) {
      const std::string value = o.choices.empty() ? fmt::format("\\fI{}\\fR", o.value)
                                                  : escaped(fmt::format("{}", fmt::join(o.choices, "|")));
      names += o.value_is_optional ? fmt::format("[={}]", value) : " " + value;
    }
    out += names + "\n" + escaped(o.description) + "\n";
  }
}

}  // namespace

std::string manual(const Command& program, const std::vector<Command>& all) {
  std::string out = head("vitro");
  out += ".SH NAME\nvitro \\- an Intel GPU in software\n";
  out +=
      ".SH SYNOPSIS\n.B vitro\n.I SUBCOMMAND\n.RI [ OPTIONS ]\n.br\n.B vitro run \\-\\-\n.I PROGRAM\n.RI [ ARGUMENTS "
      "...]\n";
  out += ".SH DESCRIPTION\n" + escaped(program.description) + ".\n";
  out +=
      "Unmodified programs and drivers see an Intel GPU in /dev/dri, and what they submit is executed on the CPU.\n"
      ".SH SUBCOMMANDS\n";
  for (const Command& c : all)
    out += fmt::format(".TP\n.B {}\n{}; see\n.BR vitro\\-{} (1)\n", c.name, escaped(c.description), c.name);
  out += ".SH OPTIONS\n";
  append_options(out, program);
  append_exit_codes(out, program.footer);
  out += ".SH SEE ALSO\n";
  for (const Command& c : all) out += fmt::format(".BR vitro\\-{} (1){}\n", c.name, &c == &all.back() ? "" : ",");
  return out;
}

std::string manual(const Command& c) {
  std::string out = head("vitro-" + c.name);
  out += fmt::format(".SH NAME\nvitro\\-{} \\- {}\n.SH SYNOPSIS\n.B vitro {}\n.RI [ OPTIONS ]\n", c.name,
                     escaped(c.description), c.name);
  for (const Option& o : c.options)
    if (o.names.empty()) out += fmt::format(".I {}\n", upper(o.positional));
  if (c.runs_a_program) out += "[\\-\\-]\n.I PROGRAM\n.RI [ ARGUMENTS ...]\n";
  out += ".SH DESCRIPTION\n";
  append_text(out, std::string_view(c.footer).substr(0, exit_codes(c.footer)));
  out += ".SH OPTIONS\n";
  for (const Option& o : c.options)
    if (o.names.empty()) out += fmt::format(".TP\n.I {}\n{}\n", upper(o.positional), escaped(o.description));
  append_options(out, c);
  append_exit_codes(out, c.footer);
  for (const Section& s : more_sections()) {
    if (s.command != c.name) continue;
    out += fmt::format(".SH {}\n", s.title);
    for (const auto& [term, text] : s.entries) out += fmt::format(".TP\n.B {}\n{}\n", escaped(term), escaped(text));
  }
  return out + ".SH SEE ALSO\n.BR vitro (1)\n";
}

}  // namespace vitro::cli::pages
