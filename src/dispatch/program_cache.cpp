// Finding the extent of a kernel, and keeping what was decoded. PRM: Gen6 vol 4 part 2 chapter 8, branches and EOT. The
// walk takes both sides of every branch, so it may go where the program never does, but never less far.
#include "dispatch/program_cache.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "isa/illegal.h"
#include "isa/print.h"
#include "shared/urb.h"

namespace vitro::dispatch {
namespace {

using isa::Format;
using isa::Instruction;

constexpr size_t start_bytes = 64;  // a kernel's address has this alignment

// Calls f with bytes from an address on, piece by piece as they are mapped: where nothing is, with zeros. Quietly: the
// program does not read here. Until f is false.
template <class F>
bool each_piece(memory::View& memory, uint64_t address, size_t bytes, F f) {
  while (bytes > 0) {
    size_t n = bytes;
    const std::byte* p = memory.at(address, n, memory::Access::read);
    if (!p) {
      n = std::min<size_t>(n, 64 - address % 64);
      p = memory.at(address, n, memory::Access::read);
    }
    constexpr std::byte nothing[64]{};
    if (!f(std::span(p ? p : nothing, n))) return false;
    bytes -= n, address += n;
  }
  return true;
}

// A kernel's bytes, fetched from memory as far as they are wanted.
struct Code {
  memory::View& memory;
  uint64_t address;
  std::vector<std::byte> bytes{};

