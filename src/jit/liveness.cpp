// Which registers are still needed, backwards through a program. A masked write changes the channels that run and no
// others, so it ends the life of an old value only if nobody will look at the other channels. Therefore a need says
// who looks: everybody, or only the channels that run at that point, and then which channels a register holds. Masks
// only get narrower along a path until channels wake: there a need of those that run becomes everybody's.
// Worked example, sixteen channels, all of r10 and r11 written by (16|M0):
//     (f0) if            needs of r10: none, since the mov below writes all channels that will look at it
//          mov  r10 1.0  kills the need of channels 0..7 that run
//          add  r20 r10  r10 is needed by channels 0..7 that run
//          endif         channels wake: whoever is needed below is needed by everybody above
// PRM: none of its own; execution masks are Gen6 vol 4 part 2 section 5.7.
#include <algorithm>
#include <array>

#include "eu/compiled_call.h"
#include "jit/analysis.h"

namespace vitro::jit {
namespace {

// Nobody, everybody, or the running channels from `first` on, one for each element.
using Need = uint16_t;
constexpr Need nobody = 0, everybody = 1;
using Needs = std::array<Need, register_count>;

Need running(int first, int size) {
  if (first < 0 || first >= max_channels) return everybody;
  return Need(2 + (first << 4 | size));
}
Need joined(Need a, Need b) {
  if (a == b || b == nobody) return a;
  return a == nobody ? b : everybody;
}

// Whether each channel looks at its own elements only, where these stand in a row; swizzles of Align16 move them out of
// it.
bool is_by_channel(const Plan& p) { return !p.row->has(isa::attr_across); }

// Calls f(register, need) for each register that elements in a row stand in; elements that stand otherwise are
// everybody's.
template <class F>
void each_register(const Plan& p, const std::array<uint16_t, max_channels>& offset, int size, F f) {
  for (int l = 0; l < p.lanes;) {
    const int r = offset[size_t(l)] / reg_bytes, first = l - offset[size_t(l)] % reg_bytes / size;
    bool in_row = true;
    int end = l;
    for (; end < p.lanes && offset[size_t(end)] / reg_bytes == r; ++end)
      in_row = in_row && offset[size_t(end)] % reg_bytes == (end - first) * size;
    f(r, in_row ? running(p.channel + first, size) : everybody, end - l);
    l = end;
  }
}

class Liveness {
 public:
  Liveness(const Program& program, const Options& options, Analysis& analysis)
      : program_(program), options_(options), a_(analysis), lowered_(analysis.lowered) {}

  void run() {
    std::vector<size_t> leaders;
    for (size_t n = 0; n < lowered_.size(); ++n)
      if (n == 0 || lowered_[n].leader) leaders.push_back(n);
    before_.resize(lowered_.size());
    for (const size_t n : leaders) before_[n].emplace_back();  // only leaders have one
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t k = leaders.size(); k-- > 0;) {
        const size_t end = k + 1 < leaders.size() ? leaders[k + 1] : lowered_.size();
        const Needs needs = block(leaders[k], end, [](size_t, const Needs&) {});
        if (needs != before_[leaders[k]][0]) before_[leaders[k]][0] = needs, changed = true;
      }
    }
    for (size_t k = 0; k < leaders.size(); ++k)
      block(leaders[k], k + 1 < leaders.size() ? leaders[k + 1] : lowered_.size(), [&](size_t n, const Needs& needs) {
        for (size_t r = 0; r < needs.size(); ++r) lowered_[n].live[r] = needs[r] != nobody;
      });
  }

 private:
  template <class F>
  Needs block(size_t first, size_t end, F each) const {
    Needs needs{};
    each_successor(program_, lowered_, end - 1, [&](size_t to) { pass(end - 1, to, needs); });
    for (size_t n = end; n-- > first;) {
      through(n, needs);
      each(n, needs);
    }
    return needs;
  }
  // What a successor needs, as its predecessor sees it.
  void pass(size_t from, size_t to, Needs& needs) const {
    const int label = label_index(a_.labels, program_.plans()[to].ip);
    const bool wakes = label >= 0 && a_.waited_at[to].has(size_t(label));
    const bool moves = wakes || lowered_[from].lowering == Lowering::left;
    for (size_t r = 0; r < needs.size(); ++r) {
      const Need need = before_[to][0][r];
      needs[r] = joined(needs[r], need != nobody && moves ? everybody : need);
    }
  }

  void through(size_t n, Needs& needs) const {
    const Lowered& s = lowered_[n];
    const Plan& p = program_.plans()[n];
    if (s.lowering == Lowering::emitted)
      emitted(p, s, needs);
    else if (s.site >= 0)
      message(p, s, needs);
    else if (s.lowering != Lowering::jump)
      need(s.reads, needs);  // by handlers, in the image
    if (leaves_all(n)) need(s.modified, needs);
  }
  static void need(const Registers& all, Needs& needs) {
    for (size_t r = 0; r < needs.size(); ++r)
      if (all[r]) needs[r] = everybody;
  }

