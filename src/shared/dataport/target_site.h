// Render target messages as routines: what eights of pixels need to be written with is found once for a target and the
// state that colours are blended with. PRM: as render_target.h.
#pragma once

#include <atomic>
#include <cstdint>

#include "code/routines.h"
#include "shared/dataport/render_target.h"
#include "shared/dataport/target_lanes.h"

namespace vitro::shared {

struct TargetSiteName {
  unsigned bti = 0;
  BlendKey blend{};
  uint8_t channels = 15, logic = 0;
  std::array<float, 4> constant{};
  bool operator==(const TargetSiteName&) const = default;
};
TargetSiteName target_site_name(unsigned bti, const RenderTarget&, const ColourState&, unsigned entry);

struct TargetSite {
  bool found = false;  // the target can be written so
  TargetKey key{};
  TargetFacts facts{};
  code::Routine* routine = nullptr;  // as machine code; null: there will be none
  std::atomic<uint32_t> runs{0};     // until somebody has asked for that

  void find(const RenderTarget&, const TargetSiteName&, code::Routines*);
  // Writes the lit lanes of outputs.
  void carry_out(code::Routines*, const PixelThread&, const PixelOutputs&, uint32_t lit);
  // For code that sends the message; null if it has to be sent here.
  const void* vectors() const;
};

}  // namespace vitro::shared
