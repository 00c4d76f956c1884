// Finding and reading surfaces; see named_surface.h. PRM: Gen8 vol 2d RENDER_SURFACE_STATE; vol 2a XY_*.
#include "device/named_surface.h"

#include <fmt/format.h>

#include <cstdlib>
#include <iterator>
#include <optional>

#include "decode/language.h"
#include "device/picture.h"
#include "formats/format.h"
#include "gen/machine.h"
#include "registers/file.h"
#include "shared/dataport/target.h"

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

// What the fields of an operand are called. Commands differ in which they have: a rectangle, or a size, or (setup
// commands) only where others may draw; tiles that are on or off, or a method.
struct OperandFields {
  std::string_view base, pitch, tiled, tiling, y_type;
};
constexpr OperandFields destination_fields{"Destination Base Address", "Destination Pitch", "Dest Tiling Enable",
                                           "Destination Tiling Method", "Tile Y Type of Destination"};
constexpr OperandFields source_fields{"Source Base Address", "Source Pitch", "Src Tiling Enable",
                                      "Source Tiling Method", "Tile Y Type of Source"};

// Of 3DPRIMITIVE and 3DSTATE_DEPTH_BUFFER.
constexpr uint32_t opcode = 0xFFFF0000, primitive = 0x7B000000, depth_buffer = 0x78050000;

struct Kind {
  std::string_view name;
  NameKind kind;
};
constexpr Kind kinds[] = {{"surface", NameKind::surface},
                          {"blit", NameKind::blit},
                          {"blit_source", NameKind::blit_source},
                          {"depth", NameKind::depth},
                          {"stencil", NameKind::stencil}};

}  // namespace

Result<SurfaceName> parse_surface_name(std::string_view text) {
  const size_t at = text.find('@');
  const std::string number(at == std::string_view::npos ? "" : text.substr(at + 1));
  char* end = nullptr;
  const uint64_t address = std::strtoull(number.c_str(), &end, 0);
  for (const Kind& k : kinds)
    if (!number.empty() && !*end && text.substr(0, at) == k.name)
      return SurfaceName{k.kind, memory::from_canonical(address)};
  return failure(
      fmt::format("'{}' is not surface@, blit@, blit_source@, depth@ or stencil@ with an address behind", text));
}

void NamedSurface::command(const Device& device, Context& context, Engine engine, uint64_t address,
                           std::span<const uint32_t> packet) {
  // The next draw has all of it. Where a clear was what it was for, that of the next draw comes first.
  const uint32_t header = packet[0] & opcode;
  if (waits_ && (header == primitive || header == depth_buffer)) end(device, context);
  if (memory::from_canonical(address) != name_.address) return;
  ran_ = true;
  swctrl_ = device.register_value(context, engine, registers::mmio::bcs_swctrl);
  waits_ = name_.kind == NameKind::depth || name_.kind == NameKind::stencil;
}

void NamedSurface::end(const Device& device, Context& context) {
  if (!waits_) return;
  waits_ = false;
  depth_ = device.depth_surface(context, name_.kind == NameKind::stencil);
}

Result<state::Surface> NamedSurface::find(const gen::Device& device, memory::View& memory) const {
  if (name_.kind == NameKind::surface) {
    const state::SurfaceLayout& layout = gen::machine(device).surfaces;
    if (!memory.at(name_.address, uint64_t{4} * layout.rules.dwords, memory::Access::read))
      return failure(fmt::format("there is no memory for a surface state at {:#x}", name_.address));
    const state::Surface surface = state::read_surface(layout, memory, name_.address);
    if (surface.is_null()) return failure(fmt::format("the surface state at {:#x} is null", name_.address));
    return surface;
  }
  if (!ran_) return failure(fmt::format("no command at {:#x} was executed", name_.address));
  if (name_.kind == NameKind::blit || name_.kind == NameKind::blit_source) return of_blit(device, memory);
  if (!depth_) return failure(fmt::format("nothing came behind the command at {:#x}", name_.address));
  return *depth_;
}

