// The commands that move dwords between memory, registers, the URB and the hardware status pages. PRM: Gen8 vol 2a
// MI_STORE_DATA_*, MI_LOAD_REGISTER_*, MI_STORE_REGISTER_MEM, MI_COPY_MEM_MEM, MI_FLUSH_DW, MI_REPORT_*, MI_*_URB_*.
// Memory is coherent here, so flushes have nothing to flush and the order of writes is that of the commands. The OA
// unit's counters are not modelled: a performance report holds its id, time, context and clock, and zeros. The URB that
// these commands reach is the streamer's own: only the fixed functions' state would show the rest.
#include <algorithm>

#include "streamer/handlers.h"

namespace vitro::streamer {

using namespace commands;

Datum qword(uint64_t value) { return {uint32_t(value), value >> 32}; }

void store(memory::View& view, uint64_t address, Datum datum) {
  if (datum.high == absent)
    view.store<uint32_t>(address, datum.low);
  else
    view.store<uint64_t>(address & ~uint64_t{7}, datum.low | datum.high << 32);
}

void store_status(Execution& e, bool global, uint32_t offset, Datum datum) {
  offset &= datum.high == absent ? 0xFFC : 0xFF8;
  const uint32_t page = own_register(e, registers::cs::hws_pga) & 0xFFFFF000;
  if (global && page) return store(e.around.ggtt, page + offset, datum);
  auto& words = global ? e.state.global_status_page : e.state.status_page;
  words[offset / 4] = datum.low;
  if (datum.high != absent) words[offset / 4 + 1] = uint32_t(datum.high);
}

void store_data_imm(Execution& e, const MiStoreDataImm& c, Packet packet) {
  memory::View* view = permitted_space(e, c.global_gtt);
  if (!view || packet.size() < 4) return;
  const Packet data = packet.subspan(3);
  if (c.qword) {
    for (size_t i = 0; i + 1 < data.size(); i += 2)
      view->store<uint64_t>(c.address + 4 * i, data[i] | uint64_t(data[i + 1]) << 32);
  } else {
    for (size_t i = 0; i < data.size(); ++i) view->store<uint32_t>(c.address + 4 * i, data[i]);
  }
}

void store_data_index(Execution& e, const MiStoreDataIndex& c, Packet packet) {
  if (packet.size() < 3) return;
  if (!c.per_process && !permitted_space(e, true)) return;
  store_status(e, !c.per_process, c.offset, {packet[2], packet.size() > 3 ? uint64_t(packet[3]) : absent});
}

void load_register_imm(Execution& e, const MiLoadRegisterImm& c, Packet packet) {
  uint32_t bytes = 0;
  for (int i = 0; i < 4; ++i)
    if (!(c.byte_write_disables >> i & 1)) bytes |= 0xFFu << 8 * i;
  for (size_t i = 1; i + 1 < packet.size(); i += 2) write_register(e, packet[i] & 0x7FFFFC, packet[i + 1], bytes);
}

void load_register_mem(Execution& e, const MiLoadRegisterMem& c) {
  if (memory::View* view = permitted_space(e, c.global_gtt))
    write_register(e, c.offset, view->load<uint32_t>(c.address));
}

void load_register_reg(Execution& e, const MiLoadRegisterReg& c) {
  write_register(e, c.destination, read_register(e, c.source));
}

void store_register_mem(Execution& e, const MiStoreRegisterMem& c) {
  if (c.predicate && !predicate(e)) return;
  if (memory::View* view = permitted_space(e, c.global_gtt))
    view->store<uint32_t>(c.address, read_register(e, c.offset));
}

void copy_mem_mem(Execution& e, const MiCopyMemMem& c) {
  const uint32_t value = own_space(e, c.global_source).load<uint32_t>(c.source);
  own_space(e, c.global_destination).store<uint32_t>(c.destination, value);
}

void flush_dw(Execution& e, const MiFlushDw& c) {
  if (c.post_sync == 1 || c.post_sync == 3) {
    const Datum datum = c.post_sync == 1 ? Datum{c.data_low, c.data_high} : qword(timestamp(e));
    if (c.store_index) {
      if (!c.global_gtt || permitted_space(e, true)) store_status(e, c.global_gtt, uint32_t(c.address), datum);
    } else {
      store(own_space(e, c.global_gtt), c.address, datum);
    }
  }
  if (c.notify) interrupt(e);
}

void clflush(Execution&, const MiClflush&) {}

void report_head(Execution& e, const MiReportHead&) {
  constexpr uint32_t head_dword = 4;  // of the status page
  store_status(e, false, 4 * head_dword, {uint32_t(e.places[size_t(Level::ring)].address)});
}

void report_perf_count(Execution& e, const MiReportPerfCount& c) {
  memory::View* view = permitted_space(e, c.global_gtt);
  if (!view) return;
  std::array<uint32_t, 64> report{};
  const uint64_t now = timestamp(e);
  report[0] = c.id;
  report[1] = uint32_t(now);
  report[2] = e.around.context_id;
  report[3] = uint32_t(now);
  view->write(c.address, std::as_bytes(std::span(report)));
}

void rs_store_data_imm(Execution& e, const MiRsStoreDataImm& c) {
  if (e.place().resource_streamer && e.state.resource_streamer) e.around.ppgtt.store<uint32_t>(c.address, c.data);
}

namespace {
// What was never written reads as zero.
uint32_t urb_dword(const State& s, uint32_t offset) { return offset / 4 < s.urb.size() ? s.urb[offset / 4] : 0; }
}  // namespace

void load_urb_mem(Execution& e, const MiUrbMem& c) {
  std::vector<uint32_t>& urb = e.state.urb;
  if (urb.size() <= c.urb / 4) urb.resize(c.urb / 4 + 1);
  urb[c.urb / 4] = e.around.ppgtt.load<uint32_t>(c.address);
}
void store_urb_mem(Execution& e, const MiUrbMem& c) {
  e.around.ppgtt.store<uint32_t>(c.address, urb_dword(e.state, c.urb));
}
void urb_clear(Execution& e, const MiUrbClear& c) {
  constexpr size_t row_dwords = 8;
  std::vector<uint32_t>& urb = e.state.urb;
  const size_t first = std::min(c.address * row_dwords, urb.size());
  const size_t last = std::min((size_t{c.address} + c.rows) * row_dwords, urb.size());
  std::fill(urb.begin() + ptrdiff_t(first), urb.begin() + ptrdiff_t(last), 0);
}
void urb_atomic_alloc(Execution& e, const MiUrbAtomicAlloc& c) {
  e.state.urb_atomic_offset = c.offset * 128;
  e.state.urb_atomic_bytes = c.size * 128;
}

// Page table entries name physical pages, and there are none.
Outcome update_gtt(Execution& e, const MiUpdateGtt&) {
  if (!permitted(e)) return {};
  return unsupported(e.row->name);
}

}  // namespace vitro::streamer
