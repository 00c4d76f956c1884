// The Thread Spawner (SFID 7): where media and GPGPU threads end, and where they ask for further threads. PRM: Gen6 vol
// 2 part 2 "Thread Spawner"; SNB and later vol 4 table 8-16. Who starts threads stands in a later floor and plugs in a
// function. The descriptor: opcode [0], requester [1], resource select [4]. A spawn's payload is the header the new
// thread gets as r0, with two dwords of meaning: the interface descriptor in M0.2[31:4], and in M0.4 how many
// registers [15:10] from which URB handle [9:0] on it gets after it. Not modelled: counting the root threads of a
// persistent root; freeing of URB handles is the owner's business.
#pragma once

#include <cstdint>
#include <span>

#include "eu/message.h"

namespace vitro::shared {

struct SpawnRequest {
  std::span<const std::byte> header;  // one register
  uint32_t descriptor = 0;            // where its interface descriptor is, from the dynamic state base
  uint32_t urb_handle = 0, urb_registers = 0;
  bool of_child = false;  // the sender is a child itself
  bool root = false;      // a root thread is wanted, not a child
};

struct Spawner {
  static constexpr uint8_t sfid = 7;
  const isa::MessageTables& messages = isa::messages_gen8;  // all generations have the same two messages

  // Starts a thread; blocked: there is no room now. Null: threads of this kind cannot have children.
  eu::Reply (*spawn)(void* context, eu::Thread& sender, const SpawnRequest&, std::string& reason) = nullptr;
  void* context = nullptr;

  eu::Reply handle(eu::Thread& sender, eu::Message& message, std::string& reason) const;
  eu::SharedFunction function();  // the spawner must stay where it is
};

}  // namespace vitro::shared
