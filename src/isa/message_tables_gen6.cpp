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

constexpr Bits dp_type{16, 13}, dp_read_type{15, 13}, sampler_type{15, 12};
constexpr MessageMatch dp(uint64_t type) { return at(dp_type, type); }  // render cache
constexpr MessageMatch sampler(uint64_t type) { return at(sampler_type, type); }
constexpr MessageMatch media(uint64_t type) { return at({17, 16}, 3) & sampler(type); }

// --- data ports
constexpr Meaning surfaces[] = {{255, "stateless", of(AddressSpace::stateless)}};
constexpr Field surface_bti{
    .name = "bti", .bits = surface_bits, .text = surface, .meanings = surfaces, .role = Role::space};
constexpr Meaning dword_counts[] = {{2, "8 dwords", 8}, {3, "16 dwords", 16}};
constexpr Field dword_block{
    .name = "block size", .bits = {9, 8}, .text = bare, .meanings = dword_counts, .role = Role::slots};
constexpr Field write_commit{"write commit", {17, 17}, flag};
constexpr Field control{"control", {12, 8}, hex};

constexpr Field block_read[] = {oword_block, surface_bti};
constexpr Field block_write[] = {oword_block, write_commit, surface_bti};
constexpr Field dual_block_read[] = {oword_dual_block, surface_bti};
constexpr Field dual_block_write[] = {oword_dual_block, write_commit, surface_bti};
constexpr Field scattered_read[] = {dword_block, surface_bti};
constexpr Field scattered_write[] = {dword_block, write_commit, surface_bti};
constexpr Field media_block_read[] = {line_stride_override, line_stride, line_offset, bts};
constexpr Field media_block_write[] = {line_stride_override, line_stride, line_offset, write_commit, bts};
constexpr Field rt_write[] = {rt_write_subtype, rt_slot_group, rt_last, write_commit, bts};
constexpr Field vertex_buffer_write[] = {write_commit, bts};
constexpr Field undescribed_read[] = {control, bts};
constexpr Field undescribed_write[] = {control, write_commit, bts};

constexpr auto reads(Bits type) {
  return rows({{at(type, 0), "oword block read", block_read, oword_read},
               {at(type, 2), "oword dual block read", dual_block_read, dual_read},
               {at(type, 4), "media block read", media_block_read, media_read},
               {at(type, 5), "unaligned oword block read", block_read, unaligned_read},
               {at(type, 6), "dword scattered read", scattered_read, dword_read}});
}
constexpr std::array dp_read_only = reads(dp_read_type);
constexpr std::array dp_render_cache =
    join(reads(dp_type),
         rows({
             {dp(1), "render target unorm read", undescribed_read, unsupported},
             {dp(7), "dword atomic write", undescribed_write, unsupported},
             {dp(8), "oword block write", block_write, oword_write},
             {dp(9), "oword dual block write", dual_block_write, dual_write},
             {dp(10), "media block write", media_block_write, media_write},
             {dp(11), "dword scattered write", scattered_write, dword_write},
             {dp(12), "render target write", rt_write, unsupported},
             {dp(13), "streamed vertex buffer write", vertex_buffer_write, does(Action::vertex_buffer_write)},
             {dp(14), "render target unorm write", undescribed_write, unsupported},
         }));

// --- sampler
constexpr Meaning simd_modes[] = {{0, "simd4x2", 2}, {1, "simd8", 8}, {2, "simd16", 16}};
constexpr Field simd_mode{
    .name = "simd mode", .bits = {17, 16}, .text = bare, .meanings = simd_modes, .role = Role::slots};
constexpr Field sample[] = {simd_mode, bts, sampler_index};
constexpr Field sample_media[] = {bts, sampler_index};

