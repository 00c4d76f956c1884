// Fuzz target: any bytes as a file of the code store, as damage to a good one, as machine code that was kept, and as an
// object for the linker. A file that is not what was kept is none; code as bytes is refused or loaded, and what is told
// about it then lies inside it. The code itself is not run: it is whatever the sum and the file's owner vouch for.
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "code/store.h"
#include "code_store.h"
#include "eu/compiled.h"
#include "fuzz.h"

using namespace vitro;
namespace fs = std::filesystem;

namespace {

void must_hold(bool condition, const char* what) { fuzz::must_hold(condition, fuzz::kept_program().model(), what); }

constexpr const char* key = "some build\nkbl gen9 1 1 1 0 0\nand the program's bytes";

struct Store {
  fs::path folder;
  code::Store store;
  fs::path file;
  std::string content;

  static std::string new_folder() {
    std::string name = (fs::temp_directory_path() / "vitro_fuzz_XXXXXX").string();
    if (!mkdtemp(name.data())) std::abort();
    return name;
  }
  Store() : folder(new_folder()), store(folder.string()) {
    store.keep(key, fuzz::kept_image());
    file = fs::directory_iterator(folder)->path();
    std::ifstream in(file, std::ios::binary);
    content.assign(std::istreambuf_iterator<char>(in), {});
  }
  ~Store() { fs::remove_all(folder); }

  // In place, so that owner and mode stay.
  void put(std::string_view bytes) { std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes; }
  void must_count(std::string_view bytes) {
    put(bytes);
    const auto found = store.find(key);
    must_hold(bool(found) == (bytes == content), "a file counts if and only if it is the one that was kept");
    if (found) must_hold(*found == fuzz::kept_image(), "what was kept is given back");
  }
};

void load(std::span<const std::byte> bytes) {
  const auto code = eu::load(fuzz::kept_program(), bytes);
  if (!code) return;
  const auto all = code::to_image(bytes);
  must_hold(all.has_value(), "what can be loaded is an image");
  const auto sum = [](std::span<const std::byte> part) {
    unsigned s = 0;
    for (std::byte b : part) s += unsigned(b);
    return s;
  };
  const std::span<const std::byte> whole(all->code);
  must_hold(sum(code->code()) == sum(whole.subspan(all->start, all->function_bytes)), "the function is in memory");
  must_hold(sum(code->shared_code()) == sum(whole.subspan(all->shared)), "and what messages share");
  unsigned registers = 0;
  for (const uint32_t n : code->sites()) {
    const isa::MessageShape& s = fuzz::kept_program().plans()[n].message.shape;
    registers += s.payload_registers() + s.response_registers();
  }
  must_hold(registers <= 100'000 * code->sites().size(), "sites are messages");
}

void link(std::span<const std::byte> bytes) {
  const std::vector<std::byte> aligned(bytes.begin(), bytes.end());
  const code::Object one(aligned), two[] = {one, one};
  code::Image image;
  if (code::link({&one, 1}, image)) load(to_bytes(image));
  code::Image both;
  if (code::link(two, both)) load(to_bytes(both));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static Store store;
  if (size == 0) return 0;
  const std::span<const std::byte> rest(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % fuzz::meanings) {
    case fuzz::file: store.must_count(text); break;
    case fuzz::damage: {
      std::string damaged = store.content;
      for (size_t n = 0; n + 3 <= text.size(); n += 3) {
        const size_t at = (uint8_t(text[n]) | size_t(uint8_t(text[n + 1])) << 8) % damaged.size();
        damaged[at] = char(damaged[at] ^ text[n + 2]);
      }
      if (text.size() % 3 == 1) damaged.resize(damaged.size() * uint8_t(text.back()) / 256);
      store.must_count(damaged);
      break;
    }
    case fuzz::image: {
      store.store.keep(key, rest);
      const auto found = store.store.find(key);
      must_hold(found && std::ranges::equal(*found, rest), "what is kept is found");
      load(*found);
      break;
    }
    default: link(rest); break;
  }
  return 0;
}
