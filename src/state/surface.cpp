// The layouts of RENDER_SURFACE_STATE, and the ways to one. PRM: Gen8 vol 2d RENDER_SURFACE_STATE; for Gen6 and Gen9
// the fields as Mesa's descriptions of the hardware have them.
#include "state/surface.h"

#include "base/packet.h"
#include "state/descriptions.h"

namespace vitro::state {
namespace {

using S = Surface;

constexpr auto gen6_layout =
    object_layout<S>("RENDER_SURFACE_STATE", 6,                                                                //
                     field("Cube Face Enables", dw(0, 5, 0), &S::cube_faces),                                  //
                     field("Media Boundary Pixel Mode", dw(0, 7, 6), &S::media_boundary_pixel_mode),           //
                     field("Render Cache Read Write Mode", dw(0, 8), &S::read_write_cache),                    //
                     field("Cube Map Corner Mode", dw(0, 9), &S::cube_corner_mode),                            //
                     field("MIP Map Layout Mode", dw(0, 10), &S::mip_layout_right),                            //
                     field("Vertical Line Stride Offset", dw(0, 11), &S::vertical_line_stride_offset),         //
                     field("Vertical Line Stride", dw(0, 12), &S::vertical_line_stride),                       //
                     field("Surface Format", dw(0, 26, 18), &S::format),                                       //
                     field("Data Return Format", dw(0, 27), &S::data_return_format),                           //
                     field("Surface Type", dw(0, 31, 29), &S::type),                                           //
                     field("Surface Base Address", dw(1, 31, 0), &S::base),                                    //
                     field("Render Target Rotation", dw(2, 1, 0), &S::rotation),                               //
                     field("MIP Count / LOD", dw(2, 5, 2), &S::mip_count),                                     //
                     field("Width", dw(2, 18, 6), &S::width_less_1),                                           //
                     field("Height", dw(2, 31, 19), &S::height_less_1),                                        //
                     field("Tile Walk", dw(3, 0), &S::tile_walk_y),                                            //
                     field("Tiled Surface", dw(3, 1), &S::tiled),                                              //
                     field("Surface Pitch", dw(3, 19, 3), &S::pitch_less_1),                                   //
                     field("Depth", dw(3, 31, 21), &S::depth_less_1),                                          //
                     field("Multisample Position Palette Index", dw(4, 2, 0), &S::multisample_palette_index),  //
                     field("Number of Multisamples", dw(4, 6, 4), &S::log2_samples),                           //
                     field("Render Target View Extent", dw(4, 16, 8), &S::view_extent_less_1),                 //
                     field("Minimum Array Element", dw(4, 27, 17), &S::min_array_element),                     //
                     field("Surface Min LOD", dw(4, 31, 28), &S::min_lod),                                     //
                     field("MOCS", dw(5, 19, 16), &S::mocs),                                                   //
                     field("Y Offset", dw(5, 23, 20), &S::y_offset_field),                                     //
                     field("Surface Vertical Alignment", dw(5, 24), &S::vertical_alignment),                   //
                     field("X Offset", dw(5, 31, 25), &S::x_offset_field));

// What Gen8 and Gen9 have in common; each adds its own fields.
template <class... F>
constexpr auto gen8_layout_with(PacketBits format, F... more) {
  return object_layout<S>("RENDER_SURFACE_STATE", 16,                                                               //
                          field("Cube Face Enables", dw(0, 5, 0), &S::cube_faces),                                  //
                          field("Media Boundary Pixel Mode", dw(0, 7, 6), &S::media_boundary_pixel_mode),           //
                          field("Render Cache Read Write Mode", dw(0, 8), &S::read_write_cache),                    //
                          field("Sampler L2 Bypass Mode Disable", dw(0, 9), &S::sampler_l2_bypass_disable),         //
                          field("Vertical Line Stride Offset", dw(0, 10), &S::vertical_line_stride_offset),         //
                          field("Vertical Line Stride", dw(0, 11), &S::vertical_line_stride),                       //
                          field("Tile Mode", dw(0, 13, 12), &S::tile_mode),                                         //
                          field("Surface Horizontal Alignment", dw(0, 15, 14), &S::horizontal_alignment),           //
                          field("Surface Vertical Alignment", dw(0, 17, 16), &S::vertical_alignment),               //
                          field("Surface Format", format, &S::format),                                              //
                          field("Surface Array", dw(0, 28), &S::array),                                             //
                          field("Surface Type", dw(0, 31, 29), &S::type),                                           //
                          field("Surface QPitch", dw(1, 14, 0), &S::qpitch_field),                                  //
                          field("Base Mip Level", dw(1, 23, 19), &S::base_mip_level),                               //
                          field("MOCS", dw(1, 30, 24), &S::mocs),                                                   //
                          field("Width", dw(2, 13, 0), &S::width_less_1),                                           //
                          field("Height", dw(2, 29, 16), &S::height_less_1),                                        //
                          field("Surface Pitch", dw(3, 17, 0), &S::pitch_less_1),                                   //
                          field("Depth", dw(3, 31, 21), &S::depth_less_1),                                          //
                          field("Multisample Position Palette Index", dw(4, 2, 0), &S::multisample_palette_index),  //
                          field("Number of Multisamples", dw(4, 5, 3), &S::log2_samples),                           //
                          field("Multisampled Surface Storage Format", dw(4, 6), &S::multisample_storage),          //
                          field("Render Target View Extent", dw(4, 17, 7), &S::view_extent_less_1),                 //
                          field("Minimum Array Element", dw(4, 28, 18), &S::min_array_element),                     //
                          field("Render Target And Sample Unorm Rotation", dw(4, 30, 29), &S::rotation),            //
                          field("MIP Count / LOD", dw(5, 3, 0), &S::mip_count),                                     //
                          field("Surface Min LOD", dw(5, 7, 4), &S::min_lod),                                       //
                          field("Coherency Type", dw(5, 14), &S::coherent),                                         //
                          field("EWA Disable For Cube", dw(5, 20), &S::ewa_disable_for_cube),                       //
                          field("Y Offset", dw(5, 23, 21), &S::y_offset_field),                                     //
                          field("X Offset", dw(5, 31, 25), &S::x_offset_field),                                     //
                          field("Auxiliary Surface Mode", dw(6, 2, 0), &S::aux_mode),                               //
                          field("Auxiliary Surface Pitch", dw(6, 11, 3), &S::aux_pitch_less_1),                     //
                          field("Auxiliary Surface QPitch", dw(6, 30, 16), &S::aux_qpitch_field),                   //
                          field("Separate UV Plane Enable", dw(6, 31), &S::separate_uv_plane),                      //
                          field("Resource Min LOD", dw(7, 11, 0), &S::resource_min_lod),                            //
                          field("Shader Channel Select Alpha", dw(7, 18, 16), &S::alpha_select),                    //
                          field("Shader Channel Select Blue", dw(7, 21, 19), &S::blue_select),                      //
                          field("Shader Channel Select Green", dw(7, 24, 22), &S::green_select),                    //
                          field("Shader Channel Select Red", dw(7, 27, 25), &S::red_select),                        //
                          field("Surface Base Address", address(8, 0, 64), &S::base),                               //
                          field("Auxiliary Surface Base Address", address(10, 12, 64), &S::aux_base), more...);
}
constexpr auto gen8_layout = gen8_layout_with(dw(0, 26, 18),                                           //
                                              field("Alpha Clear Color", dw(7, 28), &S::alpha_clear),  //
                                              field("Blue Clear Color", dw(7, 29), &S::blue_clear),    //
                                              field("Green Clear Color", dw(7, 30), &S::green_clear),  //
                                              field("Red Clear Color", dw(7, 31), &S::red_clear));
constexpr auto gen9_layout =
    gen8_layout_with(dw(0, 27, 18),                                                         //
                     field("Mip Tail Start LOD", dw(5, 11, 8), &S::mip_tail_start_lod),     //
                     field("Tiled Resource Mode", dw(5, 19, 18), &S::tiled_resource_mode),  //
                     field("Memory Compression Enable", dw(7, 30), &S::memory_compression),
                     field("Memory Compression Mode", dw(7, 31), &S::memory_compression_vertical),
                     field("Quilt Width", dw(10, 4, 0), &S::quilt_width),         //
                     field("Quilt Height", dw(10, 9, 5), &S::quilt_height),       //
                     field("Red Clear Color", dw(12, 31, 0), &S::red_clear),      //
                     field("Green Clear Color", dw(13, 31, 0), &S::green_clear),  //
                     field("Blue Clear Color", dw(14, 31, 0), &S::blue_clear),    //
                     field("Alpha Clear Color", dw(15, 31, 0), &S::alpha_clear));
static_assert(well_formed(gen6_layout) && well_formed(gen8_layout) && well_formed(gen9_layout));

using P = SurfacePlanes;
constexpr auto planes_layout = object_layout<P>("RENDER_SURFACE_STATE planes", 16,                           //
                                                field("Y Offset for U or UV Plane", dw(6, 13, 0), &P::u_y),  //
                                                field("X Offset for U or UV Plane", dw(6, 29, 16), &P::u_x),
                                                field("Y Offset for V Plane", dw(11, 13, 0), &P::v_y),
                                                field("X Offset for V Plane", dw(11, 29, 16), &P::v_x));
static_assert(well_formed(planes_layout));

template <const auto& layout, const SurfaceLayout& generation>
Surface decode(std::span<const uint32_t> packet) {
  Surface s = unpack(layout, packet);
  s.rules = &generation.rules;
  return s;
}
template <const auto& layout>
void encode(const Surface& s, std::span<uint32_t> packet) {
  pack(layout, s, packet);
}

constexpr uint64_t entry_bytes = 4;

bool inside(const Base& base, uint64_t offset, uint64_t bytes) {
  return offset <= base.bytes && bytes <= base.bytes - offset;
}

}  // namespace

constinit const SurfaceLayout surface_gen6{.rules{.dwords = 6,
                                                  .offset_mask = ~31u,
                                                  .buffer_height_bits = 13,
                                                  .y_offset_rows = 2,
                                                  .has_array_bit = false,
                                                  .has_qpitch = false,
                                                  .has_channel_selects = false,
                                                  .always_interleaved = true},
                                           .decode = decode<gen6_layout, surface_gen6>,
                                           .encode = encode<gen6_layout>};
constinit const SurfaceLayout surface_gen8{
    .rules{.clear_colour_is_bits = true}, .decode = decode<gen8_layout, surface_gen8>, .encode = encode<gen8_layout>};
constinit const SurfaceLayout surface_gen9{
    .rules{.element_units = true, .volumes_are_arrays = true, .linear_1d_in_one_row = true},
    .decode = decode<gen9_layout, surface_gen9>,
    .encode = encode<gen9_layout>};

const PacketDescription& describe_surface_gen6() { return description_of<gen6_layout>; }
const PacketDescription& describe_surface_gen8() { return description_of<gen8_layout>; }
const PacketDescription& describe_surface_gen9() { return description_of<gen9_layout>; }
const PacketDescription& describe_surface_planes() { return description_of<planes_layout>; }

uint32_t Surface::halign() const {
  return rules && !rules->has_qpitch ? 4 : 2u << (horizontal_alignment ? horizontal_alignment : 1);
}
uint32_t Surface::valign() const {
  if (rules && !rules->has_qpitch) return vertical_alignment ? 4 : 2;
  return 2u << (vertical_alignment ? vertical_alignment : 1);
}

TileMode Surface::tiling() const {
  if (tiled) return tile_walk_y ? TileMode::y : TileMode::x;
  static constexpr TileMode modes[] = {TileMode::linear, TileMode::w, TileMode::x, TileMode::y};
  const TileMode m = modes[tile_mode & 3];
  if (m != TileMode::y) return m;
  return tiled_resource_mode == 1 ? TileMode::yf : tiled_resource_mode == 2 ? TileMode::ys : m;
}

uint64_t Surface::entries() const {
  const unsigned height_bits = rules ? rules->buffer_height_bits : 14;
  return ((width_less_1 & 127) | uint64_t(height_less_1) << 7 | uint64_t(depth_less_1) << (7 + height_bits)) + 1;
}

uint64_t Surface::bytes() const {
  if (is_null()) return 0;
  if (is_buffer()) return entries() * (format == format_raw && type == SurfaceType::buffer ? 1 : pitch());
  if (type == SurfaceType::three_d && !rules->volumes_are_arrays) return uint64_t(pitch()) * height() * depth();
  const uint64_t slices = type == SurfaceType::cube      ? 6ull * depth()
                          : type == SurfaceType::three_d ? depth()
                                                         : layers();
  const uint64_t rows = slices > 1 ? (slices - 1) * (qpitch() ? qpitch() : height()) + height() : height();
  return uint64_t(pitch()) * rows;
}

SurfacePlanes planes_of(std::span<const uint32_t> surface_state) { return unpack(planes_layout, surface_state); }

Surface read_surface(const SurfaceLayout& layout, memory::View& memory, uint64_t address, Reads* reads) {
  std::array<uint32_t, surface_dwords> packet{};
  const auto used = std::span(packet).first(layout.rules.dwords);
  memory.read(address, std::as_writable_bytes(used));
  if (reads) reads->note(memory, address, std::as_bytes(used));
  return layout.decode(used);
}

Surface read_bound_surface(const SurfaceLayout& layout, memory::View& memory, const Bases& bases,
                           uint32_t binding_table, unsigned index, Reads* reads) {
  const uint64_t at = binding_table + uint64_t(index) * entry_bytes;
  if (!inside(bases.surface, at, entry_bytes)) return {};
  const uint32_t entry = memory.load<uint32_t>(bases.surface.address + at);
  if (reads) reads->note(memory, bases.surface.address + at, std::as_bytes(std::span(&entry, 1)));
  const uint32_t offset = entry & layout.rules.offset_mask;
  if (!inside(bases.surface, offset, layout.rules.dwords * 4u)) return {};
  return read_surface(layout, memory, bases.surface.address + offset, reads);
}

Surface read_bindless_surface(const SurfaceLayout& layout, memory::View& memory, const Bases& bases, uint32_t ex_desc,
                              Reads* reads) {
  const uint64_t offset = uint64_t(ex_desc >> 12) * 64;
  if (!inside(bases.bindless_surface, offset, layout.rules.dwords * 4u)) return {};
  return read_surface(layout, memory, bases.bindless_surface.address + offset, reads);
}

}  // namespace vitro::state
