// Structures one behind the other in bytes, as this build lays them out. PRM: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace vitro::code {

template <class T>
requires std::is_trivially_copyable_v<T>
void append(std::vector<std::byte>& bytes, const T* from, size_t count) {
  const size_t old = bytes.size();
  bytes.resize(old + count * sizeof(T));
  if (count) std::memcpy(bytes.data() + old, from, count * sizeof(T));
}

// Takes so many from the front; false: there are fewer.
template <class T>
requires std::is_trivially_copyable_v<T>
bool take(std::span<const std::byte>& bytes, uint64_t count, std::vector<T>& to) {
  if (count > bytes.size() / sizeof(T)) return false;
  to.resize(count);
  if (count) std::memcpy(static_cast<void*>(to.data()), bytes.data(), count * sizeof(T));
  bytes = bytes.subspan(count * sizeof(T));
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
