// Surfaces for people to look at, by what names them in memory: a RENDER_SURFACE_STATE, a blit whose destination or
// source is meant, a command that says where depth or stencil are, each by its address. No part of the machine by
// itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "gen/models.h"
#include "memory/view.h"
#include "state/surface.h"

namespace vitro::device {

// "surface@ADDRESS", "blit@ADDRESS", "blit_source@ADDRESS", "depth@ADDRESS" or "stencil@ADDRESS".
enum class NameKind : uint8_t { surface, blit, blit_source, depth, stencil };
struct SurfaceName {
  NameKind kind = NameKind::surface;
  uint64_t address = 0;
};
Result<SurfaceName> parse_surface_name(std::string_view text);

// A named surface, and what is seen of it while batches run: which tiles are Y is in a register when a blit runs, and
// what depth and stencil buffer are is made of several commands, up to the draw.
class NamedSurface {
 public:
  explicit NamedSurface(const SurfaceName& name) : name_(name) {}

  // Before each command of a batch, and at the batch's end.
  void command(const Device&, Context&, Engine, uint64_t address, std::span<const uint32_t> packet);
  void end(const Device&, Context&);
  // Whether these must be called.
  bool looks() const { return name_.kind != NameKind::surface; }

  // As memory is now.
  Result<state::Surface> find(const gen::Device&, memory::View&) const;

 private:
  Result<state::Surface> of_blit(const gen::Device&, memory::View&) const;

  SurfaceName name_;
  bool ran_ = false, waits_ = false;  // for the draw
  uint32_t swctrl_ = 0;
  std::optional<Result<state::Surface>> depth_{};
};

// The bytes of the part of a surface that a picture of it shows (picture.h): row after row, without tiles and without
// what is between the end of a row and the next. Of several samples, all pixels of the first one come first.
Result<std::vector<std::byte>> surface_bytes(memory::View& memory, const state::Surface& surface);

}  // namespace vitro::device
