// The inventory's rows by generation. PRM: see inventory.def. A row is in the lists of the generations its last column
// names; the lists are made at compile time.
#include "commands/inventory.h"

#include <array>

namespace vitro::commands {
namespace {

using Generations = unsigned;
constexpr Generations G6 = 1, G8 = 2, G9 = 4, G89 = G8 | G9, G689 = G6 | G8 | G9;

constexpr Kind state = Kind::state, work = Kind::work;

struct Entry {
  Listed listed;
  Generations generations;
};
constexpr Length length_of(int bits) { return {bits ? (1u << bits) - 1 : 0, 0}; }

constexpr Entry entries[] = {
#define COMMAND(name, header, engines, bits, kind, generations) \
  {{name, header, Engines(engines), length_of(bits), kind}, generations},
#include "commands/inventory.def"
#undef COMMAND
};

template <Generations wanted>
constexpr size_t count_of() {
  size_t n = 0;
  for (const Entry& e : entries) n += (e.generations & wanted) != 0;
  return n;
}
template <Generations wanted>
constexpr auto list_of() {
  std::array<Listed, count_of<wanted>()> list{};
  size_t n = 0;
  for (const Entry& e : entries)
    if (e.generations & wanted) list[n++] = e.listed;
  return list;
}

constexpr auto list_gen6 = list_of<G6>();
constexpr auto list_gen8 = list_of<G8>();
constexpr auto list_gen9 = list_of<G9>();

}  // namespace

const std::span<const Listed> inventory_gen6{list_gen6};
const std::span<const Listed> inventory_gen8{list_gen8};
const std::span<const Listed> inventory_gen9{list_gen9};

}  // namespace vitro::commands
