// Which data port messages each generation has. PRM: Gen8 vol 2a (MSD_*); what that volume lacks, and Gen6 and Gen9, as
// the compilers of Mesa and Intel emit it. Gen6 has three data ports, one per cache, with one numbering of message
// types; only the render cache takes writes, and only its type has a fourth bit, 16. Gen9's scaled messages (SFID 4)
// are not described anywhere.
#include "shared/dataport/messages_gen8.h"

namespace vitro::shared {
namespace {

using namespace rows;

// --- Gen6
constexpr Bits type_gen6{16, 13}, read_type_gen6{15, 13};
constexpr Match dp(uint32_t t) { return at(type_gen6, t); }
constexpr auto reads_gen6(Bits type) {
  const auto is = [&](uint32_t t) { return at(type, t); };
  return std::to_array<Row>({
      row(is(0), "oword block read", oword_block_read, transfer::oword_block_read),
      row(is(2), "oword dual block read", oword_dual_block_read),
      row(is(4), "media block read", media_block_read),
      row(is(5), "unaligned oword block read", unaligned_oword_block_read, transfer::unaligned_oword_block_read),
      row(is(6) & legacy_simd, "dword scattered read", dword_scattered_read, transfer::dword_scattered_read),
  });
}
constexpr std::array read_only_gen6 = reads_gen6(read_type_gen6);
constexpr std::array render_cache_gen6 =
    both(reads_gen6(type_gen6),
         std::to_array<Row>({
             row(dp(1), "render target unorm read", undescribed),
             row(dp(7), "dword atomic write", undescribed),
             row(dp(8), "oword block write", oword_block_write, transfer::oword_block_write),
             row(dp(9), "oword dual block write", oword_dual_block_write),
             row(dp(10), "media block write", media_block_write),
             row(dp(11) & legacy_simd, "dword scattered write", dword_scattered_write, transfer::dword_scattered_write),
             row(dp(12), "render target write", render_target_write),
             row(dp(13), "streamed vertex buffer write", streamed_vertex_buffer_write),
             row(dp(14), "render target unorm write", undescribed),
         }));

// --- Gen8
constexpr std::array dc1_gen8 = both(dc1, std::to_array<Row>({
                                              row(dc(0x00), "transpose read", transpose_read),  // MSD1R_TT
                                          }));
constexpr Match rc(uint32_t t) { return at(rc_type, t); }
constexpr std::array sampler_cache_gen8 = std::to_array<Row>({
    row(rc(0), "read surface info", read_surface_info),
    row(rc(1), "unaligned oword block read", unaligned_oword_block_read, transfer::unaligned_oword_block_read),
    row(rc(4), "media block read", media_block_read),
});
constexpr std::array render_cache_gen8 = std::to_array<Row>({
    row(rc(0xc), "render target write", render_target_write),  // MSD_RTW_*
});

// --- Gen9
constexpr std::array dc0_gen9 = both(
    dc0,
    std::to_array<Row>({
        row(dc(0x5) & legacy_simd, "qword scattered read", qword_scattered_read, transfer::qword_scattered_read),
        row(dc(0xd) & legacy_simd, "qword scattered write", qword_scattered_write, transfer::qword_scattered_write),
    }));
constexpr std::array dc1_gen9 =
    both(dc1, std::to_array<Row>({
                  row(dc(0x0e), "typed surface read with status", undescribed),
                  row(scattered(0x10, 3), "a64 byte scattered read with status", undescribed),
                  row(dc(0x1b), "untyped float atomic", untyped_float_atomic, transfer::untyped_float_atomic),
                  row(dc(0x1c), "untyped float atomic simd4x2", untyped_float_atomic_4x2),
                  row(dc(0x1d), "a64 untyped float atomic", a64_float_atomic, transfer::a64_float_atomic),
                  row(dc(0x1e), "a64 untyped float atomic simd4x2", a64_float_atomic_4x2),
              }));
constexpr std::array dcro_gen9 = both(dcro, std::to_array<Row>({
                                                row(dc(4), "sampler cache unaligned oword block read",
                                                    unaligned_oword_block_read, transfer::unaligned_oword_block_read),
                                                row(dc(5), "sampler cache media block read", media_block_read),
                                                row(dc(6), "read surface info", read_surface_info),
                                            }));
constexpr std::array dc2_gen9 = std::to_array<Row>({row({0, 0}, "scaled message", undescribed)});
constexpr std::array render_cache_gen9 = std::to_array<Row>({
    row(rc(0xc), "render target write", render_target_write),
    row(rc(0xd), "render target read", render_target_read),
});

}  // namespace

constinit const DataPortLayout dataport_gen6{
    .surface = state::surface_gen6,
    .has_slm = false,
    .has_non_coherent = false,
    .functions{{{},
                {},
                {},
                {},
                data_port_function("sampler cache", read_type_gen6, read_only_gen6),
                data_port_function("render cache", type_gen6, render_cache_gen6),
                {},
                {},
                {},
                data_port_function("constant cache", read_type_gen6, read_only_gen6)}}};

constinit const DataPortLayout dataport_gen8{
    .surface = state::surface_gen8,
    .functions{{{},
                {},
                {},
                {},
                data_port_function("sampler cache", rc_type, sampler_cache_gen8),
                data_port_function("render cache", rc_type, render_cache_gen8),
                {},
                {},
                {},
                data_port_function("dcro", type, dcro),
                data_port_function("dc0", type, dc0),
                {},
                data_port_function("dc1", type, dc1_gen8)}}};

constinit const DataPortLayout dataport_gen9{.surface = state::surface_gen9,
                                             .has_bindless = true,
                                             .functions{{{},
                                                         {},
                                                         {},
                                                         {},
                                                         data_port_function("dc2", type, dc2_gen9),
                                                         data_port_function("render cache", rc_type, render_cache_gen9),
                                                         {},
                                                         {},
                                                         {},
                                                         data_port_function("dcro", type, dcro_gen9),
                                                         data_port_function("dc0", type, dc0_gen9),
                                                         {},
                                                         data_port_function("dc1", type, dc1_gen9)}}};

}  // namespace vitro::shared
