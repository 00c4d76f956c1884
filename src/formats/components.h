// Which components the texels of a format have, and of which kind: of compressed formats, too, whose rows in the table
// have no channels. PRM: SURFACE_FORMAT. Border colours and what is read outside of a surface need it.
#pragma once

#include <string_view>

#include "formats/format.h"

namespace vitro::formats {

struct Components {
  uint8_t mask = 0;  // red from bit 0
  Kind kind = Kind::pad;
};

struct CompressedComponents {
  std::string_view name;  // how those of the formats begin
  Components components;
};
inline constexpr uint8_t only_r = 1, only_rg = 3, only_rgb = 7, all_rgba = 15;
// The first that fits counts.
inline constexpr CompressedComponents compressed_components[] = {
    {"BC4_UNORM", {only_r, Kind::unorm}},
    {"BC4_SNORM", {only_r, Kind::snorm}},
    {"BC5_UNORM", {only_rg, Kind::unorm}},
    {"BC5_SNORM", {only_rg, Kind::snorm}},
    {"BC6H_SF16", {only_rgb, Kind::sfloat}},
    {"BC6H_UF16", {only_rgb, Kind::ufloat}},
    {"BC", {all_rgba, Kind::unorm}},
    {"DXT1_RGB", {only_rgb, Kind::unorm}},
    {"EAC_R11", {only_r, Kind::unorm}},
    {"EAC_RG11", {only_rg, Kind::unorm}},
    {"EAC_SIGNED_R11", {only_r, Kind::snorm}},
    {"EAC_SIGNED_RG11", {only_rg, Kind::snorm}},
    {"ETC2_RGB8_PTA", {all_rgba, Kind::unorm}},
    {"ETC2_SRGB8_PTA", {all_rgba, Kind::unorm}},
    {"ETC2_EAC", {all_rgba, Kind::unorm}},
    {"ETC", {only_rgb, Kind::unorm}},
    {"ASTC_HDR", {all_rgba, Kind::sfloat}},
    {"ASTC", {all_rgba, Kind::unorm}},
    {"FXT1", {all_rgba, Kind::unorm}},
};

// Of a format without channels; none if it is not compressed.
inline Components compressed_components_of(const Format& f) {
  for (const CompressedComponents& c : compressed_components)
    if (f.name.starts_with(c.name)) return c.components;
  return {};
}

}  // namespace vitro::formats
