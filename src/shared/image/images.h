// Images by binding table index or bindless handle, each resolved once in a dispatch, as shared/dataport/surfaces.h
// keeps surfaces. PRM: "Binding Table", Gen9 bindless surfaces. Belongs to one host thread, as its environment does.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "shared/environment.h"
#include "shared/image/image.h"
#include "state/surface.h"

namespace vitro::shared {

class Images {
 public:
  Images(const state::SurfaceLayout& layout, Environment& environment) : layout_(layout), environment_(environment) {}

  const Image& bound(unsigned index) {
    std::unique_ptr<Entry>& e = bound_[index & 255];
    if (!e || e->dispatch != environment_.dispatch_number) refresh(e, index & 255);
    return e->image;
  }
  const Image& bindless(uint32_t ex_desc) {
    std::unique_ptr<Entry>& e = bindless_[(ex_desc >> 12) % bindless_.size()];
    if (!e || e->dispatch != environment_.dispatch_number || e->handle != ex_desc >> 12) refresh_bindless(e, ex_desc);
    return e->image;
  }

 private:
  struct Entry {
    uint64_t dispatch = 0;
    uint32_t handle = 0;
    Image image{};
  };
  void refresh(std::unique_ptr<Entry>&, unsigned index);
  void refresh_bindless(std::unique_ptr<Entry>&, uint32_t ex_desc);

  const state::SurfaceLayout& layout_;
  Environment& environment_;
  std::array<std::unique_ptr<Entry>, 256> bound_{};
  std::array<std::unique_ptr<Entry>, 64> bindless_{};
};

}  // namespace vitro::shared
