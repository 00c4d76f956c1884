// What the shared functions find around a running group of threads: memory, base addresses, the tables its binding
// table and sampler indices go through, what they lead to, and its shared local memory. One environment belongs to one
// host thread; the shared functions' contexts refer to it, and whoever dispatches a group fills it in first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "code/routines.h"
#include "memory/view.h"
#include "state/bases.h"
#include "state/sampler.h"

namespace vitro::shared {

struct Bindings;      // bindings.h
struct PixelContext;  // pixel_context.h

struct Environment {
  memory::View* memory = nullptr;
  code::Routines* routines = nullptr;  // machine code of what messages do; null: there is none
  state::Bases bases{};
  uint32_t binding_table = 0;                     // offset from the surface state base
  uint32_t sampler_table = 0;                     // offset from the dynamic state base
  std::span<std::byte> slm{};                     // of the group that runs; empty if it has none
  std::array<state::ChromaKey, 4> chroma_keys{};  // by ChromaKey Index
  Bindings* bindings = nullptr;                   // what was found by these tables and bases
  PixelContext* pixels = nullptr;                 // of the pixel thread that runs; null where there are none
};

}  // namespace vitro::shared
