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
  std::vector<std::string> dumps{};                  // ADDRESS:BYTES=FILE
  std::vector<std::string> png_after{};              // NUMBER=FILE
  std::vector<std::string> pngs{}, surface_dumps{};  // NAME=FILE
  std::string diff{};                                // device=NAME, jit=off, vitro=PATH
};

// Executes twice, by programs of their own, and tells the first difference.
int replay_twice(const ReplayOptions& options);

}  // namespace vitro::cli
