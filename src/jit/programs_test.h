// For the differential tests: random programs. Legal instructions in blocks; around them all flow control the
// generation has, in the forms of the documents and compilers, with counters so that most loops end. Some programs get
// branches to arbitrary lines besides: whatever the graph is, both ways of running it must agree, and a program that
// does not end is compared where its time is up. No part of the machine.
#pragma once

#include <fmt/format.h>

#include <functional>

#include "jit/instructions_test.h"
#include "jit/lines_test.h"

namespace vitro::jit {

struct ProgramOptions {
  int statements = 12;  // about so many instructions outside of flow control
  bool flow = true;
  // Appends a message and what it needs; empty: the programs have none.
  std::function<void(Lines&, Rng&)> message{};
};

class RandomProgram {
 public:
  RandomProgram(const isa::Model& m, Rng& rng, const ProgramOptions& options)
      : m_(m), rng_(rng), options_(options), instructions_(m, rng) {
    lines_.model = &m;
    static constexpr uint8_t widths[] = {8, 16, 16, 32, 4, 1};
    width_ = rng.pick(widths);
  }

  Lines run() {
    rest_ = options_.statements;
    const int end = lines_.fresh();
    end_ = end;
    while (rest_ > 0) block(0, -1, end);
    // as the compilers end a program with halts in it: a halt for everyone, which all channels reach
    const int last = lines_.fresh();
    if (halts_) {
      branch(isa::Op::halt, last, last, end);
      lines_.all.back().instruction.pred_ctrl = isa::PredCtrl::none;
      lines_.all.back().instruction.pred_inv = false;
      one(last);
    } else {
      one(end);
    }
    add(m_.mrf_count ? "(W) send (8|M0) null m0 0x27 0x02000010 {EOT}"
                     : "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}");
    for (int entry : subroutines_) subroutine(entry);
    if (options_.flow && rng_.one_in(5)) go_wild();
    return std::move(lines_);
  }

 private:
  using Op = isa::Op;
  static constexpr int counters = 104, scalar_counters = 120, targets = 123, return_address = 124;  // registers

  // --- pieces

  int add(const std::string& text, int name = -1) {
    const isa::Assembly a = isa::assemble(m_, text, {.validate = false});
    return lines_.add(a.instructions.at(0).instruction, name);
  }
  void one(int name = -1) {
    --rest_;
    lines_.add(instructions_.any(), name);
  }
  bool has(Op op) const { return m_.row(op) != nullptr; }
  std::string exec() const { return fmt::format("({}|M0)", width_); }

  // A branch as the row allows it, with random predicate.
  void branch(Op op, int jip, int uip = -1, int name = -1) {
    const isa::OpcodeRow& row = *m_.row(op);
    for (int tries = 0;; ++tries) {
      isa::Instruction i = isa::random_instruction(m_, row, rng_, {.compacted = false, .ignored = false});
      i.debug_ctrl = false;
      if (row.format == isa::Format::branch_compare && i.cond_modifier != isa::CondModifier::none) settle_compare(i);
      i.exec_size = row.has(isa::attr_scalar) ? 1 : uint8_t(width_);
      i.qtr_ctrl = 0;
      i.nib_ctrl = false;
      if (rng_.one_in(12)) i.exec_size = uint8_t(row.has(isa::attr_scalar) ? 1 : 1 << rng_.below(6));
      i.no_mask = op == Op::jmpi || rng_.one_in(12);
      i.access_mode = isa::AccessMode::align1;
      i.branch_ctrl = false;
      i.jip = i.uip = 0;
      if (uip < 0) uip = jip;
      if (row.format == isa::Format::branch_reg || row.format == isa::Format::branch_reg_uip ||
          row.format == isa::Format::jump || row.format == isa::Format::call ||
          row.format == isa::Format::call_absolute) {
        i.src[0] = {};
        i.src[0].file = isa::RegFile::imm;
        i.src[0].type = isa::Type::d;
      }
      if (!is_legal(m_, i) && tries < 200) continue;
      lines_.add(i, name);
      Line& l = lines_.all.back();
      l.jip = jip;
      if (row.format == isa::Format::branch_uip || row.format == isa::Format::branch_reg_uip) l.uip = uip;
      return;
    }
  }
  void settle_compare(isa::Instruction& i) {
    for (isa::Operand& s : i.src) {
      if (s.file == isa::RegFile::imm) continue;
      s = {};
      s.file = isa::RegFile::grf;
      s.type = isa::Type::d;
      s.reg = uint8_t(8 + 2 * rng_.below(8));
      s.region = {uint8_t(std::min(8, width_)), uint8_t(std::min(8, width_)), 1};
      if (width_ == 1) s.region = {0, 1, 0};
    }
    if (i.src[1].file == isa::RegFile::imm) i.src[1].type = isa::Type::d;
    i.pred_ctrl = isa::PredCtrl::none;
    i.pred_inv = false;
  }

