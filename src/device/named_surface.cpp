// Finding and reading surfaces; see named_surface.h. PRM: Gen8 vol 2d RENDER_SURFACE_STATE; vol 2a XY_*.
#include "device/named_surface.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "commands/blitter_layout_tables.h"
#include "formats/format.h"
#include "gen/machine.h"
#include "memory/tiling.h"
#include "pipeline/draw.h"

namespace vitro::device {
namespace {

constexpr uint32_t blitter_type = 2;
constexpr uint64_t most_bytes = uint64_t{1} << 30;
// By Color Depth.
constexpr std::array<std::string_view, 4> blit_formats{"R8_UNORM", "B5G6R5_UNORM", "B5G5R5A1_UNORM", "B8G8R8A8_UNORM"};

Result<state::Surface> destination_of(const state::SurfaceLayout& layout, memory::View& memory, uint64_t address,
                                      bool y_tiles) {
  std::array<uint32_t, 6> packet{};
  memory.read(address, std::as_writable_bytes(std::span(packet)));
  if (packet[0] >> 29 != blitter_type) return failure(fmt::format("there is no blit at {:#x}", address));
  // All commands with a rectangle have it, and what it is in, in the same places.
  const commands::Blt blt = unpack(commands::blitter::Layouts<2>::xy_color, packet);
  const formats::Format* const format = formats::find(blit_formats[blt.depth & 3]);
  if (blt.x2 <= 0 || blt.y2 <= 0 || !format) return failure(fmt::format("the blit at {:#x} is empty", address));
  state::Surface s;
  s.rules = &layout.rules;
  s.type = state::SurfaceType::two_d;
  s.format = format->code;
  s.base = blt.destination;
  s.width_less_1 = uint32_t(blt.x2) - 1;
  s.height_less_1 = uint32_t(blt.y2) - 1;
  s.pitch_less_1 = uint32_t(blt.destination_pitch) * (blt.destination_tiled ? 4 : 1) - 1;
  s.tiled = blt.destination_tiled;
  s.tile_walk_y = y_tiles;
  s.horizontal_alignment = s.vertical_alignment = 1;
  return s;
}

}  // namespace

Result<state::Surface> named_surface(const gen::Device& device, memory::View& memory, std::string_view name) {
  const size_t at = name.find('@');
  const std::string_view kind = name.substr(0, at);
  const std::string number(at == std::string_view::npos ? "" : name.substr(at + 1));
  char* end = nullptr;
  const uint64_t address = std::strtoull(number.c_str(), &end, 0);
  if (number.empty() || *end || (kind != "surface" && kind != "blit" && kind != "blit_y"))
    return failure(fmt::format("'{}' is not surface@ADDRESS, blit@ADDRESS or blit_y@ADDRESS", name));
  const pipeline::Traits* const traits = gen::machine(device).three_d;
  if (!traits) return failure(fmt::format("unsupported: surfaces of {}", device.title));
  if (kind != "surface") return destination_of(*traits->surfaces, memory, address, kind == "blit_y");
  const state::Surface surface = state::read_surface(*traits->surfaces, memory, address);
  if (surface.is_null()) return failure(fmt::format("the surface state at {:#x} is null", address));
  return surface;
}

Result<std::vector<std::byte>> surface_bytes(memory::View& memory, const state::Surface& surface) {
  if (surface.is_buffer()) {
    if (surface.bytes() > most_bytes) return failure("that is more than 1 GiB");
    std::vector<std::byte> bytes(surface.bytes());
    memory.read(surface.base, bytes);
    return bytes;
  }
  const formats::Format* const format = formats::find(surface.format);
  if (!format) return failure(fmt::format("unsupported: format {:#x}", surface.format));
  const memory::Tiling tiling = surface.tiling();
  const memory::TileShape tile = memory::tile_shape(tiling, format->bits);
  const uint32_t rows = (surface.height() + format->block_height - 1) / format->block_height;
  const uint32_t row_bytes = (surface.width() + format->block_width - 1) / format->block_width * format->bytes();
  const uint32_t pitch = surface.pitch();
  if (row_bytes > pitch || pitch % tile.width) return failure("a row does not fit the surface's pitch");
  if (uint64_t(pitch) * (rows + tile.height) > most_bytes) return failure("that is more than 1 GiB");
  std::vector<std::byte> there(size_t(pitch) * ((rows + tile.height - 1) / tile.height * tile.height));
  memory.read(surface.base, there);
  std::vector<std::byte> out(size_t(row_bytes) * rows);
  memory::copy_from_tiled(tiling, there.data(), pitch, {.width = row_bytes, .height = rows}, out.data(), row_bytes,
                          format->bits);
  return out;
}

}  // namespace vitro::device
