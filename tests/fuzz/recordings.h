// What fuzz targets of recordings share: the bytes are refused with words that name a place, or submissions come out of
// them whose memory can be read.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "memory/view.h"
#include "recording/recording.h"

namespace vitro::fuzz {

inline constexpr uint64_t memory_limit = 16 << 20;

inline void must_name_a_place(const Error& e) {
  if (e.message.find("offset 0x") != std::string::npos) return;
  std::fprintf(stderr, "no place in: %s\n", e.message.c_str());
  std::abort();
}

inline void look(const recording::Submission& s) {
  memory::View view(s.memory);
  uint32_t sum = 0;
  for (uint64_t n = 0; n < 64; n += 4) sum += view.load<uint32_t>(s.address + n);
  if (!s.memory->ranges().empty()) {
    const memory::Range& last = s.memory->ranges().back();
    std::byte byte{};
    view.read(last.end() - 1, {&byte, 1});
    view.write(last.start, {&byte, 1});
  }
  [[maybe_unused]] static volatile uint32_t seen;
  seen = sum;
}

inline int read_all(std::string bytes) {
  const auto reader = recording::Reader::from_bytes(std::move(bytes), {.check = true, .memory_limit = memory_limit});
  if (!reader) {
    must_name_a_place(reader.error());
    return 0;
  }
  constexpr int most = 64;
  for (int n = 0; n < most; ++n) {
    const auto next = (*reader)->next();
    if (!next) must_name_a_place(next.error());
    if (!next || !*next) break;
    look(**next);
  }
  return 0;
}

}  // namespace vitro::fuzz
