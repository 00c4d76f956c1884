// How a command finds the code that executes it: one row per command and generation, made of a layout from
// src/commands and a handler that takes the logical struct, so that no handler sees a generation.
// PRM: Gen8 vol 2a; which engine owns a command is its "Source" line.
//
// Adding rows (src/streamer/media_rows.cpp does this for MEDIA_* and GPGPU_WALKER):
//   1. write the struct and its layouts (inline constexpr, one name per generation) in src/commands;
//   2. write a handler, one of
//        void    handle(Execution& e, const commands::X& x);
//        Outcome handle(Execution& e, const commands::X& x);                                   // may fail
//        Outcome handle(Execution& e, const commands::X& x, std::span<const uint32_t> packet); // wants inline data too
//      A handler that fails returns `failed("reason")`, `unsupported("NAME")` or `failed(eu_fault)`;
//   3. list it in a constant array, one per generation:
//        constexpr Row rows_of_gen9[] = {
//            row<commands::gen9::gpgpu_walker, walk>(commands::render, commands::length8), ...};
//      and hand it out as a span: `const std::span<const Row> media_rows_gen9{rows_of_gen9};` (declared below).
// A row that executes replaces the entry of the inventory (src/commands/inventory.h) with the same header.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>

#include "base/fault.h"
#include "base/packet.h"
#include "base/packet_description.h"
#include "commands/engine.h"
#include "pipeline/statistics.h"

namespace vitro::streamer {

struct Execution;

// Of a command: why it could not be executed.
using Outcome = tl::expected<void, Fault>;

enum class Effect : uint8_t {
  execute,      // the handler does it
  keep,         // state for a fixed function: the latest packet of this name is kept
  unsupported,  // would do work that no room here does yet
};

struct Row {
  std::string_view name;
  uint32_t header = 0, mask = 0;
  commands::Engines engines = 0;
  commands::Length length{};
  Effect effect = Effect::execute;
  Outcome (*run)(Execution&, std::span<const uint32_t>) = nullptr;
  const PacketDescription* description = nullptr;  // none for rows of the inventory
  // MI_SET_PREDICATE does not turn these into NOOPs.
  bool unpredicated = false;
  // What was drawn before has to be in memory and in the counters when it runs.
  std::optional<pipeline::DrainReason> drains{};
  // It only sets state that no other row sets: the same packet once more changes nothing.
  bool repeatable = false;
};
constexpr Row repeatable(Row r) {
  r.repeatable = true;
  return r;
}
constexpr Row draining(Row r, pipeline::DrainReason reason) {
  r.drains = reason;
  return r;
}

template <const auto& layout, auto handler>
Outcome run_with(Execution& e, std::span<const uint32_t> packet) {
  using Struct = typename std::remove_cvref_t<decltype(layout)>::Struct;
  const Struct s = unpack(layout, packet);
  const auto call = [&] {
    if constexpr (std::is_invocable_v<decltype(handler), Execution&, const Struct&, std::span<const uint32_t>>)
      return handler(e, s, packet);
    else
      return handler(e, s);
  };
  if constexpr (std::is_void_v<decltype(call())>) {
    call();
    Outcome done;  // without clearing the room for a Fault
    return done;
  } else {
    return call();
  }
}

template <const auto& layout, auto handler>
constexpr Row row(commands::Engines engines, commands::Length length, bool unpredicated = false) {
  static_assert(well_formed(layout));
  return {layout.name,
          layout.header,
          layout.header_mask,
          engines,
          length,
          Effect::execute,
          run_with<layout, handler>,
          &description_of<layout>,
          unpredicated,
          std::nullopt,
          false};
}

// Written in src/streamer/media_rows.cpp.
extern const std::span<const Row> media_rows_gen6, media_rows_gen8, media_rows_gen9;
// Written in src/streamer/three_d_rows.cpp.
extern const std::span<const Row> three_d_rows_gen8, three_d_rows_gen9;
// Written in src/streamer/blitter_rows.cpp.
extern const std::span<const Row> blitter_rows_gen6, blitter_rows_gen8, blitter_rows_gen9;
// The end of a batch without a Fault: threads that still wait for their group run now.
Outcome finish_media(Execution& e);

}  // namespace vitro::streamer