  // The target of the last branch moves to a register, which a mov before it fills.
  void through_register() {
    Line b = lines_.all.back();
    const isa::Format f = m_.row(b.instruction.op)->format;
    const bool two = f == isa::Format::branch_reg_uip, jumps = f == isa::Format::jump;
    if (f == isa::Format::call_absolute) return;
    lines_.all.pop_back();
    const int unit = jumps || f == isa::Format::call ? m_.jump_unit : 1;
    for (int n = 0; n <= int(two); ++n) {
      add(fmt::format("(W) mov (1|M0) r{}.{}<1>:d 0x12345:d", targets, n));
      Line& l = lines_.all.back();
      l.from = b.name;
      l.to = n ? b.uip : b.jip;
      l.unit = unit;
      l.from_next = jumps;
    }
    isa::Operand& s = b.instruction.src[0];
    s.file = isa::RegFile::grf;
    s.type = isa::Type::d;
    s.reg = targets;
    s.region = two || f == isa::Format::call ? isa::Region{2, 2, 1} : isa::Region{0, 1, 0};
    b.jip = b.uip = -1;
    lines_.all.push_back(b);
  }

  std::string flag() { return m_.flag_regs > 1 && rng_.coin() ? "f1.0" : rng_.coin() ? "f0.1" : "f0.0"; }

  // Counts one up per channel and sends those that have been here often enough away.
  void counter(int reg, bool fresh, const char* op, int jip, int uip) {
    for (int at = 0; at < width_; at += 16) {
      const int n = std::min(16, width_ - at);
      if (fresh)
        add(fmt::format("(W) mov ({}|M{}) r{}.0<1>:d 0:w", n, at, reg + at / 8));
      else
        add(fmt::format("add ({0}|M{1}) r{2}.0<1>:d r{2}.0{3}:d 1:w", n, at, reg + at / 8, region(n)));
    }
    if (fresh) return;
    const std::string f = width_ == 32 ? "f0.0" : flag();
    for (int at = 0; at < width_; at += 16) {
      const int n = std::min(16, width_ - at);
      add(fmt::format("cmp ({}|M{}) (gt){} null<1>:d r{}.0{}:d {}:w", n, at, f, reg + at / 8, region(n),
                      1 + rng_.below(4)));
    }
    const bool by_goto = std::string_view(op) == "goto";
    add(fmt::format("({}{}) {} {} 16 16", by_goto ? "~" : "", f, op, exec()));
    lines_.all.back().jip = jip;
    lines_.all.back().uip = uip;
  }
  static std::string region(int n) { return n == 1 ? "<0;1,0>" : fmt::format("<{0};{0},1>", std::min(8, n)); }

  // --- statements

  // `loop`: where break goes, or -1; `around`: the end of the enclosing block.
  void block(int depth, int loop, int around) {
    const uint32_t count = 1 + rng_.below(4);
    for (uint32_t n = 0; n < count; ++n) statement(depth, loop, around);
  }

