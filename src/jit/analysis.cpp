// Deciding how instructions are compiled, and the two flows of registers: forwards, which may differ from the thread's
// image; backwards, which are still needed. A register is loaded at an entry if it is live there and stored at an exit
// if it may have been changed since any entry.
// PRM: as plan.h; rules for computing in fewer bits are arithmetic modulo 2^n.
#include "jit/analysis.h"

#include <algorithm>
#include <iterator>

#include "eu/compiled_call.h"
#include "isa/print.h"
#include "shared/dataport/colour_payload.h"

namespace vitro::jit {
namespace {

using isa::Op;

bool is_wait(const Plan& p) { return p.row->format == isa::Format::wait; }
// Pixels of other threads are drawn in order, whatever is sent: colours need not wait.
bool waits_for_others(const Plan& p) {
  const Op op = p.instruction.op;
  return (op == Op::sendc || op == Op::sendsc) && !(p.message.row && p.message.shape.colours());
}

// Whether the flow may go on at an entry that no instruction names.
bool enters_anywhere(const Program& program, const std::vector<Lowered>& lowered) {
  for (size_t n = 0; n < lowered.size(); ++n)
    if (lowered[n].lowering == Lowering::branch ||
        (lowered[n].lowering == Lowering::left && changes_ip(program.plans()[n])))
      return true;
  return false;
}

// The modes before each instruction, forwards from the start. What is never reached is in no known mode.
void find_modes(const Program& program, const Options& options, std::vector<Lowered>& lowered) {
  std::vector<bool> reached(lowered.size());
  std::vector<size_t> open{0};
  std::vector<uint32_t> returns;  // what follows calls
  for (const Plan& p : program.plans())
    if (p.row && (p.row->format == isa::Format::call || p.row->format == isa::Format::call_absolute))
      returns.push_back(p.next_ip);
  lowered[0].mode = initial_mode(program.model(), options.mode);
  reached[0] = true;
  while (!open.empty()) {
    const size_t n = open.back();
    open.pop_back();
    const Mode after = mode_after(program.model(), program.plans()[n], lowered[n].mode);
    const auto pass = [&](size_t to) {
      const Mode before = lowered[to].mode;
      lowered[to].mode = reached[to] ? joined(before, after) : after;
      if (!reached[to] || lowered[to].mode != before) open.push_back(to);
      reached[to] = true;
    };
    const auto pass_to = [&](uint32_t ip) {
      if (const int to = plan_index(program, ip); to >= 0) pass(size_t(to));
    };
    each_successor(program, lowered, n, pass);
    if (lowered[n].lowering != Lowering::branch) continue;
    for (uint32_t ip : branch_places(program, program.plans()[n])) pass_to(ip);
    if (program.plans()[n].row->format == isa::Format::ret)
      for (uint32_t ip : returns) pass_to(ip);
  }
}

// Labels at which channels may wait, forwards. What the interpreter or a handler does to the flow may leave channels
// anywhere.
void find_waited_at(const Program& program, Analysis& a) {
  const std::vector<Lowered>& lowered = a.lowered;
  const bool anywhere = enters_anywhere(program, lowered);
  a.waited_at.resize(lowered.size());
  std::vector<size_t> open;
  for (size_t n = 0; n < lowered.size(); ++n) {
    if (!lowered[n].leader) continue;
    const bool unknown = anywhere || (n > 0 && lowered[n - 1].lowering == Lowering::left);
    a.waited_at[n].all = unknown && lowered[n].entry;
    open.push_back(n);
  }
  while (!open.empty()) {
    const size_t first = open.back();
    open.pop_back();
    Labels now = a.waited_at[first];
    const Plan& p = program.plans()[first];  // a join with a predicate wakes whom it names, not all
    if (const int own = label_index(a.labels, p.ip); own >= 0 && p.wakes) now.remove(size_t(own));
    size_t last = first;
    while (last + 1 < lowered.size() && !lowered[last + 1].leader && lowered[last].lowering != Lowering::jump &&
           lowered[last].lowering != Lowering::branch && lowered[last].lowering != Lowering::left)
      ++last;
    if (lowered[last].lowering == Lowering::branch)
      now.all = true;
    else if (lowered[last].lowering == Lowering::jump)
      if (const auto ip = program.plans()[last].park_ip) now.add({.some = {uint32_t(label_index(a.labels, *ip))}});
    each_successor(program, lowered, last, [&](size_t to) {
      if (a.waited_at[to].add(now)) open.push_back(to);
    });
  }
}

// Whether the host is to flush denormals while the code runs: what most instructions need; the others are called.
bool most_flushed(const Program& program, const std::vector<Lowered>& lowered) {
  int more = 0;
  for (size_t n = 0; n < lowered.size(); ++n)
    if (program.plans()[n].floats == Plan::Floats::flushed && lowered[n].mode.knows(program.keeping()))
      more += program.host_flushes(lowered[n].mode.bits) ? 1 : -1;
  return more > 0;
}
bool runs_in(bool host_flushes, const Program& program, const Plan& p, Mode mode) {
  if (p.floats == Plan::Floats::flushed)
    return mode.knows(program.keeping()) && program.host_flushes(mode.bits) == host_flushes;
  // a denormal that is moved is no zero
  return !host_flushes || p.condition == isa::CondModifier::none || !isa::is_float(p.dst.type) ||
         p.dst.type == isa::Type::hf;
}

void find_labels(const Program& program, Analysis& a) {
  for (const Plan& p : program.plans())
    if (const auto ip = p.park_ip) a.labels.push_back(*ip);
  for (const Plan& p : program.plans())
    if (p.wakes) a.labels.push_back(p.ip);
  std::sort(a.labels.begin(), a.labels.end());
  a.labels.erase(std::unique(a.labels.begin(), a.labels.end()), a.labels.end());
}

// All channels that a program names; none, if it is not a short one in a straight line.
uint32_t channels_in_line(const Program& program, const std::vector<Lowered>& lowered) {
  constexpr size_t short_program = 50;
  uint32_t all = 0;
  for (size_t n = 0; n < lowered.size(); ++n) {
    const Plan& p = program.plans()[n];
    if (n > 0 && lowered[n].leader) return 0;
    if (!p.instruction.no_mask) all |= p.lane_mask << p.channel;
  }
  return lowered.size() <= short_program ? all : 0;
}

// Whether an operand names so many general registers that all exist.
bool names_registers(const isa::Operand& o, unsigned count) {
  return o.file == isa::RegFile::grf && !o.indirect && count > 0 && o.reg + count <= unsigned(grf_count);
}
// Whether the registers of payload and response exist. If not, the handler says so.
bool has_registers(const Plan& p, const Message& m) {
  const isa::Instruction& i = p.instruction;
  const bool split = p.row->format == isa::Format::split_send;
  return names_registers(i.src[0], m.mlen()) &&
         (!split || m.ex_mlen() == 0 || names_registers(i.src[1], m.ex_mlen())) &&
         (m.rlen() == 0 || names_registers(i.dst, m.rlen()));
}

// Whether a routine's vectors can be the message's registers.
bool calls_routine(const Plan& p) {
  const isa::MessageShape& s = p.message.shape;
  const uint32_t desc = p.instruction.desc.imm;
  if (s.colours()) {
    const shared::ColourPayload payload(s);
    return payload.supported() && !payload.half && !isa::field_of(*p.message.row, isa::FieldRole::per_sample, desc) &&
           payload_count(p) >= payload.end() && p.channel % 16 == 0;
  }
  return !s.pair() && !s.half && isa::rlen(desc) >= s.row_registers();
}

// Whether it writes dwords of eight entries of the URB, all of them at the offset that the descriptor says.
bool writes_entries(const Plan& p) {
  const isa::MessageRow& row = *p.message.row;
  const unsigned data = payload_count(p) - 1;
  const uint32_t desc = p.instruction.desc.imm;
  return p.message.shape.header && data >= 1 && data <= 8 && Message{.desc = desc}.rlen() == 0 &&
         !isa::field_of(row, isa::FieldRole::slot_offsets, desc) &&
         !isa::field_of(row, isa::FieldRole::slot_masks, desc);
}

// Whether code can carry a message out: its descriptors and registers are known, all places are offsets or addresses in
// windows, or there may be a routine, and nothing else is asked for. Left to the shared function: SIMD4x2, bindless
// surfaces, dual blocks, stateless slots with a base in their header, CMPWR_2W, append counters; and whatever a row
// does not define.
bool carries(const Plan& p, const Options& options) {
  const isa::Instruction& i = p.instruction;
  if (!options.carries_messages || !p.message.row || waits_for_others(p)) return false;
  const isa::MessageShape& s = p.message.shape;
  const Message m{.desc = i.desc.imm, .ex_desc = i.ex_desc.imm};
  if (s.reserved_field || !has_registers(p, m)) return false;
  if (s.action == isa::MessageAction::urb_simd8_write) return writes_entries(p);
  if (i.eot != s.ends_thread && !s.colours()) return false;
  const bool stateless_base = s.space == isa::AddressSpace::stateless && s.header;
  if (s.holds_anyway) return true;  // an answer would only tell when, and its registers stay as they are
  if (s.only_counts) return m.rlen() == 0 && m.mlen() == 1;
  if (s.space == isa::AddressSpace::bindless) return false;
  if (s.has_routine()) return calls_routine(p);
  if (!(s.is_block() ? s.header : s.is_scattered() && !s.pair() && !s.split && !stateless_base)) return false;
  if (s.reach() == 0) return false;  // it names no element to move
  const unsigned answer = s.response_registers();
  return payload_count(p) >= s.payload_registers() && m.rlen() >= answer && (answer > 0 || m.rlen() == 0);
}

}  // namespace

unsigned payload_count(const Plan& p) {
  const Message m{.desc = p.instruction.desc.imm, .ex_desc = p.instruction.ex_desc.imm};
  return m.mlen() + (p.row->format == isa::Format::split_send ? m.ex_mlen() : 0);
}

bool Labels::add(const Labels& others) {
  if (all || (!others.all && std::includes(some.begin(), some.end(), others.some.begin(), others.some.end())))
    return false;
  all = others.all;
  std::vector<uint32_t> both;
  std::set_union(some.begin(), some.end(), others.some.begin(), others.some.end(), std::back_inserter(both));
  some = std::move(both);
  if (some.size() > most) all = true;
  if (all) some.clear();
  return true;
}
bool may_write_for_others(const Plan& p) {
  using enum isa::MessageAction;
  if (p.row->format == isa::Format::wait) return false;
  if (!p.message.row) return true;
  const isa::MessageShape& s = p.message.shape;
  const bool reads = s.action == scattered_read || s.action == block_read || s.action == dual_block_read;
  return !reads && !s.holds_anyway && s.action != barrier && s.space != isa::AddressSpace::slm;
}

void Labels::remove(size_t k) { std::erase(some, uint32_t(k)); }

bool changes_ip(const Plan& p) {
  return !p.row || !p.fault.empty() || !has_destination(p.row->format) ||
         (p.instruction.dst.file == isa::RegFile::arf && is_arf(p.instruction.dst.reg, isa::Arf::ip));
}

std::vector<uint32_t> jump_targets(const Plan& p) {
  const uint32_t jip = p.ip + uint32_t(p.instruction.jip), uip = p.ip + uint32_t(p.instruction.uip);
  switch (p.instruction.op) {
    case Op::jmpi: {
      const uint32_t to = p.next_ip + uint32_t(p.instruction.jip);
      if (p.instruction.pred_ctrl == isa::PredCtrl::none) return {to};
      return {to, p.next_ip};
    }
    case Op::goto_: return {jip, uip, p.next_ip};
    default: return {jip, p.next_ip};
  }
}

bool names_notification(const Plan& p) {
  const isa::Operand& o = p.instruction.src[0];
  return is_wait(p) && o.file == isa::RegFile::arf && is_arf(o.reg, isa::Arf::notification) &&
         o.subreg < sizeof(Thread::notify);
}

std::vector<uint32_t> branch_places(const Program& program, const Plan& p) {
  std::vector<uint32_t> places{p.next_ip};
  const isa::Targets t = isa::branch_targets(program.model(), p.instruction, p.ip);
  for (int k = 0; k < t.count; ++k)
    if (t.at[k] >= 0) places.push_back(uint32_t(t.at[k]));
  return places;
}

Analysis analyse(const Program& program, const Options& options) {
  Analysis a;
  const std::span<const Plan> plans = program.plans();
  std::vector<Lowered>& lowered = a.lowered;
  lowered.resize(plans.size());
  auto lead = [&](int64_t ip) {
    if (const int n = ip < 0 ? -1 : plan_index(program, uint32_t(ip)); n >= 0) lowered[size_t(n)].leader = true;
  };
  auto enter = [&](size_t n) {
    if (n < lowered.size()) lowered[n].leader = lowered[n].entry = true;
  };
  enter(0);
  // where control goes is known before the modes are
  const Mode any{0, ~0u};
  for (size_t n = 0; n < plans.size(); ++n) lowered[n].lowering = lower(program, plans[n], any, lowered[n].width);
  find_modes(program, options, lowered);
  a.host_flushes = most_flushed(program, lowered);
  for (size_t n = 0; n < plans.size(); ++n) {
    const Plan& p = plans[n];
    Lowered& s = lowered[n];
    s.lowering = lower(program, p, s.mode, s.width);
    if (s.lowering == Lowering::emitted && !runs_in(a.host_flushes, program, p, s.mode)) s.lowering = Lowering::called;
    s.leader = s.leader || p.wakes;
    switch (s.lowering) {
      case Lowering::emitted:
        use_sets_emitted(program, p, s);
        s.may_exit = s.in_image.any();
        break;
      case Lowering::called: use_sets_called(program, p, s); break;
      case Lowering::message: {
        use_sets_message(p, s);
        // a barrier that writes no register may be waited for, but nobody waits to be counted
        const bool plain = options.carries_messages && p.message.shape.name_bits;
        if (carries(p, options)) {
          s.site = int(a.sites.size());
          a.sites.push_back(uint32_t(n));
        }
        const bool known = !p.instruction.ex_desc.in_register && !is_wait(p) && !waits_for_others(p);
        const bool waits = options.all_wait || isa::may_wait(*program.model().messages, p.instruction);
        s.plain = known && plain && !p.instruction.eot &&
                  has_registers(p, {.desc = p.instruction.desc.imm, .ex_desc = p.instruction.ex_desc.imm});
        if (s.plain) break;
        if (!known || waits) {
          s.may_exit = true, enter(n);
          // what others may send to this thread, it may send to itself
          if (!is_wait(p) && !p.instruction.eot) s.writes |= general_registers(), s.reads |= general_registers();
        }
        break;
      }
      case Lowering::branch: use_sets_called(program, p, s); [[fallthrough]];
      case Lowering::jump: {
        const isa::Targets t = isa::branch_targets(program.model(), p.instruction, p.ip);
        for (int k = 0; k < t.count; ++k) lead(t.at[k]);
        lead(p.next_ip);
        if (s.lowering == Lowering::branch)
          for (uint32_t ip : branch_places(program, p))
            if (const int to = plan_index(program, ip); to >= 0)
              enter(size_t(to)), lowered[size_t(to)].spill_point = true;
        break;
      }
      case Lowering::left:
        if (!changes_ip(p)) use_sets_called(program, p, s);
        lowered[n].leader = true;
        enter(n + 1);
        break;
    }
    if (s.lowering == Lowering::jump)
      for (uint32_t ip : jump_targets(p)) {
        lead(ip);
        if (const int to = plan_index(program, ip); to >= 0 && size_t(to) <= n) enter(size_t(to));
      }
  }
  choose_spill_points(program, options, lowered);
  choose_shared(program, options, a);
  find_labels(program, a);
  find_waited_at(program, a);
  find_modified(program, lowered, false);
  find_live(program, options, a);
  spill_where_paths_join(program, options, lowered);
  find_modified(program, lowered, true);
  find_reloads(program, lowered);
  a.all_channels = channels_in_line(program, lowered);
  if (a.all_channels && !options.all_registers) a.words = find_own_words(program, a);
  return a;
}

}  // namespace vitro::jit
