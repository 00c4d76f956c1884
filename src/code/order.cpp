// Orders as bytes, and as keys of what is kept. PRM: none.
#include "code/order.h"

#include "code/build.h"
#include "code/bytes.h"

namespace vitro::code {
namespace {

// Everything but the names that change nothing.
struct Head {
  uint64_t device_bytes, kernel_bytes, routine_bytes;
  enum class Half : uint8_t { either, flush, keep } half;
  uint8_t keep_float, keep_double, all_registers, counts_messages, exact_nans;
  uint8_t own, second;  // of the chain
};
static_assert(std::has_unique_object_representations_v<Head>);

std::vector<std::byte> meaning_of(const Order& o) {
  const auto half = o.mode.keep_half_denormals;
  const Head head{.device_bytes = o.device.size(),
                  .kernel_bytes = o.kernel.size(),
                  .routine_bytes = o.routine.size(),
                  .half = !half   ? Head::Half::either
                          : *half ? Head::Half::keep
                                  : Head::Half::flush,
                  .keep_float = o.mode.keep_float_denormals,
                  .keep_double = o.mode.keep_double_denormals,
                  .all_registers = o.all_registers,
                  .counts_messages = o.counts_messages,
                  .exact_nans = o.exact_nans,
                  .own = o.chain.own,
                  .second = o.chain.second};
  std::vector<std::byte> bytes;
  append(bytes, head);
  append(bytes, o.device);
  append(bytes, o.kernel);
  append(bytes, o.routine);
  append_routines(bytes, o.fused);
  return bytes;
}

}  // namespace

std::vector<std::byte> to_bytes(const Order& o) {
  std::vector<std::byte> bytes = meaning_of(o);
  append(bytes, uint64_t(o.name.size()));
  append(bytes, o.name);
  append(bytes, o.dump_path);
  return bytes;
}

std::optional<Order> to_order(std::span<const std::byte> bytes) {
  Head head;
  Order o;
  uint64_t name_bytes = 0;
  if (!take(bytes, head) || !take(bytes, head.device_bytes, o.device) || !take(bytes, head.kernel_bytes, o.kernel) ||
      !take(bytes, head.routine_bytes, o.routine) || !take_routines(bytes, o.fused) || !take(bytes, name_bytes) ||
      !take(bytes, name_bytes, o.name) || !take(bytes, bytes.size(), o.dump_path))
    return std::nullopt;
  o.mode = {.keep_float_denormals = head.keep_float != 0, .keep_double_denormals = head.keep_double != 0};
  if (head.half != Head::Half::either) o.mode.keep_half_denormals = head.half == Head::Half::keep;
  o.chain = {head.own, head.second};
  o.all_registers = head.all_registers, o.counts_messages = head.counts_messages, o.exact_nans = head.exact_nans;
  return o;
}

void append_routines(std::vector<std::byte>& bytes, const FusedRoutines& all) {
  append(bytes, uint64_t(all.size()));
  for (const FusedRoutine& r : all) {
    append(bytes, uint64_t(r.instruction));
    append(bytes, uint64_t(r.key.size()));
    append(bytes, r.key);
  }
}

bool take_routines(std::span<const std::byte>& bytes, FusedRoutines& all) {
  uint64_t count = 0;
  if (!take(bytes, count) || count > bytes.size()) return false;
  all.resize(count);
  for (FusedRoutine& r : all) {
    uint64_t instruction = 0, key_bytes = 0;
    if (!take(bytes, instruction) || !take(bytes, key_bytes) || !take(bytes, key_bytes, r.key)) return false;
    r.instruction = uint32_t(instruction);
  }
  return true;
}

std::string key_of(const Order& o) {
  // never destroyed: code may be made while the process exits
  static const std::string& made_by = *new std::string(std::string(build_name()) + '\n' + host_name() + '\n');
  const std::vector<std::byte> meaning = meaning_of(o);
  return made_by + std::string(reinterpret_cast<const char*>(meaning.data()), meaning.size());
}

}  // namespace vitro::code
