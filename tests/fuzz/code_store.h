// What the fuzz target of kept code and its seeds agree on: the program that the code is of, and what the first byte of
// an input says about the rest.
#pragma once

#include <cstddef>
#include <vector>

#include "code/image.h"
#include "eu/code_facts.h"
#include "eu/plan.h"
#include "gen/models.h"
#include "isa/assemble.h"

namespace vitro::fuzz {

enum Meaning : unsigned char {
  file,     // in the place of a kept file
  damage,   // of a kept file: places, of two bytes, and what they are changed by; with an odd byte left over, cut there
  image,    // code as bytes, kept with the right sum
  object,   // what the linker gets
  meanings  // how many there are
};

inline const eu::Program& kept_program() {
  static const eu::Program program(
      gen::gen9(), isa::assemble(gen::gen9(),
                                 "add (8|M0) r3.0<1>:d r2.0<8;8,1>:d 7:w\nadd (8|M0) r3.0<1>:d r3.0<8;8,1>:d 1:w\n"
                                 "send (8|M0) r4 r2 0xC 0x02106E00\nsend (8|M0) r4 r2 0xA 0x02280300\n",
                                 {.validate = false})
                       .code);
  return program;
}

// Code that does nothing, with some of everything that stands around it.
inline std::vector<std::byte> kept_image() {
  eu::CodeFacts f{.mode_mask = 0x30,
                  .entries = {{0, {}}, {kept_program().plans()[1].ip, {.bits = 0x10, .known = 0x30}}},
                  .labels = {0, 16},
                  .sites = {2, 3}};
  f.counts.instructions = f.counts.emitted = int(kept_program().plans().size());
  return to_bytes(code::Image{.code = std::vector<std::byte>(80, std::byte(0xC3)),
                              .start = 16,
                              .function_bytes = 32,
                              .shared = 64,
                              .facts = to_bytes(f)});
}

}  // namespace vitro::fuzz
