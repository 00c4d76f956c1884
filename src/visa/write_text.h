// A vISA object as text, the way Intel's compiler prints it, so that GenX_IR reads it again. What its grammar does not
// have (.unaligned, lod, predec, the SFID of raw_sendsc) is printed as the documents write it.
#pragma once

#include <string>

#include "visa/object.h"

namespace vitro::visa {

struct TextOptions {
  bool numbers = true;     // "/// $n" behind each instruction
  bool predefined = true;  // the list of predefined variables, as comments
};

std::string write_text(const Object&, const TextOptions& = {});

// What variables, predicates and labels of a routine are called in text: their names, made legal and different from
// each other where an object has others.
struct Names {
  explicit Names(const Routine&);
  std::vector<std::string> variables{}, addresses{}, predicates{}, labels{};
  std::string_view variable(uint32_t id) const;
};
std::string surface_name(uint32_t id);
// One instruction, without number; labels and subroutines as they stand in a listing.
void write_instruction(std::string& out, const Routine&, const Names&, const Instruction&);

}  // namespace vitro::visa
