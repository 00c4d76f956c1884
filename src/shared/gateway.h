// The Message Gateway (SFID 3): threads write into each other's registers, meet at barriers and read the clock.
// PRM: Gen6 vol 4 part 2 chapter 1 (GW-01..GW-60); Gen9 "Message Gateway", barrier payload (B-08..B-10).
// One gateway serves the threads of one subslice, at most 16 EUs with 8 threads each, and must be used from one host
// thread. Not modelled: MMIO access by message (no payload is documented) and predicated barriers, for which Gen9 has
// a mask in M0.3 but no message. Bits that are reserved or must be zero are ignored unless noted.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>

#include "base/bits.h"
#include "eu/message.h"

namespace vitro::shared {

// What differs between generations.
struct GatewayLayout {
  const isa::MessageTables& messages;
  bool always_bypassed = false;  // there is no Bypass Gateway Control: gateways need not be opened

  const isa::BarrierFields& barrier() const { return messages.barrier; }
  int barrier_count() const { return 1 << (barrier().id.width() + barrier().id_high.width()); }
};
extern const GatewayLayout gateway_gen6, gateway_gen8, gateway_gen9;

// Both clocks in quarters of a nanosecond; 44 bits are shown (GW-41).
struct GatewayTimes {
  uint64_t absolute = 0, relative = 0;
};
struct GatewayClock {
  GatewayTimes (*read)(void* context) = nullptr;
  void* context = nullptr;
};

// A thread the gateway serves, at the place of its EUID and TID.
struct GatewayEntry {
  eu::Thread* thread = nullptr;
  uint32_t group = 0;
  bool open = false;
  uint8_t reg_base = 0;
};

constexpr uint32_t constant(uint32_t, uint32_t n) { return n; }  // of the host's numbers, as domains have it

// Threads that have come to a barrier: how many, and which by their place in the gateway's table. Compiled code counts
// here, too.
struct Arrivals {
  uint32_t count = 0;  // threads that must arrive
  uint32_t arrived = 0;
  std::array<uint64_t, 2> marked{};

  // Where a thread stands whose sr0.0 is this: its TID, and its EUID eight bits further up.
  static constexpr uint32_t eus = 16, threads_per_eu = 8;
  template <class V>
  static constexpr V place(V tid, V euid) {
    return (euid & constant(euid, eus - 1)) * constant(euid, threads_per_eu) +
           (tid & constant(tid, threads_per_eu - 1));
  }
  static constexpr uint32_t place(uint32_t sr) { return place(sr, sr >> 8); }
};

struct Barrier : Arrivals {
  static constexpr size_t entries = eus * threads_per_eu;  // of the gateway's table
  uint8_t byte = 0;                                        // from the interface descriptor
  std::array<uint8_t, entries> reg{};                      // where the byte goes for each; 0: nowhere

  Barrier() = default;
  Barrier(unsigned threads, uint8_t b) : byte(b) { count = threads; }

  // Counts one more; whether all are there.
  bool arrive(size_t entry, int place) {
    mark(entry, place);
    return ++arrived == count;
  }
  void mark(size_t entry, int place) {
    const uint64_t bit = uint64_t(1) << entry % 64;
    if (marked[entry / 64] & bit) return;
    marked[entry / 64] |= bit;
    reg[entry] = uint8_t(place);
  }
  void forget(size_t entry) { marked[entry / 64] &= ~(uint64_t(1) << entry % 64); }
  void restart() { arrived = 0, marked = {}; }
};

struct Gateway {
  static constexpr uint8_t sfid = 3;
  static constexpr unsigned eus = Arrivals::eus, threads_per_eu = Arrivals::threads_per_eu;

  const GatewayLayout& layout;
  GatewayClock clock{};
  bool bypass = true;  // Bypass Gateway Control of MEDIA_VFE_STATE (GW-01)
  std::array<GatewayEntry, eus * threads_per_eu> entries{};
  using BarrierName = std::pair<uint32_t, unsigned>;  // group and BarrierID
  std::map<BarrierName, Barrier> barriers{};

  // The place must be free, and below (16, 8).
  void attach(eu::Thread& thread, unsigned euid, unsigned tid, uint32_t group);
  // The thread is gone; the function does this when it hears so. What it has counted at a barrier stays counted.
  void detach(const eu::Thread& thread);
  // Makes a barrier of a group active; the id is below the layout's barrier_count.
  void start_barrier(uint32_t group, unsigned id, unsigned count, uint8_t byte = 0);

  // A thread's place in the table; entries.size() if it has none.
  size_t entry_of(const eu::Thread& thread) const {
    const size_t likely = Arrivals::place(thread.sr[0]);
    return entries[likely].thread == &thread ? likely : search_entry(thread);  // most stand where sr0 says they do
  }
  size_t search_entry(const eu::Thread& thread) const;
  // Counts the sender at a barrier, if that is all the message asks for.
  bool arrive_quickly(const eu::Thread& sender, uint32_t desc, const std::byte* payload);
  // The barrier a message's M0.2 names, if all its threads are here and there are no others.
  eu::Window locate(uint32_t m2);
  eu::Reply handle(eu::Thread& sender, eu::Message& message, std::string& reason);
  eu::SharedFunction function();  // for the EU's array; the gateway must stay where it is
};

}  // namespace vitro::shared
