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

constexpr Bits type5{18, 14};                                         // DC1 and, with 18 = 0, the others
constexpr MessageMatch dc(uint64_t type) { return at(type5, type); }  // DC0, DC1, DCRO, sampler cache
constexpr Bits rc_type{17, 14};
constexpr MessageMatch rc(uint64_t type) { return at(rc_type, type); }  // render cache: 18 is reserved, ignored
constexpr Bits sampler_type{16, 12}, subfunction{2, 0}, urb_opcode{3, 0};
constexpr MessageMatch sampler(uint64_t type) { return at(sampler_type, type); }
constexpr MessageMatch media_mode = at({29, 29}, 0) & at({18, 17}, 3);  // SIMD32/64, with types of its own
constexpr MessageMatch media(uint64_t type) { return media_mode & sampler(type); }

// --- surfaces: MDC_BTS_A32, MDC_BTS_SLM_A32: all messages with offsets take both for the latter. On Gen9, 252 is the
// bindless surface of every message with a surface.
constexpr Meaning surfaces_a32[] = {{255, "stateless", of(AddressSpace::stateless)},
                                    {254, "slm", of(AddressSpace::slm)},
                                    {253, "stateless non-coherent", of(AddressSpace::stateless)}};
constexpr Field bts_a32{
    .name = "bti", .bits = surface_bits, .text = surface, .meanings = surfaces_a32, .role = Role::space};

// --- SIMD modes. MDC_SM2R (atomics) is MDC_SM2 with the opposite polarity.
constexpr Meaning sm2[] = {{0, "simd8", 8}, {1, "simd16", 16}};
constexpr Meaning sm2r[] = {{0, "simd16", 16}, {1, "simd8", 8}};
constexpr Meaning sm3[] = {{0, "simd4x2", 2}, {1, "simd16", 16}, {2, "simd8", 8}};
constexpr Meaning sg2[] = {{0, "simd8 low", 8}, {1, "simd8 high", 8 | 8 << 8}};
constexpr Meaning sg3[] = {{0, "simd4x2", 2}, {1, "simd8 low", 8}, {2, "simd8 high", 8 | 8 << 8}};
constexpr Meaning simd8_only[] = {{0, "simd8", 8}};
constexpr Field slots_field(std::string_view name, Bits bits, std::span<const Meaning> meanings) {
  return {.name = name, .bits = bits, .text = bare, .meanings = meanings, .role = Role::slots};
}
constexpr Field scattered_simd = slots_field("simd mode", {8, 8}, sm2);
constexpr Field a64_scattered_simd = slots_field("simd mode", {12, 12}, sm2);
constexpr Field atomic_simd = slots_field("simd mode", {12, 12}, sm2r);
constexpr Field a64_float_simd = slots_field("simd mode", {12, 12}, simd8_only);
constexpr Field untyped_simd = slots_field("simd mode", {13, 12}, sm3);
constexpr Field typed_atomic_slots = slots_field("slot group", {12, 12}, sg2);
constexpr Field typed_slots = slots_field("slot group", {13, 12}, sg3);

// --- data. The channel mask disables: a set bit leaves the channel out, all four may not be left out.
constexpr Meaning channels[] = {{0, "xyzw", 15}, {1, "-yzw", 14}, {2, "x-zw", 13}, {3, "--zw", 12}, {4, "xy-w", 11},
                                {5, "-y-w", 10}, {6, "x--w", 9},  {7, "---w", 8},  {8, "xyz-", 7},  {9, "-yz-", 6},
                                {10, "x-z-", 5}, {11, "--z-", 4}, {12, "xy--", 3}, {13, "-y--", 2}, {14, "x---", 1}};
constexpr Field channel_mask{
    .name = "mask", .bits = {11, 8}, .text = labelled, .meanings = channels, .role = Role::channels};
constexpr Meaning byte_sizes[] = {{0, "1 byte", 1}, {1, "2 bytes", 2}, {2, "4 bytes", 4}};
constexpr Meaning a64_bytes[] = {{0, "1 byte", 1}, {1, "2 bytes", 2}, {2, "4 bytes", 4}, {3, "8 bytes", 8}};
constexpr Meaning a64_dwords[] = {{0, "1 dword", 1}, {1, "2 dwords", 2}, {2, "4 dwords", 4}, {3, "8 dwords", 8}};
constexpr Meaning a64_qwords[] = {{0, "1 qword", 1}, {1, "2 qwords", 2}, {2, "4 qwords", 4}, {3, "8 qwords", 8}};
constexpr Field size_field(std::span<const Meaning> sizes, Role role) {
  return {.name = "data size", .bits = {11, 10}, .text = bare, .meanings = sizes, .role = role};
}
constexpr Field data_size = size_field(byte_sizes, Role::element);
constexpr Field a64_byte_count = size_field(a64_bytes, Role::element);
constexpr Field a64_dword_count = size_field(a64_dwords, Role::elements);
constexpr Field a64_qword_count = size_field(a64_qwords, Role::elements);
constexpr Meaning hword_counts[] = {
    {0, "1 hword", 32}, {1, "2 hwords", 64}, {2, "4 hwords", 128}, {3, "8 hwords", 256}};
