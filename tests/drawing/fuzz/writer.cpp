// Statements of shaders. PRM: as shaders.h.
#include "writer.h"

#include <algorithm>

#include "eu/executor.h"
#include "isa/encoding.h"
#include "isa/print.h"
#include "isa/random.h"
#include "isa/validate.h"

namespace vitro::drawing {

using isa::Op, isa::RegFile;

Writer::Writer(const isa::Model& model, Rng& r) : m(model), rng(r) {
  for (const isa::OpcodeRow* row : model.by_op)
    if (row && row->format < isa::Format::send && row->format != isa::Format::nullary && row->op != Op::movi)
      rows_.push_back(row);
}

float Writer::number() {
  static constexpr float some[] = {0, 1, -1, .5f, 2, .25f, 255, 1e-3f, 3e5f, -.0f};
  return rng.coin() ? rng.pick(some) : float(int32_t(rng.below(4001)) - 2000) / 1000;
}

void Writer::begin(unsigned first, unsigned count, const std::function<void(unsigned)>& give) {
  values.clear();
  for (unsigned n = 0; n < count && first + row() <= end_of_values; ++n, first += row()) {
    give(first);
    values.push_back(first);
  }
  for (unsigned reg = answers_at; reg < counters_at; reg += row()) line("(W) mov {} r{}.0<1>:ud 0:ud", exec(), reg);
  line("(W) mov (1|M0) f0.0<1>:ud {:#x}:ud", uint32_t(rng()));
  line("(W) mov {} acc0.0<1>:f {}.0:f", exec(), 1 + rng.below(5));
}

bool Writer::runs(const isa::Instruction& i) const {
  const auto stored = isa::store(m, i);
  if (!stored) return false;
  const eu::Program one(m, std::span(stored->bytes).first(size_t(stored->size)));
  const eu::Plan& p = one.plans()[0];
  if (!p.row || !p.fault.empty()) return false;
  eu::Thread t;
  t.active = t.dispatched = ~0u;
  const eu::SharedFunctions none{};
  eu::Executor x{t, one, none};
  return x.run(1) == eu::Status::running;
}

// Operands become values. False: it is none that a shader may have.
bool Writer::settle(const isa::OpcodeRow& row, isa::Instruction& i) {
  if (isa::is_math_macro(i) || (row.format == isa::Format::math && i.math == isa::MathFunction::idiv)) return false;
  i.debug_ctrl = i.compacted = i.no_dd_chk = i.no_dd_clr = i.nib_ctrl = false;
  i.thread_ctrl = isa::ThreadCtrl::normal;
  i.access_mode = row.format == isa::Format::ternary ? isa::AccessMode::align16 : isa::AccessMode::align1;
  i.exec_size = uint8_t(rng.one_in(10) ? 8 : width), i.qtr_ctrl = uint8_t(group / 8);
  i.no_mask = rng.one_in(10);
  i.flag_reg = i.flag_subreg = 0;
  const int sources = isa::source_count(row, i);
  int computed = 2;
  for (int n = 0; n < sources; ++n) computed = std::max(computed, isa::size_of(i.src[size_t(n)].type));
  const auto place = [&](isa::Operand& o) {
    o.file = RegFile::grf, o.indirect = false, o.subreg = 0;
    o.addr_imm = 0, o.addr_subreg = 0;
    o.reg = uint8_t(value());
  };
  const bool ternary = row.format == isa::Format::ternary;
  for (int n = 0; n < sources; ++n) {
    isa::Operand& s = i.src[size_t(n)];
    if (isa::size_of(s.type) > 4) return false;
    if (s.file == RegFile::imm) continue;
    place(s);
    if (ternary) continue;
    const int w = std::min({int(i.exec_size), 16, 32 / isa::size_of(s.type)});
    s.region = {uint8_t(w), uint8_t(w), uint8_t(w == 1 ? 0 : 1)};
    if (rng.one_in(8)) s.region = {0, 1, 0}, s.subreg = uint8_t(4 * rng.below(8));
  }
  if (!isa::has_destination(row.format)) return true;
  if (isa::size_of(i.dst.type) > 4) return false;
  if (i.dst.file != RegFile::arf || i.dst.indirect || i.dst.reg != 0) place(i.dst);  // else null
  i.dst.region.horz_stride = uint8_t(ternary ? 1 : std::clamp(computed / isa::size_of(i.dst.type), 1, 4));
  return true;
}

void Writer::arithmetic() {
  const isa::OpcodeRow& row = *rng.pick(rows_);
  for (int tries = 0; tries < 40; ++tries) {
    isa::Instruction i = isa::random_instruction(m, row, rng, {.compacted = false, .ignored = false});
    if (!settle(row, i)) continue;
    const auto violations = isa::validate(m, i);
    if (std::any_of(violations.begin(), violations.end(), [](const auto& v) { return isa::is_error(v); })) continue;
    if (!runs(i)) continue;
    text += isa::to_text(m, i, {.messages = false, .columns = false, .compacted = false}) + '\n';
    return;
  }
}

void Writer::compare() {
  static constexpr const char* conditions[] = {"lt", "ge", "gt", "le", "eq", "ne"};
  line("cmp {} ({})f0.0 null<1>:f {} {:.4f}:f", exec(), rng.pick(conditions), whole(value(), "f"), number());
}

void Writer::statements(unsigned count, const std::function<void()>& other, unsigned depth) {
  for (unsigned n = 0; n < count; ++n) {
    const uint32_t kind = rng.below(12);
    if (kind < 5) {
      other();
    } else if (kind == 5 && depth < 2) {
      const unsigned first = labels_;
      labels_ += 3;
      const bool has_else = rng.coin();
      compare();
      line("(f0.0) if {} L{} L{}", exec(), has_else ? first : first + 1, first + 1);
      statements(1 + rng.below(2), other, depth + 1);
      if (has_else) {
        line("else {} L{} L{}", exec(), first + 1, first + 1);
        line("L{}:", first);
        statements(1 + rng.below(2), other, depth + 1);
      }
      line("L{}:\nendif {} L{}\nL{}:", first + 1, exec(), first + 2, first + 2);
    } else if (kind == 6 && depth < 2) {
      const unsigned head = labels_++, counter = counters_at + 2 * depth;
      line("(W) mov {} r{}.0<1>:d 0:d", exec(), counter);
      line("L{}:", head);
      statements(1 + rng.below(2), other, depth + 1);
      line("add {} r{}.0<1>:d r{}.0<8;8,1>:d 1:d", exec(), counter, counter);
      line("cmp {} (lt)f0.0 null<1>:d r{}.0<8;8,1>:d {}:d", exec(), counter, 1 + rng.below(3));
      line("(f0.0) while {} L{}", exec(), head);
    } else {
      arithmetic();
    }
  }
}

void Writer::put(unsigned reg) { line("(W) mov {} r{}.0<1>:ud {}", exec(), reg, whole(value(), "ud")); }
void Writer::put_float(unsigned reg, float scale) {
  if (rng.one_in(6)) return line("(W) mov {} r{}.0<1>:f {:.4f}:f", exec(), reg, number() * scale);
  if (rng.one_in(4)) return put(reg);
  line("(W) mul {} r{}.0<1>:f {} {:.4f}:f", exec(), reg, whole(value(), "f"), scale);
}
void Writer::put_integer(unsigned reg, uint32_t mask) {
  if (rng.one_in(16)) return put(reg);
  if (rng.one_in(4)) return line("(W) mov {} r{}.0<1>:ud {}:ud", exec(), reg, rng.below(mask + 1));
  line("(W) and {} r{}.0<1>:ud {} {:#x}:ud", exec(), reg, whole(value(), "ud"), mask);
}

}  // namespace vitro::drawing
