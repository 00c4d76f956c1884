// The engines that have a command streamer, and how their commands are told apart by the first dword.
// PRM: Gen8 vol 2a, the "Source" line of each command; the encoding of command types in vol 2a's introduction.
// VCS1 (the second video engine) is not modelled: none of the devices here has one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace vitro::commands {

// Numbered as the kernel counts engine classes.
enum class Engine : uint8_t { render, copy, video, video_enhance };
inline constexpr size_t engine_count = 4;
inline constexpr std::array<std::string_view, engine_count> engine_names{"render", "blitter", "video",
                                                                         "video enhancement"};

// A set of engines: bit n stands for engine n.
using Engines = uint8_t;
constexpr Engines set_of(Engine e) { return Engines(1u << unsigned(e)); }
inline constexpr Engines render = set_of(Engine::render), copy = set_of(Engine::copy), video = set_of(Engine::video),
                         video_enhance = set_of(Engine::video_enhance);
inline constexpr Engines all_engines = render | copy | video | video_enhance;

// First dwords. Type 0 is MI with the opcode in 28:23; type 2 is the blitter with 28:22; type 3 is the rest, with the
// pipeline in 28:27, the opcode in 26:24 and the sub-opcode in 23:16 (the codecs divide these 11 bits otherwise).
inline constexpr uint32_t mi_mask = 0xFF800000, blt_mask = 0xFFC00000, gfx_mask = 0xFFFF0000;
constexpr uint32_t mi(uint32_t opcode) { return opcode << 23; }
constexpr uint32_t blt(uint32_t opcode) { return 2u << 29 | opcode << 22; }
constexpr uint32_t gfx(uint32_t pipeline, uint32_t opcode, uint32_t sub) {
  return 3u << 29 | pipeline << 27 | opcode << 24 | sub << 16;
}
// The bits that tell a command of this type from others, or 0 if there is no such type.
constexpr uint32_t header_mask(uint32_t header) {
  constexpr std::array<uint32_t, 8> masks{mi_mask, 0, blt_mask, gfx_mask, 0, 0, 0, 0};
  return masks[header >> 29];
}

// How many dwords a command has: its length field plus two, or always one. `minimum` is for commands whose documented
// length field says less than the dwords that are documented.
struct Length {
  uint32_t field = 0;  // mask of the length field in the header; 0: one dword
  uint32_t minimum = 0;
  constexpr uint32_t dwords(uint32_t header) const { return field ? std::max((header & field) + 2, minimum) : 1; }
};
inline constexpr Length one_dword{0}, length6{0x3F}, length8{0xFF}, length10{0x3FF}, length12{0xFFF}, length16{0xFFFF};

}  // namespace vitro::commands
