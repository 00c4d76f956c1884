// Where registers are variables and where they are in the thread's image. A variable that lives through a whole program
// costs the code generator time for every block it lives in, and every entry and exit of the code a copy of all of
// them. So there are spill points: whoever comes there has stored what it changed, and from there on what is needed is
// loaded. Places to which calls and returns lead are such, and in long programs others, not within short loops, so that
// no section between them is long and compiling takes time in proportion to the program's length.
//
// PRM: none.
#include <algorithm>

#include "jit/analysis.h"

namespace vitro::jit {
namespace {

// Loops of at most so many instructions.
void find_short_loops(const Program& program, std::vector<Lowered>& lowered, size_t length) {
  for (size_t n = 0; n < lowered.size(); ++n)
    if (lowered[n].lowering == Lowering::jump)
      for (uint32_t ip : jump_targets(program.plans()[n]))
        if (const int to = plan_index(program, ip); to >= 0 && size_t(to) <= n && n - size_t(to) <= length) {
          lowered[size_t(to)].loop_header = true;
          for (size_t in = size_t(to) + 1; in <= n; ++in) lowered[in].in_loop = true;
        }
}

// Whether the function may return here, or go on at a spill point.
bool may_store(const Program& program, const std::vector<Lowered>& lowered, size_t n) {
  const Lowered& s = lowered[n];
  if (s.may_exit || s.lowering == Lowering::left || s.lowering == Lowering::branch || s.lowering == Lowering::jump)
    return true;
  return program.plans()[n].instruction.eot || n + 1 == lowered.size() || spills(lowered, n, n + 1);
}

// Where addresses name registers, those are in the image. A program that does so again and again has them there in
// between too: to load all that an address may have named after each of them would take too long to compile.
void spill_at_addresses(const Program& program, std::vector<Lowered>& lowered) {
  constexpr int many = 20;
  const auto has_address = [&](size_t n) {
    return is_indirect(program.plans()[n]) &&
           (lowered[n].lowering == Lowering::emitted || lowered[n].lowering == Lowering::called);
  };
  int count = 0;
  for (size_t n = 0; n < lowered.size(); ++n) count += has_address(n);
  if (count <= many) return;
  for (size_t n = 0; n < lowered.size(); ++n) {
    if (!has_address(n)) continue;
    lowered[n].leader = lowered[n].spill_point = true;
    if (program.plans()[n].dst.kind == DestinationPlan::Kind::indirect && n + 1 < lowered.size())
      lowered[n + 1].leader = lowered[n + 1].spill_point = true;
  }
}

}  // namespace

void choose_spill_points(const Program& program, const Options& options, std::vector<Lowered>& lowered) {
  spill_at_addresses(program, lowered);
  find_short_loops(program, lowered, options.section);
  if (lowered.size() <= options.section) return;
  for (size_t n = 1, last = 0; n < lowered.size(); ++n) {
    Lowered& s = lowered[n];
    // rather where a block begins anyway, and best around a loop, whose edges in and out then have less to carry
    const bool around = s.loop_header || lowered[n - 1].in_loop;
    const size_t wanted = around ? options.section / 8 : s.leader ? options.section / 2 : options.section;
    if (!s.in_loop && n - last >= wanted) s.leader = s.spill_point = true;
    if (s.spill_point) last = n;
  }
}

// A variable that has changed on one of the paths to a place is chosen there between two values. Programs that go to
// and fro between many places with many registers in use would consist of such choices.
void spill_where_paths_join(const Program& program, const Options& options, std::vector<Lowered>& lowered) {
  constexpr size_t most_choices = 4;  // for an instruction
  if (lowered.size() <= options.section) return;
  std::vector<int> edges(lowered.size());
  for (size_t n = 0; n < lowered.size(); ++n) each_successor(program, lowered, n, [&](size_t to) { ++edges[to]; });
  const auto meet = [&](size_t n) { return edges[n] > 1 && !lowered[n].in_loop; };
  size_t choices = 0;
  for (size_t n = 0; n < lowered.size(); ++n)
    if (meet(n) && !lowered[n].spill_point) choices += (lowered[n].live & lowered[n].modified).count();
  if (choices <= most_choices * lowered.size()) return;
  for (size_t n = 0; n < lowered.size(); ++n) lowered[n].spill_point = lowered[n].spill_point || meet(n);
}

void choose_shared(const Program& program, const Options& options, Analysis& a) {
  const bool short_program = a.lowered.size() <= options.short_program;
  size_t left[] = {short_program ? options.short_program : options.in_place,
                   short_program ? options.short_program : options.in_loops};
  for (size_t n = 0; n < a.lowered.size(); ++n) {
    Lowered& s = a.lowered[n];
    if (s.site < 0 || program.plans()[n].instruction.eot) continue;
    const isa::MessageShape& t = program.plans()[n].message.shape;
    if (!t.is_scattered() && !t.is_block()) continue;
    const bool in_order = t.is_scattered() && !t.is_atomic();
    if (left[s.in_loop])
      --left[s.in_loop], s.shared = in_order && !s.in_loop ? Shared::rest : Shared::nothing;
    else
      s.shared = Shared::all;
  }
}

void find_modified(const Program& program, std::vector<Lowered>& lowered, bool with_spills) {
  for (Lowered& s : lowered) s.modified.reset();
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t n = 0; n < lowered.size(); ++n) {
      if (lowered[n].lowering == Lowering::left) continue;  // then all is in the image
      const Registers after = (lowered[n].modified & ~lowered[n].in_image) | lowered[n].writes;
      each_successor(program, lowered, n, [&](size_t to) {
        if (with_spills && spills(lowered, n, to)) return;
        const Registers before = lowered[to].modified;
        lowered[to].modified |= after;
        changed = changed || lowered[to].modified != before;
      });
    }
  }
}

void find_reloads(const Program& program, std::vector<Lowered>& lowered) {
  // Variables that are looked at between here and the next spill point. What is stored may have been changed on
  // another path than this one.
  std::vector<Registers> looked_at(lowered.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t n = lowered.size(); n-- > 0;) {
      const Lowered& s = lowered[n];
      // a handler works on the image
      Registers all = s.lowering == Lowering::called ? s.reads & s.modified : s.reads | s.writes;
      if (may_store(program, lowered, n)) all |= s.modified;
      each_successor(program, lowered, n, [&](size_t to) {
        if (!spills(lowered, n, to)) all |= looked_at[to];
      });
      changed = changed || all != looked_at[n];
      looked_at[n] = all;
    }
  }
  for (size_t n = 0; n < lowered.size(); ++n) lowered[n].reloaded = lowered[n].live & looked_at[n];
}

}  // namespace vitro::jit
