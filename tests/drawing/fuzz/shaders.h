// Vertex and pixel shaders by chance, as text for the assembler: what they are given is said by the state they are
// drawn for, what they compute comes from the opcode table, which messages they send from the message tables. Every
// register that is read was written before, in all lanes: what hardware leaves undefined is not compared. PRM: Gen8 vol
// 7 "Pixel Shader Thread Payload", vol 2a MSD_*. No part of the machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "isa/message_tables.h"
#include "isa/model.h"

namespace vitro::drawing {

// Entries of a binding table, by what may be done with them.
struct Bound {
  unsigned targets = 0;              // 0 to targets - 1
  std::vector<unsigned> textures{};  // that can be sampled
  std::vector<unsigned> loaded{};    // others, with samples or without dimensions
  std::vector<unsigned> buffers{};   // what data ports read
  unsigned samplers = 0;
  int image = -1, raw = -1;    // written by pixels, each at its own place
  int counters = -1;           // operated on
  uint32_t operation = 0x700;  // the one that all do to them, as the descriptor has it
};

struct VertexForm {
  unsigned start = 2, push = 0, inputs = 1;  // registers; elements
  unsigned slots = 3;                        // of the entry, with header and position
  bool header = false;                       // point width, viewport and layer are not all zero
  unsigned viewports = 1, layers = 1;
};

struct PixelForm {
  unsigned lanes = 16;
  uint8_t barycentrics = 1;  // modes, a bit for each
  bool depth = false, w = false, offsets = false, coverage = false;
  unsigned start = 6, push = 0, attributes = 1;
  uint32_t flat = 0;  // attributes, a bit for each
  bool kills = false, omask = false, computes_depth = false, computes_stencil = false;
  bool dual = false, has_uav = false, reads_target = false, pulls = false;
};

std::string random_vertex_shader(const isa::Model&, Rng&, const VertexForm&);
std::string random_pixel_shader(const isa::Model&, Rng&, const PixelForm&, const Bound&);

}  // namespace vitro::drawing
