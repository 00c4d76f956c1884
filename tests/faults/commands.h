// Command packets for tests that write batches by hand, as drivers do and without one: the few commands that a compute
// job needs, dword by dword. PRM: Gen8 vol 2a. What differs between the devices is a Dialect. The numbers are written
// out, not made by the layouts of src/commands, so that a mistake there cannot hide here.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace vitro::faults {

using Words = std::vector<uint32_t>;

struct Dialect {
  std::string_view device;
  uint32_t select_gpgpu;         // PIPELINE_SELECT
  unsigned base_address_dwords;  // of STATE_BASE_ADDRESS
  uint32_t slm_4k;               // code in an interface descriptor
  bool preempts;                 // work that runs can be given up
};
inline constexpr Dialect dialects[] = {
    {"bdw", 0x69040002, 16, 1, false},
    {"kbl", 0x69040302, 19, 3, true},
    {"apl", 0x69040302, 19, 3, true},
};

inline Words operator+(Words a, const Words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}
inline Words& operator+=(Words& a, const Words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

constexpr uint32_t low(uint64_t v) { return uint32_t(v); }
constexpr uint32_t high(uint64_t v) { return uint32_t(v >> 32); }

inline constexpr uint32_t mi_noop = 0, mi_batch_buffer_end = 0x05000000, mi_batch_buffer_start = 0x18800101,
                          mi_store_data_imm = 0x10000002, mi_semaphore_wait = 0x0E00C002;

inline Words store_dword(uint64_t address, uint32_t value) {
  return {mi_store_data_imm, low(address), high(address), value};
}
inline Words batch_start(uint64_t address) { return {mi_batch_buffer_start, low(address), high(address)}; }
// Polls until memory is the value.
inline Words wait_for_equal(uint64_t address, uint32_t value) {
  return {mi_semaphore_wait, value, low(address), high(address)};
}
inline Words end() { return {mi_batch_buffer_end, mi_noop}; }

struct Bases {
  uint64_t general = 0, surface = 0, dynamic = 0, indirect = 0, instruction = 0;
};
inline Words base_addresses(const Dialect& d, const Bases& b) {
  Words w(d.base_address_dwords);
  const auto put = [&](size_t at, uint64_t v) { w[at] = low(v) | 1, w[at + 1] = high(v); };
  w[0] = 0x61010000 | (d.base_address_dwords - 2);
  put(1, b.general), put(4, b.surface), put(6, b.dynamic), put(8, b.indirect), put(10, b.instruction);
  for (size_t at = 12; at < 16; ++at) w[at] = 0xFFFFF001;
  return w;
}

struct Vfe {
  uint64_t scratch = 0;  // offset
  uint32_t scratch_size = 0, threads = 56;
};
inline Words vfe_state(const Vfe& v = {}) {
  return {0x70000007,
          low(v.scratch) | v.scratch_size,
          high(v.scratch),
          (v.threads - 1) << 16 | 2 << 8,
          0,
          2 << 16 | 64,
          0,
          0,
          0};
}
inline Words curbe_load(uint32_t bytes, uint32_t start) { return {0x70010002, 0, bytes, start}; }
inline Words descriptor_load(uint32_t bytes, uint32_t start) { return {0x70020002, 0, bytes, start}; }

struct Walker {
  uint32_t descriptor = 0, simd = 0, threads = 1;  // simd: 8 << n channels
  uint32_t x = 1, y = 1, z = 1, right_mask = 0xFFFFFFFF;
};
inline Words walker(const Walker& v = {}) {
  return {0x7105000D, v.descriptor, 0,         0, v.simd << 30 | (v.threads - 1), 0, 0, v.x, 0, 0, v.y, 0,
          v.z,        v.right_mask, 0xFFFFFFFF};
}
inline Words media_flush() { return {0x70040000, 0}; }

struct Descriptor {
  uint64_t kernel = 0;  // offset from the instruction base
  uint32_t bindings = 0, samplers = 0, curbe_registers = 0, cross_thread_registers = 0, threads = 1;
  uint32_t slm = 0;  // code
  bool barrier = false, illegal_opcode_exception = false;
};
inline Words interface_descriptor(const Descriptor& d) {
  return {low(d.kernel),
          high(d.kernel),
          uint32_t(d.illegal_opcode_exception) << 13,
          d.samplers,
          d.bindings,
          d.curbe_registers << 16,
          d.slm << 16 | uint32_t(d.barrier) << 21 | d.threads,
          d.cross_thread_registers};
}

// RENDER_SURFACE_STATE of a raw buffer.
inline Words raw_buffer(uint64_t address, uint32_t bytes) {
  const uint32_t n = bytes - 1;
  Words w(16);
  w[0] = 4u << 29 | 0x1FFu << 18;
  w[2] = (n & 0x7F) | (n >> 7 & 0x3FFF) << 16;
  w[3] = (n >> 21 & 0x7FF) << 21;
  w[7] = 4u << 25 | 5u << 22 | 6u << 19 | 7u << 16;
  w[8] = low(address), w[9] = high(address);
  return w;
}
// A two-dimensional image of R8G8B8A8_UINT, linear.
inline Words image(uint64_t address, uint32_t width, uint32_t height) {
  Words w(16);
  w[0] = 1u << 29 | 0x0CAu << 18 | 1u << 16 | 1u << 14;
  w[2] = (width - 1) | (height - 1) << 16;
  w[3] = width * 4 - 1;
  w[7] = 4u << 25 | 5u << 22 | 6u << 19 | 7u << 16;
  w[8] = low(address), w[9] = high(address);
  return w;
}
inline Words null_surface() {
  Words w(16);
  w[0] = 7u << 29;
  return w;
}

// Kernels' own text: the last message of a thread.
inline constexpr std::string_view end_of_thread = "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n";

}  // namespace vitro::faults
