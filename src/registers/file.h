// The MMIO registers that commands can load and store, as a table and a file of values: one file per context and
// engine, because everything here is saved with the context. PRM: Gen8 vol 2c; the rules who may touch what are those
// of user batches under i915. Registers that no table names are kept as plain storage, and whoever owns the file counts
// them by address. Values that run by themselves (clocks) have a hook that the streamer answers.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace vitro::registers {

enum class Access : uint8_t {
  read_write,
  read_only,  // writes are ignored
  masked,     // bits 31:16 of what is written choose which of bits 15:0 change; 31:16 read as zero
};
enum class Hook : uint8_t {
  none,
  timestamp,
  context_timestamp,
  predicate_result_2,  // a second address of MI_PREDICATE_RESULT_2
  statistics,          // of what was drawn: the pipeline may still be behind
};
enum class Owner : uint8_t {
  user,
  kernel,  // writes of user batches are ignored
};

struct Register {
  std::string_view name;
  uint32_t offset = 0;  // from the engine's base if per_engine, else the MMIO offset
  uint16_t dwords = 1;  // consecutive ones under this name
  Access access = Access::read_write;
  uint32_t reset = 0;
  Hook hook = Hook::none;
  Owner owner = Owner::user;
  bool per_engine = false;
};

// The registers of a generation.
struct Table {
  std::array<std::span<const Register>, 4> parts{};
};
extern const Table registers_gen6, registers_gen8, registers_gen9;

struct Found {
  const Register* reg = nullptr;
  uint32_t dword = 0;  // which of the register's dwords
};
// The register at an MMIO offset, of whatever engine; reg is nullptr if no row names it.
Found find(const Table& table, uint32_t mmio);

// What the register holds after a write of `value`, of which only `bits` count (byte enables).
uint32_t merged(const Register& r, uint32_t old, uint32_t value, uint32_t bits);

// By engine: render, blitter, video, video enhancement.
inline constexpr std::array<uint32_t, 4> engine_bases{0x2000, 0x22000, 0x12000, 0x1A000};

// Well-known offsets, from the engine's base.
namespace cs {
inline constexpr uint32_t gpr = 0x600, predicate_src0 = 0x400, predicate_src1 = 0x408, predicate_data = 0x410,
                          predicate_result = 0x418, predicate_result_1 = 0x41C, predicate_result_2 = 0x3BC,
                          timestamp = 0x358, context_timestamp = 0x3A8, nopid = 0x94, mi_mode = 0x9C, hws_pga = 0x80,
                          bb_offset = 0x158, instpm = 0xC0, debug_mode2 = 0xD8;
}
// MMIO offsets of the fixed functions.
namespace mmio {
inline constexpr uint32_t prim_end_offset = 0x2420, prim_start_vertex = 0x2430, prim_vertex_count = 0x2434,
                          prim_instance_count = 0x2438, prim_start_instance = 0x243C, prim_base_vertex = 0x2440,
                          dispatch_dim_x = 0x2500, dispatch_dim_y = 0x2504, dispatch_dim_z = 0x2508,
                          cs_invocation_count = 0x2290, ps_depth_count = 0x2350, so_num_prims_written = 0x5200,
                          so_prim_storage_needed = 0x5240, so_write_offset = 0x5280, l3cntlreg = 0x7034,
                          bcs_swctrl = 0x22200;
}

class File {
 public:
  File(const Table& table, uint32_t engine_base);
  uint32_t base() const { return base_; }
  // Plain storage: no hooks, no access rules. `mmio` is a multiple of 4.
  uint32_t get(uint32_t mmio) const;
  void set(uint32_t mmio, uint32_t value);
  uint64_t get64(uint32_t mmio) const { return get(mmio) | uint64_t(get(mmio + 4)) << 32; }
  void set64(uint32_t mmio, uint64_t value) { set(mmio, uint32_t(value)), set(mmio + 4, uint32_t(value >> 32)); }
  // This engine's own registers, by their offset from its base.
  uint64_t gpr(unsigned n) const { return get64(base_ + cs::gpr + 8 * n); }
  void set_gpr(unsigned n, uint64_t value) { set64(base_ + cs::gpr + 8 * n, value); }

 private:
  uint32_t base_;
  std::array<uint32_t, 0x1000 / 4> window_{};  // the engine's own 4 KB
  std::unordered_map<uint32_t, uint32_t> rest_;
};

}  // namespace vitro::registers
