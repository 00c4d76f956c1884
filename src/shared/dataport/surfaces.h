// Surfaces by binding table index or bindless handle, each decoded once in a dispatch: the dispatch number of the
// environment says when what was read has to be read again. PRM: "Binding Table", Gen9 bindless surfaces.
// Belongs to one host thread, as its environment does.
#pragma once

#include <array>
#include <cstdint>

#include "shared/environment.h"
#include "state/surface.h"

namespace vitro::shared {

inline constexpr unsigned bti_bindless = 252, bti_stateless_non_coherent = 253, bti_slm = 254, bti_stateless = 255;

class Surfaces {
 public:
  Surfaces(const state::SurfaceLayout& layout, Environment& environment) : layout_(layout), environment_(environment) {}

  const state::Surface& bound(unsigned index) {
    Entry& e = bound_[index & 255];
    if (e.dispatch != environment_.dispatch_number + 1) refresh(e, index & 255);
    return e.surface;
  }
  const state::Surface& bindless(uint32_t ex_desc) {
    Entry& e = bindless_[(ex_desc >> 12) % bindless_.size()];
    if (e.dispatch != environment_.dispatch_number + 1 || e.handle != ex_desc >> 12) refresh_bindless(e, ex_desc);
    return e.surface;
  }

 private:
  struct Entry {
    uint64_t dispatch = 0;  // one more than the number: zero is none
    uint32_t handle = 0;
    state::Surface surface{};
  };
  void refresh(Entry&, unsigned index);
  void refresh_bindless(Entry&, uint32_t ex_desc);

  const state::SurfaceLayout& layout_;
  Environment& environment_;
  std::array<Entry, 256> bound_{};
  std::array<Entry, 64> bindless_{};
};

}  // namespace vitro::shared
