// Which registers an instruction touches. Registers are the general ones, and what is kept like them: a0, the
// accumulators' slots four to a register, message registers.
// PRM: none of its own; operands come from the plan and from dependence().
#include <algorithm>

#include "eu/dependence.h"
#include "jit/ways.h"

namespace vitro::jit {
namespace {

template <size_t n>
void add_whole(Registers& r, const std::bitset<n>& bytes, int first) {
  for (size_t b = 0; b < n; b += reg_bytes)
    for (size_t k = b; k < b + reg_bytes && k < n; ++k)
      if (bytes[k]) {
        r.set(size_t(first) + b / reg_bytes);
        break;
      }
}
void add_slots(Registers& r, const std::array<uint16_t, 2>& slots) {
  for (size_t s = 0; s < size_t(slot_count); ++s)
    if (slots[s / 16] >> s % 16 & 1) r.set(size_t(accumulator_register) + s / 4);
}
Registers registers_of(const Touched& t) {
  Registers r;
  add_whole(r, t.grf, 0);
  add_whole(r, t.mrf, message_register);
  add_slots(r, t.acc);
  if (t.a0) r.set(address_register);
  return r;
}

void touch_accumulators(const Plan& p, Shape& s) {
  for (int n = 0; n < p.sources; ++n)
    if (p.src[n].kind == SourcePlan::Kind::accumulator)
      for (int l = 0; l < p.lanes; ++l) s.reads.set(size_t(accumulator_register + source_slot(p.src[n], l) / 4));
  const Accumulates a = accumulates(p);
  for (int l = 0; l < p.lanes; ++l) {
    if (a.reads) s.reads.set(size_t(accumulator_register + implied_slot(p, a.type, l) / 4));
    if (!a.writes) continue;
    const int slot = a.slot(p, l);
    s.writes.set(size_t(accumulator_register + slot / 4));
    s.reads.set(size_t(accumulator_register + slot / 4));
  }
}

}  // namespace

Registers general_registers() {
  Registers r;
  for (size_t n = 0; n < size_t(grf_count); ++n) r.set(n);
  return r;
}

void add_range(Registers& r, const isa::Operand& o, unsigned count) {
  if (o.file != isa::RegFile::grf && o.file != isa::RegFile::mrf) return;
  const bool mrf = o.file == isa::RegFile::mrf;
  const unsigned first = mrf ? unsigned(message_register) : 0, size = unsigned(mrf ? mrf_count : grf_count);
  for (unsigned n = o.indirect ? 0 : o.reg; n < size && (o.indirect ? count > 0 : n < o.reg + count); ++n)
    r.set(first + n);
}

void touch_emitted(const Program& program, const Plan& p, Shape& s) {
  if (p.row->format == isa::Format::nullary) return;
  for (int n = 0; n < p.sources; ++n) {
    const SourcePlan& source = p.src[n];
    if (source.kind == SourcePlan::Kind::grf)
      for (int l = 0; l < p.lanes; ++l) s.reads.set(source.offset[size_t(l)] / reg_bytes);
    if (source.kind == SourcePlan::Kind::arf && is_arf(source.operand->reg, isa::Arf::address))
      s.reads.set(address_register);
  }
  if (is_indirect(p)) {
    s.imaged = general_registers();
    s.reads.set(address_register);
  }
  if (p.row->has(isa::attr_plane))  // more than the regions say
    if (const std::optional<Dependence> d = dependence(program, p, Thread{})) s.reads |= registers_of(d->reads);
  touch_accumulators(p, s);
  const DestinationPlan& d = p.dst;
  if (d.kind == DestinationPlan::Kind::arf && is_arf(p.instruction.dst.reg, isa::Arf::address)) {
    s.writes.set(address_register);
    s.reads.set(address_register);
  }
  if (d.kind == DestinationPlan::Kind::indirect) s.kills = s.imaged;  // all come from the image afterwards
  if (d.kind != DestinationPlan::Kind::grf && d.kind != DestinationPlan::Kind::mrf) return;
  const int first = d.kind == DestinationPlan::Kind::mrf ? message_register : 0;
  const bool always = p.instruction.no_mask && (p.predicate == Plan::Predicate::none || p.row->has(isa::attr_selects));
  std::array<uint32_t, grf_count> written{};  // bytes of each register
  const int size = isa::size_of(d.type);
  for (int l = 0; l < p.lanes; ++l)
    if (d.channel_enable >> l & 1) {
      const int at = d.offset[size_t(l)];
      written[size_t(at / reg_bytes)] |= uint32_t(ones(size)) << at % reg_bytes;
    }
  for (size_t r = 0; r < written.size(); ++r) {
    if (!written[r]) continue;
    s.writes.set(size_t(first) + r);
    (always && written[r] == ~0u ? s.kills : s.reads).set(size_t(first) + r);
  }
}

bool is_indirect(const Plan& p) {
  for (int n = 0; n < p.sources; ++n)
    if (p.src[n].kind == SourcePlan::Kind::indirect) return true;
  return p.dst.kind == DestinationPlan::Kind::indirect;
}

void touch_called(const Program& program, const Plan& p, Shape& s) {
  bool reads_any = p.instruction.src[0].indirect;
  for (int n = 0; n < p.sources; ++n) reads_any = reads_any || p.src[n].kind == SourcePlan::Kind::indirect;
  const bool writes_any = p.dst.kind == DestinationPlan::Kind::indirect;
  if (p.row->format <= isa::Format::math && (reads_any || writes_any)) {
    // an address may name any register; what is named directly is touched as otherwise
    touch_emitted(program, p, s);
    s.kills.reset();
    s.imaged.reset();
    s.reads |= general_registers();
    s.reads.set(address_register);
    if (writes_any) add_range(s.writes, p.instruction.dst, 1);
    s.reads |= s.writes;
    return;
  }
  const std::optional<Dependence> d = reads_any || writes_any ? std::nullopt : dependence(program, p, Thread{});
  if (d) {
    s.reads = registers_of(d->reads);
    s.writes = registers_of(d->writes);
    // the operand of a return or an indirect jump is two dwords whatever its region says
    if (p.row->format > isa::Format::wait) add_range(s.reads, p.instruction.src[0], 2);
    if (p.row->format > isa::Format::wait) add_range(s.writes, p.instruction.dst, 2);
    s.reads |= s.writes;
  } else {
    s.reads.set();
    if (isa::has_destination(p.row->format)) s.writes.set();
  }
}

}  // namespace vitro::jit
