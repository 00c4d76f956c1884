// Names and PCI ids of the generations here; see recorded.h.
#include "gen/recorded.h"

#include <cstdint>
#include <cstdlib>
#include <string>

#include "gen/platform.h"

namespace vitro::gen {
namespace {

struct Name {
  std::string_view name, device;
};
constexpr Name names[] = {
    {"skl", "kbl"},        {"cfl", "kbl"},         {"cml", "kbl"},       {"whl", "kbl"},        {"aml", "kbl"},
    {"bxt", "apl"},        {"glk", "apl"},         {"SKYLAKE", "kbl"},   {"COFFEELAKE", "kbl"}, {"COMETLAKE", "kbl"},
    {"GEMINILAKE", "apl"}, {"SANDYBRIDGE", "snb"}, {"BROADWELL", "bdw"}, {"BROXTON", "apl"},
};

// Ids that are equal under the mask.
struct Ids {
  uint16_t mask, id;
  std::string_view device;
};
constexpr Ids ids[] = {
    {0xFFC0, 0x0100, "snb"},                                                    // SNB
    {0xFFC0, 0x1600, "bdw"},                                                    // BDW
    {0xFF00, 0x1900, "kbl"}, {0xFF00, 0x5900, "kbl"}, {0xFF00, 0x3E00, "kbl"},  // SKL, KBL, CFL and WHL
    {0xFF00, 0x9B00, "kbl"}, {0xFFC0, 0x87C0, "kbl"},                           // CML, AML
    {0xFFFE, 0x0A84, "apl"}, {0xFFFE, 0x1A84, "apl"}, {0xFFFE, 0x5A84, "apl"},  // BXT
    {0xFFFE, 0x3184, "apl"},                                                    // GLK
};

}  // namespace

const Device* find_recorded(std::string_view text) {
  if (const Device* const d = find_device(text)) return d;
  for (const Platform& p : platforms())
    if (p.kernel_name == text) return find_device(p.device);
  for (const Name& n : names)
    if (n.name == text) return find_device(n.device);
  char* end = nullptr;
  const std::string number(text);
  const unsigned long id = std::strtoul(number.c_str(), &end, 0);
  if (number.empty() || *end || id > UINT16_MAX) return nullptr;
  for (const Ids& i : ids)
    if ((id & i.mask) == i.id) return find_device(i.device);
  return nullptr;
}

}  // namespace vitro::gen
