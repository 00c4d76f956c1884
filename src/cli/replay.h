// `vitro replay`: what its command line asks for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vitro::cli {

struct ReplayOptions {
  std::string file, device;
  unsigned threads = 0;
  uint64_t until = 0;  // submissions; 0: all
  bool check = true, digest = false, strict = false;
  std::optional<uint64_t> watch{};
  uint64_t hang_limit = 0;
  std::string trace, stats, jit, jit_cache;
};

}  // namespace vitro::cli
