// The subcommands of vitro put together; see app.h.
#include "cli/app.h"

#include <fmt/format.h>

#include "cli/cli.h"
#include "gen/models.h"

namespace vitro::cli {

namespace {

void add_devices(CLI::App& app, int& result) {
  CLI::App* command = app.add_subcommand("devices", "list the devices vitro knows");
  command->footer("Each line is the name that --device takes, and what Intel calls it.\nExit code: 0.");
  command->callback([&result] {
    for (const gen::Device& d : gen::devices()) fmt::print("{:6}{}\n", d.name, d.title);
    result = exit_ok;
  });
}

}  // namespace

CommandLine::CommandLine()
    : app("vitro: an Intel GPU in software (Sandy Bridge, Broadwell, Kaby Lake, Apollo Lake)", "vitro") {
  app.require_subcommand(1);
  app.set_version_flag("--version", "vitro " VITRO_VERSION, "print the version and exit");
  app.footer(
      "vitro SUBCOMMAND --help teaches each of them. Exit codes: 0 done, 1 bad input, 2 wrong command line, 3 file "
      "error.");
  add_run(app, program, result);
  add_doctor(app, result);
  add_devices(app, result);
  add_asm(app, result);
  add_disasm(app, result);
  add_decode(app, result);
  add_exec(app, result);
  add_replay(app, result);
  add_visa(app, result);
}

}  // namespace vitro::cli
