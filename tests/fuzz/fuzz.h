// What the fuzz targets share: the generations, and how a broken invariant ends the run so that libFuzzer keeps the
// input that broke it.
#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "gen/models.h"

namespace vitro::fuzz {

inline const std::array<const isa::Model*, 3>& models() {
  static const std::array<const isa::Model*, 3> all{&gen::gen6(), &gen::gen8(), &gen::gen9()};
  return all;
}

inline void must_hold(bool condition, const isa::Model& m, const char* what, const std::string& detail = {}) {
  if (condition) return;
  std::fprintf(stderr, "%.*s: broken: %s\n%s\n", int(m.name.size()), m.name.data(), what, detail.c_str());
  std::abort();
}

}  // namespace vitro::fuzz