  std::span<const std::byte> at(size_t offset) {
    while (bytes.size() < offset + 16) fetch(4096);
    return std::span(bytes).subspan(offset, 16);
  }
  void fetch(size_t count) {
    each_piece(memory, address + bytes.size(), count, [&](std::span<const std::byte> more) {
      bytes.resize(bytes.size() + more.size());
      std::memcpy(bytes.data() + bytes.size() - more.size(), more.data(), more.size());
      return true;
    });
  }
};

bool ends_path(const Instruction& i, const isa::OpcodeRow& row) {
  if (row.format == Format::send || row.format == Format::split_send) return i.eot;
  if (row.format == Format::ret) return i.pred_ctrl == isa::PredCtrl::none;
  return row.format == Format::jump && i.pred_ctrl == isa::PredCtrl::none && i.src[0].file == isa::RegFile::imm;
}

bool is_indirect(const Instruction& i, const isa::OpcodeRow& row) {
  switch (row.format) {
    case Format::branch_reg:
    case Format::branch_reg_uip:
    case Format::jump:
    case Format::call:
    case Format::call_absolute: return i.src[0].file != isa::RegFile::imm;
    default:
      return i.dst.file == isa::RegFile::arf && i.dst.reg >> 4 == int(isa::Arf::ip) && has_destination(row.format);
  }
}

bool may_wait(const isa::Model& model, const Instruction& i, const isa::OpcodeRow& row) {
  if (row.format == Format::wait) return true;
  return (row.format == Format::send || row.format == Format::split_send) && isa::may_wait(*model.messages, i);
}

bool names_exceptions(const Instruction& i, const isa::OpcodeRow& row) {
  return i.debug_ctrl || (has_destination(row.format) && i.dst.file == isa::RegFile::arf &&
                          i.dst.reg >> 4 == int(isa::Arf::control) && i.dst.subreg / 4 == 1);
}

// An atomic operation on what all groups see.
bool is_shared_atomic(const eu::Plan& p) {
  const isa::MessageShape& m = p.message.shape;
  return m.is_atomic() && m.is_write && m.space != isa::AddressSpace::slm;
}

bool sends(const eu::Plan& p) {
  return p.row && (p.row->format == Format::send || p.row->format == Format::split_send);
}
// A message that writes memory which others see, not only targets; or that nobody knows.
bool may_write_memory(const eu::Plan& p) {
  if (!sends(p)) return false;
  if (!p.knows_message()) return true;
  const isa::MessageShape& m = p.message.shape;
  return p.message.row && isa::writes_memory(m.action) && m.space != isa::AddressSpace::slm;
}
// The same of reading; what only writes counts, too.
bool may_read_memory(const eu::Plan& p) {
  if (!sends(p)) return false;
  if (!p.knows_message()) return true;
  const isa::MessageAction action = p.message.shape.action;
  const isa::ActionFamily family = isa::family_of(action);
  return p.message.row && (family == isa::ActionFamily::sampler || (family == isa::ActionFamily::data_port &&
                                                                    action != isa::MessageAction::render_target_write));
}

// A message to the URB, or to nobody knows whom, that may not be a mere write.
bool may_read_urb(const eu::Plan& p) {
  if (!sends(p)) return false;
  if (p.instruction.ex_desc.in_register) return true;
  return p.instruction.sfid == shared::urb_sfid && (!p.message.row || p.message.shape.reads_urb);
}

bool jumps_back(const isa::Model& model, const eu::Plan& p) {
  const isa::Targets t = p.row ? isa::branch_targets(model, p.instruction, p.ip) : isa::Targets{};
  return std::any_of(t.at, t.at + t.count, [&](int64_t to) { return to <= int64_t(p.ip); });
}

// Writes registers other than general, address, flag, control and notification registers.
bool writes_seldom_used(const eu::Plan& p) {
  if (!p.row) return true;
  const Instruction& i = p.instruction;
  if (i.op == isa::Op::illegal) return true;  // its status, which only threads that begin anew are without
  if (i.acc_wr_ctrl || isa::is_math_macro(i) || p.row->attributes & (isa::attr_acc_source | isa::attr_needs_accwr))
    return true;
  if (!has_destination(p.row->format) || i.dst.file != isa::RegFile::arf) return false;
  const isa::Arf arf = isa::Arf(i.dst.reg >> 4);
  return arf != isa::Arf::null && arf != isa::Arf::address && arf != isa::Arf::flag && arf != isa::Arf::control &&
         arf != isa::Arf::notification;
}

uint64_t hash_of_start(const std::byte* p) {
  return std::hash<std::string_view>{}(std::string_view(reinterpret_cast<const char*>(p), start_bytes));
}

bool same(memory::View& memory, uint64_t address, std::span<const std::byte> kept) {
  return each_piece(memory, address, kept.size(), [&](std::span<const std::byte> there) {
    const bool same = std::memcmp(there.data(), kept.data(), there.size()) == 0;
    kept = kept.subspan(there.size());
    return same;
  });
}

std::vector<std::byte> copy_of(memory::View& memory, uint64_t address, size_t bytes) {
  Code code{memory, address};
  code.fetch(bytes);
  return std::move(code.bytes);
}

}  // namespace

Extent kernel_extent(const isa::Model& model, memory::View& memory, uint64_t address) {
  Code code{memory, address};
  Extent e;
  std::vector<bool> seen;
  std::vector<size_t> open{0};
  // A branch to nowhere does not make the kernel longer by all that lies between: a thread that goes there runs off its
  // end, which is a Fault as good as what it would find.
  const auto leads_somewhere = [&](size_t at) {
    for (uint32_t n = 0; n <= eu::most_illegal_in_a_row; ++n) {
      const std::byte* p = memory.at(address + at, 16, memory::Access::read);
      if (!p) return at < e.bytes + memory::page_bytes;
      const int illegal = isa::illegal_opcode_bytes(model, std::span(p, 16));
      if (!illegal) return isa::fetch(model, std::span(p, 16)).has_value();
      at += size_t(illegal);
    }
    return false;
  };
  // From an offset on, to the end of the path.
  const auto walk = [&](size_t at) {
    uint32_t illegal_in_a_row = 0;
    while (at + 16 <= kernel_limit_bytes) {
      if (seen.size() <= at / 8) seen.resize(at / 8 + 512);
      if (seen[at / 8]) return;
      seen[at / 8] = true;
      if (const int illegal = isa::illegal_opcode_bytes(model, code.at(at))) {
        at += size_t(illegal);
        e.bytes = std::max(e.bytes, at);
        if (++illegal_in_a_row > eu::most_illegal_in_a_row) return;
        continue;
      }
      illegal_in_a_row = 0;
      const Result<isa::Fetched> f = isa::fetch(model, code.at(at));
      const size_t next = at + size_t(f ? f->size : 16);
      e.bytes = std::max(e.bytes, next);  // what cannot be decoded faults if a thread comes here
      if (!f) return;
      const Instruction& i = f->instruction;
      const isa::OpcodeRow& row = *model.row(i.op);
      e.indirect = e.indirect || is_indirect(i, row);
      e.waits = e.waits || may_wait(model, i, row);
      e.handles_exceptions = e.handles_exceptions || names_exceptions(i, row);
      const isa::Targets t = branch_targets(model, i, int64_t(at));
      for (int n = 0; n < t.count; ++n)
        if (t.at[n] >= 0 && t.at[n] % 8 == 0 && leads_somewhere(size_t(t.at[n]))) open.push_back(size_t(t.at[n]));
      if (ends_path(i, row)) return;
      at = next;
    }
  };
  while (!open.empty()) {
    const size_t at = open.back();
    open.pop_back();
    walk(at);
    // A target in a register may be anything that follows: go on as long as there are instructions.
    if (open.empty() && e.indirect && e.bytes + 16 <= kernel_limit_bytes) {
      const bool illegal = isa::illegal_opcode_bytes(model, code.at(e.bytes));
      if (!illegal && isa::fetch(model, code.at(e.bytes))) open.push_back(e.bytes);
    }
  }
  return e;
}

bool ProgramCache::is_at(memory::View& memory, const Kernel& k, uint64_t address, uint64_t sip) {
  const size_t own = k.sip ? k.sip : k.code.size();
  return same(memory, address, std::span(k.code).first(own)) &&
         (!k.sip || same(memory, sip, std::span(k.code).subspan(own)));
}

std::shared_ptr<const Kernel> ProgramCache::find(memory::View& memory, uint64_t address, uint64_t sip,
                                                 bool exceptions) {
  std::vector<std::byte> start = copy_of(memory, address, start_bytes);
  const uint64_t key = hash_of_start(start.data());
  State& s = *state_;
  const std::lock_guard guard(s.lock);
  const auto [first, last] = s.by_start.equal_range(key);
  for (auto at = first; at != last; ++at) {
    const Kernel& k = **at->second;
    const bool wants_routine = sip && (exceptions || k.handles_exceptions);
    if (wants_routine != (k.sip != 0) || !is_at(memory, k, address, sip)) continue;
    s.kept.splice(s.kept.begin(), s.kept, at->second);
    return *at->second;
  }

  const Extent extent = kernel_extent(*model_, memory, address);
  std::vector<std::byte> code = copy_of(memory, address, extent.bytes);
  uint32_t routine = 0;
  if (sip && (exceptions || extent.handles_exceptions)) {
    routine = uint32_t(code.size() + 15) & ~15u;
    code.resize(routine);
    const std::vector<std::byte> more = copy_of(memory, sip, kernel_extent(*model_, memory, sip).bytes);
    code.insert(code.end(), more.begin(), more.end());
  }
  eu::Program program(*model_, code);
  const bool unclean = routine || std::any_of(program.plans().begin(), program.plans().end(), writes_seldom_used);
  const bool contends = std::any_of(program.plans().begin(), program.plans().end(), is_shared_atomic);
  const bool loops = extent.indirect || routine ||
                     std::any_of(program.plans().begin(), program.plans().end(),
                                 [&](const eu::Plan& p) { return jumps_back(*model_, p); });
  const bool reads_urb = std::any_of(program.plans().begin(), program.plans().end(), may_read_urb);
  const bool reads_memory = routine || std::any_of(program.plans().begin(), program.plans().end(), may_read_memory);
  const bool writes_memory = routine || std::any_of(program.plans().begin(), program.plans().end(), may_write_memory);
  s.instructions += program.plans().size();
  s.kept.push_front(std::make_shared<const Kernel>(Kernel{.code = std::move(code),
                                                          .program = std::move(program),
                                                          .waits = extent.waits,
                                                          .handles_exceptions = extent.handles_exceptions,
                                                          .contends = contends,
                                                          .loops = loops,
                                                          .unclean = unclean,
                                                          .reads_urb = reads_urb,
                                                          .reads_memory = reads_memory,
                                                          .writes_memory = writes_memory,
                                                          .sip = routine,
                                                          .address = address}));
  s.by_start.emplace(key, s.kept.begin());
  evict();
  return s.kept.front();
}

void ProgramCache::evict() {
  State& s = *state_;
  while (s.instructions > instruction_limit_ && s.kept.size() > 1) {
    const auto oldest = std::prev(s.kept.end());
    s.instructions -= (*oldest)->program.plans().size();
    for (auto at = s.by_start.begin(); at != s.by_start.end();)
      at = at->second == oldest ? s.by_start.erase(at) : std::next(at);
    s.kept.erase(oldest);
  }
}

size_t ProgramCache::kernels() const {
  const std::lock_guard guard(state_->lock);
  return state_->kept.size();
}
size_t ProgramCache::instructions() const {
  const std::lock_guard guard(state_->lock);
  return state_->instructions;
}

}  // namespace vitro::dispatch
