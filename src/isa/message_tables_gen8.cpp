// Messages of Gen8 (Broadwell) and Gen9 (Kaby Lake, Apollo Lake): most rows are the same in both, the rest stands in
// rows of its own. PRM: Gen8 vol 2a, the 90 message descriptors (MSD names at the rows), with what that volume lacks
// (OWord dual block and DWord scattered read, untyped read and atomics, the sampler, URB SIMD8, gateway, spawner, pixel
// interpolator, VME, CRE) as the compilers of Mesa and Intel emit it; Gen9 enumerations SFID and SIMD Mode.
// Deliberately not here: Gen9's scaled messages (dc2), of which sources disagree where the message type stands; they
// are named as such and their function control is shown.
#include "isa/message_fields.h"

namespace vitro::isa {
namespace {

using namespace fields;

constexpr Bits type5{18, 14};                                            // DC1 and, with 18 = 0, the others
constexpr MessageMatch dc(uint64_t type) { return at(type5, type); }     // DC0, DC1, DCRO, sampler cache
constexpr MessageMatch rc(uint64_t type) { return at({17, 14}, type); }  // render cache: 18 is reserved, ignored
constexpr MessageMatch sampler(uint64_t type) { return at({16, 12}, type); }
constexpr MessageMatch media_mode = at({29, 29}, 0) & at({18, 17}, 3);  // SIMD32/64, with types of its own
constexpr MessageMatch media(uint64_t type) { return media_mode & sampler(type); }

// --- surfaces: MDC_BTS_A32, MDC_BTS_SLM_A32. On Gen9, 252 is the bindless surface of every message with a surface.
constexpr Meaning surfaces_a32[] = {{255, "stateless"}, {253, "stateless non-coherent"}};
constexpr Meaning surfaces_slm_a32[] = {{255, "stateless"}, {254, "slm"}, {253, "stateless non-coherent"}};
constexpr Field bts_a32{"bti", {7, 0}, surface, surfaces_a32};
constexpr Field bts_slm_a32{"bti", {7, 0}, surface, surfaces_slm_a32};

// --- SIMD modes. MDC_SM2R (atomics) is MDC_SM2 with the opposite polarity.
constexpr Meaning sm2[] = {{0, "simd8"}, {1, "simd16"}};
constexpr Meaning sm2r[] = {{0, "simd16"}, {1, "simd8"}};
constexpr Meaning sm3[] = {{0, "simd4x2"}, {1, "simd16"}, {2, "simd8"}};
constexpr Meaning sg2[] = {{0, "simd8 low"}, {1, "simd8 high"}};
constexpr Meaning sg3[] = {{0, "simd4x2"}, {1, "simd8 low"}, {2, "simd8 high"}};
constexpr Meaning simd8_only[] = {{0, "simd8"}};
constexpr Field scattered_simd{"simd mode", {8, 8}, bare, sm2};
constexpr Field a64_scattered_simd{"simd mode", {12, 12}, bare, sm2};
constexpr Field atomic_simd{"simd mode", {12, 12}, bare, sm2r};
constexpr Field a64_float_simd{"simd mode", {12, 12}, bare, simd8_only};
constexpr Field untyped_simd{"simd mode", {13, 12}, bare, sm3};
constexpr Field typed_atomic_slots{"slot group", {12, 12}, bare, sg2};
constexpr Field typed_slots{"slot group", {13, 12}, bare, sg3};

// --- data. The channel mask disables: a set bit leaves the channel out, all four may not be left out.
constexpr Meaning channels[] = {{0, "xyzw"},  {1, "-yzw"},  {2, "x-zw"},  {3, "--zw"},  {4, "xy-w"},
                                {5, "-y-w"},  {6, "x--w"},  {7, "---w"},  {8, "xyz-"},  {9, "-yz-"},
                                {10, "x-z-"}, {11, "--z-"}, {12, "xy--"}, {13, "-y--"}, {14, "x---"}};
constexpr Field channel_mask{"mask", {11, 8}, labelled, channels};
constexpr Meaning byte_sizes[] = {{0, "1 byte"}, {1, "2 bytes"}, {2, "4 bytes"}};
constexpr Field data_size{"data size", {11, 10}, bare, byte_sizes};
constexpr Meaning a64_bytes[] = {{0, "1 byte"}, {1, "2 bytes"}, {2, "4 bytes"}, {3, "8 bytes"}};
constexpr Meaning a64_dwords[] = {{0, "1 dword"}, {1, "2 dwords"}, {2, "4 dwords"}, {3, "8 dwords"}};
constexpr Meaning a64_qwords[] = {{0, "1 qword"}, {1, "2 qwords"}, {2, "4 qwords"}, {3, "8 qwords"}};
constexpr Field a64_byte_count{"data size", {11, 10}, bare, a64_bytes};
constexpr Field a64_dword_count{"data size", {11, 10}, bare, a64_dwords};
constexpr Field a64_qword_count{"data size", {11, 10}, bare, a64_qwords};
constexpr Meaning hword_counts[] = {{0, "1 hword"}, {1, "2 hwords"}, {2, "4 hwords"}, {3, "8 hwords"}};
constexpr Field a64_hword_block{"block size", {10, 8}, bare, hword_counts};
constexpr Field a64_dual_block{"block size code", {10, 8}};  // MDC_A64_DB_OWD: values not described
constexpr Field invalidate_after_read{"invalidate after read", {13, 13}, flag};

// --- atomics. MDC_AOP1, 2 and 3 together; CMPWR_2W is missing in MDC_AOP3S, and counters have no compare-and-write.
constexpr Meaning atomic_ops[] = {{0, "cmpwr_2w"}, {1, "and"},    {2, "or"},     {3, "xor"},
                                  {4, "mov"},      {5, "inc"},    {6, "dec"},    {7, "add"},
                                  {8, "sub"},      {9, "revsub"}, {10, "imax"},  {11, "imin"},
                                  {12, "umax"},    {13, "umin"},  {14, "cmpwr"}, {15, "predec"}};
constexpr Meaning counter_ops[] = {{1, "and"},   {2, "or"},    {3, "xor"},   {4, "mov"},    {5, "inc"},
                                   {6, "dec"},   {7, "add"},   {8, "sub"},   {9, "revsub"}, {10, "imax"},
                                   {11, "imin"}, {12, "umax"}, {13, "umin"}, {15, "predec"}};
constexpr Meaning float_ops[] = {{1, "fmax"}, {2, "fmin"}, {3, "fcmpwr"}};
constexpr Field atomic_op{"atomic op", {11, 8}, bare, atomic_ops};
constexpr Field atomic_op_short{"atomic op", {11, 8}, bare, std::span(atomic_ops).subspan(1)};
constexpr Field counter_op{"atomic op", {11, 8}, bare, counter_ops};
constexpr Field float_op{"atomic op", {10, 8}, bare, float_ops};
constexpr Field returns{"return", {13, 13}, flag};

// --- data cache 0, and the blocks and scatters it shares with the constant cache
constexpr Field owb_read[] = {oword_block, invalidate_after_read, bts_a32};
constexpr Field owb[] = {oword_block, bts_a32};
constexpr Field owdb_read[] = {oword_dual_block, invalidate_after_read, bts_a32};
constexpr Field owdb[] = {oword_dual_block, bts_a32};
constexpr Field dws_read[] = {scattered_simd, invalidate_after_read, bts_a32};
constexpr Field dws[] = {scattered_simd, bts_a32};
constexpr Field bs[] = {scattered_simd, data_size, bts_slm_a32};
constexpr Field qws[] = {scattered_simd, bts_a32};
// MSD_MEMFENCE: which parts of the L3 are flushed.
constexpr Field fence[] = {{"commit", {13, 13}, flag},
                           {"flush data", {12, 12}, flag},
                           {"flush constants", {11, 11}, flag},
                           {"flush textures", {10, 10}, flag},
                           {"flush instructions", {9, 9}, flag}};
constexpr Meaning channel_modes[] = {{0, "oword mode"}, {1, "dword mode"}};
constexpr Field scratch_mode{"channel mode", {16, 16}, bare, channel_modes};
constexpr Field scratch_block{"block size", {13, 12}, bare, hword_counts};
constexpr Field scratch_offset{.name = "offset", .bits = {11, 0}, .unit = "hwords"};
constexpr Field scratch_invalidate{"invalidate after read", {15, 15}, flag};
constexpr Field scratch_read[] = {scratch_block, scratch_offset, scratch_mode, scratch_invalidate};
constexpr Field scratch_write[] = {scratch_block, scratch_offset, scratch_mode};
constexpr MessageMatch legacy_simd = at({9, 9}, 1);

constexpr MessageRow dc0_rows[] = {
    {dc(0x0), "oword block read", owb_read},                    // MSD0R_OWB
    {dc(0x1), "unaligned oword block read", owb},               // MSD0R_OWUB
    {dc(0x2), "oword dual block read", owdb_read},              //
    {dc(0x3) & legacy_simd, "dword scattered read", dws_read},  //
    {dc(0x4), "byte scattered read", bs},                       // MSD0R_BS
    {dc(0x7), "memory fence", fence},                           // MSD_MEMFENCE
    {dc(0x8), "oword block write", owb},                        // MSD0W_OWB
    {dc(0xa), "oword dual block write", owdb},                  // MSD0W_OWDB
    {dc(0xb) & legacy_simd, "dword scattered write", dws},      // MSD0W_DWS
    {dc(0xc), "byte scattered write", bs},                      // MSD0W_BS
    {at({18, 17}, 2), "scratch block read", scratch_read},      // MSD0R_HWB
    {at({18, 17}, 3), "scratch block write", scratch_write},    // MSD0W_HWB
};
constexpr MessageRow dc0_gen9[] = {
    {dc(0x5) & legacy_simd, "qword scattered read", qws},
    {dc(0xd) & legacy_simd, "qword scattered write", qws},
};

// --- data cache 1
constexpr Field transpose[] = {bts};
constexpr Field untyped[] = {untyped_simd, channel_mask, bts_slm_a32};
constexpr Field untyped_atomic[] = {atomic_op, atomic_simd, returns, bts_slm_a32};
constexpr Field untyped_atomic_4x2[] = {atomic_op, returns, bts_slm_a32};
constexpr Field media_block[] = {line_stride_override, line_stride, line_offset, bts};
constexpr Field typed[] = {typed_slots, channel_mask, bts};
constexpr Field typed_atomic[] = {atomic_op_short, typed_atomic_slots, returns, bts};
constexpr Field typed_atomic_4x2[] = {atomic_op_short, returns, bts};
constexpr Field counter[] = {counter_op, atomic_simd, returns, bts};
constexpr Field counter_4x2[] = {counter_op, returns, bts};
constexpr Field a64_bs_read[] = {a64_scattered_simd, a64_byte_count, invalidate_after_read, stateless};
constexpr Field a64_bs[] = {a64_scattered_simd, a64_byte_count, stateless};
constexpr Field a64_dws_read[] = {a64_scattered_simd, a64_dword_count, invalidate_after_read, stateless};
constexpr Field a64_dws[] = {a64_scattered_simd, a64_dword_count, stateless};
constexpr Field a64_qws_read[] = {a64_scattered_simd, a64_qword_count, invalidate_after_read, stateless};
constexpr Field a64_qws[] = {a64_scattered_simd, a64_qword_count, stateless};
constexpr Field a64_untyped[] = {untyped_simd, channel_mask, stateless};
constexpr Field a64_atomic[] = {atomic_op, returns, stateless};
constexpr Field a64_atomic_short[] = {atomic_op_short, returns, stateless};
constexpr Field a64_owb_read[] = {oword_block, invalidate_after_read, stateless};
constexpr Field a64_owb[] = {oword_block, stateless};
constexpr Field a64_owdb_read[] = {a64_dual_block, invalidate_after_read, stateless};
constexpr Field a64_owdb[] = {a64_dual_block, stateless};
constexpr Field a64_hwb_read[] = {a64_hword_block, invalidate_after_read, stateless};
constexpr Field a64_hwb[] = {a64_hword_block, stateless};
constexpr Field float_atomic[] = {float_op, atomic_simd, returns, bts_slm_a32};
constexpr Field float_atomic_4x2[] = {float_op, returns, bts_slm_a32};
constexpr Field a64_float_atomic[] = {float_op, a64_float_simd, returns, stateless};
constexpr Field a64_float_atomic_4x2[] = {float_op, returns, stateless};

constexpr MessageMatch scattered(uint64_t type, uint64_t subtype) { return dc(type) & at({9, 8}, subtype); }
constexpr MessageMatch block(uint64_t type, uint64_t subtype) { return dc(type) & at({12, 11}, subtype); }
constexpr MessageMatch a64_atomics(uint64_t type, uint64_t qword) { return dc(type) & at({12, 12}, qword); }

// One row names the MSDs of an atomic with and without return (MSD1R_*, MSD1W_*) and of one, two and three operands.
constexpr MessageRow dc1_rows[] = {
    {dc(0x00), "transpose read", transpose},                                       // MSD1R_TT
    {dc(0x01), "untyped surface read", untyped},                                   //
    {dc(0x02), "untyped atomic", untyped_atomic},                                  //
    {dc(0x03), "untyped atomic simd4x2", untyped_atomic_4x2},                      // MSD1*_DWAI*_4x2
    {dc(0x04), "media block read", media_block},                                   // MSD1R_MB
    {dc(0x05), "typed surface read", typed},                                       // MSD1R_TS
    {dc(0x06), "typed atomic", typed_atomic},                                      // MSD1*_DWTAI*
    {dc(0x07), "typed atomic simd4x2", typed_atomic_4x2},                          // MSD1*_DWTAI*_4x2
    {dc(0x09), "untyped surface write", untyped},                                  // MSD1W_US
    {dc(0x0a), "media block write", media_block},                                  // MSD1W_MB
    {dc(0x0b), "atomic counter", counter},                                         // MSD1*_DWAC*
    {dc(0x0c), "atomic counter simd4x2", counter_4x2},                             // MSD1*_DWAC*_4x2
    {dc(0x0d), "typed surface write", typed},                                      // MSD1W_TS
    {scattered(0x10, 0), "a64 byte scattered read", a64_bs_read},                  //
    {scattered(0x10, 1), "a64 dword scattered read", a64_dws_read},                // MSD1R_A64_DWS
    {scattered(0x10, 2), "a64 qword scattered read", a64_qws_read},                //
    {dc(0x11), "a64 untyped surface read", a64_untyped},                           // MSD1R_A64_US
    {a64_atomics(0x12, 0), "a64 untyped dword atomic", a64_atomic},                // MSD1*_A64_DWAI*
    {a64_atomics(0x12, 1), "a64 untyped qword atomic", a64_atomic_short},          // MSD1*_A64_QWAI*
    {a64_atomics(0x13, 0), "a64 untyped dword atomic simd4x2", a64_atomic_short},  // MSD1*_A64_DWAI*_4x2
    {a64_atomics(0x13, 1), "a64 untyped qword atomic simd4x2", a64_atomic_short},  // MSD1*_A64_QWAI*_4x2
    {block(0x14, 0), "a64 oword block read", a64_owb_read},                        // MSD1R_A64_OWB
    {block(0x14, 1), "a64 unaligned oword block read", a64_owb},                   // MSD1R_A64_OWUB
    {block(0x14, 2), "a64 oword dual block read", a64_owdb_read},                  // MSD1R_A64_OWDB
    {block(0x14, 3), "a64 hword block read", a64_hwb_read},                        // MSD1R_A64_HWB
    {block(0x15, 0), "a64 oword block write", a64_owb},                            // MSD1W_A64_OWB
    {block(0x15, 2), "a64 oword dual block write", a64_owdb},                      // MSD1W_A64_OWDB
    {block(0x15, 3), "a64 hword block write", a64_hwb},                            // MSD1W_A64_HWB
    {dc(0x19), "a64 untyped surface write", a64_untyped},                          // MSD1W_A64_US
    {scattered(0x1a, 0), "a64 byte scattered write", a64_bs},                      // MSD1W_A64_BS
    {scattered(0x1a, 1), "a64 dword scattered write", a64_dws},                    // MSD1W_A64_DWS
    {scattered(0x1a, 2), "a64 qword scattered write", a64_qws},                    // MSD1W_A64_QWS
};
constexpr MessageRow dc1_gen9[] = {
    {dc(0x0e), "typed surface read with status", typed},
    {scattered(0x10, 3), "a64 byte scattered read with status", a64_bs_read},
    {dc(0x1b), "untyped float atomic", float_atomic},
    {dc(0x1c), "untyped float atomic simd4x2", float_atomic_4x2},
    {dc(0x1d), "a64 untyped float atomic", a64_float_atomic},
    {dc(0x1e), "a64 untyped float atomic simd4x2", a64_float_atomic_4x2},
};
constexpr MessageRow dc2_rows[] = {{any, "scaled message", undescribed}};

// --- read-only data cache. Gen8 reaches the sampler cache through an SFID of its own.
constexpr Field cc_owb_read[] = {oword_block, invalidate_after_read, bts};
constexpr Field cc_owb[] = {oword_block, bts};
constexpr Field cc_owdb[] = {oword_dual_block, invalidate_after_read, bts};
constexpr Field cc_dws[] = {scattered_simd, invalidate_after_read, bts};
constexpr Field surface_info[] = {bts};
constexpr MessageRow dcro_rows[] = {
    {dc(0), "constant oword block read", cc_owb_read},       // MSD_CC_OWB
    {dc(1), "constant unaligned oword block read", cc_owb},  // MSD_CC_OWUB
    {dc(2), "constant oword dual block read", cc_owdb},      //
    {dc(3) & legacy_simd, "constant dword scattered read", cc_dws},
};
constexpr MessageRow dcro_gen9[] = {
    {dc(4), "sampler cache unaligned oword block read", cc_owb},
    {dc(5), "sampler cache media block read", media_block},
    {dc(6), "read surface info", surface_info},
};
constexpr MessageRow sampler_cache_gen8[] = {
    {rc(0), "read surface info", surface_info},
    {rc(1), "unaligned oword block read", cc_owb},
    {rc(4), "media block read", media_block},
};

// --- render cache. Gen9 has reads, and writes per sample.
constexpr Meaning precisions[] = {{0, "fp32"}, {1, "fp16"}};
constexpr Field precision{"precision", {30, 30}, option, precisions};
constexpr Field per_sample{"per sample", {13, 13}, flag};
constexpr Field rt_write_gen8[] = {rt_write_subtype, precision, rt_slot_group, rt_last, bts};
constexpr Field rt_write_gen9[] = {rt_write_subtype, precision, rt_slot_group, per_sample, rt_last, bts};
constexpr Field rt_read_subtype{"subtype", {10, 8}, bare, sm2r};
constexpr Field rt_read_gen9[] = {rt_read_subtype, rt_slot_group, per_sample, bts};
constexpr MessageRow render_cache_gen8[] = {
    {rc(0xc), "render target write", rt_write_gen8},  // MSD_RTW_*
};
constexpr MessageRow render_cache_gen9[] = {
    {rc(0xc), "render target write", rt_write_gen9},
    {rc(0xd), "render target read", rt_read_gen9},
};

// --- sampler: the third bit of the SIMD mode is apart, its values are reserved in both generations
constexpr Meaning return_formats[] = {{0, "32-bit return"}, {1, "16-bit return"}};
constexpr Field return_format{"return format", {30, 30}, option, return_formats};
constexpr Meaning sampler_simd_gen8[] = {{0, "simd4x2"}, {1, "simd8"}, {2, "simd16"}};
constexpr Meaning sampler_simd_gen9[] = {{0, "simd8d/simd4x2"}, {1, "simd8"}, {2, "simd16"}};
constexpr Field simd_gen8{
    .name = "simd mode", .bits{18, 17}, .text = bare, .meanings = sampler_simd_gen8, .high{29, 29}};
constexpr Field simd_gen9{
    .name = "simd mode", .bits{18, 17}, .text = bare, .meanings = sampler_simd_gen9, .high{29, 29}};
constexpr Field sample_gen8[] = {simd_gen8, return_format, bts, sampler_index};
constexpr Field sample_gen9[] = {simd_gen9, return_format, bts, sampler_index};
constexpr Field sample_media[] = {return_format, bts, sampler_index};

constexpr MessageRow sampler_media_rows[] = {
    {media(0x00), "sample_unorm simd32/64", sample_media},
    {media(0x02), "sample_unorm killpix simd32/64", sample_media},
    {media(0x08), "deinterlace simd32/64", sample_media},
    {media(0x0a), "sample_unorm killpix media simd32/64", sample_media},
    {media(0x0b), "sample_8x8 simd32/64", sample_media},
    {media(0x0c), "sample_unorm media simd32/64", sample_media},
    {media(0x1f), "cache flush", {}},
    {media_mode, {}, {}},
};
// The names and codes are the same, only SIMD mode 0 differs.
constexpr std::array<MessageRow, 20> sampler_common(std::span<const Field> sample) {
  return {{
      {sampler(0x00), "sample", sample},         {sampler(0x01), "sample_b", sample},
      {sampler(0x02), "sample_l", sample},       {sampler(0x03), "sample_c", sample},
      {sampler(0x04), "sample_d", sample},       {sampler(0x05), "sample_b_c", sample},
      {sampler(0x06), "sample_l_c", sample},     {sampler(0x07), "ld", sample},
      {sampler(0x08), "gather4", sample},        {sampler(0x09), "lod", sample},
      {sampler(0x0a), "resinfo", sample},        {sampler(0x0b), "sampleinfo", sample},
      {sampler(0x0c), "sample killpix", sample}, {sampler(0x10), "gather4_c", sample},
      {sampler(0x11), "gather4_po", sample},     {sampler(0x12), "gather4_po_c", sample},
      {sampler(0x14), "sample_d_c", sample},     {sampler(0x1d), "ld_mcs", sample},
      {sampler(0x1e), "ld2dms", sample},         {sampler(0x1f), "ld2dss", sample},
  }};
}
constexpr auto sampler_rows_gen8 = sampler_common(sample_gen8);
constexpr auto sampler_rows_gen9 = sampler_common(sample_gen9);
constexpr MessageRow sampler_more_gen9[] = {
    {sampler(0x16), "sample_min", sample_gen9}, {sampler(0x17), "sample_max", sample_gen9},
    {sampler(0x18), "sample_lz", sample_gen9},  {sampler(0x19), "sample_c_lz", sample_gen9},
    {sampler(0x1a), "ld_lz", sample_gen9},      {sampler(0x1c), "ld2dms_w", sample_gen9},
};

// --- message gateway
constexpr Field gateway_notify[] = {notify};
constexpr MessageRow gateway_rows[] = {
    {at({2, 0}, 0), "open gateway", {}},
    {at({2, 0}, 1), "close gateway", {}},
    {at({2, 0}, 2), "forward message", gateway_notify},
    {at({2, 0}, 3), "get timestamp", {}},
    {at({2, 0}, 4), "barrier", gateway_notify},
    {at({2, 0}, 5), "update gateway state", {}},
    {at({2, 0}, 6), "mmio read/write", {}},
};

// --- URB: 15 is the swizzle of the block messages and announces the channel masks of a SIMD8 write
constexpr Meaning swizzles[] = {{0, "noswizzle"}, {1, "interleaved"}};
constexpr Field swizzle{"swizzle", {15, 15}, bare, swizzles};
constexpr Field channel_masks{"channel masks", {15, 15}, flag};
constexpr Field per_slot_offsets{"per-slot offsets", {17, 17}, flag};
constexpr Field hword_offset{.name = "offset", .bits = {14, 4}, .unit = "hwords"};
constexpr Field oword_offset{.name = "offset", .bits = {14, 4}, .unit = "owords"};
constexpr Field offset{.name = "offset", .bits = {14, 4}};
constexpr Field urb_hword[] = {swizzle, hword_offset, per_slot_offsets};
constexpr Field urb_oword[] = {swizzle, oword_offset, per_slot_offsets};
constexpr Field urb_atomic[] = {offset};
constexpr Field urb_simd8_write[] = {oword_offset, per_slot_offsets, channel_masks};
constexpr Field urb_simd8_read[] = {oword_offset, per_slot_offsets};
constexpr MessageRow urb_rows[] = {
    {at({3, 0}, 0), "write hword", urb_hword},        // MSD_UW_HWDB
    {at({3, 0}, 1), "write oword", urb_oword},        // MSD_UW_OWB, MSD_UW_OWDB
    {at({3, 0}, 2), "read hword", urb_hword},         // MSD_UR_HWDB
    {at({3, 0}, 3), "read oword", urb_oword},         // MSD_UR_OWDB
    {at({3, 0}, 4), "atomic mov", urb_atomic},        //
    {at({3, 0}, 5), "atomic inc", urb_atomic},        //
    {at({3, 0}, 6), "atomic add", urb_atomic},        //
    {at({3, 0}, 7), "simd8 write", urb_simd8_write},  //
    {at({3, 0}, 8), "simd8 read", urb_simd8_read},    //
};

// --- pixel interpolator: offsets are S0.4 fractions of a pixel
constexpr Meaning sixteenths[] = {{0, "0"},      {1, "1/16"},   {2, "2/16"},   {3, "3/16"},
                                  {4, "4/16"},   {5, "5/16"},   {6, "6/16"},   {7, "7/16"},
                                  {8, "-8/16"},  {9, "-7/16"},  {10, "-6/16"}, {11, "-5/16"},
                                  {12, "-4/16"}, {13, "-3/16"}, {14, "-2/16"}, {15, "-1/16"}};
constexpr Field pi_simd{"simd mode", {16, 16}, bare, sm2};
constexpr Field pi_linear{"linear", {14, 14}, flag};
constexpr Field pi_x{"x", {3, 0}, labelled, sixteenths};
constexpr Field pi_y{"y", {7, 4}, labelled, sixteenths};
constexpr Field pi_sample{"sample", {7, 4}};
constexpr Field pi_shared[] = {pi_simd, pi_x, pi_y, pi_linear, rt_slot_group};
constexpr Field pi_indexed[] = {pi_simd, pi_sample, pi_linear, rt_slot_group};
constexpr Field pi_plain[] = {pi_simd, pi_linear, rt_slot_group};
constexpr MessageRow pixel_interpolator_rows[] = {
    {at({13, 12}, 0), "shared offset", pi_shared},
    {at({13, 12}, 1), "sample position", pi_indexed},
    {at({13, 12}, 2), "centroid", pi_plain},
    {at({13, 12}, 3), "per-slot offset", pi_plain},
};

// --- motion estimation and its refinement share one field of message types
constexpr Meaning streams[] = {{0, "no stream"}, {1, "stream out"}, {2, "stream in"}, {3, "stream in and out"}};
constexpr Field stream_mode{"stream mode", {16, 15}, option, streams};
constexpr Field vme_ime[] = {stream_mode, bts};
constexpr Field vme_plain[] = {bts};
constexpr MessageRow vme_rows[] = {{at({14, 13}, 2), "integer motion estimation", vme_ime}};
constexpr MessageRow vme_gen9[] = {{at({14, 13}, 0), "distortion mesh", vme_plain}};
constexpr MessageRow cre_rows[] = {
    {at({14, 13}, 1), "skip and intra check", vme_plain},
    {at({14, 13}, 3), "fractional and bidirectional refinement", vme_plain},
};

}  // namespace

constexpr MessageTables messages_gen8{.functions{{
    {"null", {null_rows}},
    {},
    {"sampler", {sampler_media_rows, sampler_rows_gen8}},
    {"gateway", {gateway_rows}},
    {"sampler cache", {sampler_cache_gen8}},
    {"render cache", {render_cache_gen8}},
    {"urb", {urb_rows}},
    {"thread spawner", {spawner_rows}},
    {"vme", {vme_rows}},
    {"dcro", {dcro_rows}},
    {"dc0", {dc0_rows}},
    {"pixel interpolator", {pixel_interpolator_rows}},
    {"dc1", {dc1_rows}},
    {"cre", {cre_rows}},
}}};

// Bindless: ExDesc[31:12] is the offset of the surface state, in 64 bytes.
constexpr MessageTables messages_gen9{
    .functions{{
        {"null", {null_rows}},
        {},
        {"sampler", {sampler_media_rows, sampler_rows_gen9, sampler_more_gen9}},
        {"gateway", {gateway_rows}},
        {"dc2", {dc2_rows}},
        {"render cache", {render_cache_gen9}},
        {"urb", {urb_rows}},
        {"thread spawner", {spawner_rows}},
        {"vme", {vme_rows, vme_gen9}},
        {"dcro", {dcro_rows, dcro_gen9}},
        {"dc0", {dc0_rows, dc0_gen9}},
        {"pixel interpolator", {pixel_interpolator_rows}},
        {"dc1", {dc1_rows, dc1_gen9}},
        {"cre", {cre_rows}},
    }},
    .bindless{.name = "bindless", .bits = {63, 44}, .text = hex, .when = at({7, 0}, 252)},
};

}  // namespace vitro::isa
