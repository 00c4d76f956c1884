// For tests of the URB: a thread that sends messages to it, and a fixed function that owns entries and writes down what
// it snoops.
#pragma once

#include <fmt/format.h>

#include <algorithm>

#include "eu/bench_test.h"
#include "shared/rows_ran_test.h"
#include "shared/urb_pool_test.h"

namespace vitro::shared {

using eu::Reply;
using eu::Status;
using Dwords = std::vector<uint32_t>;

// Stands for a geometry shader unit with one pool of entries.
struct FakeUnit {
  UrbPool pool{};
  std::vector<uint16_t> held{};  // given to the thread, not complete
  std::vector<uint16_t> output{};
  std::vector<UrbSnoop> seen{};
  std::array<uint32_t, 4> svbi{};
  bool its_turn = true;
  int asked = 0;

  UrbOwner owner() {
    return {.snoop = [](void* c, eu::Thread&, const UrbSnoop& s) { static_cast<FakeUnit*>(c)->snoop(s); },
            .grant = [](void* c, eu::Thread&, const UrbSnoop& s,
                        UrbGrant& g) { return static_cast<FakeUnit*>(c)->grant(s, g); },
            .open_entries = [](void* c,
                               const eu::Thread&) { return unsigned(static_cast<const FakeUnit*>(c)->held.size()); },
            .may_discard = true,
            .context = this};
  }

 private:
  void snoop(const UrbSnoop& s) {
    seen.push_back(s);
    for (unsigned n = 0; s.complete && n < s.handle_count; ++n) {
      if (std::erase(held, s.handles[n].handle) == 0) continue;
      if (s.used)
        output.push_back(s.handles[n].handle);
      else
        pool.free(s.handles[n].handle);
    }
  }
  bool grant(const UrbSnoop& s, UrbGrant& g) {
    ++asked;
    if (!its_turn) return false;
    g.svbi = svbi;
    if (!s.allocate) return true;
    const auto handle = pool.allocate();
    if (!handle) return false;
    held.push_back(*handle);
    g.entry = {*handle, uint16_t(0x40 + held.size())};
    return true;
  }
};

inline constexpr uint32_t fake_ffid = 4;

struct UrbBench : eu::Bench {
  Urb urb;
  FakeUnit unit{};

  UrbBench(const isa::Model& m, const UrbLayout& layout, uint32_t bytes, uint32_t channels = 0xFF)
      : Bench(m, channels), urb(layout, bytes) {
    functions[urb_sfid] = test::noted(urb.function(), *m.messages, urb_sfid);
    for (size_t n = 0; n < urb.dwords.size(); ++n) urb.dwords[n] = 0xE0000000 + uint32_t(n);
  }
  // The thread is one of the fake unit's, which has `count` entries of `bytes` from the URB's start.
  void own(uint32_t bytes, uint32_t count) {
    thread.sr[0] = fake_ffid << 24;
    unit.pool = make_pool(urb, 0, bytes, count).value();
    urb.owners[fake_ffid] = unit.owner();
  }
  // Register `reg` holds reg * 256 + n in dword n.
  void number(int first, int count) {
    for (int r = first; r < first + count; ++r)
      for (int n = 0; n < 8; ++n) set<uint32_t>(r, n, uint32_t(r * 256 + n));
  }
  // A message from payload registers, without a program.
  Reply send(uint32_t desc, int payload, int response = -1, bool eot = false) {
    eu::Message m;
    m.sfid = urb_sfid;
    m.desc = desc;
    m.eot = eot;
    m.channels = thread.active;
    m.payload = std::span(thread.grf).subspan(size_t(payload) * 32, m.mlen() * 32);
    if (response >= 0) m.response = std::span(thread.grf).subspan(size_t(response) * 32, m.rlen() * 32);
    reason.clear();
    const eu::SharedFunction& f = functions[urb_sfid];
    return f.handle(f.context, thread, m, reason);
  }
  std::string reason{};

  Dwords dwords(uint32_t byte, uint32_t count) const {
    return {urb.dwords.begin() + byte / 4, urb.dwords.begin() + byte / 4 + count};
  }
  // What the URB held at first.
  static Dwords untouched(uint32_t byte, uint32_t count) {
    Dwords d;
    for (uint32_t n = 0; n < count; ++n) d.push_back(0xE0000000 + byte / 4 + n);
    return d;
  }
};

inline constexpr uint32_t lengths(uint32_t mlen, uint32_t rlen) { return mlen << 25 | rlen << 20 | 1 << 19; }

}  // namespace vitro::shared
