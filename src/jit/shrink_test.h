// For the differential tests: a program with which compiled code and interpreter differ, made as small as it can be
// while they still do: lines go, then what is left loses modifiers, masks and channels, then registers become zero.
// No part of the machine.
#pragma once

#include "jit/instructions_test.h"
#include "jit/lines_test.h"
#include "jit/twins_test.h"

namespace vitro::jit {

struct Case {
  Lines lines;
  Thread begin{};
  uint64_t budget = 3000, turn = 3000;
};

inline std::string difference(const Case& c, const Surroundings& around) {
  const std::vector<std::byte> code = machine_code(c.lines);
  const Program program(*c.lines.model, code);
  const auto compiled = compile(program, options_for(c.begin, around));
  if (!compiled) return "it does not compile";
  return run_twins(program, *compiled, c.begin, around, c.budget, c.turn).difference();
}

class Shrinker {
 public:
  Shrinker(Case c, const Surroundings& around) : case_(std::move(c)), around_(around) {}

  Case run() {
    if (Case c = case_; c.turn = c.budget, differs(c)) case_ = c;
    for (size_t before = 0; before != case_.lines.all.size();) {
      before = case_.lines.all.size();
      for (size_t step = before / 2; step > 0; step /= 2) remove(step);
    }
    for (size_t n = 0; n < case_.lines.all.size(); ++n) simplify(n);
    clear_registers();
    return case_;
  }

 private:
  bool differs(const Case& c) const { return !difference(c, around_).empty(); }

  void remove(size_t step) {
    for (size_t end = case_.lines.all.size(); end > 0; end -= std::min(end, step)) {
      Case c = case_;
      for (size_t n = end; n-- > end - std::min(end, step);)
        if (!c.lines.all[n].instruction.eot) c.lines.take_out(n);
      if (c.lines.all.size() < case_.lines.all.size() && differs(c)) case_ = c;
    }
  }

  template <class F>
  bool attempt(size_t n, F change) {
    Case c = case_;
    isa::Instruction& i = c.lines.all[n].instruction;
    const isa::Instruction before = i;
    change(i);
    if (i == before || !is_legal(*c.lines.model, i) || !isa::store(*c.lines.model, i) || !differs(c)) return false;
    case_ = c;
    return true;
  }

  void simplify(size_t n) {
    using isa::Instruction;
    const isa::OpcodeRow& row = *case_.lines.model->row(case_.lines.all[n].instruction.op);
    if (row.format == isa::Format::nullary || case_.lines.all[n].instruction.eot) return;
    attempt(n, [](Instruction& i) { i.compacted = false; });
    attempt(n, [](Instruction& i) { i.pred_ctrl = isa::PredCtrl::none, i.pred_inv = false; });
    attempt(n, [](Instruction& i) { i.pred_inv = false; });
    attempt(n, [](Instruction& i) { i.cond_modifier = isa::CondModifier::none; });
    attempt(n, [](Instruction& i) { i.saturate = false; });
    attempt(n, [](Instruction& i) { i.acc_wr_ctrl = false; });
    attempt(n, [](Instruction& i) { i.no_mask = true; });
    attempt(n, [](Instruction& i) { i.qtr_ctrl = 0, i.nib_ctrl = false; });
    attempt(n, [](Instruction& i) {
      i.thread_ctrl = isa::ThreadCtrl::normal;
      i.no_dd_chk = i.no_dd_clr = false;
    });
    while (attempt(n, [](Instruction& i) { i.exec_size /= i.exec_size > 1 ? 2 : 1; })) {
    }
    for (size_t s = 0; s < 3; ++s) {
      attempt(n, [=](Instruction& i) { i.src[s].abs = false; });
      attempt(n, [=](Instruction& i) { i.src[s].negate = false; });
      attempt(n, [=](Instruction& i) {
        if (i.src[s].file == isa::RegFile::grf && !i.src[s].indirect) i.src[s].region = {0, 1, 0};
      });
      attempt(n, [=](Instruction& i) {
        if (i.access_mode == isa::AccessMode::align16) i.src[s].chan_sel = isa::swizzle_xyzw;
      });
    }
  }

  // No new code is needed for these.
  void clear_registers() {
    const std::vector<std::byte> code = machine_code(case_.lines);
    const Program program(*case_.lines.model, code);
    const auto compiled = compile(program, options_for(case_.begin, around_));
    if (!compiled) return;
    auto keep = [&](const Thread& t) {
      if (!run_twins(program, *compiled, t, around_, case_.budget, case_.turn).difference().empty()) case_.begin = t;
    };
    for (int r = 0; r < grf_count * reg_bytes; r += 4) {
      if (r % reg_bytes == 0) {
        Thread t = case_.begin;
        std::memset(t.grf.data() + r, 0, reg_bytes);
        keep(t);
      }
      Thread t = case_.begin;
      std::memset(t.grf.data() + r, 0, 4);
      if (std::memcmp(&t.grf, &case_.begin.grf, sizeof t.grf) != 0) keep(t);
    }
    for (auto clear : {+[](Thread& t) { t.flag = {}; }, +[](Thread& t) { t.acc = {}; }, +[](Thread& t) { t.a0 = {}; },
                       +[](Thread& t) { t.mme = {}; }, +[](Thread& t) { t.mrf = {}; }}) {
      Thread t = case_.begin;
      clear(t);
      keep(t);
    }
  }

  Case case_;
  const Surroundings& around_;
};

// The program in the assembler's syntax, and what it needs to begin with.
inline std::string report(const Case& c, const Surroundings& around) {
  const Thread& t = c.begin;
  std::string out = fmt::format("{}\ninterpreted and compiled: {}\n", text_of(c.lines), difference(c, around));
  out += fmt::format("budget {}, turns of {}; channels {:#x}, cr0 {:#x}, f0 {:#x}, f1 {:#x}\n", c.budget, c.turn,
                     t.dispatched, t.cr[0], t.flag[0], t.flag[1]);
  for (int r = 0; r < grf_count; ++r) {
    uint32_t dw[8];
    std::memcpy(dw, t.grf.data() + r * reg_bytes, sizeof dw);
    if (std::any_of(std::begin(dw), std::end(dw), [](uint32_t d) { return d != 0; }))
      out += fmt::format("r{}: {:08x}\n", r, fmt::join(dw, " "));
  }
  for (size_t a = 0; a < 2; ++a)
    for (size_t n = 0; n < 16; ++n)
      if (t.acc[a][n]) out += fmt::format("acc{} slot {}: {:#x}\n", a, n, uint64_t(t.acc[a][n]));
  for (size_t n = 0; n < t.a0.size(); ++n)
    if (t.a0[n]) out += fmt::format("a0.{}: {:#x}\n", n, t.a0[n]);
  return out;
}

}  // namespace vitro::jit