constexpr Field a64_hword_block{
    .name = "block size", .bits = {10, 8}, .text = bare, .meanings = hword_counts, .role = Role::block};
// MDC_A64_DB_OWD: its values are not described and taken for those of MDC_DB_OWD.
constexpr Field a64_dual_block{
    .name = "block size", .bits = {10, 8}, .text = bare, .meanings = oword_dual_counts, .role = Role::block};
constexpr Field invalidate_after_read{"invalidate after read", {13, 13}, flag};

// --- atomics. MDC_AOP1, 2 and 3 together; CMPWR_2W is missing in MDC_AOP3S, and counters have no compare-and-write.
constexpr Meaning atomic_ops[] = {
#define ATOMIC(name, number, text, operands) {number, text, uint32_t(AtomicOp::name)},
#define FLOAT_ATOMIC(name, number, text, operands)
#include "isa/atomics.def"
};
constexpr Meaning float_ops[] = {
#define ATOMIC(name, number, text, operands)
#define FLOAT_ATOMIC(name, number, text, operands) {number, text, uint32_t(AtomicOp::name)},
#include "isa/atomics.def"
};
constexpr auto counter_ops = [] {
  std::array<Meaning, std::size(atomic_ops) - 2> some{};
  std::copy_if(std::begin(atomic_ops), std::end(atomic_ops), some.begin(),
               [](const Meaning& m) { return atomic_operands[m.number] < 2; });
  return some;
}();
constexpr Field operation_field(Bits bits, std::span<const Meaning> operations) {
  return {.name = "atomic op", .bits = bits, .text = bare, .meanings = operations, .role = Role::operation};
}
constexpr Field atomic_op = operation_field({11, 8}, atomic_ops);
constexpr Field atomic_op_short = operation_field({11, 8}, std::span(atomic_ops).subspan(1));
constexpr Field counter_op = operation_field({11, 8}, counter_ops);
constexpr Field float_op = operation_field({10, 8}, float_ops);
constexpr Field returns{.name = "return", .bits = {13, 13}, .text = flag, .role = Role::answers};

// --- data cache 0, and the blocks and scatters it shares with the constant cache
constexpr Field owb_read[] = {oword_block, invalidate_after_read, bts_a32};
constexpr Field owb[] = {oword_block, bts_a32};
constexpr Field owdb_read[] = {oword_dual_block, invalidate_after_read, bts_a32};
constexpr Field owdb[] = {oword_dual_block, bts_a32};
constexpr Field dws_read[] = {scattered_simd, invalidate_after_read, bts_a32};
constexpr Field dws[] = {scattered_simd, bts_a32};
constexpr Field bs[] = {scattered_simd, data_size, bts_a32};
constexpr Field qws[] = {scattered_simd, a64_qword_count, bts_a32};
// MSD_MEMFENCE: which parts of the L3 are flushed.
constexpr Field fence[] = {{"commit", {13, 13}, flag},
                           {"flush data", {12, 12}, flag},
                           {"flush constants", {11, 11}, flag},
                           {"flush textures", {10, 10}, flag},
                           {"flush instructions", {9, 9}, flag}};
constexpr Meaning channel_modes[] = {{0, "oword mode", of(BlockEnables::owords)},
                                     {1, "dword mode", of(BlockEnables::dwords)}};
constexpr Field scratch_mode{
    .name = "channel mode", .bits = {16, 16}, .text = bare, .meanings = channel_modes, .role = Role::enables};
constexpr Field scratch_block{
    .name = "block size", .bits = {13, 12}, .text = bare, .meanings = hword_counts, .role = Role::block};
constexpr Field scratch_offset{.name = "offset", .bits = {11, 0}, .unit = "hwords", .role = Role::block_offset};
constexpr Field scratch_invalidate{"invalidate after read", {15, 15}, flag};
constexpr Field scratch_read[] = {scratch_block, scratch_offset, scratch_mode, scratch_invalidate};
constexpr Field scratch_write[] = {scratch_block, scratch_offset, scratch_mode};
constexpr MessageMatch legacy_simd = at({9, 9}, 1);

