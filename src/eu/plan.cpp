// Making instructions ready.
// PRM: Gen6 vol 4 part 2 section 5.5 (RG-01 address generation, AM-01 Align16), 5.4 (immediates, DT-03, DT-04), ET-01
// execution type; Gen8/9 the same with 64-bit types and halves.
#include "eu/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "eu/conditions.h"
#include "eu/handlers.h"
#include "eu/rows.h"
#include "eu/vector_immediate.h"
#include "isa/illegal.h"
#include "isa/print.h"

namespace vitro::eu {
namespace {

using namespace isa;

// A vector immediate fills 16 bytes, and a channel reads it where its result goes in the destination: with up to four
// dwords as destination every second word counts (IGC adds 0x8080400:uv to four dwords and means 0, 4, 8, 8). Where the
// results do not fit into 16 bytes the words are taken in turn (T02).
void align_with_destination(const Instruction& i, SourcePlan& s) {
  const int stride = i.dst.region.horz_stride * size_of(i.dst.type), size = size_of(s.type);
  if (i.exec_size * stride > 16 || stride <= size) return;
  const std::array<uint64_t, 8> packed = s.imm;
  for (int n = 0; n < s.imm_count; ++n) s.imm[size_t(n)] = packed[size_t(n * stride / size % s.imm_count)];
}

void expand_immediate(const Instruction& i, SourcePlan& s) {
  s.kind = SourcePlan::Kind::immediate;
  s.scalar = true;
  s.imm[0] = i.imm;
  const VectorElements e = vector_elements(s.type, i.imm);
  if (e.type == Type::none) return;
  s.imm = e.bits, s.imm_count = e.count, s.type = e.type;
  s.scalar = false;
  align_with_destination(i, s);
}

// Byte offset of each channel's element from the operand's own start.
void source_offsets(const Instruction& i, const OpcodeRow& row, const Operand& o, int lanes, uint16_t* offset) {
  const int size = size_of(o.type);
  for (int l = 0; l < lanes; ++l) {
    int at = 0;
    if (is_math_macro(i) && i.access_mode == AccessMode::align16) {  // ChanSel names an mme register
      at = o.replicate ? 0 : l * size;
    } else if (row.format == Format::ternary) {
      at = o.replicate ? 0 : (l / 4 * 4 + (o.chan_sel >> 2 * (l % 4) & 3)) * size;
      // 64-bit channels are two to a row of 16 bytes; .xy and .zw name them
      if (!o.replicate && size == 8) at = (l / 2 * 2 + (o.chan_sel >> 4 * (l % 2) & 3) / 2) * size;
    } else if (i.access_mode == AccessMode::align16) {
      at = (l / 4 * o.region.vert_stride + (o.chan_sel >> 2 * (l % 4) & 3)) * size;
    } else {
      const int row_of = l / o.region.width, column = l % o.region.width;
      const int vert = o.region.vert_stride == Region::vxh ? 0 : o.region.vert_stride;
      at = (row_of * vert + column * o.region.horz_stride) * size;
    }
    offset[l] = uint16_t(at);
  }
}

void classify(SourcePlan& s, int lanes) {
  const int size = size_of(s.type);
  s.contiguous = s.scalar = true;
  for (int l = 1; l < lanes; ++l) {
    s.contiguous = s.contiguous && s.offset[size_t(l)] == s.offset[0] + l * size;
    s.scalar = s.scalar && s.offset[size_t(l)] == s.offset[0];
  }
}

std::string plan_source(const Model& m, const Plan& p, int n, SourcePlan& s) {
  const Instruction& i = p.instruction;
  const Operand& o = i.src[size_t(n)];
  s.operand = &o;
  s.type = o.type;
  if (o.file == RegFile::imm) {
    expand_immediate(i, s);
    return {};
  }
  s.abs = o.abs && !(m.logic_negate_is_not && p.row->has(attr_logic));
  s.negate = o.negate;
  if (m.logic_negate_is_not && p.row->has(attr_logic)) s.complement = o.negate, s.negate = false;
  source_offsets(i, *p.row, o, p.lanes, s.offset.data());
  if (o.indirect) {
    s.kind = SourcePlan::Kind::indirect;
    return {};
  }
  const int size = size_of(o.type);
  int limit = grf_count * reg_bytes, base = o.reg * reg_bytes + o.subreg;
  if (o.file == RegFile::arf) {
    const bool acc = o.reg >> 4 == int(Arf::accumulator) && (o.reg & 15) < 2;
    s.kind = acc ? SourcePlan::Kind::accumulator : SourcePlan::Kind::arf;
    base = o.subreg;
    limit = acc ? 2 * reg_bytes : 4 * reg_bytes;
  } else if (o.file == RegFile::mrf) {
    s.kind = SourcePlan::Kind::mrf;
    limit = m.mrf_count * reg_bytes;
  }
  for (int l = 0; l < p.lanes; ++l) {
    const int at = base + s.offset[size_t(l)];
    if (at + size > limit) return fmt::format("src{} reaches past the last register", n);
    s.offset[size_t(l)] = uint16_t(at);
  }
  classify(s, p.lanes);
  return {};
}

std::string plan_destination(const Model& m, const Plan& p, DestinationPlan& d) {
  const Instruction& i = p.instruction;
  const Operand& o = i.dst;
  d.type = o.type;
  const int size = size_of(o.type);
  const bool align16 = p.row->format == Format::ternary || i.access_mode == AccessMode::align16;
  if (align16 && !is_math_macro(i)) d.channel_enable = o.chan_en * 0x11111111u;
  for (int l = 0; l < p.lanes; ++l) d.offset[size_t(l)] = uint16_t(l * (align16 ? 1 : o.region.horz_stride) * size);
  if (o.indirect) {
    d.kind = DestinationPlan::Kind::indirect;
    return {};
  }
  int limit = grf_count * reg_bytes, base = o.reg * reg_bytes + o.subreg;
  if (o.file == RegFile::arf) {
    const bool acc = o.reg >> 4 == int(Arf::accumulator) && (o.reg & 15) < 2;
    d.kind = acc                            ? DestinationPlan::Kind::accumulator
             : o.reg >> 4 == int(Arf::null) ? DestinationPlan::Kind::null
                                            : DestinationPlan::Kind::arf;
    base = o.subreg;
    limit = d.kind == DestinationPlan::Kind::null ? 1 << 16 : 4 * reg_bytes;
  } else if (o.file == RegFile::mrf) {
    d.kind = DestinationPlan::Kind::mrf;
    limit = m.mrf_count * reg_bytes;
  }
  for (int l = 0; l < p.lanes; ++l) {
    const int at = base + d.offset[size_t(l)];
    if (at + size > limit) return "dst reaches past the last register";
    d.offset[size_t(l)] = uint16_t(at);
  }
  // a call leaves two dwords there, whatever the operand says
  const bool calls = p.row->format == Format::call || p.row->format == Format::call_absolute;
  if (calls && base + 2 * 4 > limit) return "dst reaches past the last register";
  d.contiguous = p.lanes == 1 || d.offset[1] == d.offset[0] + size;
  return {};
}

// Sums, products and comparisons of halves, which float is wide enough for: it holds a product whole, and a sum rounded
// to its 24 bits rounds to the 11 of a half as the whole sum would (2 * 11 + 2 bits are enough for that). Accumulators
// and conversions to integers see the sum itself.
bool fits_float(const Plan& p) {
  const Instruction& i = p.instruction;
  if (!p.row->has(attr_half_as_float)) return false;
  for (int n = 0; n < p.sources; ++n)
    if (p.src[n].type != Type::hf || p.src[n].kind == SourcePlan::Kind::accumulator) return false;
  return is_float(i.dst.type) && p.dst.kind != DestinationPlan::Kind::accumulator && !i.acc_wr_ctrl &&
         i.cond_modifier != CondModifier::o;
}

// The type lanes are computed in: that of the sources, widened so that nothing is lost before the destination.
Compute compute_type(const Plan& p) {
  bool any_float = false, any_f = false, any_df = false, any_q = false;
  for (int n = 0; n < p.sources; ++n) {
    const Type t = p.src[n].type;
    any_float = any_float || is_float(t);
    any_f = any_f || t == Type::f;
    any_df = any_df || t == Type::df;
    any_q = any_q || t == Type::q || t == Type::uq;
  }
  if (any_float) return (any_f && !any_df) || fits_float(p) ? Compute::f32 : Compute::f64;
  const Type d = p.instruction.dst.type;
  any_q = any_q || d == Type::q || d == Type::uq;
  // a product of unsigned dwords needs all 64 bits and a sign where it is not just cut to size
  const bool kept_whole = p.instruction.saturate || p.instruction.cond_modifier == CondModifier::o || is_float(d);
  const bool exact_product = kept_whole && p.row->has(attr_product);
  return any_q || exact_product ? Compute::i128 : Compute::i64;
}

// Moving bits: the same type on both sides and nothing done to them. Denormals and NaNs stay what they are, so such an
// instruction is computed on integers of the size.
bool moves_raw(const Plan& p) {
  const Instruction& i = p.instruction;
  if (!p.row->has(attr_moves) || i.saturate || i.cond_modifier != CondModifier::none) return false;
  for (int n = 0; n < p.sources; ++n) {
    const SourcePlan& s = p.src[n];
    if (n == 1 && p.row->has(isa::attr_scatters)) continue;
    if (s.type != i.dst.type || s.abs || s.negate || s.kind == SourcePlan::Kind::accumulator) return false;
  }
  return p.dst.kind != DestinationPlan::Kind::accumulator;
}
Type bits_of(Type t) {
  switch (size_of(t)) {
    case 1: return Type::ub;
    case 2: return Type::uw;
    case 4: return Type::ud;
    default: return Type::uq;
  }
}

Plan make_plan(const Model& m, const Instruction& instruction, uint32_t ip, uint32_t next_ip) {
  Plan p;
  p.instruction = instruction;
  p.row = m.row(instruction.op);
  p.ip = ip;
  p.next_ip = next_ip;
  p.lanes = instruction.exec_size;
  p.channel = channel_offset(instruction);
  p.lane_mask = uint32_t(ones(p.lanes));
  p.two_flags = m.flag_regs > 1;
  p.sources = source_count(*p.row, instruction);
  p.predicate = instruction.pred_ctrl == PredCtrl::none         ? Plan::Predicate::none
                : instruction.pred_ctrl == PredCtrl::sequential ? Plan::Predicate::plain
                                                                : Plan::Predicate::other;
  p.flag_reg = instruction.flag_reg;
  p.flag_shift = uint8_t((16 * instruction.flag_subreg + p.channel) % 32);
  p.flag_flip = instruction.pred_inv ? ~0u : 0;
  p.no_mask = instruction.no_mask ? ~0u : 0;
  p.condition = instruction.cond_modifier;
  p.asked = uint8_t(relations(p.condition));
  return p;
}

// Where channels wait that do not go on with the thread.
std::optional<uint32_t> parks_at(const Plan& p) {
  const uint32_t jip = p.ip + uint32_t(p.instruction.jip), uip = p.ip + uint32_t(p.instruction.uip);
  switch (p.instruction.op) {
    case Op::if_:
    case Op::case_: return p.instruction.branch_ctrl ? uip : jip;
    case Op::else_: return p.row->format == Format::branch_uip ? uip : jip;
    case Op::while_: return p.next_ip;
    case Op::break_:
    case Op::cont:
    case Op::halt: return uip;
    case Op::goto_: return p.instruction.branch_ctrl ? p.next_ip : uip;
    default: return std::nullopt;
  }
}

void plan_message(const isa::Model& m, Plan& p) {
  const isa::Instruction& i = p.instruction;
  const bool sends = p.row && (p.row->format == isa::Format::send || p.row->format == isa::Format::split_send);
  if (sends && p.knows_message())
    p.message = isa::decode_message(*m.messages, (i.ex_desc.imm | i.sfid) & 15, i.desc.imm);
}

}  // namespace

Program::Program(const Model& model, std::span<const std::byte> code) : model_(&model), size_(uint32_t(code.size())) {
  index_.assign(code.size() / 8 + 1, -1);
  for (size_t at = 0; at < code.size();) {
    const int illegal = illegal_opcode_bytes(model, code.subspan(at));
    const Result<Fetched> f = illegal ? Fetched{{.op = Op::illegal}, illegal} : fetch(model, code.subspan(at));
    const int size = f ? f->size : 16;
    Plan p;
    if (f) {
      p = make_plan(model, f->instruction, uint32_t(at), uint32_t(at) + uint32_t(size));
      if (illegal) p.illegal_code = uint8_t(code[at]);
    } else {
      p.ip = uint32_t(at);
      p.next_ip = uint32_t(at) + uint32_t(size);
      p.fault = f.error().message;
    }
    index_[at / 8] = int32_t(plans_.size());
    plans_.push_back(std::move(p));
    at += size_t(size);
  }
  make_plans();
}

Program::Program(const Model& model, std::span<const Instruction> instructions)
    : model_(&model), size_(uint32_t(instructions.size()) * 16) {
  index_.assign(instructions.size() * 2 + 1, -1);
  for (size_t n = 0; n < instructions.size(); ++n) {
    index_[n * 2] = int32_t(n);
    plans_.push_back(make_plan(model, instructions[n], uint32_t(n) * 16, uint32_t(n + 1) * 16));
  }
  make_plans();
}

void Program::make_plans() {
  const Model& model = *model_;
  // operands point into the plan's own instruction, so they are planned where they stay
  for (Plan& p : plans_) {
    if (!p.row) {
      p.run = handler_for(p);
      continue;
    }
    for (int n = 0; n < p.sources && p.fault.empty(); ++n) p.fault = plan_source(model, p, n, p.src[n]);
    if (has_destination(p.row->format) && p.fault.empty()) p.fault = plan_destination(model, p, p.dst);
    p.compute = compute_type(p);
    p.raw = moves_raw(p);
    if (p.raw) {
      for (SourcePlan& s : p.src) s.type = bits_of(s.type);
      p.dst.type = bits_of(p.dst.type);
      p.compute = size_of(p.dst.type) == 8 ? Compute::i128 : Compute::i64;
    }
    if (p.fault.empty()) plan_rows(model, p);
    plan_message(model, p);
    plan_floats(p);
    p.run = handler_for(p);
  }
  find_wake_points();
}

std::string Program::text_at(uint32_t ip) const {
  const Plan* p = at(ip);
  return p && p->row ? to_text(*model_, p->instruction, {.messages = false, .columns = false}) : "";
}

// Halves are computed in what is wider, where they are no denormals. The steps of macros, and a mov that keeps
// denormals, are flushed by nobody or by themselves.
void Program::plan_floats(Plan& p) {
  if (p.row->format == Format::send || p.row->format == Format::split_send) {
    const bool computes = !p.message.row || isa::computes_floats(p.message.shape.action);
    p.floats = computes ? Plan::Floats::plain : Plan::Floats::none;
    return;
  }
  uint32_t kept_by = 0;
  bool any = false;
  const auto ask = [&](Type t) {
    any = any || is_float(t);
    if (t != Type::hf) kept_by |= denormals_kept_by(t);
  };
  if (has_destination(p.row->format)) ask(p.dst.type);
  for (int n = 0; n < p.sources; ++n) ask(p.src[n].type);
  p.floats = any ? Plan::Floats::rounded : Plan::Floats::none;
  if (!kept_by || is_math_macro(p.instruction) || keeps_denormals(p, *model_, p.src[0])) return;
  p.floats = Plan::Floats::flushed;
  computes_floats_ = true;
  const auto is_double = [](const SourcePlan& s) { return s.type == Type::df; };
  narrows_doubles_ = narrows_doubles_ || (p.dst.type == Type::f && std::any_of(p.src, p.src + p.sources, is_double));
  if (model_->controls_denormals) keeping_ |= kept_by;
}

void Program::find_wake_points() {
  auto mark = [&](int64_t ip) {
    if (ip < 0 || ip > int64_t(size_)) return;
    if (const Plan* p = at(uint32_t(ip))) plans_[size_t(p - plans_.data())].wakes = true;
  };
  bool anywhere = false;  // a register holds a target: channels may be parked at any instruction
  for (Plan& p : plans_) {
    if (!p.row) continue;
    const Targets t = branch_targets(*model_, p.instruction, p.ip);
    for (int n = 0; n < t.count; ++n) mark(t.at[n]);
    const bool branches = t.count > 0 || p.row->format == Format::ret || p.row->format == Format::branch_reg ||
                          p.row->format == Format::branch_reg_uip || p.row->format == Format::call ||
                          p.row->format == Format::call_absolute;
    if (branches) mark(p.next_ip);
    if (branches && t.count == 0 && p.row->format != Format::jump) anywhere = true;
    p.park_ip = parks_at(p);
    // A loop's end is named by break either as the while or as what follows it (Gen8 and later, Gen6); the channel
    // goes on after it in both cases. What follows may itself be the while of an outer loop.
    if (p.instruction.op == Op::break_) {
      const Plan* end = at(*p.park_ip);
      auto closes_loop_around = [&](const Plan& w) {
        return w.row && w.instruction.op == Op::while_ && int64_t(w.ip) + w.instruction.jip <= p.ip && p.ip < w.ip;
      };
      const bool past = end && end != plans_.data() && closes_loop_around(end[-1]);
      if (end && !past && closes_loop_around(*end)) p.park_ip = end->next_ip;
      mark(*p.park_ip);
    }
  }
  if (anywhere)
    for (Plan& p : plans_) p.wakes = true;
  for (Plan& p : plans_)  // whom a join with a predicate wakes, it says itself
    if (p.row && p.instruction.op == Op::join && p.instruction.pred_ctrl != PredCtrl::none) p.wakes = false;
}

}  // namespace vitro::eu
