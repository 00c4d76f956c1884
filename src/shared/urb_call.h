// One URB message under way: its descriptor, its payload (both halves of a split send, one after the other), its
// response, and what all messages do alike: reach entries within bounds and tell the owner of the thread.
// PRM: as urb.h. Only the files of the URB include this.
#pragma once

#include <fmt/format.h>

#include <cstring>
#include <string>
#include <utility>

#include "shared/urb.h"

namespace vitro::shared {

inline constexpr unsigned reg_dw = eu::reg_bytes / 4;

struct UrbCall {
  const UrbLayout& layout;
  Urb* urb;             // or...
  UrbEntries* entries;  // ...these
  eu::Thread& sender;
  eu::Message& message;
  std::string& reason;
  const isa::DecodedMessage& decoded;

  uint32_t field(isa::FieldRole role) const { return isa::field_of(*decoded.row, role, message.desc); }
  unsigned offset_dw() const { return decoded.shape.unit / 4u; }  // of one unit of the descriptor's offset
  uint32_t handle(uint32_t dword) const { return eu::field(dword, layout.messages.urb_handle); }
  uint32_t offset() const { return field(isa::FieldRole::block_offset); }

  unsigned registers() const { return message.registers(); }
  uint32_t dword(unsigned reg, unsigned n) const { return message.dword(reg, n); }
  unsigned response_registers() const { return unsigned(message.response.size() / eu::reg_bytes); }
  void respond(unsigned reg, unsigned n, uint32_t v) {
    std::memcpy(message.response.data() + size_t(reg) * eu::reg_bytes + n * 4, &v, sizeof v);
  }
  uint8_t channels() const { return uint8_t(message.channels); }

  const UrbOwner& owner() const {
    static constexpr UrbOwner nobody{};
    return urb ? urb->owners[sender.sr[0] >> 24 & 15] : nobody;
  }

  template <class... Args>
  eu::Reply fault(fmt::format_string<Args...> text, Args&&... args) {
    reason = fmt::format("URB {}: ", decoded.row ? decoded.row->name : "message") +
             fmt::format(text, std::forward<Args>(args)...);
    return eu::Reply::faulted;
  }

  // `count` dwords at `offset_dw` of an entry; null, with the reason, if they are not inside it.
  uint32_t* window(uint32_t handle, uint64_t offset_dw, uint32_t count, bool reads = false);

  // Whether the message was carried out before and only its answer is outstanding.
  bool answering() const;
  // After the data is in place: the owner sees the message, and gives an answer if there is to be one.
  eu::Reply finish(const UrbSnoop&);
  // Asks the owner for the answer.
  eu::Reply answer(const UrbSnoop&);
};

}  // namespace vitro::shared
