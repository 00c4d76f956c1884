// Finding operands at run time: indirect addresses and architecture registers.
// PRM: Gen6 vol 4 part 2 section 5.5 (RG-04 1x1, RG-05 Vx1, RG-06 VxH); R8.1..R8.6. An address outside the register
// file is a Fault: the document calls the result unpredictable. Only channels that run need a good address: a0 of the
// others may hold anything.
#include "eu/lanes.h"

#include <fmt/format.h>

namespace vitro::eu {
namespace {

bool check_address(Executor& x, int address, int size, int limit, std::string_view what) {
  if (address >= 0 && address + size <= limit && address % size == 0) return true;
  x.stop(fmt::format("{}: the address {} is not that of a register element of {} bytes", what, address, size));
  return false;
}

// Lanes whose sources are looked at. sel reads under either value of the predicate; a predicated smov may enable
// channels that do not run; mach changes the accumulator whatever the mask, and sums over neighbours look at all of
// them.
uint32_t lanes_read(const Thread& t, const Plan& p) {
  constexpr uint32_t all = isa::attr_by_twos | isa::attr_by_fours | isa::attr_every_channel | isa::attr_scatters;
  if (p.row->attributes & all) return p.lane_mask;
  return p.row->has(isa::attr_selects) ? running(t, p) : write_enable(t, p);
}

// movi: a0.0 names the register, and each element's own address sub-register the place in it. The elements are counted
// from the destination register's start; the ninth asks a0.0 again. Register and place are added up without a carry.
int shuffled_address(const Thread& t, const Plan& p, const isa::Operand& o, int size, int lane) {
  const int element = p.dst.kind == DestinationPlan::Kind::indirect ? lane : p.instruction.dst.subreg / size + lane;
  const int from = (int(t.a0[0]) & ~31) + (o.addr_imm & ~31);
  const int place = (int(t.a0[size_t(element & 7)]) + o.addr_imm) & 31;
  return from + (place & ~(size - 1));
}

// tm0 never goes back, and two reads never give the same time.
void advance_time(Executor& x) {
  Thread& t = x.thread;
  const uint64_t last = uint64_t(t.tm[1]) << 32 | t.tm[0];
  const uint64_t now = std::max(last + 1, x.clock.now ? x.clock.now(x.clock.context) : x.executed);
  t.tm[0] = uint32_t(now);
  t.tm[1] = uint32_t(now >> 32);
}

}  // namespace

bool locate(Executor& x, const Plan& p, const SourcePlan& s, ArfImage& image, uint16_t (&addresses)[max_channels],
            SourceBytes& where) {
  Thread& t = x.thread;
  switch (s.kind) {
    case SourcePlan::Kind::mrf: where = {t.mrf.data(), s.offset.data()}; return true;
    case SourcePlan::Kind::arf:
      if (s.operand->reg == isa::arf_reg(isa::Arf::timestamp)) advance_time(x);
      read_arf(t, x.program.model(), s.operand->reg, image);
      // ip names this instruction; the thread's may have moved on
      if (s.operand->reg == isa::arf_reg(isa::Arf::ip)) std::memcpy(image.data(), &p.ip, sizeof p.ip);
      where = {image.data(), s.offset.data()};
      return true;
    case SourcePlan::Kind::indirect: {
      const isa::Operand& o = *s.operand;
      const bool per_row =
          p.instruction.access_mode == isa::AccessMode::align1 && o.region.vert_stride == isa::Region::vxh;
      const int size = isa::size_of(s.type);
      const uint32_t needed = lanes_read(t, p);
      for (int l = 0; l < p.lanes; ++l) {
        addresses[l] = 0;
        if (!(needed >> l & 1)) continue;
        const int row = per_row ? l / o.region.width : 0;
        const int sub = o.addr_subreg + row;
        if (sub >= x.program.model().address_subregs) {
          x.stop(fmt::format("src: row {} needs the address sub-register a0.{}, which does not exist", row, sub));
          return false;
        }
        const int address = p.row->has(isa::attr_shuffles) ? shuffled_address(t, p, o, size, l)
                                                           : int(t.a0[size_t(sub)]) + o.addr_imm + s.offset[size_t(l)];
        if (!check_address(x, address, size, grf_count * reg_bytes, "src")) return false;
        addresses[l] = uint16_t(address);
      }
      where = {t.grf.data(), addresses};
      return true;
    }
    default: where = {t.grf.data(), s.offset.data()}; return true;
  }
}

bool locate_destination(Executor& x, const Plan& p, uint32_t mask, uint16_t (&addresses)[max_channels]) {
  const isa::Operand& o = p.instruction.dst;
  const int limit = (o.file == isa::RegFile::mrf ? x.program.model().mrf_count : grf_count) * reg_bytes;
  for (int l = 0; l < p.lanes; ++l) {
    if (!(mask >> l & 1)) continue;
    const int address = int(x.thread.a0[o.addr_subreg]) + o.addr_imm + p.dst.offset[size_t(l)];
    if (!check_address(x, address, isa::size_of(p.dst.type), limit, "dst")) return false;
    addresses[l] = uint16_t(address);
  }
  return true;
}

void store_elements(Executor& x, const Plan& p, const std::byte* elements, int size, uint32_t mask) {
  const DestinationPlan& d = p.dst;
  mask &= d.channel_enable & p.lane_mask;
  // what goes to an accumulator is there already
  if (d.kind == DestinationPlan::Kind::null || d.kind == DestinationPlan::Kind::accumulator || mask == 0) return;
  Thread& t = x.thread;
  if (d.kind == DestinationPlan::Kind::arf) {
    for (int l = 0; l < p.lanes; ++l)
      if (mask >> l & 1)
        write_arf(t, x.program.model(), p.instruction.dst.reg, d.offset[size_t(l)],
                  {elements + l * size, size_t(size)});
    return;
  }
  std::byte* base = p.instruction.dst.file == isa::RegFile::mrf ? t.mrf.data() : t.grf.data();
  const uint16_t* offset = d.offset.data();
  uint16_t addresses[max_channels];
  if (d.kind == DestinationPlan::Kind::indirect) {
    if (!locate_destination(x, p, mask, addresses)) return;
    offset = addresses;
  } else if (d.contiguous && mask == p.lane_mask) {
    std::memcpy(base + offset[0], elements, size_t(p.lanes * size));
    return;
  }
  for (int l = 0; l < p.lanes; ++l)
    if (mask >> l & 1) std::memcpy(base + offset[l], elements + l * size, size_t(size));
}

}  // namespace vitro::eu
