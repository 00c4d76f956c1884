// What the messages of threads lead to: surfaces and samplers by tables and handles, and the sites of messages.
// Each is decoded when it is first asked for, and shared by all host threads that run threads with the same tables.
// PRM: "Binding Table", Gen9 bindless surfaces, SAMPLER_STATE. Whoever starts threads asks first whether state objects
// in memory are still as they were read (hold), and if they are not, takes new bindings.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "base/once.h"
#include "isa/message_tables.h"
#include "shared/dataport/target.h"
#include "shared/dataport/target_site.h"
#include "shared/environment.h"
#include "shared/image/image.h"
#include "shared/image/texels.h"
#include "shared/sampler/site.h"
#include "state/reads.h"
#include "state/sampler.h"
#include "state/surface.h"

namespace vitro::shared {

// A surface, and what it is made ready for by the first message that needs it so.
struct BoundSurface {
  state::Surface state{};
  state::Reads reads{};
  Once<Image> as_image{};
  Once<RenderTarget> as_target{};
  std::array<Once<TypedSurface>, 2> as_typed{};  // by access

  const Image& image() const {
    return as_image.get([&] { return resolve(state); });
  }
  const RenderTarget& target(memory::View& memory) const {
    return as_target.get([&] { return render_target(memory, state); });
  }
  const TypedSurface& typed(memory::View& memory, memory::Access access) const {
    return as_typed[size_t(access)].get([&] { return typed_surface(memory, image(), access); });
  }
};

// A sampler state with its border colour for a format.
struct ResolvedSampler {
  state::Sampler state{};
  formats::Rgba border{};
  state::Reads reads{};
};
struct SamplerName {
  uint64_t address = 0;
  const formats::Format* format = nullptr;
  bool operator==(const SamplerName&) const = default;
};

struct Bindings {
  static constexpr uint32_t most = 256;  // of each kind: more are not worth to be kept
  OnceMap<uint32_t, BoundSurface, 32> surfaces{most};
  OnceMap<SamplerName, ResolvedSampler, 16> samplers{most};
  OnceMap<SiteName, SamplerSite, 32> sites{most};
  OnceMap<TargetSiteName, TargetSite, 8> targets{most};

  bool hold(memory::View& memory) const {
    const auto held = [&](const auto& object) { return object.reads.hold(memory); };
    return !surfaces.full() && !samplers.full() && surfaces.all(held) && samplers.all(held);
  }
};

// One host thread's way to surfaces.
class Surfaces {
 public:
  Surfaces(const state::SurfaceLayout& layout, Environment& environment) : layout_(layout), environment_(environment) {}

  // The one a message is sent to.
  const BoundSurface& of(const isa::MessageShape& shape, uint32_t desc, uint32_t ex_desc) {
    return shape.space == isa::AddressSpace::bindless ? bindless(ex_desc) : bound(isa::surface_index(desc));
  }
  const BoundSurface& bound(unsigned index) {
    return get(index, [&](BoundSurface& s) {
      s.state = state::read_bound_surface(layout_, *environment_.memory, environment_.bases, environment_.binding_table,
                                          index, &s.reads);
    });
  }
  const BoundSurface& bindless(uint32_t ex_desc) {
    return get(256 + (ex_desc >> 12), [&](BoundSurface& s) {
      s.state = state::read_bindless_surface(layout_, *environment_.memory, environment_.bases, ex_desc, &s.reads);
    });
  }

 private:
  template <class Read>
  const BoundSurface& get(uint32_t name, Read&& read) {
    return environment_.bindings->surfaces.get(name, name, spare_, read);
  }

  const state::SurfaceLayout& layout_;
  Environment& environment_;
  std::unique_ptr<BoundSurface> spare_{};
};

}  // namespace vitro::shared
