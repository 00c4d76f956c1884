// For the differential tests: a program as a list of lines that name each other, so that lines can be taken out and the
// rest still fits together; its machine code; its text. No part of the machine.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "isa/assemble.h"
#include "isa/disassemble.h"

namespace vitro::jit {

// Names of lines are numbers; a line that was taken out is answered for by the one after it.
struct Line {
  isa::Instruction instruction;
  int name = -1;
  int jip = -1, uip = -1;  // lines a branch goes to
  // A mov of distances for a branch whose target stands in a register: from one line to others.
  int from = -1, to = -1;
  int unit = 1;
  bool from_next = false;  // the distance counts from the line after `from`
};

struct Lines {
  const isa::Model* model = nullptr;
  std::vector<Line> all;
  std::map<int, int> stands_for;  // lines that were taken out, by name
  int names = 0;

  int fresh() { return names++; }
  // Appends a line and gives its name.
  int add(const isa::Instruction& i, int name = -1) {
    all.push_back({.instruction = i, .name = name < 0 ? fresh() : name});
    return all.back().name;
  }
  void take_out(size_t n) {
    if (n + 1 < all.size()) stands_for[all[n].name] = all[n + 1].name;
    all.erase(all.begin() + int(n));
  }
  int resolved(int name) const {
    for (auto at = stands_for.find(name); at != stands_for.end(); at = stands_for.find(name)) name = at->second;
    return name;
  }
};

inline std::vector<std::byte> machine_code(const Lines& lines) {
  const isa::Model& m = *lines.model;
  std::map<int, int64_t> place;
  int64_t at = 0;
  std::vector<int> sizes;
  for (const Line& l : lines.all) {
    place[l.name] = at;
    // of these the distances are not known yet
    const bool compacted = l.instruction.compacted && l.jip < 0 && l.from < 0;
    sizes.push_back(compacted ? 8 : 16);
    at += sizes.back();
  }
  // a name nobody has is the end of the program
  auto where = [&](int name) {
    const auto found = place.find(lines.resolved(name));
    return found == place.end() ? at : found->second;
  };
  std::vector<std::byte> code;
  for (size_t n = 0; n < lines.all.size(); ++n) {
    const Line& l = lines.all[n];
    isa::Instruction i = l.instruction;
    const int64_t here = place[l.name];
    if (l.jip >= 0) {
      i.compacted = false;
      const int64_t base = i.op == isa::Op::jmpi ? here + sizes[n] : i.op == isa::Op::calla ? 0 : here;
      i.jip = int32_t(where(l.jip) - base);
    }
    if (l.uip >= 0) i.uip = int32_t(where(l.uip) - here);
    if (l.from >= 0) {
      i.compacted = false;
      i.imm = uint32_t((where(l.to) - where(l.from) - (l.from_next ? 16 : 0)) / l.unit);
    }
    if (const auto stored = isa::store(m, i))
      code.insert(code.end(), stored->bytes.begin(), stored->bytes.begin() + stored->size);
    else
      code.resize(code.size() + size_t(sizes[n]));
  }
  return code;
}

inline std::string text_of(const Lines& lines) { return isa::disassemble(*lines.model, machine_code(lines)); }

}  // namespace vitro::jit
