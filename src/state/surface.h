// RENDER_SURFACE_STATE: what a surface is made of, found through the binding table or, on Gen9, through a bindless
// handle. PRM: Gen8 vol 2d RENDER_SURFACE_STATE, BINDING_TABLE_STATE; the extended descriptor of Gen9.
// A Surface holds the fields as the structure stores them (several less one), and says in functions what they mean;
// where generations mean different things by the same field, SurfaceRules says so.
// Not modelled: caching and coherency (MOCS, L2 bypass), and the planes of YUV surfaces beyond their fields.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "memory/tiling.h"
#include "memory/view.h"
#include "state/bases.h"
#include "state/reads.h"

namespace vitro::state {

enum class SurfaceType : uint8_t { one_d, two_d, three_d, cube, buffer, structured_buffer, reserved, null };
using TileMode = memory::Tiling;
enum class ChannelSelect : uint8_t { zero = 0, one = 1, red = 4, green = 5, blue = 6, alpha = 7 };
// MCS of multisampled surfaces is `ccs_d`, too: the codes are the same.
enum class AuxMode : uint8_t { none = 0, ccs_d = 1, append = 2, hiz = 3, ccs_e = 5 };
enum class MultisampleStorage : uint8_t { samples_in_slices, interleaved };  // MSFMT_MSS, MSFMT_DEPTH_STENCIL

inline constexpr uint16_t format_raw = 0x1FF;

// What a generation means by its fields.
struct SurfaceRules {
  uint8_t dwords = 16;
  uint32_t offset_mask = ~63u;      // of a surface's offset in a binding table entry
  uint8_t buffer_height_bits = 14;  // of a buffer's number of entries stand in Height, above the 7 in Width
  uint8_t y_offset_rows = 4;        // one unit of Y Offset
  bool has_array_bit = true;        // else a Depth above one makes an array
  bool has_qpitch = true;           // else it follows from the alignments
  bool has_channel_selects = true;  // else channels are as the format has them
  bool element_units = false;       // alignments and QPitch count elements (blocks of compressed formats), not pixels
  bool volumes_are_arrays = false;  // slices of 3D surfaces lie QPitch apart; else each level has its own row of slices
  bool linear_1d_in_one_row = false;  // the levels of a linear 1D surface lie side by side, QPitch counts pixels
  bool clear_colour_is_bits = false;  // one bit for each channel, 0 or 1; else 32-bit values
  bool always_interleaved = false;    // multisampling knows one storage format
};

struct Surface {
  const SurfaceRules* rules = nullptr;  // null: not decoded from anything

  SurfaceType type = SurfaceType::null;
  uint16_t format = 0;  // Surface Format
  bool array = false;   // Surface Array
  uint64_t base = 0;    // Surface Base Address
  uint32_t width_less_1 = 0, height_less_1 = 0, depth_less_1 = 0, pitch_less_1 = 0;
  uint8_t tile_mode = 0, tiled_resource_mode = 0;  // as tile_mode() resolves
  bool tiled = false, tile_walk_y = false;         // Gen6 instead of tile_mode
  uint8_t horizontal_alignment = 0, vertical_alignment = 0;
  uint16_t qpitch_field = 0;

  uint8_t cube_faces = 0;  // enables: +z, -z, +y, -y, +x, -x from bit 0
  uint8_t cube_corner_mode = 0, media_boundary_pixel_mode = 0;
  bool read_write_cache = false, sampler_l2_bypass_disable = false, mip_layout_right = false;
  bool vertical_line_stride = false, vertical_line_stride_offset = false;
  bool data_return_format = false;
  uint8_t mocs = 0;

  uint8_t base_mip_level = 0;  // U4.1
  uint8_t mip_count = 0;       // MIP Count / LOD: levels less one; of a render target, the level
  uint8_t min_lod = 0, mip_tail_start_lod = 0;
  uint16_t resource_min_lod = 0;  // U4.8
  uint16_t min_array_element = 0, view_extent_less_1 = 0;
  uint8_t log2_samples = 0, multisample_palette_index = 0;
  MultisampleStorage multisample_storage = MultisampleStorage::samples_in_slices;
  uint8_t rotation = 0;
  uint8_t x_offset_field = 0, y_offset_field = 0;
  bool coherent = false, ewa_disable_for_cube = false;

