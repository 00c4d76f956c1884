// make_pages FOLDER: writes the manual pages and completions of vitro where an installation has them below its share.
#include <fmt/format.h>

#include <filesystem>

#include "cli/app.h"
#include "cli/cli.h"
#include "cli/pages/pages.h"

namespace {

bool write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  const vitro::Result<bool> written = vitro::cli::write_file(path.string(), text);
  if (!written) fmt::print(stderr, "make_pages: {}\n", written.error().message);
  return written.has_value();
}

}  // namespace

int main(int argc, char** argv) {
  using namespace vitro::cli::pages;
  if (argc != 2) return 2;
  const std::filesystem::path share = argv[1];
  const vitro::cli::CommandLine line;
  const Command program = describe(line.app);
  const std::vector<Command> all = subcommands(line.app);
  bool fine = write(share / "man/man1/vitro.1", manual(program, all));
  for (const Command& c : all) fine &= write(share / "man/man1" / fmt::format("vitro-{}.1", c.name), manual(c));
  fine &= write(share / "bash-completion/completions/vitro", bash_completion(program, all));
  fine &= write(share / "zsh/vendor-completions/_vitro", zsh_completion(program, all));
  fine &= write(share / "fish/vendor_completions.d/vitro.fish", fish_completion(program, all));
  return fine ? 0 : 1;
}