// Scratch is relative to the thread's part of the general state.
constexpr MessageShape scratch_at(Action action) {
  MessageShape s = block_of(action, MessageShape::no_place, 32, 1, BlockEnables::owords);
  return s.base_bits = scratch_base, s.space = AddressSpace::stateless, s;
}
constexpr MessageShape byte_read = with_global_offset(scattered(Action::scattered_read, 1, 1, 1));
constexpr MessageShape byte_write = with_global_offset(scattered(Action::scattered_write, 1, 1, 1));
constexpr MessageShape qword_read = with_global_offset(scattered(Action::scattered_read, 8, 1, 4));
constexpr MessageShape qword_write = with_global_offset(scattered(Action::scattered_write, 8, 1, 4));
constexpr std::array dc0_gen8 = rows({
    {dc(0x0), "oword block read", owb_read, oword_read, "MSD0R_OWB"},
    {dc(0x1), "unaligned oword block read", owb, unaligned_read, "MSD0R_OWUB"},
    {dc(0x2), "oword dual block read", owdb_read, dual_read},
    {dc(0x3) & legacy_simd, "dword scattered read", dws_read, dword_read},
    {dc(0x4), "byte scattered read", bs, byte_read, "MSD0R_BS"},
    {dc(0x7), "memory fence", fence, {.action = Action::memory_fence, .holds_anyway = true}, "MSD_MEMFENCE"},
    {dc(0x8), "oword block write", owb, oword_write, "MSD0W_OWB"},
    {dc(0xa), "oword dual block write", owdb, dual_write, "MSD0W_OWDB"},
    {dc(0xb) & legacy_simd, "dword scattered write", dws, dword_write, "MSD0W_DWS"},
    {dc(0xc), "byte scattered write", bs, byte_write, "MSD0W_BS"},
    {at({18, 17}, 2), "scratch block read", scratch_read, scratch_at(Action::block_read), "MSD0R_HWB"},
    {at({18, 17}, 3), "scratch block write", scratch_write, scratch_at(Action::block_write), "MSD0W_HWB"},
});
constexpr std::array dc0_gen9 = join(dc0_gen8, rows({
                                                   {dc(0x5) & legacy_simd, "qword scattered read", qws, qword_read},
                                                   {dc(0xd) & legacy_simd, "qword scattered write", qws, qword_write},
                                               }));

// --- data cache 1
constexpr Field transpose[] = {bts};
constexpr Field untyped[] = {untyped_simd, channel_mask, bts_a32};
constexpr Field untyped_atomic[] = {atomic_op, atomic_simd, returns, bts_a32};
constexpr Field untyped_atomic_4x2[] = {atomic_op, returns, bts_a32};
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
constexpr Field float_atomic[] = {float_op, atomic_simd, returns, bts_a32};
constexpr Field float_atomic_4x2[] = {float_op, returns, bts_a32};
constexpr Field a64_float_atomic[] = {float_op, a64_float_simd, returns, stateless};
constexpr Field a64_float_atomic_4x2[] = {float_op, returns, stateless};

constexpr MessageMatch subtype(uint64_t type, uint64_t value) { return dc(type) & at({9, 8}, value); }
constexpr MessageMatch block(uint64_t type, uint64_t value) { return dc(type) & at({12, 11}, value); }
constexpr MessageMatch qwords(uint64_t type, uint64_t value) { return dc(type) & at({12, 12}, value); }

constexpr MessageShape untyped_read = scattered(Action::scattered_read, 4, 1, 4);
constexpr MessageShape untyped_write = scattered(Action::scattered_write, 4, 1, 4);
constexpr MessageShape a64(Action action, uint8_t element, uint8_t align) {
  return at_addresses(scattered(action, element, 1, align));
}
constexpr MessageShape a64_block(Action action, uint8_t align) {
  return at_addresses(block_of(action, 0, 1, align, BlockEnables::all));
}
constexpr MessageShape a64_dual(Action action) {
  return at_addresses(block_of(action, 0, 1, 16, BlockEnables::dwords));
}
constexpr MessageShape counts(uint8_t slots) {
  MessageShape s = with_pixel_mask(operation(4, slots));
  return s.action = Action::atomic_counter, s;
}
constexpr MessageShape typed_operation(uint8_t slots) {
  return {.action = Action::typed_atomic, .slots = slots, .is_write = true};
}

