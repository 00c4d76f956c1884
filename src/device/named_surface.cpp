// Finding and reading surfaces; see named_surface.h. PRM: Gen8 vol 2d RENDER_SURFACE_STATE; vol 2a XY_*.
#include "device/named_surface.h"

#include <fmt/format.h>

#include <cstdlib>
#include <iterator>
#include <optional>

#include "decode/language.h"
#include "formats/format.h"
#include "gen/machine.h"
#include "memory/tiling.h"

namespace vitro::device {
namespace {

constexpr uint64_t most_bytes = uint64_t{1} << 30;
// By Color Depth; the last two are XY_FAST_COPY_BLT's.
constexpr std::string_view blit_formats[] = {"R8_UNORM",       "B5G6R5_UNORM",       "B5G5R5A1_UNORM",
                                             "B8G8R8A8_UNORM", "R16G16B16A16_UNORM", "R32G32B32A32_FLOAT"};
// By XY_FAST_COPY_BLT's Destination Tiling Method: as RENDER_SURFACE_STATE has them.
struct Tiles {
  uint8_t tile_mode, tiled_resource_mode;
};
constexpr Tiles tiling_methods[] = {{0, 0}, {2, 0}, {3, 0}, {3, 2}};
constexpr Tiles tiles_x{2, 0}, tiles_y{3, 0}, tiles_yf{3, 1};

// Commands differ in which of the fields they have: a rectangle, or a size, or (setup commands) only where others may
// draw; tiles that are on or off, or a method.
Result<state::Surface> destination_of(const gen::Machine& machine, memory::View& memory, uint64_t address,
                                      bool y_tiles) {
  constexpr uint32_t blitter_type = 2;
  const auto header = memory.load<uint32_t>(address);
  const decode::Packet* const p = machine.commands.language().find(header, commands::Engine::copy);
  if (!p || header >> 29 != blitter_type) return failure(fmt::format("there is no blit at {:#x}", address));
  std::vector<uint32_t> packet(p->dwords);
  memory.read(address, std::as_writable_bytes(std::span(packet)));
  const auto value = [&](std::string_view name) -> std::optional<uint64_t> {
    const int f = p->find(name);
    return f < 0 ? std::nullopt : decode::value_of(p->fields[size_t(f)], packet);
  };
  const auto signed_value = [&](std::string_view name) -> std::optional<int64_t> {
    const auto v = value(name);
    return v ? std::optional<int64_t>(int16_t(*v)) : std::nullopt;
  };
  const auto base = value("Destination Base Address");
  if (!base)
    return failure(fmt::format("{} at {:#x} draws where a setup command said: name that one", p->name, address));
  const auto depth = value("Color Depth").value_or(0);
  const formats::Format* const format = depth < std::size(blit_formats) ? formats::find(blit_formats[depth]) : nullptr;
  if (!format) return failure(fmt::format("the blit at {:#x} has a reserved depth", address));
  Tiles tiles = value("Dest Tiling Enable").value_or(0) ? (y_tiles ? tiles_y : tiles_x) : tiling_methods[0];
  if (const auto method = value("Destination Tiling Method")) tiles = tiling_methods[*method & 3];
  if (tiles.tile_mode == tiles_y.tile_mode && value("Tile Y Type of Destination").value_or(0)) tiles = tiles_yf;
  const int64_t pitch = *signed_value("Destination Pitch");
  const int64_t pitch_bytes = tiles.tile_mode ? int64_t(uint16_t(pitch)) * 4 : pitch;
  if (pitch_bytes <= 0) return failure(fmt::format("unsupported: a blit with a pitch of {} bytes", pitch_bytes));
  std::optional<int64_t> width = signed_value("Destination X2 Coordinate"),
                         height = signed_value("Destination Y2 Coordinate");
  if (!width) width = signed_value("ClipRect X2 Coordinate"), height = signed_value("ClipRect Y2 Coordinate");
  if (!width) width = int64_t(*value("Destination Width") / format->bytes()), height = *value("Destination Height");
  if (*width <= 0 || *height <= 0) return failure(fmt::format("the blit at {:#x} is empty", address));
  state::Surface s;
  s.rules = &machine.surfaces.rules;
  s.type = state::SurfaceType::two_d;
  s.format = format->code;
  s.base = *base;
  s.width_less_1 = uint32_t(*width) - 1;
  s.height_less_1 = uint32_t(*height) - 1;
  s.pitch_less_1 = uint32_t(pitch_bytes) - 1;
  s.tile_mode = tiles.tile_mode, s.tiled_resource_mode = tiles.tiled_resource_mode;
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
  const gen::Machine& machine = gen::machine(device);
  if (kind != "surface") return destination_of(machine, memory, address, kind == "blit_y");
  const state::Surface surface = state::read_surface(machine.surfaces, memory, address);
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
