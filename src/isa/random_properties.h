// What must hold of every instruction and of every 128 bits, as functions that say what does not. The unit tests, the
// long run of tests/fuzz and the fuzz targets ask the same questions.
#pragma once

#include <string>

#include "base/random.h"
#include "isa/model.h"

namespace vitro::isa {

// Encoding and decoding, storing and fetching, printing and assembling give the instruction back. Empty: it holds.
std::string broken_round_trip(const Model&, const Instruction&);

// The bits are an error that names a field, or their instruction gives the same bits back, directly and as text. A word
// with CmptCtrl is taken as a compact instruction, of which the lower half counts. `decodable` says which it was.
std::string broken_word(const Model&, const Word128&, bool* decodable = nullptr);

// Uniform bits, or the encoding of a random instruction with some bits flipped.
Word128 random_word(const Model&, Rng&);

}  // namespace vitro::isa