// One row names the MSDs of an atomic with and without return (R, W) and of one, two and three operands.
constexpr std::array dc1_common = rows({
    {dc(0x01), "untyped surface read", untyped, with_pixel_mask(untyped_read)},
    {dc(0x02), "untyped atomic", untyped_atomic, with_pixel_mask(operation(4))},
    {dc(0x03), "untyped atomic simd4x2", untyped_atomic_4x2, with_pixel_mask(operation(4, 2)), "MSD1*_DWAI*_4x2"},
    {dc(0x04), "media block read", media_block, media_read, "MSD1R_MB"},
    {dc(0x05), "typed surface read", typed, does(Action::typed_read), "MSD1R_TS"},
    {dc(0x06), "typed atomic", typed_atomic, typed_operation(8), "MSD1*_DWTAI*"},
    {dc(0x07), "typed atomic simd4x2", typed_atomic_4x2, typed_operation(2), "MSD1*_DWTAI*_4x2"},
    {dc(0x09), "untyped surface write", untyped, with_pixel_mask(untyped_write), "MSD1W_US"},
    {dc(0x0a), "media block write", media_block, media_write, "MSD1W_MB"},
    {dc(0x0b), "atomic counter", counter, counts(8), "MSD1*_DWAC*"},
    {dc(0x0c), "atomic counter simd4x2", counter_4x2, counts(2), "MSD1*_DWAC*_4x2"},
    {dc(0x0d), "typed surface write", typed, {.action = Action::typed_write, .is_write = true}, "MSD1W_TS"},
    {subtype(0x10, 0), "a64 byte scattered read", a64_bs_read, a64(Action::scattered_read, 1, 1)},
    {subtype(0x10, 1), "a64 dword scattered read", a64_dws_read, a64(Action::scattered_read, 4, 4), "MSD1R_A64_DWS"},
    {subtype(0x10, 2), "a64 qword scattered read", a64_qws_read, a64(Action::scattered_read, 8, 4)},
    {dc(0x11), "a64 untyped surface read", a64_untyped, at_addresses(untyped_read), "MSD1R_A64_US"},
    {qwords(0x12, 0), "a64 untyped dword atomic", a64_atomic, at_addresses(operation(4)), "MSD1*_A64_DWAI*"},
    {qwords(0x12, 1), "a64 untyped qword atomic", a64_atomic_short, at_addresses(operation(8)), "MSD1*_A64_QWAI*"},
    {qwords(0x13, 0), "a64 untyped dword atomic simd4x2", a64_atomic_short, at_addresses(operation(4, 2)),
     "MSD1*_A64_DWAI*_4x2"},
    {qwords(0x13, 1), "a64 untyped qword atomic simd4x2", a64_atomic_short, at_addresses(operation(8, 2)),
     "MSD1*_A64_QWAI*_4x2"},
    {block(0x14, 0), "a64 oword block read", a64_owb_read, a64_block(Action::block_read, 16), "MSD1R_A64_OWB"},
    {block(0x14, 1), "a64 unaligned oword block read", a64_owb, a64_block(Action::block_read, 4), "MSD1R_A64_OWUB"},
    {block(0x14, 2), "a64 oword dual block read", a64_owdb_read, a64_dual(Action::dual_block_read), "MSD1R_A64_OWDB"},
    {block(0x14, 3), "a64 hword block read", a64_hwb_read, a64_block(Action::block_read, 32), "MSD1R_A64_HWB"},
    {block(0x15, 0), "a64 oword block write", a64_owb, a64_block(Action::block_write, 16), "MSD1W_A64_OWB"},
    {block(0x15, 2), "a64 oword dual block write", a64_owdb, a64_dual(Action::dual_block_write), "MSD1W_A64_OWDB"},
    {block(0x15, 3), "a64 hword block write", a64_hwb, a64_block(Action::block_write, 32), "MSD1W_A64_HWB"},
    {dc(0x19), "a64 untyped surface write", a64_untyped, at_addresses(untyped_write), "MSD1W_A64_US"},
    {subtype(0x1a, 0), "a64 byte scattered write", a64_bs, a64(Action::scattered_write, 1, 1), "MSD1W_A64_BS"},
    {subtype(0x1a, 1), "a64 dword scattered write", a64_dws, a64(Action::scattered_write, 4, 4), "MSD1W_A64_DWS"},
    {subtype(0x1a, 2), "a64 qword scattered write", a64_qws, a64(Action::scattered_write, 8, 4), "MSD1W_A64_QWS"},
});
constexpr std::array dc1_gen8 =
    join(rows({{dc(0x00), "transpose read", transpose, does(Action::transpose_read), "MSD1R_TT"}}), dc1_common);
