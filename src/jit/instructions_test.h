// For the differential tests: random instructions that are legal. They come from the opcode table by way of
// isa::random_instruction; most get operands as compilers choose them, because of arbitrary ones too few obey the rules
// of regions. What isa::validate calls an error is never given out, nor what cannot run at all.
// No part of the machine. Left out: writes of ip, the system routine's registers, breakpoints, and the flow control
// register, which compiled code does not keep for channels that run.
#pragma once

#include <algorithm>

#include "base/random.h"
#include "isa/random.h"
#include "isa/validate.h"
#include "jit/compile.h"

namespace vitro::jit {

// Registers from here on belong to the frame: what messages need, counters, return addresses, targets.
inline constexpr int first_reserved = 88;

inline bool is_legal(const isa::Model& m, const isa::Instruction& i) {
  if (isa::channel_offset(i) + i.exec_size > max_channels) return false;
  for (const isa::Violation& v : isa::validate(m, i))
    if (isa::is_error(v)) return false;
  return true;
}

class RandomInstructions {
 public:
  RandomInstructions(const isa::Model& m, Rng& rng) : m_(m), rng_(rng) {
    for (const isa::OpcodeRow* row : m.by_op)
      if (row && row->format < isa::Format::send && row->op != isa::Op::illegal) rows_.push_back(row);
  }

  // Of a row chosen at random: each is as likely as any other.
  isa::Instruction any() {
    for (;;)
      if (const auto i = of(*rng_.pick(rows_))) return *i;
  }
  std::optional<isa::Instruction> of(const isa::OpcodeRow& row) {
    for (int tries = 0; tries < 200; ++tries) {
      isa::Instruction i = isa::random_instruction(m_, row, rng_, {.ignored = false});
      if (!i.compacted && rng_.below(8)) settle(row, i);
      i.debug_ctrl = false;
      if (wanted(row, i) && is_legal(m_, i) && runs(i)) return i;
    }
    return {};
  }

 private:
  static bool is_arf(const isa::Operand& o, isa::Arf kind) {
    return o.file == isa::RegFile::arf && !o.indirect && o.reg >> 4 == int(kind);
  }

  bool wanted(const isa::OpcodeRow& row, const isa::Instruction& i) {
    using isa::Arf;
    for (Arf kind : {Arf::ip, Arf::control, Arf::state, Arf::notification, Arf::thread_dependency, Arf::debug,
                     Arf::stack_pointer, Arf::timestamp, Arf::flow_control})
      if (isa::has_destination(row.format) && is_arf(i.dst, kind)) return false;
    for (int n = 0; n < isa::source_count(row, i); ++n)
      if (is_arf(i.src[size_t(n)], Arf::flow_control)) return false;
    // addresses stay such that indirect operands find registers; programs set them on purpose
    return !is_arf(i.dst, Arf::address) || rng_.one_in(8);
  }

  // It has an encoding, stays within the register file and does not touch what is reserved.
  bool runs(const isa::Instruction& i) {
    const auto stored = isa::store(m_, i);
    if (!stored) return false;
    const Program one(m_, std::span(stored->bytes).first(size_t(stored->size)));
    const Plan& p = one.plans()[0];
    if (!p.row || !p.fault.empty()) return false;
    if (p.dst.kind == DestinationPlan::Kind::grf && isa::has_destination(p.row->format)) {
      const bool writes_next = i.op == isa::Op::math && i.math == isa::MathFunction::idiv;
      if (p.dst.offset[size_t(p.lanes - 1)] / reg_bytes + 2 * writes_next >= first_reserved) return false;
    }
    // compiled code leaves these to the interpreter's handlers, so that they say little of it
    const bool left = std::any_of(p.src, p.src + p.sources,
                                  [](const SourcePlan& s) { return s.kind == SourcePlan::Kind::indirect; }) ||
                      p.dst.kind == DestinationPlan::Kind::indirect || isa::is_math_macro(i);
    if (left && rng_.below(3)) return false;
    Thread t;
    t.active = t.dispatched = ~0u;
    t.a0.fill(1024);
    const SharedFunctions none{};
    Executor x{t, one, none};
    return x.run(1) == Status::running;
  }

  // --- operands as programs have them

  uint8_t usual_register() {
    const int r = rng_.one_in(3) ? int(rng_.below(first_reserved - 8)) : 8 + int(rng_.below(24));
    return uint8_t(rng_.coin() ? r & ~1 : r);
  }
  static int executed_size(isa::Type t) { return std::max(2, isa::size_of(t)); }

