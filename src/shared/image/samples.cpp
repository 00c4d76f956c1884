// Planes and control surfaces as images. PRM: as samples.h.
#include "shared/image/samples.h"

namespace vitro::shared {

Image planes_of(Image image) {
  image.slices *= image.samples, image.first_slice *= image.samples;
  image.array = true, image.samples = 1, image.log2_samples = 0;
  return image;
}

Image control_image(const Image& of) {
  constexpr std::string_view formats_of[] = {"", "R8_UINT", "R8_UINT", "R32_UINT", "R32G32_UINT"};
  Image image{.type = state::SurfaceType::two_d,
              .format = formats::find(formats_of[of.log2_samples]),
              .array = of.array,
              .tiling = memory::Tiling::y,
              .tiles = &memory::tile_layout(memory::Tiling::y),
              .base = of.mcs_base,
              .pitch = of.mcs_pitch,
              .first_slice = of.first_slice,
              .slices = of.slices,
              .selects = {state::ChannelSelect::red, state::ChannelSelect::green, state::ChannelSelect::zero,
                          state::ChannelSelect::zero}};
  image.element_bytes = uint8_t(image.format->bytes()), image.element_stride = image.element_bytes;
  image.levels[0] = {.width = of.levels[of.min_lod].width,
                     .height = of.levels[of.min_lod].height,
                     .depth = 1,
                     .slice_y = of.mcs_qpitch};
  return image;
}

}  // namespace vitro::shared
