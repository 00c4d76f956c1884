// Which instructions may overwrite their destination in channels that do not run. An instruction under a mask leaves
// the other channels' elements as they are, which costs a selection for each register; it need not be done where nobody
// reads them any more: not the channels that wait elsewhere, from where they wait on, and no instruction that looks at
// other channels' elements.
// PRM: none; the program cannot see the difference. The registers of a thread that has ended, and of one that is looked
// at in between, are different from the interpreter's, so this is done only if nobody asks for them.
// A register is seen by its use: dead, used by each channel for itself at the place that `first` and the element's size
// say, or used across channels. Messages, calls, instructions without a mask and scalar regions are uses across.
#include <algorithm>
#include <array>

#include "eu/jit/ways.h"

namespace vitro::eu::jit {
namespace {

using isa::Op;

using Use = int16_t;
constexpr Use dead = 0, across = -1;
using Uses = std::array<Use, grf_count>;

// Elements of `size` bytes of which the one at position 0 is channel `first`'s.
constexpr Use own(int size, int first) { return Use(size * 128 + first + 64); }
Use joined(Use a, Use b) { return a == dead ? b : b == dead || a == b ? a : across; }

class Overwriting {
 public:
  Overwriting(const Program& program, Analysis& a) : program_(program), a_(a), shapes_(a.shapes) {}

  void run() {
    for (const Shape& s : shapes_)
      if (s.way == Way::branch) return;  // channels may come back from anywhere
    find_blocks();
    before_.assign(shapes_.size(), Uses{});
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t k = blocks_.size(); k-- > 0;) {
        const auto [first, last] = blocks_[k];
        Uses now = after(last);
        for (size_t n = last + 1; n-- > first;) step(n, now);
        if (now != before_[first]) before_[first] = now, changed = true;
      }
    }
    for (const auto& [first, last] : blocks_) {
      Uses now = after(last);
      for (size_t n = last + 1; n-- > first;) {
        if (may_overwrite(n, now, first)) {
          shapes_[n].overwrites = true;
          shapes_[n].reads.reset(), shapes_[n].writes.reset(), shapes_[n].kills.reset();
          touch_emitted(program_, program_.plans()[n], shapes_[n]);
        }
        step(n, now);
      }
    }
  }

 private:
  void find_blocks() {
    for (size_t n = 0; n < shapes_.size();) {
      size_t last = n;
      while (last + 1 < shapes_.size() && !shapes_[last + 1].leads && shapes_[last].way != Way::jump &&
             shapes_[last].way != Way::left)
        ++last;
      blocks_.emplace_back(n, last);
      n = last + 1;
    }
  }

  // Uses after an instruction: what channels need that go on, and those that wait.
  Uses after(size_t n) const {
    const Plan& p = program_.plans()[n];
    Uses all{};
    const auto add = [&](uint32_t ip) {
      const int to = plan_index(program_, ip);
      for (size_t r = 0; r < all.size(); ++r) all[r] = to < 0 ? across : joined(all[r], before_[size_t(to)][r]);
    };
    if (shapes_[n].way == Way::jump) {
      for (uint32_t ip : jump_targets(program_, p)) add(ip);
      if (const auto ip = parks_at(p)) add(*ip);
    } else if (!p.row || !p.fault.empty() || (shapes_[n].way == Way::left && !isa::has_destination(p.row->format)) ||
               (p.dst.kind == DestinationPlan::Kind::arf && is_arf(p.instruction.dst.reg, isa::Arf::ip))) {
      all.fill(across);
    } else if (!p.instruction.eot) {
      add(p.next_ip);
    }
    return all;
  }

  static void use(Uses& now, size_t r, Use u) { now[r] = joined(now[r], u); }
  static void use_across(Uses& now, const Registers& which) {
    for (size_t r = 0; r < now.size(); ++r)
      if (which[r]) now[r] = across;
  }

  // The uses of registers by a source of an instruction under a mask.
  void use_source(Uses& now, const Plan& p, const SourcePlan& s) const {
    if (s.kind != SourcePlan::Kind::grf) return;
    const int size = isa::size_of(s.type);
    for (int l = 0; l < p.lanes; ++l) {
      const int at = s.offset[size_t(l)];
      use(now, size_t(at / reg_bytes), own(size, p.channel + l - at % reg_bytes / size));
    }
  }

