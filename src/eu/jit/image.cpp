// Images as bytes: a head with the sizes of what follows. PRM: none.
#include "eu/jit/image.h"

#include <cmath>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <type_traits>

namespace vitro::eu::jit {
namespace {

struct Head {
  uint64_t code_bytes, entries, labels, sites;
  std::array<uint64_t, 2> needed;
  uint32_t start, function_bytes, shared, mode_mask;  // no gaps
  Counts counts;
};
static_assert(std::is_trivially_copyable_v<Head> && std::is_trivially_copyable_v<Transfer> &&
              std::is_trivially_copyable_v<Image::Entry>);

template <class T>
void append(std::vector<std::byte>& to, const T* from, size_t count) {
  const size_t old = to.size();
  to.resize(old + count * sizeof(T));
  if (count) std::memcpy(to.data() + old, from, count * sizeof(T));
}

template <class T>
bool take(std::span<const std::byte>& from, std::vector<T>& to, uint64_t count) {
  if (count > from.size() / sizeof(T)) return false;
  to.resize(count);
  if (count) std::memcpy(to.data(), from.data(), count * sizeof(T));
  from = from.subspan(count * sizeof(T));
  return true;
}

// Members that are not any bits, asked without reading them as what they are meant to be.
bool has_meaning(const Transfer& t) {
  const auto byte = [](const auto& member) {
    static_assert(sizeof member == 1);
    uint8_t value;
    std::memcpy(&value, &member, 1);
    return value;
  };
  for (const bool* flag :
       {&t.ends_thread, &t.plain, &t.writes, &t.header, &t.wide, &t.header_adds, &t.header_masks, &t.answers, &t.alone})
    if (byte(*flag) > 1) return false;
  constexpr uint8_t no_place = 255, header_dwords = 8, most_slots = 32;
  return byte(t.kind) <= uint8_t(Transfer::Kind::nothing) &&
         byte(t.operation) <= uint8_t(Transfer::Operation::float_exchange) && t.slots <= most_slots &&
         (t.place < header_dwords || t.place == no_place) && t.at < reg_bytes;
}

bool has_meaning(const Counts& c) {
  for (const int count : {c.instructions, c.emitted, c.called, c.left})
    if (count < 0) return false;
  for (const double time : {c.milliseconds, c.emit_milliseconds, c.optimise_milliseconds})
    if (!std::isfinite(time) || time < 0) return false;
  return true;
}

bool has_meaning(const Image& i) {
  if (i.code.size() > std::numeric_limits<uint32_t>::max() || i.start >= i.code.size() ||
      i.function_bytes > i.code.size() - i.start || i.shared > i.code.size() || !has_meaning(i.counts))
    return false;
  for (const Transfer& t : i.sites)
    if (!has_meaning(t)) return false;
  for (size_t n = 1; n < i.labels.size(); ++n)
    if (i.labels[n - 1] >= i.labels[n]) return false;
  return true;
}

}  // namespace

std::vector<std::byte> to_bytes(const Image& i) {
  std::vector<std::byte> bytes;
  const Head head{i.code.size(), i.entries.size(), i.labels.size(), i.sites.size(), i.needed,
                  i.start,       i.function_bytes, i.shared,        i.mode_mask,    i.counts};
  append(bytes, &head, 1);
  append(bytes, i.code.data(), i.code.size());
  append(bytes, i.entries.data(), i.entries.size());
  append(bytes, i.labels.data(), i.labels.size());
  append(bytes, i.sites.data(), i.sites.size());
  return bytes;
}

std::optional<Image> to_image(std::span<const std::byte> bytes) {
  Head head;
  if (bytes.size() < sizeof head) return std::nullopt;
  std::memcpy(&head, bytes.data(), sizeof head);
  bytes = bytes.subspan(sizeof head);
  Image i{.start = head.start,
          .function_bytes = head.function_bytes,
          .shared = head.shared,
          .mode_mask = head.mode_mask,
          .needed = head.needed,
          .counts = head.counts};
  if (!take(bytes, i.code, head.code_bytes) || !take(bytes, i.entries, head.entries) ||
      !take(bytes, i.labels, head.labels) || !take(bytes, i.sites, head.sites) || !bytes.empty())
    return std::nullopt;
  if (!has_meaning(i)) return std::nullopt;
  return i;
}

}  // namespace vitro::eu::jit
