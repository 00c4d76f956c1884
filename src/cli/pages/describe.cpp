// From CLI11's tree to what pages say of it. Devices are the values of --device everywhere, whether or not CLI11 checks
// them.
#include <algorithm>
#include <cctype>

#include "cli/pages/pages.h"
#include "gen/models.h"

namespace vitro::cli::pages {
namespace {

// CLI11 writes the members of a set as {a,b,c} into the name of the type.
std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const size_t open = type.find('{'), close = type.find('}');
  if (open == type.npos || close == type.npos) return {};
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

Option describe(const CLI::Option& o) {
  Option d;
  for (const std::string& name : o.get_snames()) d.names.push_back("-" + name);
  for (const std::string& name : o.get_lnames()) d.names.push_back("--" + name);
  d.positional = o.get_positional() ? o.get_name(true) : "";
  d.description = o.get_description();
  d.choices = choices_of(o);
  d.value_is_optional = o.get_items_expected_min() == 0 && !d.choices.empty();  // a flag that takes --flag=WORD too
  d.takes_value = o.get_items_expected_min() > 0 || d.value_is_optional;
  const std::vector<std::string>& longs = o.get_lnames();
  const auto named = [&](const char* name) { return std::find(longs.begin(), longs.end(), name) != longs.end(); };
  d.value = "WORD";
  if (named("device")) {
    d.value = "DEVICE";
    for (const gen::Device& device : gen::devices()) d.choices.emplace_back(device.name);
  } else if (o.get_type_name().starts_with("UINT") || o.get_type_name().starts_with("INT")) {
    d.value = "N";
  } else if (named("output") || named("stats-file")) {
    d.value = "FILE";
  } else if (named("jit-cache") || named("jit-dump")) {
    d.value = "FOLDER";
  }
  return d;
}

}  // namespace

Command describe(const CLI::App& app) {
  Command c;
  c.name = app.get_name(), c.description = app.get_description(), c.footer = app.get_footer();
  for (const CLI::Option* o : app.get_options()) c.options.push_back(describe(*o));
  c.runs_a_program = c.name == "run";
  return c;
}

std::vector<Command> subcommands(const CLI::App& app) {
  std::vector<Command> all;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!sub->get_group().empty()) all.push_back(describe(*sub));
  return all;
}

}  // namespace vitro::cli::pages