  // What each register of the destination is written as, if it is as a whole; `across` if one is not.
  struct Written {
    int first = 0, count = 0;
    Use as[4] = {};
  };
  Written written(const Plan& p) const {
    Written w;
    const int size = isa::size_of(p.dst.type), per = reg_bytes / size;
    const bool whole = p.dst.kind == DestinationPlan::Kind::grf && p.dst.contiguous && p.lanes % per == 0 &&
                       p.dst.offset[0] % reg_bytes == 0 && (p.dst.channel_enable & p.lane_mask) == p.lane_mask &&
                       p.lanes / per <= 4 && p.channel + p.lanes <= max_channels;
    if (!whole) return w;
    w.first = p.dst.offset[0] / reg_bytes;
    w.count = p.lanes / per;
    for (int k = 0; k < w.count; ++k) w.as[k] = own(size, p.channel + k * per);
    return w;
  }

  static bool is_unconditional(const Plan& p) {
    return p.predicate == Plan::Predicate::none || p.instruction.op == Op::sel;
  }
  static bool looks_around(Op op) {
    switch (op) {
      case Op::dp2:
      case Op::dp3:
      case Op::dp4:
      case Op::dph:
      case Op::sad2:
      case Op::sada2:
      case Op::line:
      case Op::pln: return true;
      default: return false;
    }
  }

  void step(size_t n, Uses& now) const {
    const Plan& p = program_.plans()[n];
    const Shape& s = shapes_[n];
    switch (s.way) {
      case Way::emitted: {
        if (p.row->format == isa::Format::nullary) return;
        if (is_unconditional(p)) {
          const Written w = written(p);
          for (int k = 0; k < w.count; ++k)
            if (Use& u = now[size_t(w.first + k)]; p.instruction.no_mask || u == w.as[k]) u = dead;
        }
        if (p.instruction.no_mask || looks_around(p.instruction.op)) {
          Shape all;
          touch_emitted(program_, p, all);
          use_across(now, all.reads);
        } else {
          for (int k = 0; k < p.sources; ++k) use_source(now, p, p.src[k]);
        }
        return;
      }
      case Way::message: {
        const isa::Instruction& i = p.instruction;
        if (p.row->format == isa::Format::wait) return;
        const Message m{.desc = i.desc.imm, .ex_desc = i.ex_desc.imm};
        Registers payload;
        add_range(payload, i.src[0], i.desc.in_register ? 15 : m.mlen());
        if (p.row->format == isa::Format::split_send)
          add_range(payload, i.src[1], i.ex_desc.in_register ? 15 : m.ex_mlen());
        use_across(now, payload);
        return;
      }
      case Way::jump: return;
      default: use_across(now, s.reads); return;
    }
  }

  bool may_overwrite(size_t n, const Uses& after, size_t block) const {
    const Plan& p = program_.plans()[n];
    if (shapes_[n].way != Way::emitted || p.row->format == isa::Format::nullary || p.instruction.no_mask ||
        !is_unconditional(p))
      return false;
    const Written w = written(p);
    if (w.count == 0 || !shapes_[block].leads) return false;
    const Labels& waited_at = a_.waited_at[block];
    for (int k = 0; k < w.count; ++k) {
      const size_t r = size_t(w.first + k);
      if (after[r] != dead && after[r] != w.as[k]) return false;
      for (size_t label = 0; label < a_.labels.size(); ++label) {
        if (!waited_at[label] || a_.labels[label] == program_.plans()[block].ip) continue;
        const int to = plan_index(program_, a_.labels[label]);
        if (to < 0 || before_[size_t(to)][r] != dead) return false;
      }
    }
    return true;
  }

  const Program& program_;
  Analysis& a_;
  std::vector<Shape>& shapes_;
  std::vector<std::pair<size_t, size_t>> blocks_;  // first and last instruction
  std::vector<Uses> before_;                       // by instruction, if a block begins there
};

}  // namespace

void find_overwriting(const Program& program, Analysis& a) { Overwriting(program, a).run(); }

}  // namespace vitro::eu::jit