constexpr std::array dc1_gen9 = join(
    dc1_common, rows({
                    {dc(0x00), "transpose read", transpose, unsupported},
                    {dc(0x0e), "typed surface read with status", typed, unsupported},
                    {subtype(0x10, 3), "a64 byte scattered read with status", a64_bs_read, unsupported},
                    {dc(0x1b), "untyped float atomic", float_atomic, with_pixel_mask(operation(4))},
                    {dc(0x1c), "untyped float atomic simd4x2", float_atomic_4x2, with_pixel_mask(operation(4, 2))},
                    {dc(0x1d), "a64 untyped float atomic", a64_float_atomic, at_addresses(operation(4))},
                    {dc(0x1e), "a64 untyped float atomic simd4x2", a64_float_atomic_4x2, at_addresses(operation(4, 2))},
                }));
constexpr std::array dc2_rows = rows({{any, "scaled message", undescribed, unsupported}});

// --- read-only data cache. Gen8 reaches the sampler cache through an SFID of its own.
constexpr Field surface_information[] = {bts};
constexpr std::array dcro_gen8 = rows({
    {dc(0), "constant oword block read", owb_read, oword_read, "MSD_CC_OWB"},
    {dc(1), "constant unaligned oword block read", owb, unaligned_read, "MSD_CC_OWUB"},
    {dc(2), "constant oword dual block read", owdb_read, dual_read},
    {dc(3) & legacy_simd, "constant dword scattered read", dws_read, dword_read},
});
constexpr std::array dcro_gen9 =
    join(dcro_gen8, rows({
                        {dc(4), "sampler cache unaligned oword block read", owb, unaligned_read},
                        {dc(5), "sampler cache media block read", media_block, media_read},
                        {dc(6), "read surface info", surface_information, does(Action::surface_info)},
                    }));
constexpr std::array sampler_cache_gen8 = rows({
    {rc(0), "read surface info", surface_information, does(Action::surface_info)},
    {rc(1), "unaligned oword block read", owb, unaligned_read},
    {rc(4), "media block read", media_block, media_read},
});

// --- render cache. Gen9 has reads, and writes per sample.
constexpr Meaning precisions[] = {{0, "fp32", 0}, {1, "fp16", 1}};
constexpr Field precision{
    .name = "precision", .bits = {30, 30}, .text = option, .meanings = precisions, .role = Role::half};
constexpr Field per_sample{.name = "per sample", .bits = {13, 13}, .text = flag, .role = Role::per_sample};
constexpr Field rt_write_gen8[] = {rt_write_subtype, precision, rt_slot_group, rt_last, bts};
constexpr Field rt_write_gen9[] = {rt_write_subtype, precision, rt_slot_group, per_sample, rt_last, bts};
constexpr Field rt_read_subtype = slots_field("subtype", {10, 8}, sm2r);
constexpr Field rt_read_gen9[] = {rt_read_subtype, rt_slot_group, per_sample, bts};
constexpr std::array render_cache_gen8 =
    rows({{rc(0xc), "render target write", rt_write_gen8, does(Action::render_target_write), "MSD_RTW_*"}});
constexpr std::array render_cache_gen9 = rows({
    {rc(0xc), "render target write", rt_write_gen9, does(Action::render_target_write), "MSD_RTW_*"},
    {rc(0xd), "render target read", rt_read_gen9, {.action = Action::render_target_read, .reads_target = true}},
});

// --- sampler: the third bit of the SIMD mode is apart, its values are reserved in both generations
constexpr Meaning return_formats[] = {{0, "32-bit return", 0}, {1, "16-bit return", 1}};
constexpr Field return_format{
    .name = "return format", .bits = {30, 30}, .text = option, .meanings = return_formats, .role = Role::half};
constexpr Meaning sampler_simd_gen8[] = {{0, "simd4x2", 2}, {1, "simd8", 8}, {2, "simd16", 16}};
constexpr Meaning sampler_simd_gen9[] = {{0, "simd8d/simd4x2", 2}, {1, "simd8", 8}, {2, "simd16", 16}};
constexpr Field simd_field(std::span<const Meaning> modes) {
  return {.name = "simd mode", .bits{18, 17}, .text = bare, .meanings = modes, .high{29, 29}, .role = Role::slots};
}
constexpr Field simd_gen8 = simd_field(sampler_simd_gen8), simd_gen9 = simd_field(sampler_simd_gen9);
constexpr Field sample_gen8[] = {simd_gen8, return_format, bts, sampler_index};
constexpr Field sample_gen9[] = {simd_gen9, return_format, bts, sampler_index};
constexpr Field sample_media[] = {return_format, bts, sampler_index};