Result<state::Surface> NamedSurface::of_blit(const gen::Device& device, memory::View& memory) const {
  const gen::Machine& machine = gen::machine(device);
  const bool is_source = name_.kind == NameKind::blit_source;
  const OperandFields& names = is_source ? source_fields : destination_fields;
  const uint64_t address = name_.address;
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
  const auto base = value(names.base), pitch_field = value(names.pitch);
  if (is_source && (!base || !pitch_field))
    return failure(fmt::format("{} at {:#x} has no source of pixels", p->name, address));
  if (!base)
    return failure(fmt::format("{} at {:#x} draws where a setup command said: name that one", p->name, address));
  const auto depth = value("Color Depth").value_or(0);
  const formats::Format* const format = depth < std::size(blit_formats) ? formats::find(blit_formats[depth]) : nullptr;
  if (!format) return failure(fmt::format("the blit at {:#x} has a reserved depth", address));
  const bool y_tiles = swctrl_ >> (is_source ? 0 : 1) & 1;
  Tiles tiles = value(names.tiled).value_or(0) ? (y_tiles ? tiles_y : tiles_x) : tiling_methods[0];
  if (const auto method = value(names.tiling)) tiles = tiling_methods[*method & 3];
  if (tiles.tile_mode == tiles_y.tile_mode && value(names.y_type).value_or(0)) tiles = tiles_yf;
  const int64_t pitch_bytes = tiles.tile_mode ? int64_t(*pitch_field & 0xFFFF) * 4 : int16_t(*pitch_field);
  if (pitch_bytes <= 0) return failure(fmt::format("unsupported: a blit with a pitch of {} bytes", pitch_bytes));
  std::optional<int64_t> width = signed_value("Destination X2 Coordinate"),
                         height = signed_value("Destination Y2 Coordinate");
  if (!width) width = signed_value("ClipRect X2 Coordinate"), height = signed_value("ClipRect Y2 Coordinate");
  if (!width) width = int64_t(*value("Destination Width") / format->bytes()), height = *value("Destination Height");
  if (is_source) {
    // As far as the rectangle reaches.
    const auto moved = [&](std::string_view to, std::string_view from) {
      return signed_value(to).value_or(0) - signed_value(from).value_or(0);
    };
    *width += moved("Source X1 Coordinate", "Destination X1 Coordinate");
    *height += moved("Source Y1 Coordinate", "Destination Y1 Coordinate");
  }
  if (*width <= 0 || *height <= 0) return failure(fmt::format("the blit at {:#x} is empty", address));
  state::Surface s;
  s.rules = &machine.surfaces.rules;
  s.type = state::SurfaceType::two_d;
  s.mip_tail_start_lod = 15;  // none
  s.format = format->code;
  s.base = *base;
  s.width_less_1 = uint32_t(*width) - 1;
  s.height_less_1 = uint32_t(*height) - 1;
  s.pitch_less_1 = uint32_t(pitch_bytes) - 1;
  s.tile_mode = tiles.tile_mode, s.tiled_resource_mode = tiles.tiled_resource_mode;
  s.horizontal_alignment = s.vertical_alignment = 1;
  return s;
}

Result<std::vector<std::byte>> surface_bytes(memory::View& memory, const state::Surface& surface) {
  if (surface.is_buffer()) {
    if (surface.bytes() > most_bytes) return failure("that is more than 1 GiB");
    std::vector<std::byte> bytes(surface.bytes());
    memory.read(surface.base, bytes);
    return bytes;
  }
  const Result<shared::RenderTarget> found = part_of(surface);
  if (!found) return tl::unexpected(found.error());
  const shared::RenderTarget& target = *found;
  const shared::Image& image = target.image;
  const shared::ImageLevel& level = target.at();
  const size_t bytes = image.element_bytes;
  const uint64_t pixels = uint64_t(level.width) * level.height;
  if (pixels * bytes * image.samples > most_bytes) return failure("that is more than 1 GiB");
  std::vector<std::byte> out;
  for (unsigned sample = 0; sample < image.samples; ++sample)
    for (uint32_t y = 0; y < level.height; y += image.block_height)
      for (uint32_t x = 0; x < level.width; x += image.block_width) {
        shared::TargetPixel pixel{.memory = memory, .target = target, .x = x, .y = y, .slice = target.slice(0)};
        pixel.load_code();
        const shared::TexelBits texel = pixel.load(sample);
        const auto* const from = reinterpret_cast<const std::byte*>(texel.data());
        out.insert(out.end(), from, from + bytes);
      }
  return out;
}

}  // namespace vitro::device
