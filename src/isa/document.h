// The reference of the instruction set, docs/isa.md, written from the tables: opcode rows, math functions, registers,
// layouts and rules. What it says is what the assembler does, because both read the same rows.
#pragma once

#include <span>
#include <string>

#include "isa/model.h"

namespace vitro::isa {

struct DocumentedModel {
  std::string_view title;  // "Gen6 (Sandy Bridge)"
  std::string_view short_title;
  const Model* model;
};

// The whole document in Markdown.
std::string document(std::span<const DocumentedModel> models);

}  // namespace vitro::isa