constexpr std::array sampler_media_rows = rows({
    {media(0x00), "sample_unorm simd32/64", sample_media, unsupported},
    {media(0x02), "sample_unorm killpix simd32/64", sample_media, unsupported},
    {media(0x08), "deinterlace simd32/64", sample_media, unsupported},
    {media(0x0a), "sample_unorm killpix media simd32/64", sample_media, unsupported},
    {media(0x0b), "sample_8x8 simd32/64", sample_media, unsupported},
    {media(0x0c), "sample_unorm media simd32/64", sample_media, unsupported},
    sampler_row(media(0x1f), "cache flush", {}, Action::flush_cache, {.surface = false}),
    {media_mode, {}, {}, does(Action::reserved)},
});
// Codes, names and parameters are the same, but for SIMD mode 0 and the order of ld's parameters.
using enum Parameter;
constexpr auto sampler_common(std::span<const Field> f, const SamplerForm& ld) {
  using A = Action;
  const auto row = [f](uint64_t type, std::string_view name, A action, const SamplerForm& form) {
    return sampler_row(sampler(type), name, f, action, form);
  };
  return rows({
      row(0x00, "sample", A::sample, {{u, v, r, ai, mlod}, Lod::implicit}),
      row(0x01, "sample_b", A::sample, {{bias, u, v, r, ai, mlod}, Lod::biased}),
      row(0x02, "sample_l", A::sample, {{lod, u, v, r, ai}, Lod::explicit_}),
      row(0x03, "sample_c", A::sample, {{ref, u, v, r, ai, mlod}, Lod::implicit, true}),
      row(0x04, "sample_d", A::sample, {{u, dudx, dudy, v, dvdx, dvdy, r, drdx, drdy, ai, mlod}, Lod::gradients}),
      row(0x05, "sample_b_c", A::sample, {{ref, bias, u, v, r, ai, mlod}, Lod::biased, true}),
      row(0x06, "sample_l_c", A::sample, {{ref, lod, u, v, r, ai}, Lod::explicit_, true}),
      row(0x07, "ld", A::load, ld),
      row(0x08, "gather4", A::gather4, {{u, v, r, ai}}),
      row(0x09, "lod", A::query_lod, {{u, v, r, ai}, Lod::implicit}),
      row(0x0a, "resinfo", A::resinfo, {{lod}}),
      row(0x0b, "sampleinfo", A::sampleinfo, {}),
      row(0x0c, "sample killpix", A::sample, {.parameters = {u, v, r}, .lod = Lod::implicit, .kills = true}),
      row(0x10, "gather4_c", A::gather4, {{ref, u, v, r, ai}, Lod::zero, true}),
      row(0x11, "gather4_po", A::gather4, {{u, v, offu, offv, r}}),
      row(0x12, "gather4_po_c", A::gather4, {{ref, u, v, offu, offv, r}, Lod::zero, true}),
      row(0x14, "sample_d_c", A::sample,
          {{ref, u, dudx, dudy, v, dvdx, dvdy, r, drdx, drdy, ai, mlod}, Lod::gradients, true}),
      row(0x1d, "ld_mcs", A::load_mcs, {{u, v, r, lod}}),
      row(0x1e, "ld2dms", A::load_multisampled, {{si, mcs_low, u, v, r, lod}}),
      row(0x1f, "ld2dss", A::load, {{si, u, v, r}}),
  });
}
constexpr MessageRow more(uint64_t type, std::string_view name, Action action, const SamplerForm& form) {
  return sampler_row(sampler(type), name, sample_gen9, action, form);
}
constexpr std::array sampler_gen8 = join(sampler_media_rows, sampler_common(sample_gen8, {{u, lod, v, r}}));
constexpr std::array sampler_gen9 =
    join(sampler_media_rows, sampler_common(sample_gen9, {{u, v, lod, r}}),
         rows({
             more(0x16, "sample_min", Action::sample, {{u, v}, Lod::implicit, false, Footprint::minimum}),
             more(0x17, "sample_max", Action::sample, {{u, v}, Lod::implicit, false, Footprint::maximum}),
             more(0x18, "sample_lz", Action::sample, {{u, v, r, ai}}),
             more(0x19, "sample_c_lz", Action::sample, {{ref, u, v, r, ai}, Lod::zero, true}),
             more(0x1a, "ld_lz", Action::load, {{u, v, r}}),
             more(0x1c, "ld2dms_w", Action::load_multisampled, {{si, mcs_low, mcs_high, u, v, r, lod}}),
         }));

