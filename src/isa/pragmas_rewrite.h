// The two steps that turn a statement of the programming guide into a plain one: completing what it leaves out, and
// finding the targets of its branches.
#pragma once

#include <set>
#include <span>

#include "isa/pragmas_scope.h"

namespace vitro::isa {

// Declared symbols become registers; omitted types, regions and execution sizes take their defaults; jmp becomes an
// instruction. Throws PlacedError.
void complete(const Model&, const Scopes&, StatementText& s);

// What an operand of an instruction is, by its place.
enum class Role { destination, source, plain /* a register whose type and region the pragmas leave alone */, target };
Role role_of(const StatementText& s, size_t operand);

// Labels that exist, so that made-up ones and those of two code blocks do not meet.
struct LabelPool {
  std::set<std::string, std::less<>> taken;
  int made = 0;

  std::string make();                        // a new one
  std::string claim(std::string_view name);  // this, or one like it
};

// A code block: labels get names of their own (if `scoped`), branches without targets get them.
void resolve_block(const Model&, std::span<StatementText*> block, bool scoped, LabelPool&, Diagnostics&);

}  // namespace vitro::isa
