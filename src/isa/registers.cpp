// The ARF tables. The documents of Gen8 and Gen9 at hand have no ARF map; rows follow what IGC and Mesa emit and what
// Intel's assembler accepts.
#include "isa/registers.h"

namespace vitro::isa {
namespace {

constexpr ArfRow gen6[] = {
    {Arf::null, "null", 0, 1, false, false, "Null"},
    {Arf::address, "a", 0, 1, true, true, "Address"},
    {Arf::accumulator, "acc", 0, 2, true, true, "Accumulator"},
    {Arf::flag, "f", 0, 1, true, true, "Flag"},
    {Arf::state, "sr", 0, 1, true, true, "State"},
    {Arf::control, "cr", 0, 1, true, true, "Control"},
    {Arf::notification, "n", 0, 1, true, true, "Notification Count"},
    {Arf::ip, "ip", 0, 1, false, false, "Instruction Pointer"},
    {Arf::thread_dependency, "tdr", 0, 1, true, true, "Thread Dependency"},
};

constexpr ArfRow gen8[] = {
    {Arf::null, "null", 0, 1, false, false, "Null"},
    {Arf::address, "a", 0, 1, true, true, "Address"},
    {Arf::accumulator, "acc", 0, 2, true, true, "Accumulator"},
    {Arf::accumulator, "mme", 2, 8, true, true, "Math Macro Extension"},
    {Arf::flag, "f", 0, 2, true, true, "Flag"},
    {Arf::channel_enable, "ce", 0, 1, false, false, "Channel Enable"},
    {Arf::message_control, "msg", 0, 8, true, true, "Message Control"},
    {Arf::stack_pointer, "sp", 0, 1, false, true, "Stack Pointer"},
    {Arf::state, "sr", 0, 2, true, true, "State"},
    {Arf::control, "cr", 0, 1, true, true, "Control"},
    {Arf::notification, "n", 0, 1, true, true, "Notification Count"},
    {Arf::ip, "ip", 0, 1, false, false, "Instruction Pointer"},
    {Arf::thread_dependency, "tdr", 0, 1, true, true, "Thread Dependency"},
    {Arf::timestamp, "tm", 0, 1, true, true, "Timestamp"},
    {Arf::flow_control, "fc", 0, 5, true, true, "Flow Control"},
    {Arf::debug, "dbg", 0, 1, true, true, "Debug"},
};

}  // namespace

const std::span<const ArfRow> arfs_gen6 = gen6;
const std::span<const ArfRow> arfs_gen8 = gen8;

const ArfRow* find_arf(std::span<const ArfRow> arfs, uint8_t reg_num) {
  for (const ArfRow& r : arfs)
    if (uint8_t(r.kind) == reg_num >> 4 && (reg_num & 15) >= r.first && (reg_num & 15) < r.first + r.count) return &r;
  return nullptr;
}

}  // namespace vitro::isa