  AuxMode aux_mode = AuxMode::none;
  uint16_t aux_pitch_less_1 = 0, aux_qpitch_field = 0;
  uint64_t aux_base = 0;  // also the append counter's address
  bool separate_uv_plane = false;
  uint8_t quilt_width = 0, quilt_height = 0;
  bool memory_compression = false, memory_compression_vertical = false;

  ChannelSelect red_select = ChannelSelect::red, green_select = ChannelSelect::green, blue_select = ChannelSelect::blue,
                alpha_select = ChannelSelect::alpha;
  uint32_t red_clear = 0, green_clear = 0, blue_clear = 0, alpha_clear = 0;

  bool is_null() const { return type == SurfaceType::null || !rules; }
  bool is_buffer() const { return type == SurfaceType::buffer || type == SurfaceType::structured_buffer; }
  // In pixels, at level 0; of a buffer see entries().
  uint32_t width() const { return width_less_1 + 1; }
  uint32_t height() const { return height_less_1 + 1; }
  // Of a 3D surface; layers of an array; cubes of a cube array.
  uint32_t depth() const { return depth_less_1 + 1; }
  uint32_t pitch() const { return pitch_less_1 + 1; }  // bytes; W tiles: twice the logical pitch
  bool is_array() const { return rules && !rules->has_array_bit ? depth_less_1 > 0 : array; }
  // Of the view as a target; a layer beyond is the first one.
  uint32_t target_slices() const {
    return type == SurfaceType::three_d || type == SurfaceType::cube || is_array() ? view_extent_less_1 + 1u : 1;
  }
  uint32_t layers() const { return is_array() || type == SurfaceType::cube ? depth() : 1; }
  uint32_t samples() const { return 1u << log2_samples; }
  bool interleaved_samples() const {
    return log2_samples > 0 && ((rules && rules->always_interleaved) ||  //
                                multisample_storage == MultisampleStorage::interleaved);
  }
  uint32_t levels() const { return mip_count + 1u; }
  // Rows between slices; see SurfaceRules for what they count. 0 where there is no such field.
  uint32_t qpitch() const { return uint32_t(qpitch_field) << 2; }
  uint32_t aux_qpitch() const { return uint32_t(aux_qpitch_field) << 2; }
  uint32_t aux_pitch() const { return (aux_pitch_less_1 + 1u) * 128; }
  uint32_t x_offset() const { return x_offset_field * 4u; }                                          // pixels
  uint32_t y_offset() const { return y_offset_field * uint32_t(rules ? rules->y_offset_rows : 4); }  // rows
  // In pixels or elements, as the rules say.
  uint32_t halign() const;
  uint32_t valign() const;
  TileMode tiling() const;
  bool is_tiled() const { return tiling() != TileMode::linear; }
  // Entries of a buffer, structures of a structured one.
  uint64_t entries() const;
  // How far accesses go that see the surface as bytes from its base on.
  uint64_t bytes() const;
  std::array<ChannelSelect, 4> selects() const { return {red_select, green_select, blue_select, alpha_select}; }
  std::array<uint32_t, 4> clear_colour() const { return {red_clear, green_clear, blue_clear, alpha_clear}; }
};

// Where the chroma planes of a YUV surface start: the same dwords as auxiliary surface and its address.
struct SurfacePlanes {
  uint16_t u_x = 0, u_y = 0, v_x = 0, v_y = 0;
};

inline constexpr int surface_dwords = 16;  // of the longest

// A generation's encoding.
struct SurfaceLayout {
  SurfaceRules rules;
  Surface (*decode)(std::span<const uint32_t>) = nullptr;
  void (*encode)(const Surface&, std::span<uint32_t>) = nullptr;
};
extern const SurfaceLayout surface_gen6, surface_gen8, surface_gen9;

SurfacePlanes planes_of(std::span<const uint32_t> surface_state);

// The surface state at an address. Here and below, what is read is noted in `reads`.
Surface read_surface(const SurfaceLayout&, memory::View&, uint64_t address, Reads* reads = nullptr);
// Through a binding table that starts at an offset from the surface state base. Out of the base's bounds: null.
Surface read_bound_surface(const SurfaceLayout&, memory::View&, const Bases&, uint32_t binding_table, unsigned index,
                           Reads* reads = nullptr);
// Gen9: ExDesc[31:12] is the offset from the bindless base in 64 bytes.
Surface read_bindless_surface(const SurfaceLayout&, memory::View&, const Bases&, uint32_t ex_desc,
                              Reads* reads = nullptr);

}  // namespace vitro::state