  void emitted(const Plan& p, const Lowered& s, Needs& needs) const {
    if (p.row->format == isa::Format::nullary) return;
    const bool masked = !p.instruction.no_mask;
    const bool enabled = (p.lane_mask & ~p.dst.channel_enable) == 0;
    const bool written = enabled && (p.predicate == Plan::Predicate::none || p.row->has(isa::attr_selects));
    for (size_t r = 0; r < needs.size(); ++r)
      if (s.kills[r]) needs[r] = nobody;
    if (masked && written && p.dst.kind == DestinationPlan::Kind::grf && is_by_channel(p)) {
      const int size = isa::size_of(p.dst.type);
      each_register(p, p.dst.offset, size, [&](int r, Need whose, int lanes) {
        if (whose != everybody && lanes * size == reg_bytes && needs[size_t(r)] == whose) needs[size_t(r)] = nobody;
      });
    }
    need(s.in_image, needs);
    const bool by_channel = masked && is_by_channel(p);
    for (size_t r = size_t(by_channel ? grf_count : 0); r < needs.size(); ++r)
      if (s.reads[r] && !(r < size_t(grf_count) && only_written(p, int(r)))) needs[r] = everybody;
    if (!by_channel) return;
    for (int n = 0; n < p.sources; ++n)
      if (p.src[n].kind == SourcePlan::Kind::grf)
        each_register(p, p.src[n].offset, isa::size_of(p.src[n].type),
                      [&](int r, Need whose, int) { needs[size_t(r)] = joined(needs[size_t(r)], whose); });
  }
  // Reads of a register that are there only because it is written in part: what stays of it is needed if it is needed
  // afterwards.
  static bool only_written(const Plan& p, int r) {
    if (!is_by_channel(p)) return false;
    for (int n = 0; n < p.sources; ++n)
      if (p.src[n].kind == SourcePlan::Kind::grf)
        for (int l = 0; l < p.lanes; ++l)
          if (p.src[n].offset[size_t(l)] / reg_bytes == r) return false;
    return true;
  }

  void message(const Plan& p, const Lowered& s, Needs& needs) const {
    const isa::Instruction& i = p.instruction;
    const isa::MessageShape& t = p.message.shape;
    if (t.holds_anyway) return;
    if (!t.is_scattered() || i.no_mask) {
      if (i.no_mask && p.predicate == Plan::Predicate::none) kill_response(p, t, false, needs);
      need(s.reads & ~(s.writes & ~payload_of(p)), needs);
      return;
    }
    if (p.predicate == Plan::Predicate::none) kill_response(p, t, true, needs);
    // header, places, data
    const unsigned first = Message{.desc = i.desc.imm}.mlen();
    const auto reg = [&](unsigned n) { return n < first ? i.src[0].reg + n : i.src[1].reg + n - first; };
    unsigned n = 0;
    if (t.header) needs[reg(n++)] = everybody;
    const auto row = [&](int size) {
      for (int slot = 0; slot < t.slots; slot += reg_bytes / size, ++n)
        needs[reg(n)] = joined(needs[reg(n)], running(p.channel + slot, size));
    };
    row(t.wide() ? 8 : 4);
    for (unsigned k = 0; k < t.given(); ++k) row(t.element == 8 ? 8 : 4);
  }
  static void kill_response(const Plan& p, const isa::MessageShape& t, bool masked, Needs& needs) {
    const int size = t.element == 8 ? 8 : 4;
    size_t r = p.instruction.dst.reg;
    if (t.is_block() && !t.is_write)
      for (int byte = 0; t.at == 0 && byte + reg_bytes <= t.bytes; byte += reg_bytes) needs[r++] = nobody;
    // slots that the header or the execution size leaves out stay as they are
    if (!t.is_scattered() || t.masks_header || p.lanes < t.slots) return;
    for (unsigned k = 0; k < t.answered(); ++k)
      for (int slot = 0; slot < t.slots; slot += reg_bytes / size, ++r)
        if (!masked || needs[r] == running(p.channel + slot, size)) needs[r] = nobody;
  }

  // Whether all that was changed is needed where control leaves: for places unknown, or since somebody wants to see it.
  bool leaves_all(size_t n) const {
    const Lowered& s = lowered_[n];
    const Plan& p = program_.plans()[n];
    if (n + 1 == lowered_.size() && !p.instruction.eot) return true;
    // a return goes where its register says, whatever calls there are
    if (s.lowering == Lowering::branch) return true;
    if (s.lowering == Lowering::left && changes_ip(p)) return true;
    if (!options_.all_registers) return false;
    if (s.lowering == Lowering::left || s.lowering == Lowering::branch || s.may_exit || p.instruction.eot) return true;
    if (s.lowering != Lowering::jump) return false;
    // out of the program, or back when the budget is used up
    for (uint32_t ip : jump_targets(p))
      if (const int to = plan_index(program_, ip); to < 0 || size_t(to) <= n) return true;
    return false;
  }

  const Program& program_;
  const Options& options_;
  Analysis& a_;
  std::vector<Lowered>& lowered_;
  std::vector<std::vector<Needs>> before_;
};

}  // namespace

void find_live(const Program& program, const Options& options, Analysis& analysis) {
  Liveness(program, options, analysis).run();
}

}  // namespace vitro::jit
