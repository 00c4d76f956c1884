// The Pixel Interpolator (SFID 11): barycentrics at places that the thread names. PRM: Gen8 vol 7 "Pixel Interpolator";
// descriptors as compilers of Mesa emit them. Places are a common offset from the pixel's centre, a sample, the
// centroid, or an offset for each lane, in sixteenths of a pixel. The answer is the weights of the second and third
// vertex, which pair with the setup data of the payload.
#pragma once

#include <string>

#include "eu/message.h"
#include "isa/message_tables.h"
#include "shared/environment.h"
#include "shared/pixel_context.h"

namespace vitro::shared {

inline constexpr unsigned pixel_interpolator_sfid = 11;

struct PixelInterpolatorLayout {
  const isa::MessageTables& messages;
};
extern const PixelInterpolatorLayout pixel_interpolator_gen8, pixel_interpolator_gen9;

struct PixelInterpolator {
  const PixelInterpolatorLayout& layout;
  Environment& environment;

  PixelInterpolator(const PixelInterpolatorLayout& l, Environment& e) : layout(l), environment(e) {}
  PixelInterpolator(const PixelInterpolator&) = delete;
  PixelInterpolator& operator=(const PixelInterpolator&) = delete;

  // It must stay where it is.
  void install(eu::SharedFunctions& functions);
  eu::Reply handle(eu::Message&, std::string& reason) const;
};

struct InterpolatorCall {
  const PixelContext& pixels;
  const eu::Message& message;
  unsigned lanes;
  // Of the descriptor, as far as the message has them: the sample, and an offset in sixteenths.
  unsigned sample;
  int32_t x, y;

  // An offset of a lane of the message, along x (0) or y (1).
  int32_t offset(unsigned axis, unsigned lane) const {
    return eu::signed_field(message.dword((axis * lanes + lane) / 8, lane % 8), {3, 0});
  }
};
// Where in its pixel a lane of the thread (the message's lane n) is interpolated. The primary template is no function:
// an action of isa/actions.def without one does not compile.
template <isa::MessageAction action>
PixelPlace interpolation_place(const InterpolatorCall&, unsigned lane, unsigned n) = delete;
#define PIXEL_INTERPOLATOR_ACTION(name, ...) \
  template <>                                \
  PixelPlace interpolation_place<isa::MessageAction::name>(const InterpolatorCall&, unsigned lane, unsigned n);
#include "isa/actions.def"

}  // namespace vitro::shared
