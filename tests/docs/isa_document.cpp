// Writes docs/isa.md, or says whether it is what would be written: isa_document [--check] FILE.
// Exit status: 0 written or fresh, 1 stale, 2 wrong usage or an unwritable file.
#include "isa/document.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "gen/models.h"

using namespace vitro;

int main(int argc, char** argv) {
  const bool check = argc == 3 && std::string_view(argv[1]) == "--check";
  if (argc != 2 && !check) {
    fmt::print(stderr, "usage: isa_document [--check] FILE\n");
    return 2;
  }
  const char* name = argv[argc - 1];
  const isa::DocumentedModel models[] = {{"Gen6 (Sandy Bridge)", "Gen6", &gen::gen6()},
                                         {"Gen8 (Broadwell)", "Gen8", &gen::gen8()},
                                         {"Gen9 (Kaby Lake, Apollo Lake)", "Gen9", &gen::gen9()}};
  const std::string text = isa::document(models);
  if (!check) {
    std::ofstream out(name, std::ios::binary);
    out << text;
    return out.flush() ? 0 : 2;
  }
  std::stringstream kept;
  kept << std::ifstream(name, std::ios::binary).rdbuf();
  if (kept.str() == text) return 0;
  fmt::print(stderr, "{} is stale: build, then write it again with\n  {} {}\n", name, argv[0], name);
  return 1;
}
