// Structures one behind the other in bytes, as this build lays them out. PRM: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace vitro::code {

// A structure, or all of a vector or string.
template <class T>
void append(std::vector<std::byte>& bytes, const T& from) {
  if constexpr (requires { from.data(); }) {
    const auto all = std::as_bytes(std::span(from));
    bytes.resize(bytes.size() + all.size());
    if (!all.empty()) std::memcpy(bytes.data() + bytes.size() - all.size(), all.data(), all.size());
  } else {
    append(bytes, std::span(&from, 1));
  }
}

// Takes so many from the front; false: there are fewer.
template <class C>
bool take(std::span<const std::byte>& bytes, uint64_t count, C& to) {
  constexpr size_t size = sizeof(typename C::value_type);
  if (count > bytes.size() / size) return false;
  to.resize(count);
  if (count) std::memcpy(static_cast<void*>(to.data()), bytes.data(), count * size);
  bytes = bytes.subspan(count * size);
  return true;
}
template <class T>
requires std::is_trivially_copyable_v<T>
bool take(std::span<const std::byte>& bytes, T& to) {
  if (bytes.size() < sizeof to) return false;
  std::memcpy(static_cast<void*>(&to), bytes.data(), sizeof to);
  bytes = bytes.subspan(sizeof to);
  return true;
}

}  // namespace vitro::code
