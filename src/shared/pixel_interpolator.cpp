// The four messages of the pixel interpolator. PRM: as pixel_interpolator.h.
#include "shared/pixel_interpolator.h"

#include <fmt/format.h>

#include <cstring>

#include "base/bits.h"

namespace vitro::shared {

constinit const PixelInterpolatorLayout pixel_interpolator_gen8{isa::messages_gen8};
constinit const PixelInterpolatorLayout pixel_interpolator_gen9{isa::messages_gen9};

namespace {

PixelPlace moved(const PixelPlace& from, int32_t x, int32_t y) {
  return {from.x + float(x) / 16, from.y + float(y) / 16};
}

}  // namespace

template <>
PixelPlace interpolation_place<isa::MessageAction::interpolate_shared_offset>(const InterpolatorCall& c, unsigned,
                                                                              unsigned) {
  return moved(c.pixels.pixel, c.x, c.y);
}
template <>
PixelPlace interpolation_place<isa::MessageAction::interpolate_sample>(const InterpolatorCall& c, unsigned, unsigned) {
  return c.pixels.places[c.sample];
}
template <>
PixelPlace interpolation_place<isa::MessageAction::interpolate_centroid>(const InterpolatorCall& c, unsigned lane,
                                                                         unsigned) {
  return c.pixels.centroid(lane);
}
template <>
PixelPlace interpolation_place<isa::MessageAction::interpolate_slot_offsets>(const InterpolatorCall& c, unsigned,
                                                                             unsigned n) {
  return moved(c.pixels.pixel, c.offset(0, n), c.offset(1, n));
}

namespace {

using Place = PixelPlace (*)(const InterpolatorCall&, unsigned, unsigned);
constexpr auto places = [] {
  std::array<Place, 256> all{};
#define PIXEL_INTERPOLATOR_ACTION(name, ...) \
  all[size_t(isa::MessageAction::name)] = interpolation_place<isa::MessageAction::name>;
#include "isa/actions.def"
  return all;
}();

}  // namespace

eu::Reply PixelInterpolator::handle(eu::Message& m, std::string& reason) const {
  isa::DecodedMessage own;
  if (!m.decoded) own = isa::decode_message(layout.messages, pixel_interpolator_sfid, m.desc);
  const isa::DecodedMessage& d = m.decoded ? *m.decoded : own;
  const Place place = d.row ? places[size_t(d.shape.action)] : nullptr;
  const auto fault = [&](const char* why) {
    reason = fmt::format("pixel interpolator (descriptor {:#010x}): {}", m.desc, why);
    return eu::Reply::faulted;
  };
  if (!place) return fault("reserved message");
  if (!environment.pixels) return fault("sent by a thread that is no pixel shader's");
  if (m.registers() < d.shape.payload_registers()) return fault("the payload is too short");
  if (m.response.empty()) return eu::Reply::done;
  if (m.response.size() < size_t(d.shape.response_registers()) * eu::reg_bytes)
    return fault("the response is too short");
  const unsigned count = d.shape.slots, first = d.shape.first_slot;
  const auto says = [&](isa::FieldRole role) { return isa::number_of(*d.row, role, m.desc); };
  const InterpolatorCall c{*environment.pixels,
                           m,
                           count,
                           says(isa::FieldRole::sample),
                           int32_t(says(isa::FieldRole::across)),
                           int32_t(says(isa::FieldRole::down))};
  // The response may be the payload's own registers.
  std::array<Weights, 16> weights;
  for (unsigned n = 0; n < count; ++n) {
    const unsigned lane = first + n;
    const PixelPlace at = place(c, lane, n);
    const float x = float(c.pixels.thread->x(lane)) + at.x, y = float(c.pixels.thread->y(lane)) + at.y;
    const Barycentrics& b = *c.pixels.thread->barycentrics;
    weights[n] = d.shape.linear ? b.linear(x, y) : b.perspective(x, y);
  }
  for (unsigned n = 0; n < count; ++n) {
    if (!(m.channels >> n & 1)) continue;
    std::byte* const to = m.response.data() + size_t(n / 8) * 2 * eu::reg_bytes + (n % 8) * 4;
    std::memcpy(to, &weights[n].b1, 4);
    std::memcpy(to + eu::reg_bytes, &weights[n].b2, 4);
  }
  return eu::Reply::done;
}

void PixelInterpolator::install(eu::SharedFunctions& functions) {
  functions[pixel_interpolator_sfid] = {[](void* context, eu::Thread&, eu::Message& m, std::string& reason) {
                                          return static_cast<PixelInterpolator*>(context)->handle(m, reason);
                                        },
                                        this};
}

}  // namespace vitro::shared
