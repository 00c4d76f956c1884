// Which registers an instruction reads and writes: its use sets. Registers are the general ones, and what is kept like
// them: a0, the accumulators' slots four to a register, message registers. PRM: none of its own; operands come from the
// plan and from dependence().
#include <algorithm>

#include "eu/dependence.h"
#include "eu/message.h"
#include "jit/analysis.h"

namespace vitro::jit {
namespace {

template <size_t n>
void add_registers(Registers& r, const std::bitset<n>& bytes, int first) {
  for (size_t b = bytes._Find_first(); b < n; b = bytes._Find_next(b | (reg_bytes - 1)))
    r.set(size_t(first) + b / reg_bytes);
}
void add_slots(Registers& r, const std::array<uint16_t, 2>& slots) {
  for (size_t s = 0; s < size_t(slot_count); ++s)
    if (slots[s / 16] >> s % 16 & 1) r.set(size_t(accumulator_register) + s / 4);
}
Registers registers_of(const UseSet& t) {
  Registers r;
  add_registers(r, t.grf, 0);
  add_registers(r, t.mrf, message_register);
  add_slots(r, t.acc);
  if (t.a0) r.set(address_register);
  return r;
}

// Registers from an operand on.
void add_range(Registers& r, const isa::Operand& o, unsigned count) {
  if (o.file != isa::RegFile::grf && o.file != isa::RegFile::mrf) return;
  const bool mrf = o.file == isa::RegFile::mrf;
  const unsigned first = mrf ? unsigned(message_register) : 0, size = unsigned(mrf ? mrf_count : grf_count);
  for (unsigned n = o.indirect ? 0 : o.reg; n < size && (o.indirect ? count > 0 : n < o.reg + count); ++n)
    r.set(first + n);
}

}  // namespace

Registers general_registers() {
  Registers r;
  for (size_t n = 0; n < size_t(grf_count); ++n) r.set(n);
  return r;
}

Registers payload_of(const Plan& p) {
  const isa::Instruction& i = p.instruction;
  const Message m{.desc = i.desc.imm, .ex_desc = i.ex_desc.imm};
  Registers r;
  add_range(r, i.src[0], i.desc.in_register ? 15 : m.mlen());
  if (p.row->format == isa::Format::split_send) add_range(r, i.src[1], i.ex_desc.in_register ? 15 : m.ex_mlen());
  return r;
}

void use_sets_message(const Plan& p, Lowered& s) {
  const isa::Instruction& i = p.instruction;
  if (p.row->format == isa::Format::wait) return;
  s.reads |= payload_of(p);
  s.reads.set(address_register);
  add_range(s.writes, i.dst, i.desc.in_register ? 31 : Message{.desc = i.desc.imm}.rlen());
  s.reads |= s.writes;
}

void use_sets_emitted(const Program& program, const Plan& p, Lowered& s) {
  // Sources are loaded as a whole, also where the expression does not ask for all of their lanes.
  for (int n = 0; n < p.sources; ++n)
    if (p.src[n].kind == SourcePlan::Kind::grf)
      for (int l = 0; l < p.lanes; ++l) s.reads.set(p.src[n].offset[size_t(l)] / reg_bytes);
  const std::optional<Dependence> d = dependence(program, p, nullptr);
  if (!d) {
    s.reads.set();
    if (isa::has_destination(p.row->format)) s.writes.set();
    return;
  }
  s.reads |= registers_of(d->reads);
  s.writes = registers_of(d->writes);
  const bool always = p.instruction.no_mask && (p.predicate == Plan::Predicate::none || p.row->has(isa::attr_selects));
  const auto covers = [&](const auto& bytes, size_t reg) {
    constexpr size_t size = size_t(reg_bytes);
    for (size_t b = reg * size; b < (reg + 1) * size; ++b)
      if (!bytes[b]) return false;
    return true;
  };
  for (size_t r = 0; r < size_t(register_count); ++r) {
    if (!s.writes[r]) continue;
    const bool whole = r < size_t(grf_count)           ? covers(d->writes.grf, r)
                       : r >= size_t(message_register) ? covers(d->writes.mrf, r - size_t(message_register))
                                                       : false;
    (always && whole ? s.kills : s.reads).set(r);
  }
  if (is_indirect(p)) s.in_image = general_registers();
  if (p.dst.kind == DestinationPlan::Kind::indirect) s.kills = s.in_image;  // all come from the image afterwards
}

bool is_indirect(const Plan& p) {
  for (int n = 0; n < p.sources; ++n)
    if (p.src[n].kind == SourcePlan::Kind::indirect) return true;
  return p.dst.kind == DestinationPlan::Kind::indirect;
}

void use_sets_called(const Program& program, const Plan& p, Lowered& s) {
  use_sets_emitted(program, p, s);
  s.kills.reset();
  if (s.in_image.any()) s.reads |= general_registers();  // an address may name any
  s.in_image.reset();
  if (p.dst.kind == DestinationPlan::Kind::indirect) s.writes |= general_registers();
  // the operand of a return or an indirect jump is two dwords whatever its region says
  if (p.row->format > isa::Format::wait) {
    add_range(s.reads, p.instruction.src[0], 2);
    add_range(s.writes, p.instruction.dst, 2);
  }
  s.reads |= s.writes;
}

}  // namespace vitro::jit
