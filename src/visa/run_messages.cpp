// Carrying messages out: payloads are put together in the registers of the thread, and the shared functions of whoever
// runs it get them as from a send. Documents: the pages of the message instructions; barrier and fence as Intel's
// finalizer makes them.
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "base/host_floats.h"
#include "isa/message_tables.h"
#include "visa/machine.h"

namespace vitro::visa {
namespace {

constexpr unsigned response_at = 64 * register_bytes;
constexpr uint16_t bindless = 4;  // %bss
constexpr uint32_t bindless_index = 252;
constexpr unsigned samplers_of_a_table = 16;

}  // namespace

// False: it is to be sent again, or has led to a fault.
bool Machine::send(const Operation& o, eu::Message& m) {
  eu::Executor& x = *executor_;
  plain_floats();
  const eu::SharedFunction& f = x.functions[m.sfid & 15];
  if (!f.handle) {
    stop(o, fmt::format("message to an absent shared function (SFID {})", m.sfid));
    return false;
  }
  std::string reason;
  switch (f.handle(f.context, *thread_, m, reason)) {
    case eu::Reply::done: break;
    case eu::Reply::blocked:
    case eu::Reply::accepted: x.status = eu::Status::waiting; return false;
    case eu::Reply::faulted: x.stop(std::move(reason)); return false;
    case eu::Reply::unsupported: x.stop(unsupported_fault(std::move(reason))); return false;
  }
  if (m.eot) {
    thread_->ended = true;
    x.status = eu::Status::ended;
  }
  return true;
}

bool Machine::name_bindings(const Operation& o, const LoweredMessage& l, eu::Message& m) {
  const Frame& f = frames_.back();
  if (l.has_surface) {
    const uint32_t value = l.surface < f.surfaces.size() ? f.surfaces[l.surface] : 0;
    if (l.surface == bindless) {
      m.desc |= bindless_index;
      m.ex_desc |= value & ~0x3Fu;
    } else if (value > 255) {
      stop(o, fmt::format("surface {} is not an index of a binding table", value));
      return false;
    } else {
      m.desc |= value;
    }
  }
  if (l.has_sampler) {
    const uint32_t value = l.sampler < f.samplers.size() ? f.samplers[l.sampler] : 0;
    if (value >= samplers_of_a_table) {
      stop(o, fmt::format("sampler {} is outside the table", value));
      return false;
    }
    m.desc |= value << 8;
  }
  return true;
}

bool Machine::send_lowered(const Operation& o, const LoweredMessage& l, unsigned chunk, uint32_t lanes,
                           const std::array<uint64_t, 4>& scalars) {
  std::byte* payload = thread_->grf.data();
  std::byte* response = payload + response_at;
  const unsigned first = chunk * l.slots;
  const uint32_t taking = l.all ? ~0u : lanes >> first & uint32_t(ones(l.slots));
  if (l.header) {
    const VariablePlace& r0 = program_.kernel().storage[7];
    if (l.plain_header)
      std::memset(payload, 0, register_bytes);
    else
      std::memcpy(payload, bytes_.data() + r0.at, register_bytes);
    for (const HeaderField& f : l.fields) {
      const uint64_t value = f.value + (f.source >= 0 ? scalars[size_t(f.source)] * f.unit : 0);
      std::memcpy(payload + f.dword * 4, &value, f.source >= 0 && o.src[f.source].size == 8 ? 8 : 4);
    }
  }
  for (const SlotRow& r : l.payload) put_row(o, l, r, first, taking, l.added >= 0 ? scalars[size_t(l.added)] : 0);
  for (const BytesRow& r : l.blocks) {
    if (r.raw.null || r.offset + r.bytes > r.raw.bytes) {
      find(o, FindingKind::outside, r.raw.variable, 0);
      std::memset(payload + r.at, 0, r.bytes);
      continue;
    }
    const uint32_t from = r.raw.at + r.offset + (r.raw.shared ? 0 : frame_base_);
    check_written(o, r.raw.variable, from, r.bytes, 0);
    std::memcpy(payload + r.at, bytes_.data() + from, r.bytes);
  }
  eu::Message m;
  m.sfid = l.sfid, m.desc = l.desc, m.ex_desc = l.ex_desc;
  if (!name_bindings(o, l, m)) return false;
  if (decoded_.size() < program_.messages().size()) decoded_.resize(program_.messages().size());
  auto& [desc, decoded] = decoded_[size_t(&l - program_.messages().data())];
  if (desc != m.desc || !decoded.row) decoded = isa::decode_message(*program_.model().messages, m.sfid, desc = m.desc);
  m.decoded = &decoded;
  m.exec_size = l.slots;
  m.channels = taking & uint32_t(ones(l.slots));
  m.alt_mode = thread_->has(eu::cr_alt_mode);
  m.payload = {payload, size_t(l.mlen) * register_bytes};
  m.response = {response, size_t(l.rlen) * register_bytes};
  if (!send(o, m)) return false;
  for (const SlotRow& r : l.response) take_row(o, r, first, taking);
  for (const BytesRow& r : l.answers) {
    if (r.raw.null || r.offset + r.bytes > r.raw.bytes) {
      find(o, FindingKind::outside, r.raw.variable, 0);
      continue;
    }
    const uint32_t to = r.raw.at + r.offset + (r.raw.shared ? 0 : frame_base_);
    std::memcpy(bytes_.data() + to, response + r.at, r.bytes);
    set_written(to, r.bytes);
  }
  return true;
}

// Elements of the slots that take part, into the payload; what others have does not matter.
void Machine::put_row(const Operation& o, const LoweredMessage& l, const SlotRow& r, unsigned first, uint32_t lanes,
                      uint64_t added) {
  std::byte* to = thread_->grf.data() + r.at;
  if (r.raw.null) {
    std::memset(to, 0, size_t(l.slots) * r.in_registers);
    return;
  }
  const uint32_t begin = r.raw.at + (r.raw.shared ? 0 : frame_base_);
  for (uint32_t left = lanes & uint32_t(ones(l.slots)); left; left &= left - 1) {
    const auto slot = unsigned(std::countr_zero(left));
    const uint32_t at = r.offset + (first + slot) * r.distance;
    uint64_t value = 0;
    if (at + r.bytes > r.raw.bytes) {
      find(o, FindingKind::outside, r.raw.variable, first + slot);
    } else {
      if (findings_) check_written(o, r.raw.variable, begin + at, r.bytes, first + slot);
      std::memcpy(&value, bytes_.data() + begin + at, r.bytes);
    }
    if (r.place) value = (value + added) * r.unit;
    std::memcpy(to + slot * r.in_registers, &value, r.in_registers);
  }
}

void Machine::take_row(const Operation& o, const SlotRow& r, unsigned first, uint32_t lanes) {
  if (r.raw.null) return;
  const std::byte* from = thread_->grf.data() + response_at + r.at;
  const uint32_t begin = r.raw.at + (r.raw.shared ? 0 : frame_base_);
  for (uint32_t left = lanes; left; left &= left - 1) {
    const auto slot = unsigned(std::countr_zero(left));
    const uint32_t at = r.offset + (first + slot) * r.distance;
    if (at + r.bytes > r.raw.bytes) {
      find(o, FindingKind::outside, r.raw.variable, first + slot);
      continue;
    }
    std::memcpy(bytes_.data() + begin + at, from + slot * r.in_registers, r.bytes);
    set_written(begin + at, r.bytes);
  }
}

void Machine::message(const Operation& o) {
  const LoweredMessage* l = program_.messages().data() + o.message;
  const uint32_t lanes = enabled(o);
  unsigned number = 0;
  for (const LoweredMessage* end = l + o.steps; l != end; ++l) {
    const unsigned chunks = l->all ? 1 : (o.lanes + l->slots - 1u) / l->slots;
    for (unsigned chunk = 0; chunk < chunks; ++chunk) {
      if (number++ < part_) continue;  // it was sent
      if (!l->all && !(lanes >> chunk * l->slots & uint32_t(ones(l->slots)))) continue;
      std::array<uint64_t, 4> scalars{};
      for (unsigned n = 0; n < o.sources; ++n) scalars[n] = scalar(o, o.src[n]);
      if (!send_lowered(o, *l, chunk, lanes, scalars)) {
        part_ = number - 1;
        return;
      }
    }
  }
  part_ = 0;
}

// Messages as they are: descriptors and registers are given.
void Machine::raw_message(const Operation& o) {
  const Instruction& i = *o.instruction;
  const Operand* operands = frames_.back().code->routine->operands_of(i);
  const Storage& storage = frames_.back().code->storage;
  const auto named = [&](std::string_view name) {
    for (const Field& f : i.row->fields)
      if (f.name == name) return operands[f.operand].value;
    return uint64_t(0);
  };
  std::array<RawPlace, 3> raws{};
  size_t count = 0;
  for (const Field& f : i.row->fields)
    if (f.kind == FieldKind::raw) raws[count++] = raw_place(storage, operands[f.operand]);
  const bool split = count == 3;
  const auto mode = unsigned(named("mode"));
  eu::Message m;
  std::array<unsigned, 3> registers{};
  if (split) {
    const auto ex = uint32_t(scalar(o, o.src[0]));
    m.desc = uint32_t(scalar(o, o.src[1]));
    m.ex_desc = ex & ~0x3Fu;
    m.sfid = uint8_t(named("sfid") ? named("sfid") & 15 : ex & 15);
    m.eot = mode & 2;
    registers = {unsigned(named("src0")), unsigned(named("src1")), unsigned(named("dst"))};
  } else {
    const auto ex = uint32_t(named("ex"));
    m.desc = uint32_t(scalar(o, o.src[0]));
    m.ex_desc = ex & ~0x3Fu;
    m.sfid = uint8_t(ex & 15);
    m.eot = ex >> 5 & 1;
    registers = {unsigned(named("src")), unsigned(named("dst")), 0};
  }
  const uint32_t lanes = enabled(o);
  std::byte* at = thread_->grf.data();
  std::array<std::span<std::byte>, 3> spans{};
  for (size_t n = 0; n < count; ++n) {
    const bool answer = n + 1 == count;
    if (answer) at = thread_->grf.data() + response_at;
    const uint32_t bytes = registers[n] * register_bytes;
    if (at + bytes > thread_->grf.data() + (answer ? thread_->grf.size() : response_at))
      return stop(o, "the message is too long");
    spans[n] = {at, bytes};
    const RawPlace& r = raws[n];
    const uint32_t have = r.null ? 0 : std::min(bytes, r.bytes);
    if (!r.null && have < bytes) find(o, FindingKind::outside, r.variable, 0);
    std::memset(at, 0, bytes);
    if (have) std::memcpy(at, bytes_.data() + r.at + (r.shared ? 0 : frame_base_), have);
    at += bytes;
  }
  m.exec_size = o.lanes;
  m.channels = lanes;
  m.alt_mode = thread_->has(eu::cr_alt_mode);
  m.payload = spans[0];
  if (split) m.second_payload = spans[1];
  m.response = spans[count - 1];
  if (raws[count - 1].null) m.response = {};
  if (!send(o, m)) return;
  const RawPlace& d = raws[count - 1];
  if (d.null) return;
  const auto bytes = std::min(uint32_t(m.response.size()), d.bytes);
  const uint32_t to = d.at + (d.shared ? 0 : frame_base_);
  std::memcpy(bytes_.data() + to, m.response.data(), bytes);
  set_written(to, bytes);
}

// --- barriers and fences
void Machine::signal(const Operation& o) {
  const isa::BarrierFields& b = program_.model().messages->barrier;
  const Result<Descriptor> d = descriptor(*program_.model().messages, "gateway", "barrier", {});
  if (!d) return stop(o, d.error().message);
  uint32_t name = 0;
  std::memcpy(&name, bytes_.data() + program_.kernel().storage[7].at + 8, sizeof name);
  name &= uint32_t(mask(b.id).lo | mask(b.id_high).lo);
  std::memset(thread_->grf.data(), 0, register_bytes);
  std::memcpy(thread_->grf.data() + 8, &name, sizeof name);
  eu::Message m;
  m.sfid = d->sfid;
  m.desc = d->desc | 1u << 25;
  m.exec_size = 1, m.channels = 1;
  m.payload = {thread_->grf.data(), register_bytes};
  signalled_ = send(o, m);
}

void Machine::wait(const Operation&) {
  if (thread_->notify[0] == 0) {
    executor_->status = eu::Status::waiting;
    return;
  }
  --thread_->notify[0];
}

void Machine::barrier(const Operation& o) {
  if (!signalled_) signal(o);
  if (!signalled_) return;
  wait(o);
  if (executor_->status != eu::Status::waiting) signalled_ = false;
}

void Machine::fence(const Operation& o) {
  const Result<Descriptor> d = descriptor(*program_.model().messages, "dc0", "memory fence", {});
  if (!d) return stop(o, d.error().message);
  std::memset(thread_->grf.data(), 0, register_bytes);
  eu::Message m;
  m.sfid = d->sfid;
  m.desc = d->desc | 1u << 25 | 1u << 19;
  m.exec_size = 8, m.channels = 0xFF;
  m.payload = {thread_->grf.data(), register_bytes};
  static_cast<void>(send(o, m));
}

}  // namespace vitro::visa