// --- message gateway
constexpr Field gateway[] = {acknowledge};
constexpr Field gateway_notify[] = {notify, acknowledge};
constexpr std::array gateway_rows = rows({
    {at(subfunction, 0), "open gateway", gateway, that_waits(Action::open_gateway)},
    {at(subfunction, 1), "close gateway", gateway, that_waits(Action::close_gateway)},
    {at(subfunction, 2), "forward message", gateway_notify, that_waits(Action::forward_message)},
    {at(subfunction, 3), "get timestamp", gateway, does(Action::get_timestamp)},
    {at(subfunction, 4), "barrier", gateway_notify, that_waits(Action::barrier)},
    {at(subfunction, 5), "update gateway state", gateway, that_waits(Action::update_gateway)},
    {at(subfunction, 6), "mmio read/write", gateway, unsupported},
});

// --- URB: 15 is the swizzle of the block messages and announces the channel masks of a SIMD8 write
constexpr Meaning swizzles[] = {{0, "noswizzle", 0}, {1, "interleaved", 1}};
constexpr Field swizzle{.name = "swizzle", .bits = {15, 15}, .text = bare, .meanings = swizzles, .role = Role::swizzle};
constexpr Field channel_masks{.name = "channel masks", .bits = {15, 15}, .text = flag, .role = Role::slot_masks};
constexpr Field per_slot_offsets{
    .name = "per-slot offsets", .bits = {17, 17}, .text = flag, .role = Role::slot_offsets};
constexpr Field urb_offset(std::string_view unit) {
  return {.name = "offset", .bits = {14, 4}, .unit = unit, .role = Role::block_offset};
}
constexpr Field urb_hword[] = {swizzle, urb_offset("hwords"), per_slot_offsets};
constexpr Field urb_oword[] = {swizzle, urb_offset("owords"), per_slot_offsets};
constexpr Field urb_dword[] = {urb_offset({})};
constexpr Field urb_simd8_write[] = {urb_offset("owords"), per_slot_offsets, channel_masks};
constexpr Field urb_simd8_read[] = {urb_offset("owords"), per_slot_offsets};
// Offsets count units; a block of OWords has one of each entry.
constexpr MessageShape urb(Action action, uint8_t unit) {
  const bool reads = action == Action::urb_block_read || action == Action::urb_simd8_read;
  return {.action = action, .unit = unit, .reads_urb = reads};
}
constexpr MessageShape urb_operation(AtomicOp op) {
  return {.action = Action::urb_atomic, .unit = 4, .operation = op, .reads_urb = true};
}
constexpr std::array urb_rows = rows({
    {at(urb_opcode, 0), "write hword", urb_hword, urb(Action::urb_block_write, 32), "MSD_UW_HWDB"},
    {at(urb_opcode, 1), "write oword", urb_oword, urb(Action::urb_block_write, 16), "MSD_UW_OWB, MSD_UW_OWDB"},
    {at(urb_opcode, 2), "read hword", urb_hword, urb(Action::urb_block_read, 32), "MSD_UR_HWDB"},
    {at(urb_opcode, 3), "read oword", urb_oword, urb(Action::urb_block_read, 16), "MSD_UR_OWDB"},
    {at(urb_opcode, 4), "atomic mov", urb_dword, urb_operation(AtomicOp::mov)},
    {at(urb_opcode, 5), "atomic inc", urb_dword, urb_operation(AtomicOp::inc)},
    {at(urb_opcode, 6), "atomic add", urb_dword, urb_operation(AtomicOp::add)},
    {at(urb_opcode, 7), "simd8 write", urb_simd8_write, urb(Action::urb_simd8_write, 16)},
    {at(urb_opcode, 8), "simd8 read", urb_simd8_read, urb(Action::urb_simd8_read, 16)},
});

// --- pixel interpolator: offsets are S0.4 fractions of a pixel
constexpr Meaning sixteenths[] = {{0, "0", 0},
                                  {1, "1/16", 1},
                                  {2, "2/16", 2},
                                  {3, "3/16", 3},
                                  {4, "4/16", 4},
                                  {5, "5/16", 5},
                                  {6, "6/16", 6},
                                  {7, "7/16", 7},
                                  {8, "-8/16", ~0u - 7},
                                  {9, "-7/16", ~0u - 6},
                                  {10, "-6/16", ~0u - 5},
                                  {11, "-5/16", ~0u - 4},
                                  {12, "-4/16", ~0u - 3},
                                  {13, "-3/16", ~0u - 2},
                                  {14, "-2/16", ~0u - 1},
                                  {15, "-1/16", ~0u}};
