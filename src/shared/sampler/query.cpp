// Questions about surfaces: resinfo (extents and levels) and sampleinfo. PRM: Gen8 vol 7 "resinfo", "sampleinfo".
// A level that does not exist has no extents; the number of levels is given all the same. Null surfaces say zero.
#include "shared/sampler/call.h"

namespace vitro::shared {

namespace {

formats::Rgba extents_of(const Image& image, uint32_t lod) {
  if (image.is_null()) return {};
  if (image.is_buffer()) return {image.levels[0].width, 0, 0, 0};
  if (lod >= image.level_count) return {0, 0, 0, image.level_count};
  const ImageLevel& l = image.level(lod);
  const uint32_t layers = image.array ? image.slices : 0;
  if (image.is_1d()) return {l.width, layers, 0, image.level_count};
  if (image.is_3d()) return {l.width, l.height, l.depth, image.level_count};
  if (image.is_cube()) return {l.width, l.height, image.slices / 6, image.level_count};
  return {l.width, l.height, layers, image.level_count};
}

}  // namespace

template <>
eu::Reply act<isa::MessageAction::resinfo>(SamplerCall& c) {
  c.each_lane([&](unsigned lane) { c.answer(lane, extents_of(c.image, c.bits(Parameter::lod, lane))); });
  return eu::Reply::done;
}

template <>
eu::Reply act<isa::MessageAction::sampleinfo>(SamplerCall& c) {
  const formats::Rgba answer =
      c.image.is_null() ? formats::Rgba{} : formats::Rgba{c.image.samples, 0, 0, c.image.palette_index};
  c.each_lane([&](unsigned lane) { c.answer(lane, answer); });
  return eu::Reply::done;
}

}  // namespace vitro::shared
