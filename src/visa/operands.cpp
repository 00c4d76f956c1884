// Operands of operations between variables and the register file, and what is to be told about them. Documents: vISA
// "Operands": regions (VI-101 to VI-113), indirect operands (VI-201 to VI-210), only enabled channels are written
// (VI-305). What lies outside a variable reads as zero and is not written.
#include <fmt/format.h>

#include <cstring>

#include "eu/arf.h"
#include "visa/machine.h"
#include "visa/names.h"

namespace vitro::visa {
namespace {

constexpr uint32_t word_bytes = 64;  // of variables, to a word of bits

struct RegisterRow {
  Register bit;
  uint32_t variable;
  isa::Arf arf;
};
constexpr RegisterRow register_rows[] = {{register_time, 6, isa::Arf::timestamp},
                                         {register_state, 13, isa::Arf::state},
                                         {register_control, 14, isa::Arf::control},
                                         {register_channels, 15, isa::Arf::channel_enable},
                                         {register_debug, 16, isa::Arf::debug}};

}  // namespace

// --- what was written
bool Machine::written(uint32_t at, uint32_t bytes) const {
  for (uint32_t word = at / word_bytes; bytes; ++word) {
    const uint32_t low = at % word_bytes, n = std::min(bytes, word_bytes - low);
    const uint64_t mask = (n == word_bytes ? ~uint64_t(0) : (uint64_t(1) << n) - 1) << low;
    if ((written_[word] & mask) != mask) return false;
    at += n, bytes -= n;
  }
  return true;
}

void Machine::set_written(uint32_t at, uint32_t bytes) {
  for (uint32_t word = at / word_bytes; bytes; ++word) {
    const uint32_t low = at % word_bytes, n = std::min(bytes, word_bytes - low);
    written_[word] |= (n == word_bytes ? ~uint64_t(0) : (uint64_t(1) << n) - 1) << low;
    at += n, bytes -= n;
  }
}

void Machine::check_written(const Operation& o, uint32_t variable, uint32_t at, uint32_t bytes, unsigned lane) {
  if (findings_ && !written(at, bytes)) find(o, FindingKind::unwritten, variable, lane);
}

void Machine::find(const Operation& o, FindingKind kind, uint32_t variable, unsigned lane) {
  if (!findings_) return;
  const Routine& r = *frames_.back().code->routine;
  std::string name;
  if (variable >= predefined_variables && variable - predefined_variables < r.variables.size())
    name = r.text(r.variables[variable - predefined_variables].name);
  else if (variable < std::size(predefined))
    name = predefined[variable].name;
  findings_->add({.kind = kind,
                  .kernel = std::string(r.text(r.name)),
                  .variable = std::move(name),
                  .line = o.instruction->place,
                  .group = group_,
                  .thread = number_,
                  .channel = o.channel + lane});
}

std::string to_text(const RunFinding& f) {
  return fmt::format("{}: line {}: {}: {} (group {}, thread {}, channel {})", f.kernel, f.line, f.variable,
                     text_of(f.kind), f.group, f.thread, f.channel);
}

// --- registers behind predefined variables
void Machine::read_registers(uint8_t registers) {
  for (const RegisterRow& r : register_rows) {
    if (!(registers & r.bit)) continue;
    if (r.bit == register_time) {  // it never goes back
      uint64_t last = 0;
      std::memcpy(&last, thread_->tm.data(), sizeof last);
      const eu::Executor& x = *executor_;
      const uint64_t now = std::max(last + 1, x.clock.now ? x.clock.now(x.clock.context) : x.executed);
      std::memcpy(thread_->tm.data(), &now, sizeof now);
    }
    const uint32_t active = std::exchange(thread_->active, active_);
    eu::ArfImage image;
    eu::read_arf(*thread_, program_.model(), isa::arf_reg(r.arf), image);
    thread_->active = active;
    const VariablePlace& v = program_.kernel().storage[r.variable];
    write(r.variable, 0, std::span(image).first(v.bytes));
  }
}

void Machine::write_registers(uint8_t registers) {
  for (const RegisterRow& r : register_rows)
    if (registers & r.bit) {
      const VariablePlace& v = program_.kernel().storage[r.variable];
      eu::write_arf(*thread_, program_.model(), isa::arf_reg(r.arf), 0, {bytes_.data() + v.at, v.bytes});
    }
}

// --- one element
std::optional<uint32_t> Machine::locate(const Operation& o, const OperandPlan& s, unsigned lane) {
  const unsigned row = s.per_row ? lane / s.width : 0;
  const auto& elements = frames_.back().addresses[s.id];
  const Address& a = elements[(s.first + row) % elements.size()];
  if (!a.known) {
    find(o, FindingKind::unwritten, a.variable, lane);
    return std::nullopt;
  }
  const int64_t from_root = int64_t(int16_t(a.offset)) + s.offset +
                            (s.contiguous              ? int64_t(lane) * s.size
                             : s.scalar && !s.lanes_at ? s.at
                                                       : program_.offsets(s.lanes_at)[lane]);
  if (from_root < 0 || uint64_t(from_root) + s.size > a.root_bytes) {
    find(o, FindingKind::strays, a.variable, lane);
    return std::nullopt;
  }
  if (from_root % s.size) find(o, FindingKind::misaligned, a.variable, lane);
  return (a.shared ? 0 : frame_base_) + a.root_at + uint32_t(from_root);
}

void Machine::fetch_indirect(const Operation& o, const OperandPlan& s, uint32_t lanes) {
  std::byte* to = element(s.slot);
  for (unsigned l = 0; l < (s.scalar ? 1u : o.lanes); ++l) {
    const bool needed = s.scalar || lanes >> l & 1;
    const std::optional<uint32_t> at = needed ? locate(o, s, l) : std::nullopt;
    if (!at) {
      std::memset(to + l * s.size, 0, s.size);
      continue;
    }
    if (findings_) check_written(o, frames_.back().addresses[s.id][s.first % 16].variable, *at, s.size, l);
    std::memcpy(to + l * s.size, bytes_.data() + *at, s.size);
  }
}

void Machine::store_indirect(const Operation& o, const OperandPlan& d, uint32_t lanes) {
  for (unsigned l = 0; l < o.lanes; ++l) {
    if (!(lanes >> l & 1)) continue;
    const std::optional<uint32_t> at = locate(o, d, l);
    if (!at) continue;
    std::memcpy(bytes_.data() + *at, element(d.slot + l * d.size), d.size);
    set_written(*at, d.size);
  }
}

// --- all elements of an operand
void Machine::fetch(const Operation& o, const OperandPlan& s, uint32_t lanes) {
  std::byte* to = element(s.slot);
  switch (s.access) {
    case Access::given: return;
    case Access::variable: {
      if (s.registers) [[unlikely]]
        read_registers(s.registers);
      if (s.outside & (s.scalar ? ~0u : lanes)) [[unlikely]]
        find(o, FindingKind::outside, s.variable, unsigned(std::countr_zero(s.outside & (s.scalar ? ~0u : lanes))));
      const uint32_t begin = s.shared ? 0 : frame_base_;
      if (s.contiguous || s.scalar) {
        const uint32_t bytes = s.size * (s.scalar ? 1u : s.elements > 1 ? s.elements : o.lanes);
        std::memcpy(to, bytes_.data() + begin + s.at, bytes);
        if (!findings_ || s.any_value || written(begin + s.at, bytes)) return;
        for (unsigned l = 0; l < (s.scalar ? 1u : o.lanes); ++l)
          if (s.scalar || lanes >> l & 1) check_written(o, s.variable, begin + s.at + l * s.size, s.size, l);
        return;
      }
      const uint32_t* at = program_.offsets(s.lanes_at);
      const auto copy = [&]<class T>(T) {
        for (unsigned l = 0; l < o.lanes; ++l) {
          T e;
          std::memcpy(&e, bytes_.data() + begin + at[l], sizeof e);
          std::memcpy(to + l * sizeof e, &e, sizeof e);
        }
      };
      switch (s.size) {
        case 1: copy(uint8_t{}); break;
        case 2: copy(uint16_t{}); break;
        case 4: copy(uint32_t{}); break;
        default: copy(uint64_t{});
      }
      for (uint32_t outside = s.outside; outside; outside &= outside - 1)
        std::memset(to + unsigned(std::countr_zero(outside)) * s.size, 0, s.size);
      if (findings_ && !s.any_value)
        for (uint32_t left = lanes & ~s.outside; left; left &= left - 1) {
          const auto l = unsigned(std::countr_zero(left));
          if (!written(begin + at[l], s.size)) find(o, FindingKind::unwritten, s.variable, l);
        }
      return;
    }
    case Access::constant:
      if (s.scalar)
        std::memcpy(to, &s.constant, sizeof s.constant);
      else
        std::memcpy(to, program_.offsets(s.lanes_at), o.lanes * s.size);
      return;
    case Access::indirect: return fetch_indirect(o, s, lanes);
    case Access::predicate: {
      const uint32_t bits = frames_.back().predicates[s.id];
      std::memcpy(to, &bits, sizeof bits);
      return;
    }
    case Access::address: {
      const auto& elements = frames_.back().addresses[s.id];
      for (unsigned l = 0; l < o.lanes; ++l) {
        const Address& a = elements[(s.first + l % s.replicated) % elements.size()];
        const auto value = uint16_t(a.root_at + a.offset);
        std::memcpy(to + l * 2, &value, 2);
      }
      return;
    }
    case Access::none:
    case Access::state:
    case Access::address_of: std::memset(to, 0, s.size * o.lanes);
  }
}

uint64_t Machine::scalar(const Operation& o, const OperandPlan& s) {
  if (s.access == Access::constant || s.access == Access::given) return s.constant;
  fetch(o, s, 1);
  uint64_t value = 0;
  std::memcpy(&value, element(s.slot), s.size);
  if (isa::info(s.type).is_signed && !isa::is_float(s.type)) value = uint64_t(sign_extend(value, 8 * s.size));
  return value;
}

void Machine::store(const Operation& o, const OperandPlan& d, uint32_t lanes) {
  const std::byte* from = element(d.slot);
  switch (d.access) {
    case Access::variable: {
      if (d.outside & lanes) [[unlikely]] {
        find(o, FindingKind::outside, d.variable, unsigned(std::countr_zero(d.outside & lanes)));
        lanes &= ~d.outside;
      }
      const uint32_t begin = d.shared ? 0 : frame_base_;
      if (d.contiguous && lanes == o.lane_mask) {
        std::memcpy(bytes_.data() + begin + d.at, from, o.lanes * d.size);
        set_written(begin + d.at, o.lanes * d.size);
      } else {
        const uint32_t* at = d.contiguous || d.scalar ? nullptr : program_.offsets(d.lanes_at);
        for (uint32_t left = lanes; left; left &= left - 1) {
          const auto l = unsigned(std::countr_zero(left));
          const uint32_t to = begin + (at ? at[l] : d.contiguous ? d.at + l * d.size : d.at);
          std::memcpy(bytes_.data() + to, from + l * d.size, d.size);
          set_written(to, d.size);
        }
      }
      if (d.registers) [[unlikely]]
        write_registers(d.registers);
      return;
    }
    case Access::indirect: return store_indirect(o, d, lanes);
    case Access::address: {
      // A number that is no address of a variable: what it was made of is known for those that mov read before.
      auto& elements = frames_.back().addresses[d.id];
      for (unsigned l = 0; l < o.lanes && d.first + l < elements.size(); ++l) {
        if (!(lanes >> l & 1)) continue;
        if (o.src[0].access == Access::address) {
          elements[d.first + l] =
              frames_.back().addresses[o.src[0].id][(o.src[0].first + l % o.src[0].replicated) % elements.size()];
        } else if (o.src[0].access == Access::address_of) {
          const OperandPlan& s = o.src[0];
          const VariablePlace& v = frames_.back().code->storage[s.variable];
          elements[d.first + l] = {.root_at = v.root_at,
                                   .root_bytes = v.root_bytes,
                                   .variable = v.root,
                                   .offset = uint16_t(s.at - v.root_at),
                                   .shared = v.shared,
                                   .known = true};
        } else {
          uint16_t value = 0;
          std::memcpy(&value, from + l * 2, 2);
          elements[d.first + l] = address_of(value);
        }
      }
      return;
    }
    default: return;
  }
}

// The variable of the routine that a number is in, if it is an address that was moved to a variable.
Address Machine::address_of(uint16_t number) const {
  const Storage& storage = frames_.back().code->storage;
  for (uint32_t id = predefined_variables; storage.knows(id); ++id) {
    const VariablePlace& v = storage[id];
    if (v.shared || v.root != id || number < uint16_t(v.at) || number >= v.at + v.bytes) continue;
    return {.root_at = v.root_at,
            .root_bytes = v.root_bytes,
            .variable = id,
            .offset = uint16_t(number - v.root_at),
            .shared = false,
            .known = true};
  }
  return {};
}

}  // namespace vitro::visa
