// The checks on one kernel of the corpus: round trips of our own, agreement with Intel's assembler, and compaction.
// PRM: Gen8 and Gen9 EU instruction formats. Not looked at: what instructions do, and names in comments.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "iga64.h"
#include "isa/disassemble.h"
#include "isa/model.h"

namespace vitro::iga {

struct Summary {
  size_t files = 0, kernels = 0, instructions = 0;
  size_t passed = 0, failed = 0;  // checks
  // reserved encodings that compilers emit all the same
  size_t reserved = 0, kernels_with_reserved = 0;
  // what iga64 gives back, against the corpus
  size_t changed_by_iga = 0;
  std::map<std::string, size_t> changed_field;  // ignored fields by name
  size_t reencoded = 0;                         // other index of a compaction table for the same bits
  // compaction, of the corpus stripped of {Compacted}
  size_t compact_in_corpus = 0, compacted_by_iga = 0, compacted_by_us = 0;
  // compaction tables: entries, and those of which iga64 reads no instruction
  size_t table_entries = 0;
  std::vector<std::string> unconfirmed_entries;
};

struct Run {
  const isa::Model& model;
  std::string_view device;
  Iga64 iga;
  Summary sum;
};

// Says what was checked and counts it; prints what failed.
bool expect(Run&, bool holds, std::string_view kernel, std::string_view what);

void check_kernel(Run&, std::string_view name, std::span<const std::byte> code);

// For a program without reserved encodings; `text`: as iga64 prints it.
void check_compaction(Run&, std::string_view name, std::span<const isa::DecodedInstruction> program,
                      std::string_view text);

// Every entry of the compaction tables, once per run.
void check_tables(Run&);

// The option {Compacted} taken out of a listing, alone or beside others.
std::string uncompacted(std::string_view text);

}  // namespace vitro::iga