// Coordinates first, then what a message adds.
using enum Parameter;
constexpr MessageRow row(uint64_t type, std::string_view name, Action action, const SamplerForm& form) {
  return sampler_row(sampler(type), name, sample, action, form);
}
constexpr std::array sampler_rows = rows({
    {media(0), "sample_unorm simd32/64", sample_media, unsupported},
    {media(2), "sample_unorm killpix simd32/64", sample_media, unsupported},
    {media(8), "deinterlace simd32/64", sample_media, unsupported},
    {media(11), "sample_8x8 simd32/64", sample_media, unsupported},
    {at({17, 16}, 3), {}, {}, does(Action::reserved)},
    row(0, "sample", Action::sample, {{u, v, r, ai}, Lod::implicit}),
    row(1, "sample_b", Action::sample, {{u, v, r, ai, bias}, Lod::biased}),
    row(2, "sample_l", Action::sample, {{u, v, r, ai, lod}, Lod::explicit_}),
    row(3, "sample_c", Action::sample, {{u, v, r, ai, ref}, Lod::implicit, true}),
    row(4, "sample_d", Action::sample, {{u, v, r, ai, dudx, dudy, dvdx, dvdy, drdx, drdy}, Lod::gradients}),
    row(5, "sample_b_c", Action::sample, {{u, v, r, ai, ref, bias}, Lod::biased, true}),
    row(6, "sample_l_c", Action::sample, {{u, v, r, ai, ref, lod}, Lod::explicit_, true}),
    row(7, "ld", Action::load, {{u, v, r, lod, si}}),
    row(8, "gather4", Action::gather4, {{u, v, r, ai}}),
    row(9, "lod", Action::query_lod, {{u, v, r, ai}, Lod::implicit}),
    row(10, "resinfo", Action::resinfo, {{lod}}),
    row(11, "sampleinfo", Action::sampleinfo, {}),
    row(12, "sample killpix", Action::sample, {.parameters = {u, v, r}, .lod = Lod::implicit, .kills = true}),
});

// --- message gateway: only ForwardMsg chooses its notification, a barrier always increments n0
constexpr Field gateway[] = {acknowledge};
constexpr Field gateway_forward[] = {notify, acknowledge};
constexpr std::array gateway_rows = rows({
    {at({2, 0}, 0), "open gateway", gateway, that_waits(Action::open_gateway)},
    {at({2, 0}, 1), "close gateway", gateway, that_waits(Action::close_gateway)},
    {at({2, 0}, 2), "forward message", gateway_forward, that_waits(Action::forward_message)},
    {at({2, 0}, 3), "get timestamp", gateway, does(Action::get_timestamp)},
    {at({2, 0}, 4), "barrier", gateway, that_waits(Action::barrier)},
    {at({2, 0}, 5), "update gateway state", gateway, that_waits(Action::update_gateway)},
    {at({2, 0}, 6), "mmio read/write", gateway, unsupported},
});

// --- URB: 15:12 are for the fixed functions that snoop the message
constexpr Meaning swizzles[] = {{0, "noswizzle", 0}, {1, "interleaved", 1}, {2, "transpose", 2}};
constexpr Field swizzle{.name = "swizzle", .bits = {11, 10}, .text = bare, .meanings = swizzles, .role = Role::swizzle};
constexpr Field urb_offset{.name = "offset", .bits = {9, 4}, .unit = "rows", .role = Role::block_offset};
constexpr Field flag_field(std::string_view name, uint8_t bit, Role role) {
  return {.name = name, .bits = {bit, bit}, .text = flag, .role = role};
}
constexpr Field complete = flag_field("complete", 15, Role::complete), used = flag_field("used", 14, Role::used);
constexpr Field allocate = flag_field("allocate", 13, Role::allocate);
constexpr Field composite_check = flag_field("composite check pass", 12, Role::composite_check);
constexpr Field urb_write[] = {swizzle, urb_offset, allocate, used, complete, composite_check};
constexpr Field ff_sync[] = {allocate};
constexpr std::array urb_rows = rows({
    {at({3, 0}, 0), "write", urb_write, {.action = Action::urb_write_gen6, .unit = 32, .waits = true}},
    {at({3, 0}, 1), "ff_sync", ff_sync, that_waits(Action::ff_sync)},
});

constexpr MessageRow vme_rows[] = {{any, "motion estimation", undescribed, unsupported}};

}  // namespace

constexpr MessageTables messages_gen6{
    .functions{{
        shared_function("null", no_bits, null_rows, Family::none),
        {},
        shared_function("sampler", sampler_type, sampler_rows, Family::sampler),
        shared_function("gateway", {2, 0}, gateway_rows, Family::gateway),
        shared_function("sampler cache", dp_read_type, dp_read_only, Family::data_port),
        shared_function("render cache", dp_type, dp_render_cache, Family::data_port),
        shared_function("urb", {3, 0}, urb_rows, Family::urb),
        shared_function("thread spawner", no_bits, spawner_rows, Family::spawner),
        shared_function("vme", no_bits, vme_rows, Family::none),
        shared_function("constant cache", dp_read_type, dp_read_only, Family::data_port),
    }},
    // Gen6 mentions a Barrier Count Enable but says that all bits that could hold it are ignored.
    .barrier{.offset = {23, 16}, .even_offsets = true}};

}  // namespace vitro::isa