  void statement(int depth, int loop, int around) {
    if (options_.message && rng_.one_in(3)) {
      --rest_;
      return options_.message(lines_, rng_);
    }
    if (rng_.one_in(24)) return set_mode();
    if (rng_.one_in(16)) return set_address();
    if (!options_.flow || depth > 3 || rest_ <= 0 || rng_.below(10) < 6) return one();
    const bool gotos = has(Op::goto_);
    switch (rng_.below(12)) {
      case 0:
      case 1:
      case 2: return if_block(depth, loop, around);
      case 3: return gotos ? goto_block(depth, loop, around) : if_block(depth, loop, around);
      case 4:
      case 5: return gotos && rng_.coin() ? goto_loop(depth, around) : while_loop(depth);
      case 6: return jump_over(depth, loop, around);
      case 7: return jump_back(depth, around);
      case 8: return call();
      case 9: return has(Op::brc) ? branch_over(depth, loop) : if_block(depth, loop, around);
      case 10: halts_ = true; return branch(Op::halt, around, end_);
      default:
        if (loop < 0) return one();
        return branch(rng_.coin() ? Op::break_ : Op::cont, around, loop);
    }
  }

  void if_block(int depth, int loop, int around) {
    const int end = lines_.fresh(), other = lines_.fresh(), turn = lines_.fresh();
    const bool otherwise = rng_.coin();
    branch(m_.mrf_count && rng_.one_in(4) && has(Op::case_) ? Op::case_ : Op::if_, otherwise ? other : end, end);
    block(depth + 1, loop, otherwise ? turn : end);
    if (otherwise) {
      branch(Op::else_, end, end, turn);
      one(other);
      block(depth + 1, loop, end);
    }
    branch(Op::endif, around, -1, end);
  }
  void goto_block(int depth, int loop, int around) {
    const int end = lines_.fresh(), other = lines_.fresh();
    const bool otherwise = rng_.coin();
    branch(Op::goto_, otherwise ? other : end, otherwise ? other : end);
    block(depth + 1, loop, otherwise ? other : end);
    if (otherwise) {
      branch(Op::goto_, other, end);
      join(end, other);
      block(depth + 1, loop, end);
    }
    join(around, end);
  }
  void join(int jip, int name) {
    branch(Op::join, jip, -1, name);
    // the usual one has no predicate
    if (rng_.below(8)) lines_.all.back().instruction.pred_ctrl = isa::PredCtrl::none;
    if (lines_.all.back().instruction.pred_ctrl == isa::PredCtrl::none) lines_.all.back().instruction.pred_inv = false;
  }
  void while_loop(int depth) {
    const int head = lines_.fresh(), end = lines_.fresh(), out = lines_.fresh(), reg = counters + 4 * depth;
    // Gen6 names what follows the while; later generations the while, though what follows it works as well
    const int exit = !m_.mrf_count && rng_.coin() ? end : out;
    counter(reg, true, "", 0, 0);
    one(head);
    counter(reg, false, "break", end, exit);
    block(depth + 1, rng_.coin() ? exit : end, end);
    branch(Op::while_, head, -1, end);
    one(out);
  }
  void goto_loop(int depth, int around) {
    const int head = lines_.fresh(), end = lines_.fresh(), out = lines_.fresh(), reg = counters + 4 * depth;
    counter(reg, true, "", 0, 0);
    one(head);
    counter(reg, false, "goto", end, out);
    block(depth + 1, -1, end);
    join(out, end);
    branch(Op::goto_, out, head);
    lines_.all.back().instruction.branch_ctrl = true;
    join(around, out);
  }
  void jump_over(int depth, int loop, int around) {
    const int end = lines_.fresh();
    branch(Op::jmpi, end);
    if (rng_.one_in(4)) through_register();
    block(depth + 1, loop, around);
    one(end);
  }
  void jump_back(int depth, int around) {
    const int head = lines_.fresh(), reg = scalar_counters;
    const std::string f = flag();
    add(fmt::format("(W) mov (1|M0) r{}.{}<1>:d 0:w", reg, depth));
    one(head);
    block(depth + 1, -1, around);
    add(fmt::format("(W) add (1|M0) r{0}.{1}<1>:d r{0}.{1}<0;1,0>:d 1:w", reg, depth));
    add(fmt::format("(W) cmp (1|M0) (lt){} null<1>:d r{}.{}<0;1,0>:d {}:w", f, reg, depth, 1 + rng_.below(3)));
    add(fmt::format("(W&{}) jmpi 16", f));
    lines_.all.back().jip = head;
  }
  void branch_over(int depth, int loop) {
    const int end = lines_.fresh();
    branch(rng_.coin() ? Op::brc : Op::brd, end, end);
    if (rng_.one_in(3)) through_register();
    block(depth + 1, loop, end);
    one(end);
  }
  void call() {
    if (subroutines_.size() > 2) return one();
    const int entry = subroutines_.empty() || rng_.coin() ? lines_.fresh() : rng_.pick(subroutines_);
    if (std::find(subroutines_.begin(), subroutines_.end(), entry) == subroutines_.end()) subroutines_.push_back(entry);
    branch(has(Op::calla) && rng_.one_in(3) ? Op::calla : Op::call, entry);
    isa::Instruction& i = lines_.all.back().instruction;
    if (m_.mrf_count) i.exec_size = 2;
    i.dst = {};
    i.dst.file = isa::RegFile::grf;
    i.dst.type = isa::Type::d;
    i.dst.region.horz_stride = 1;
    i.dst.reg = return_address;
    if (rng_.one_in(4)) through_register();
  }
  void subroutine(int entry) {
    one(entry);
    rest_ += 3;
    block(4, -1, end_);
    add(fmt::format("ret ({}|M0) r{}.0<2;2,1>:d", m_.mrf_count || rng_.coin() ? 2 : width_, return_address));
    lines_.all.back().instruction.no_mask = false;
  }

