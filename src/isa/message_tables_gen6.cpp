// Messages of Gen6 (Sandy Bridge). Three data ports, one per cache, share one numbering of message types; only the
// render cache takes writes, and only it has a fourth bit of type: the others ignore 18:16, and kernels set them.
// Extended math is an instruction, SFID 1 is reserved. PRM: vol 4 part 2 table 8-16 (SFIDs), section 1 (GW-02), section
// 2 (URB-04). Sampler and data port types are in another volume: they are as Mesa's compiler emits and names them.
// Message control of the UNORM and atomic data port messages and all of VME is not described there and shown as it
// stands.
#include "isa/message_fields.h"

namespace vitro::isa {
namespace {

using namespace fields;

constexpr MessageMatch dp(uint64_t type) { return at({16, 13}, type); }       // render cache
constexpr MessageMatch dp_read(uint64_t type) { return at({15, 13}, type); }  // sampler and constant cache
constexpr MessageMatch sampler(uint64_t type) { return at({15, 12}, type); }
constexpr MessageMatch media(uint64_t type) { return at({17, 16}, 3) & sampler(type); }

// --- data ports
constexpr Meaning surfaces[] = {{255, "stateless"}};
constexpr Field surface_bti{"bti", {7, 0}, surface, surfaces};
constexpr Meaning dword_counts[] = {{2, "8 dwords"}, {3, "16 dwords"}};
constexpr Field dword_block{"block size", {9, 8}, bare, dword_counts};
constexpr Field write_commit{"write commit", {17, 17}, flag};
constexpr Field control{"control", {12, 8}, hex};

constexpr Field block_read[] = {oword_block, surface_bti};
constexpr Field block_write[] = {oword_block, write_commit, surface_bti};
constexpr Field dual_read[] = {oword_dual_block, surface_bti};
constexpr Field dual_write[] = {oword_dual_block, write_commit, surface_bti};
constexpr Field scattered_read[] = {dword_block, surface_bti};
constexpr Field scattered_write[] = {dword_block, write_commit, surface_bti};
constexpr Field media_read[] = {line_stride_override, line_stride, line_offset, bts};
constexpr Field media_write[] = {line_stride_override, line_stride, line_offset, write_commit, bts};
constexpr Field rt_write[] = {rt_write_subtype, rt_slot_group, rt_last, write_commit, bts};
constexpr Field vertex_buffer_write[] = {write_commit, bts};
constexpr Field undescribed_read[] = {control, bts};
constexpr Field undescribed_write[] = {control, write_commit, bts};

constexpr std::array<MessageRow, 5> reads(MessageMatch (*type)(uint64_t)) {
  return {{{type(0), "oword block read", block_read},
           {type(2), "oword dual block read", dual_read},
           {type(4), "media block read", media_read},
           {type(5), "unaligned oword block read", block_read},
           {type(6), "dword scattered read", scattered_read}}};
}
constexpr auto dp_reads = reads(dp), dp_read_only = reads(dp_read);
constexpr MessageRow dp_render_cache[] = {
    {dp(1), "render target unorm read", undescribed_read},
    {dp(7), "dword atomic write", undescribed_write},
    {dp(8), "oword block write", block_write},
    {dp(9), "oword dual block write", dual_write},
    {dp(10), "media block write", media_write},
    {dp(11), "dword scattered write", scattered_write},
    {dp(12), "render target write", rt_write},
    {dp(13), "streamed vertex buffer write", vertex_buffer_write},
    {dp(14), "render target unorm write", undescribed_write},
};

// --- sampler
constexpr Meaning simd_modes[] = {{0, "simd4x2"}, {1, "simd8"}, {2, "simd16"}};
constexpr Field simd_mode{"simd mode", {17, 16}, bare, simd_modes};
constexpr Field sample[] = {simd_mode, bts, sampler_index};
constexpr Field sample_media[] = {bts, sampler_index};

constexpr MessageRow sampler_rows[] = {
    {media(0), "sample_unorm simd32/64", sample_media},
    {media(2), "sample_unorm killpix simd32/64", sample_media},
    {media(8), "deinterlace simd32/64", sample_media},
    {media(11), "sample_8x8 simd32/64", sample_media},
    {at({17, 16}, 3), {}, {}},
    {sampler(0), "sample", sample},
    {sampler(1), "sample_b", sample},
    {sampler(2), "sample_l", sample},
    {sampler(3), "sample_c", sample},
    {sampler(4), "sample_d", sample},
    {sampler(5), "sample_b_c", sample},
    {sampler(6), "sample_l_c", sample},
    {sampler(7), "ld", sample},
    {sampler(8), "gather4", sample},
    {sampler(9), "lod", sample},
    {sampler(10), "resinfo", sample},
    {sampler(11), "sampleinfo", sample},
    {sampler(12), "sample killpix", sample},
};

// --- message gateway: only ForwardMsg chooses its notification, a barrier always increments n0
constexpr Field acknowledge{"acknowledge", {14, 14}, flag};
constexpr Field gateway[] = {acknowledge};
constexpr Field gateway_forward[] = {notify, acknowledge};
constexpr MessageRow gateway_rows[] = {
    {at({2, 0}, 0), "open gateway", gateway},
    {at({2, 0}, 1), "close gateway", gateway},
    {at({2, 0}, 2), "forward message", gateway_forward},
    {at({2, 0}, 3), "get timestamp", gateway},
    {at({2, 0}, 4), "barrier", gateway},
    {at({2, 0}, 5), "update gateway state", gateway},
    {at({2, 0}, 6), "mmio read/write", gateway},
};

// --- URB: 15:12 are for the fixed functions that snoop the message
constexpr Meaning swizzles[] = {{0, "noswizzle"}, {1, "interleaved"}, {2, "transpose"}};
constexpr Field swizzle{"swizzle", {11, 10}, bare, swizzles};
constexpr Field urb_offset{.name = "offset", .bits = {9, 4}, .unit = "rows"};
constexpr Field complete{"complete", {15, 15}, flag};
constexpr Field used{"used", {14, 14}, flag};
constexpr Field allocate{"allocate", {13, 13}, flag};
constexpr Field composite_check{"composite check pass", {12, 12}, flag};
constexpr Field urb_write[] = {swizzle, urb_offset, allocate, used, complete, composite_check};
constexpr Field ff_sync[] = {allocate};
constexpr MessageRow urb_rows[] = {
    {at({3, 0}, 0), "write", urb_write},
    {at({3, 0}, 1), "ff_sync", ff_sync},
};

constexpr MessageRow vme_rows[] = {{any, "motion estimation", undescribed}};

}  // namespace

constexpr MessageTables messages_gen6{.functions{{
    {"null", {null_rows}},
    {},
    {"sampler", {sampler_rows}},
    {"gateway", {gateway_rows}},
    {"sampler cache", {dp_read_only}},
    {"render cache", {dp_reads, dp_render_cache}},
    {"urb", {urb_rows}},
    {"thread spawner", {spawner_rows}},
    {"vme", {vme_rows}},
    {"constant cache", {dp_read_only}},
}}};

}  // namespace vitro::isa
