// Predication: MI_PREDICATE computes a bit from registers, and commands with a predicate bit of their own, or all that
// follow MI_SET_PREDICATE, depend on it. PRM: Gen8 vol 2a MI_PREDICATE, MI_SET_PREDICATE. Compare, combine and load are
// independent, so each is a table of its own.
#include "streamer/handlers.h"

namespace vitro::streamer {

using namespace commands;

namespace {

using registers::cs::predicate_data, registers::cs::predicate_result, registers::cs::predicate_result_2,
    registers::cs::predicate_src0, registers::cs::predicate_src1;

uint64_t own_register64(const Execution& e, uint32_t offset) {
  return e.state.registers.get64(e.state.registers.base() + offset);
}

using Compare = bool (*)(const Execution&);
constexpr Compare compares[4] = {
    [](const Execution&) { return true; },
    [](const Execution&) { return false; },
    [](const Execution& e) { return own_register64(e, predicate_src0) == own_register64(e, predicate_src1); },
    [](const Execution& e) {
      return own_register64(e, predicate_src0) - own_register64(e, predicate_src1) == own_register64(e, predicate_data);
    },
};
using Combine = bool (*)(bool old, bool compared);
constexpr Combine combines[4] = {
    [](bool, bool c) { return c; },
    [](bool p, bool c) { return p && c; },
    [](bool p, bool c) { return p || c; },
    [](bool p, bool c) { return p != c; },
};
using Load = bool (*)(bool old, bool combined);
constexpr Load loads[4] = {
    [](bool p, bool) { return p; },
    [](bool p, bool) { return p; },  // reserved
    [](bool, bool x) { return x; },
    [](bool, bool x) { return !x; },
};

// MI_SET_PREDICATE's values: when the commands that follow are NOOPs.
using Off = bool (*)(const Execution&);
constexpr Off never = [](const Execution&) { return false; };
bool result(const Execution& e) { return own_register(e, predicate_result) & 1; }
bool result_2(const Execution& e) { return own_register(e, predicate_result_2) & 1; }
constexpr Off offs[16] = {
    never,
    [](const Execution& e) { return !result_2(e); },
    [](const Execution& e) { return result_2(e); },
    [](const Execution& e) { return !result(e); },
    [](const Execution& e) { return result(e); },
    [](const Execution& e) { return e.around.slices != 1; },
    [](const Execution& e) { return e.around.slices != 2; },
    [](const Execution& e) { return e.around.slices != 3; },
    never,  // 8 to 14 are reserved
    never,
    never,
    never,
    never,
    never,
    never,
    [](const Execution&) { return true; },
};

}  // namespace

bool predicate(const Execution& e) { return result(e); }
bool predicated_off(const Execution& e) { return offs[e.state.set_predicate & 15](e); }

void set_predicate(Execution& e, const MiSetPredicate& c) { e.state.set_predicate = c.enable; }

void predicate_command(Execution& e, const MiPredicate& c) {
  const bool old = result(e);
  const bool value = loads[c.load](old, combines[c.combine](old, compares[c.compare](e)));
  // A kept predicate keeps the whole register: drivers store all ones in it.
  if (value != old || c.load >= 2) e.state.registers.set(e.state.registers.base() + predicate_result, value);
}

}  // namespace vitro::streamer