  void set_mode() {
    if (!m_.controls_rounding) return one();
    static constexpr uint32_t bits[] = {cr_keep_float_denorms,   cr_keep_double_denorms,  cr_keep_half_denorms,
                                        1u << cr_rounding_shift, 2u << cr_rounding_shift, 3u << cr_rounding_shift};
    const uint32_t bit = rng_.one_in(8) ? uint32_t(cr_alt_mode) : rng_.pick(bits);
    add(rng_.coin() ? fmt::format("(W) or (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud {:#x}:ud {{Switch}}", bit)
                    : fmt::format("(W) and (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:ud {:#x}:ud {{Switch}}", ~bit));
    --rest_;
  }
  void set_address() {
    add(fmt::format("(W) mov (1|M0) a0.{}<1>:uw {}:uw", rng_.below(m_.address_subregs), 32 * (20 + rng_.below(60))));
    --rest_;
  }

  // Branches to anywhere.
  void go_wild() {
    const uint32_t count = 1 + rng_.below(3);
    for (uint32_t n = 0; n < count; ++n) {
      const size_t at = rng_.below(uint32_t(lines_.all.size()));
      Line& l = lines_.all[at];
      if (l.jip >= 0) l.jip = rng_.pick(lines_.all).name;
      if (l.uip >= 0 && rng_.coin()) l.uip = rng_.pick(lines_.all).name;
      if (l.jip >= 0) continue;
      static constexpr Op ops[] = {Op::if_,  Op::else_, Op::endif, Op::while_, Op::break_, Op::cont,
                                   Op::halt, Op::goto_, Op::join,  Op::brd,    Op::brc};
      const Op op = rng_.pick(ops);
      if (!has(op)) continue;
      branch(op, rng_.pick(lines_.all).name, rng_.pick(lines_.all).name);
      lines_.all.back().instruction.branch_ctrl = m_.row(op)->has(isa::attr_branchctrl) && rng_.coin();
      const Line moved = lines_.all.back();
      lines_.all.pop_back();
      lines_.all.insert(lines_.all.begin() + int(at), moved);
    }
  }

  const isa::Model& m_;
  Rng& rng_;
  const ProgramOptions& options_;
  RandomInstructions instructions_;
  Lines lines_;
  std::vector<int> subroutines_;
  int width_ = 8, rest_ = 0, end_ = -1;
  bool halts_ = false;
};

}  // namespace vitro::jit