  void settle(const isa::OpcodeRow& row, isa::Instruction& i) {
    const int sources = isa::source_count(row, i);
    int widest = isa::has_destination(row.format) ? isa::size_of(i.dst.type) : 1, computed = 2;
    for (int n = 0; n < sources; ++n) {
      const isa::Operand& s = i.src[size_t(n)];
      widest = std::max(widest, isa::size_of(s.type));
      computed = std::max(computed, executed_size(s.type));
    }
    if (!row.has(isa::attr_scalar)) {
      while (i.exec_size * widest > 64) i.exec_size /= 2;
      if (rng_.coin() && i.exec_size < 8 && 8 * widest <= 64)
        i.exec_size = rng_.coin() ? 8 : 16 * widest <= 64 ? 16 : 8;
      settle_channels(i);
    }
    if (isa::is_math_macro(i)) return;
    if (i.access_mode == isa::AccessMode::align16) return settle_align16(row, i, sources);
    for (int n = 0; n < sources; ++n) settle_source(i, i.src[size_t(n)]);
    if (isa::has_destination(row.format)) settle_destination(i, computed);
  }
  void settle_channels(isa::Instruction& i) {
    while (isa::channel_offset(i) + i.exec_size > max_channels ||
           isa::channel_offset(i) % std::max<int>(4, i.exec_size)) {
      i.qtr_ctrl = uint8_t(rng_.below(4));
      i.nib_ctrl = m_.has_nib_ctrl && rng_.one_in(4);
      if (rng_.one_in(4)) i.qtr_ctrl = 0, i.nib_ctrl = false;
    }
  }

  // Addresses are multiples of 32 when the program begins, so what is added decides about alignment.
  void settle_address(isa::Operand& o, int size) {
    o.addr_imm = int16_t(o.addr_imm / size * size);
    if (o.file == isa::RegFile::mrf) o.addr_imm = 0;
  }

  void settle_source(const isa::Instruction& i, isa::Operand& s) {
    if (s.file == isa::RegFile::imm) return;
    const int size = isa::size_of(s.type), n = i.exec_size;
    if (s.indirect) settle_address(s, size);
    if (s.file == isa::RegFile::grf && !s.indirect) s.reg = usual_register(), s.subreg = 0;
    if (s.region.vert_stride == isa::Region::vxh) {
      // one row per address, or one element
      s.region.width = uint8_t(rng_.coin() ? 1 : std::min(n, 4));
      s.region.horz_stride = s.region.width == 1 ? 0 : 1;
      return;
    }
    const bool acc = is_arf(s, isa::Arf::accumulator);
    const uint32_t kind = acc ? 2 : rng_.below(8);
    if (kind < 2) {
      s.region = {0, 1, 0};
      if (s.file == isa::RegFile::grf && !s.indirect) s.subreg = uint8_t(size * int(rng_.below(uint32_t(32 / size))));
    } else if (n == 1) {
      s.region = {0, 1, 0};
      if (!s.indirect && !acc) s.subreg = uint8_t(size * int(rng_.below(uint32_t(32 / size))));
    } else if (kind < 6) {
      int w = std::min({n, 16, 32 / size});
      if (rng_.one_in(3) && w > 1) w /= 2;
      s.region = {uint8_t(w), uint8_t(w), uint8_t(w == 1 ? 0 : 1)};
    } else {
      const int stride = rng_.one_in(3) ? 4 : 2;
      const int w = std::clamp(32 / size / stride, 1, std::min(n, 8));
      s.region = {uint8_t(std::min(32, w * stride)), uint8_t(w), uint8_t(w == 1 ? 0 : stride)};
      if (rng_.one_in(3) && !s.indirect) s.subreg = uint8_t(size);
    }
    if (kind >= 2 && rng_.one_in(6) && n > 1) s.region.vert_stride = uint8_t(rng_.coin() ? 0 : 1 << rng_.below(5));
  }

  void settle_destination(isa::Instruction& i, int computed) {
    isa::Operand& d = i.dst;
    const int size = isa::size_of(d.type);
    if (d.indirect) settle_address(d, size);
    if (d.file == isa::RegFile::grf && !d.indirect) d.reg = usual_register(), d.subreg = 0;
    d.region.horz_stride = uint8_t(std::clamp(computed / size, 1, 4));
    if (rng_.one_in(6)) d.region.horz_stride = uint8_t(1 << rng_.below(3));
    if (d.file != isa::RegFile::grf || d.indirect) return;
    const int step = std::max(size, computed);
    if (i.exec_size * d.region.horz_stride * size <= 16 && rng_.coin())
      d.subreg = uint8_t(i.exec_size == 1 ? step * int(rng_.below(uint32_t(32 / step))) : 16 * rng_.below(2));
  }

  void settle_align16(const isa::OpcodeRow& row, isa::Instruction& i, int sources) {
    auto place = [&](isa::Operand& o) {
      if (o.file != isa::RegFile::grf || o.indirect) return;
      o.reg = usual_register();
      if (row.format != isa::Format::ternary) o.subreg = uint8_t(rng_.one_in(4) ? 16 : 0);
    };
    for (int n = 0; n < sources; ++n) {
      isa::Operand& s = i.src[size_t(n)];
      if (s.file == isa::RegFile::imm) continue;
      if (s.indirect) settle_address(s, 16);
      place(s);
      if (row.format != isa::Format::ternary) s.region.vert_stride = uint8_t(rng_.one_in(4) ? 0 : 4);
    }
    if (!isa::has_destination(row.format)) return;
    if (i.dst.indirect) settle_address(i.dst, 16);
    place(i.dst);
    i.dst.region.horz_stride = 1;
    if (rng_.coin()) i.dst.chan_en = 15;
  }

  const isa::Model& m_;
  Rng& rng_;
  std::vector<const isa::OpcodeRow*> rows_;
};

}  // namespace vitro::jit