constexpr Field pi_simd = slots_field("simd mode", {16, 16}, sm2);
constexpr Field pi_linear{.name = "linear", .bits = {14, 14}, .text = flag, .role = Role::linear};
constexpr Field pi_x{.name = "x", .bits = {3, 0}, .text = labelled, .meanings = sixteenths, .role = Role::across};
constexpr Field pi_y{.name = "y", .bits = {7, 4}, .text = labelled, .meanings = sixteenths, .role = Role::down};
constexpr Field pi_sample{.name = "sample", .bits = {7, 4}, .role = Role::sample};
constexpr Field pi_shared[] = {pi_simd, pi_x, pi_y, pi_linear, rt_slot_group};
constexpr Field pi_indexed[] = {pi_simd, pi_sample, pi_linear, rt_slot_group};
constexpr Field pi_plain[] = {pi_simd, pi_linear, rt_slot_group};
constexpr MessageRow pixel_interpolator_rows[] = {
    {at({13, 12}, 0), "shared offset", pi_shared, does(Action::interpolate_shared_offset)},
    {at({13, 12}, 1), "sample position", pi_indexed, does(Action::interpolate_sample)},
    {at({13, 12}, 2), "centroid", pi_plain, does(Action::interpolate_centroid)},
    {at({13, 12}, 3), "per-slot offset", pi_plain, does(Action::interpolate_slot_offsets)},
};

// --- motion estimation and its refinement share one field of message types
constexpr Meaning streams[] = {{0, "no stream"}, {1, "stream out"}, {2, "stream in"}, {3, "stream in and out"}};
constexpr Field stream_mode{"stream mode", {16, 15}, option, streams};
constexpr Field vme_ime[] = {stream_mode, bts};
constexpr Field vme_plain[] = {bts};
constexpr std::array vme_rows = rows({{at({14, 13}, 2), "integer motion estimation", vme_ime, unsupported}});
constexpr std::array vme_gen9 = join(vme_rows, rows({{at({14, 13}, 0), "distortion mesh", vme_plain, unsupported}}));
constexpr MessageRow cre_rows[] = {
    {at({14, 13}, 1), "skip and intra check", vme_plain, unsupported},
    {at({14, 13}, 3), "fractional and bidirectional refinement", vme_plain, unsupported},
};

}  // namespace

constexpr MessageTables messages_gen8{
    .functions{{
        shared_function("null", no_bits, null_rows, Family::none),
        {},
        shared_function("sampler", sampler_type, sampler_gen8, Family::sampler),
        shared_function("gateway", subfunction, gateway_rows, Family::gateway),
        shared_function("sampler cache", rc_type, sampler_cache_gen8, Family::data_port),
        shared_function("render cache", rc_type, render_cache_gen8, Family::data_port),
        shared_function("urb", urb_opcode, urb_rows, Family::urb),
        shared_function("thread spawner", no_bits, spawner_rows, Family::spawner),
        shared_function("vme", no_bits, vme_rows, Family::none),
        shared_function("dcro", type5, dcro_gen8, Family::data_port),
        shared_function("dc0", type5, dc0_gen8, Family::data_port),
        shared_function("pixel interpolator", no_bits, pixel_interpolator_rows, Family::pixel_interpolator),
        shared_function("dc1", type5, dc1_gen8, Family::data_port),
        shared_function("cre", no_bits, cre_rows, Family::none),
    }},
    .barrier{.count_enable = {15, 15}, .count = {14, 9}}};

// Bindless: ExDesc[31:12] is the offset of the surface state, in 64 bytes.
constexpr MessageTables messages_gen9{
    .functions{{
        shared_function("null", no_bits, null_rows, Family::none),
        {},
        shared_function("sampler", sampler_type, sampler_gen9, Family::sampler),
        shared_function("gateway", subfunction, gateway_rows, Family::gateway),
        shared_function("dc2", no_bits, dc2_rows, Family::data_port),
        shared_function("render cache", rc_type, render_cache_gen9, Family::data_port),
        shared_function("urb", urb_opcode, urb_rows, Family::urb),
        shared_function("thread spawner", no_bits, spawner_rows, Family::spawner),
        shared_function("vme", no_bits, vme_gen9, Family::none),
        shared_function("dcro", type5, dcro_gen9, Family::data_port),
        shared_function("dc0", type5, dc0_gen9, Family::data_port),
        shared_function("pixel interpolator", no_bits, pixel_interpolator_rows, Family::pixel_interpolator),
        shared_function("dc1", type5, dc1_gen9, Family::data_port),
        shared_function("cre", no_bits, cre_rows, Family::none),
    }},
    .barrier{.id_high = {31, 31}, .count_enable = {15, 15}, .count = {14, 9}},
    .bindless{.name = "bindless", .bits = {63, 44}, .text = hex, .when = at({7, 0}, 252)},
};

}  // namespace vitro::isa
