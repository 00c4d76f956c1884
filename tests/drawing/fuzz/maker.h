// Makes one random batch: what has been allocated, what is set, and a function for each part of the state that may
// change from draw to draw. No part of the machine.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include "../drawing.h"
#include "base/random.h"
#include "batch.h"
#include "shaders.h"

namespace vitro::drawing {

// Offsets from `home`. Textures come last: whatever they reach beyond their end is not there.
inline constexpr uint32_t batch_space = 0x20000, dynamic_space = 0x20000, surface_space = 0x30000,
                          kernel_space = 0x40000, input_space = 0x80000, count_space = 0xC0000, uav_space = 0xD0000,
                          target_space = 0x140000, texture_space = 0x300000, all_space = 0x3C0000;
inline constexpr unsigned most_edge = 128;  // of targets

// What a scene draws to.
struct TargetSet {
  unsigned log2_samples = 0, width = 0, height = 0, layers = 1;
  std::vector<state::Surface> colours{};
  packets::DepthBuffer depth{.surface_type = 7};
  packets::StencilBuffer stencil{};
  bool has_depth = false, drawn = false;  // since everything was flushed
};

class Maker {
 public:
  Maker(uint64_t seed, std::string_view device, bool describes);
  RandomBatch run();

 private:
  // --- memory (maker.cpp)
  // Bytes of a space, or zero: there are no more.
  uint32_t take(uint32_t& at, uint32_t end, uint32_t bytes, uint32_t align);
  uint32_t object(const Words& w, uint32_t align = 64);  // offset from the dynamic base
  uint32_t kernel(const std::string& text);              // from the instruction base
  void fill(uint32_t at, uint32_t bytes);
  float real(float size);
  float odd();

  // --- commands
  template <const auto& layout>
  void emit(const typename std::remove_cvref_t<decltype(layout)>::Struct& s) {
    Words w = packet<layout>(s);
    if (wild_ && rng_.one_in(30)) spoil(layout, s, w);
    out_ += w;
    note<layout>(w);
  }
  // The packet or object that counts from now on, for people: fields that are not zero.
  template <const auto& layout>
  void note(const Words& w, unsigned number = 0) {
    if (!describes_) return;
    std::string& text = state_[number ? fmt::format("{} {}", layout.name, number) : std::string(layout.name)];
    text.clear();
    const auto s = unpack(layout, w);
    for_each_field(layout, s, [&](std::string_view name, PacketBits, uint64_t v) {
      if (v) text += fmt::format(" {}: {:#x}.", name, v);
    });
  }
  template <const auto& eight, const auto& nine, class S>
  void emit_of(const S& s) {
    eight_ ? emit<eight>(s) : emit<nine>(s);
  }
  // Some field of a packet becomes anything, unless it would lead elsewhere in memory.
  template <class L, class S>
  void spoil(const L& layout, const S& s, Words& w) {
    uint32_t count = 0;
    for_each_field(layout, s, [&](std::string_view, PacketBits, uint64_t) { ++count; });
    if (!count) return;
    const uint32_t chosen = rng_.below(count);
    uint32_t n = 0;
    for_each_field(layout, s, [&](std::string_view name, PacketBits b, uint64_t) {
      if (n++ != chosen || leads_elsewhere(name, b)) return;
      deposit(w, b, uint64_t(rng_.interesting(b.width())) << b.scale);
    });
  }
  static bool leads_elsewhere(std::string_view name, PacketBits b);
  void pipe_control(uint32_t flags, uint64_t address = 0);
  void flush();
  void store_counts();

  // --- parts of the state
  void once();      // maker.cpp
  void targets();   // surfaces.cpp: what is drawn to, and how many samples
  void clear();     //
  void bindings();  // what shaders read and write
  void bind(Words& table, const state::Surface& s);
  state::Surface colour(const TargetSet& set, const formats::Format& f);
  state::Surface texture();
  state::Surface buffer(uint32_t at, uint32_t bytes) const;
  void samplers();
  const formats::Format& format(uint8_t formats::Uses::*use);
  void vertices();    // state.cpp: buffers, elements, indices, vertex shader
  void primitives();  // clipper, setup
  void viewports();
  void samples();
  void pixels();  // windower and pixel shader
  void tests();
  void blending();
  void draw();

  std::vector<Vector> positions(unsigned count);

  Rng rng_;
  std::string_view device_;
  bool eight_;
  uint8_t bit_;  // in formats::Uses
  const isa::Model& model_;
  Drawing plain_;  // for the functions that ask which device it is
  bool describes_, wild_, layered_, has_uav_;
  std::map<std::string, std::string> state_{};  // by packet
  Image image_;
  Words out_;
  uint32_t dynamic_ = dynamic_space, surface_ = surface_space, kernels_ = kernel_space, inputs_ = input_space,
           counts_ = count_space, targets_ = target_space;
  RandomBatch made_;

  std::vector<TargetSet> sets_;
  size_t set_ = 0;
  TargetSet& set() { return sets_[set_]; }
  Bound bound_{};
  uint32_t table_ = 0;  // binding table
  state::Surface uav_image_{}, uav_raw_{}, uav_counters_{};
  uint8_t topology_ = 4;
  bool indexed_ = false, stale_ = false;
  unsigned vertex_count_ = 3, index_count_ = 0;
  unsigned attributes_ = 1, viewports_ = 1;
  uint32_t flat_ = 0;
  std::string text_;  // of the pixel shader
};

}  // namespace vitro::drawing
