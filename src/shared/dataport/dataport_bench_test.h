// A data port with memory behind it, for tests: messages are sent as descriptors and registers, without an EU. 64 KB at
// `home` are mapped; its last page holds the binding table and surface states. No part of the machine.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "memory/address_space.h"
#include "shared/dataport/dataport.h"
#include "shared/rows_ran_test.h"

namespace vitro::shared::test {

inline constexpr uint64_t home = 0x10'0000;
inline constexpr uint32_t memory_bytes = 0x10000, tables = 0xF000;
inline constexpr uint32_t untouched = 0xA5A5A5A5;

enum Sfid : uint8_t { sampler_cache = 4, render_cache = 5, constant_cache = 9, dc0 = 10, dc1 = 12 };

// Registers of a payload, in turn.
struct Payload {
  std::vector<uint32_t> dw{};

  Payload& header(std::array<uint32_t, 8> m0) {
    for (uint32_t d : m0) dw.push_back(d);
    return *this;
  }
  // Whole registers; the rest of the last is filled up with zeros.
  Payload& dwords(const std::vector<uint32_t>& v) {
    for (uint32_t d : v) dw.push_back(d);
    while (dw.size() % 8) dw.push_back(0);
    return *this;
  }
  Payload& qwords(const std::vector<uint64_t>& v) {
    for (uint64_t q : v) dw.push_back(uint32_t(q)), dw.push_back(uint32_t(q >> 32));
    while (dw.size() % 8) dw.push_back(0);
    return *this;
  }
  uint32_t registers() const { return uint32_t(dw.size() / 8); }
};

struct Bench {
  const DataPortLayout& layout;
  std::vector<std::byte> host = std::vector<std::byte>(memory_bytes);
  std::vector<std::byte> slm = std::vector<std::byte>(4096);
  memory::AddressSpace space{};
  std::unique_ptr<memory::View> view{};
  std::unique_ptr<Bindings> bindings = std::make_unique<Bindings>();
  Environment environment{.bindings = bindings.get()};
  std::unique_ptr<DataPort> port{};
  std::array<uint32_t, 16 * 8> response{};
  std::string reason{};
  unsigned exec_size = 16;
  uint32_t channels = 0xFFFF, ex_desc = 0;

  explicit Bench(const DataPortLayout& l, bool strict = false) : layout(l) {
    const memory::Range range{home, memory_bytes, host.data()};
    space.bind({&range, 1});
    view = std::make_unique<memory::View>(space.table(), strict);
    environment.memory = view.get();
    environment.bases.surface.address = home + tables;
    environment.bases.bindless_surface.address = home + tables;
    environment.slm = slm;
    port = std::make_unique<DataPort>(layout, environment);
    for (uint32_t at = 0; at < tables; at += 4) set(at, at * 0x01010101u + 0x00030201u);
  }

  // --- memory, by offset from home
  template <class T = uint32_t>
  T get(uint32_t at) const {
    T v;
    std::memcpy(&v, host.data() + at, sizeof v);
    return v;
  }
  template <class T = uint32_t>
  void set(uint32_t at, T v) {
    std::memcpy(host.data() + at, &v, sizeof v);
  }
  template <class T = uint32_t>
  T local(uint32_t at) const {
    T v;
    std::memcpy(&v, slm.data() + at, sizeof v);
    return v;
  }

  // --- surfaces: entry n of the binding table, whose state is the n-th of 32 behind the table
  void bind(unsigned n, const state::Surface& s) {
    const uint32_t at = 0x400 + n % 32 * 64;
    set(tables + n * 4, at);
    std::array<uint32_t, 16> packet{};
    layout.surface.encode(s, packet);
    std::memcpy(host.data() + tables + at, packet.data(), layout.surface.rules.dwords * 4u);
    bindings = std::make_unique<Bindings>();
    environment.bindings = bindings.get();
  }
  // A raw buffer of so many bytes from an offset on.
  void bind_buffer(unsigned n, uint32_t offset, uint32_t bytes) { bind(n, buffer(offset, bytes)); }
  state::Surface buffer(uint32_t offset, uint32_t bytes, uint32_t pitch = 1) const {
    state::Surface s;
    s.type = state::SurfaceType::buffer;
    s.format = state::format_raw;
    s.base = home + offset;
    const uint32_t n = bytes / pitch - 1, height_bits = layout.surface.rules.buffer_height_bits;
    s.width_less_1 = n & 127;
    s.height_less_1 = n >> 7 & ((1u << height_bits) - 1);
    s.depth_less_1 = n >> (7 + height_bits);
    s.pitch_less_1 = pitch - 1;
    return s;
  }

  // --- messages: mlen and rlen are filled in; the response begins as `untouched`
  eu::Reply send(Sfid sfid, uint32_t desc, const Payload& payload, unsigned rlen = 0, unsigned first = 0) {
    response.fill(untouched);
    return send_again(sfid, desc, payload, rlen, first);
  }
  // The first `first` registers of the payload are src0 of a split send, the rest src1; 0: all are src0.
  eu::Reply send_again(Sfid sfid, uint32_t desc, const Payload& payload, unsigned rlen, unsigned first = 0) {
    const auto bytes = std::as_bytes(std::span(payload.dw));
    const size_t split = first ? first * 32u : bytes.size();
    eu::Message m;
    m.sfid = sfid;
    m.desc = (desc & 0xE00FFFFFu) | uint32_t(split / 32) << 25 | rlen << 20;
    m.ex_desc = ex_desc | (payload.registers() - uint32_t(split / 32)) << 6;
    m.exec_size = uint8_t(exec_size);
    m.channels = channels;
    m.payload = bytes.first(split);
    m.second_payload = bytes.subspan(split);
    m.response = std::as_writable_bytes(std::span(response)).first(rlen * 32u);
    reason.clear();
    const HostFloats floats(modes_for(layout.messages, sfid, m.desc));
    const eu::Reply reply = carry_out(*port, sfid, m, reason);
    note(layout.messages, sfid, m.desc, reply);
    EXPECT_EQ(reply == eu::Reply::faulted || reply == eu::Reply::unsupported, !reason.empty()) << reason;
    return reply;
  }
  void ok(Sfid sfid, uint32_t desc, const Payload& payload, unsigned rlen = 0, unsigned first = 0) {
    EXPECT_EQ(send(sfid, desc, payload, rlen, first), eu::Reply::done) << reason;
  }
  uint32_t out(unsigned reg, unsigned dword) const { return response[reg * 8 + dword]; }
  uint64_t out_qword(unsigned n) const { return uint64_t(response[2 * n + 1]) << 32 | response[2 * n]; }
};

inline constexpr uint32_t header_present = 1u << 19;
constexpr uint32_t type5(uint32_t t) { return t << 14; }  // Gen8, Gen9
constexpr uint32_t type4(uint32_t t) { return t << 13; }  // Gen6

// Runs a test once on each of the generations.
template <class Test>
void on(std::initializer_list<const DataPortLayout*> layouts, Test test) {
  int n = 0;
  for (const DataPortLayout* l : layouts) {
    SCOPED_TRACE(n++);
    Bench b(*l);
    test(b);
  }
}

}  // namespace vitro::shared::test
