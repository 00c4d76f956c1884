// Where registers are variables and where they are in the thread's image. A variable that lives through a whole program
// costs the code generator time for every block it lives in, and every way in or out of the code a copy of all of them.
// So there are places where they settle: whoever comes there has stored what it changed, and from there on what is
// needed is loaded. Places to which calls and returns lead are such, and in long programs others, not within short
// loops, so that no section between them is long and compiling takes time in proportion to the program's length.
//
// PRM: none.
#include <algorithm>

#include "jit/ways.h"

namespace vitro::jit {
namespace {

// Loops of at most so many instructions.
void find_short_loops(const Program& program, std::vector<Shape>& shapes, size_t length) {
  for (size_t n = 0; n < shapes.size(); ++n)
    if (shapes[n].way == Way::jump)
      for (uint32_t ip : jump_targets(program, program.plans()[n]))
        if (const int to = plan_index(program, ip); to >= 0 && size_t(to) <= n && n - size_t(to) <= length) {
          shapes[size_t(to)].loops = true;
          for (size_t in = size_t(to) + 1; in <= n; ++in) shapes[in].inside = true;
        }
}

// Whether the function may return here, or go on at a settled place.
bool may_store(const Program& program, const std::vector<Shape>& shapes, size_t n) {
  const Shape& s = shapes[n];
  if (s.leaves || s.way == Way::left || s.way == Way::branch || s.way == Way::jump) return true;
  return program.plans()[n].instruction.eot || n + 1 == shapes.size() || settles(shapes, n, n + 1);
}

// Where addresses name registers, those are in the image. A program that does so again and again has them there in
// between too: to load all that an address may have named after each of them would take too long to compile.
void settle_at_addresses(const Program& program, std::vector<Shape>& shapes) {
  constexpr int many = 20;
  const auto has_address = [&](size_t n) {
    return is_indirect(program.plans()[n]) && (shapes[n].way == Way::emitted || shapes[n].way == Way::called);
  };
  int count = 0;
  for (size_t n = 0; n < shapes.size(); ++n) count += has_address(n);
  if (count <= many) return;
  for (size_t n = 0; n < shapes.size(); ++n) {
    if (!has_address(n)) continue;
    shapes[n].leads = shapes[n].settled = true;
    if (program.plans()[n].dst.kind == DestinationPlan::Kind::indirect && n + 1 < shapes.size())
      shapes[n + 1].leads = shapes[n + 1].settled = true;
  }
}

}  // namespace

void choose_settled(const Program& program, const Options& options, std::vector<Shape>& shapes) {
  settle_at_addresses(program, shapes);
  find_short_loops(program, shapes, options.section);
  if (shapes.size() <= options.section) return;
  for (size_t n = 1, last = 0; n < shapes.size(); ++n) {
    Shape& s = shapes[n];
    // rather where a block begins anyway, and best around a loop, whose ways in and out then have less to carry
    const bool around = s.loops || shapes[n - 1].inside;
    const size_t wanted = around ? options.section / 8 : s.leads ? options.section / 2 : options.section;
    if (!s.inside && n - last >= wanted) s.leads = s.settled = true;
    if (s.settled) last = n;
  }
}

// A variable that has changed on one of the ways to a place is chosen there between two values. Programs that go to and
// fro between many places with many registers in use would consist of such choices.
void settle_where_ways_meet(const Program& program, const Options& options, std::vector<Shape>& shapes) {
  constexpr size_t most_choices = 4;  // for an instruction
  if (shapes.size() <= options.section) return;
  std::vector<int> ways(shapes.size());
  for (size_t n = 0; n < shapes.size(); ++n) each_successor(program, shapes, n, [&](size_t to) { ++ways[to]; });
  const auto meet = [&](size_t n) { return ways[n] > 1 && !shapes[n].inside; };
  size_t choices = 0;
  for (size_t n = 0; n < shapes.size(); ++n)
    if (meet(n) && !shapes[n].settled) choices += (shapes[n].live & shapes[n].modified).count();
  if (choices <= most_choices * shapes.size()) return;
  for (size_t n = 0; n < shapes.size(); ++n) shapes[n].settled = shapes[n].settled || meet(n);
}

void choose_shared(const Program& program, const Options& options, Analysis& a) {
  const bool brief = a.shapes.size() <= options.brief;
  size_t left[] = {brief ? options.brief : options.in_place, brief ? options.brief : options.in_loops};
  for (size_t n = 0; n < a.shapes.size(); ++n) {
    Shape& s = a.shapes[n];
    if (s.site < 0 || program.plans()[n].instruction.eot) continue;
    const isa::MessageShape& t = program.plans()[n].message.shape;
    if (!t.is_scattered() && !t.is_block()) continue;
    const bool in_order = t.is_scattered() && !t.is_atomic();
    if (left[s.inside])
      --left[s.inside], s.shared = in_order && !s.inside ? Shared::rest : Shared::nothing;
    else
      s.shared = Shared::all;
  }
}

void find_modified(const Program& program, std::vector<Shape>& shapes, bool settled) {
  for (Shape& s : shapes) s.modified.reset();
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t n = 0; n < shapes.size(); ++n) {
      if (shapes[n].way == Way::left) continue;  // then all is in the image
      const Registers after = (shapes[n].modified & ~shapes[n].imaged) | shapes[n].writes;
      each_successor(program, shapes, n, [&](size_t to) {
        if (settled && settles(shapes, n, to)) return;
        const Registers before = shapes[to].modified;
        shapes[to].modified |= after;
        changed = changed || shapes[to].modified != before;
      });
    }
  }
}

void find_fetched(const Program& program, std::vector<Shape>& shapes) {
  // Variables that are looked at between here and the next settled place. What is stored may have been changed on
  // another way than this one.
  std::vector<Registers> looked_at(shapes.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t n = shapes.size(); n-- > 0;) {
      const Shape& s = shapes[n];
      // a handler works on the image
      Registers all = s.way == Way::called ? s.reads & s.modified : s.reads | s.writes;
      if (may_store(program, shapes, n)) all |= s.modified;
      each_successor(program, shapes, n, [&](size_t to) {
        if (!settles(shapes, n, to)) all |= looked_at[to];
      });
      changed = changed || all != looked_at[n];
      looked_at[n] = all;
    }
  }
  for (size_t n = 0; n < shapes.size(); ++n) shapes[n].fetched = shapes[n].live & looked_at[n];
}

}  // namespace vitro::jit
