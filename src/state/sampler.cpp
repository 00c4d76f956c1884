// The layouts of SAMPLER_STATE and of its border colour. PRM: Gen8 vol 2d; for Gen6 and Gen9 the fields as Mesa's
// descriptions of the hardware have them.
#include "state/sampler.h"

#include <algorithm>
#include <bit>

#include "base/packet.h"
#include "formats/components.h"
#include "formats/texel.h"
#include "lanes/one.h"
#include "state/descriptions.h"

namespace vitro::state {
namespace {

using S = Sampler;
using formats::Component;
using formats::Format;
using formats::Kind;
using formats::Rgba;

constexpr auto gen6_layout =
    object_layout<S>("SAMPLER_STATE", sampler_dwords,                                               //
                     field("Shadow Function", dw(0, 2, 0), &S::shadow_function),                    //
                     field("Texture LOD Bias", dw(0, 13, 3), &S::lod_bias_field),                   //
                     field("Min Mode Filter", dw(0, 16, 14), &S::min_filter),                       //
                     field("Mag Mode Filter", dw(0, 19, 17), &S::mag_filter),                       //
                     field("Mip Mode Filter", dw(0, 21, 20), &S::mip_filter),                       //
                     field("Base Mip Level", dw(0, 26, 22), &S::base_mip_level_field),              //
                     field("Min and Mag State Not Equal", dw(0, 27), &S::min_mag_differ),           //
                     field("LOD PreClamp Enable", dw(0, 28), &S::lod_preclamp),                     //
                     field("Texture Border Color Mode", dw(0, 29), &S::border_mode_dx9),            //
                     field("Sampler Disable", dw(0, 31), &S::disable),                              //
                     field("TCZ Address Control Mode", dw(1, 2, 0), &S::tcz),                       //
                     field("TCY Address Control Mode", dw(1, 5, 3), &S::tcy),                       //
                     field("TCX Address Control Mode", dw(1, 8, 6), &S::tcx),                       //
                     field("Cube Surface Control Mode", dw(1, 9), &S::cube_override),               //
                     field("Max LOD", dw(1, 21, 12), &S::max_lod_field),                            //
                     field("Min LOD", dw(1, 31, 22), &S::min_lod_field),                            //
                     field("Border Color Pointer", PacketBits{95, 69, 5}, &S::border_pointer),      //
                     field("Non-normalized Coordinate Enable", dw(3, 0), &S::non_normalized),       //
                     field("R Address Min Filter Rounding Enable", dw(3, 13), &S::r_min_rounding),  //
                     field("R Address Mag Filter Rounding Enable", dw(3, 14), &S::r_mag_rounding),  //
                     field("V Address Min Filter Rounding Enable", dw(3, 15), &S::v_min_rounding),  //
                     field("V Address Mag Filter Rounding Enable", dw(3, 16), &S::v_mag_rounding),  //
                     field("U Address Min Filter Rounding Enable", dw(3, 17), &S::u_min_rounding),  //
                     field("U Address Mag Filter Rounding Enable", dw(3, 18), &S::u_mag_rounding),  //
                     field("Maximum Anisotropy", dw(3, 21, 19), &S::maximum_anisotropy),            //
                     field("ChromaKey Mode", dw(3, 22), &S::chroma_key_mode),                       //
                     field("ChromaKey Index", dw(3, 24, 23), &S::chroma_key_index),                 //
                     field("ChromaKey Enable", dw(3, 25), &S::chroma_key_enable));

// What Gen8 and Gen9 have in common; each adds its own fields.
template <class... F>
constexpr auto gen8_layout_with(F... more) {
  return object_layout<S>("SAMPLER_STATE", sampler_dwords,                                               //
                          field("Anisotropic Algorithm", dw(0, 0), &S::ewa),                             //
                          field("Texture LOD Bias", dw(0, 13, 1), &S::lod_bias_field),                   //
                          field("Min Mode Filter", dw(0, 16, 14), &S::min_filter),                       //
                          field("Mag Mode Filter", dw(0, 19, 17), &S::mag_filter),                       //
                          field("Mip Mode Filter", dw(0, 21, 20), &S::mip_filter),                       //
                          field("LOD PreClamp Mode", dw(0, 28, 27), &S::lod_preclamp),                   //
                          field("Texture Border Color Mode", dw(0, 29), &S::border_mode_dx9),            //
                          field("Sampler Disable", dw(0, 31), &S::disable),                              //
                          field("Cube Surface Control Mode", dw(1, 0), &S::cube_override),               //
                          field("Shadow Function", dw(1, 3, 1), &S::shadow_function),                    //
                          field("ChromaKey Mode", dw(1, 4), &S::chroma_key_mode),                        //
                          field("ChromaKey Index", dw(1, 6, 5), &S::chroma_key_index),                   //
                          field("ChromaKey Enable", dw(1, 7), &S::chroma_key_enable),                    //
                          field("Max LOD", dw(1, 19, 8), &S::max_lod_field),                             //
                          field("Min LOD", dw(1, 31, 20), &S::min_lod_field),                            //
                          field("LOD Clamp Magnification Mode", dw(2, 0), &S::lod_clamp_magnification),  //
                          field("Border Color Pointer", PacketBits{87, 70, 6}, &S::border_pointer),      //
                          field("TCZ Address Control Mode", dw(3, 2, 0), &S::tcz),                       //
                          field("TCY Address Control Mode", dw(3, 5, 3), &S::tcy),                       //
                          field("TCX Address Control Mode", dw(3, 8, 6), &S::tcx),                       //
                          field("Non-normalized Coordinate Enable", dw(3, 10), &S::non_normalized),      //
                          field("Trilinear Filter Quality", dw(3, 12, 11), &S::trilinear_quality),       //
                          field("R Address Min Filter Rounding Enable", dw(3, 13), &S::r_min_rounding),  //
                          field("R Address Mag Filter Rounding Enable", dw(3, 14), &S::r_mag_rounding),  //
                          field("V Address Min Filter Rounding Enable", dw(3, 15), &S::v_min_rounding),  //
                          field("V Address Mag Filter Rounding Enable", dw(3, 16), &S::v_mag_rounding),  //
                          field("U Address Min Filter Rounding Enable", dw(3, 17), &S::u_min_rounding),  //
                          field("U Address Mag Filter Rounding Enable", dw(3, 18), &S::u_mag_rounding),  //
                          field("Maximum Anisotropy", dw(3, 21, 19), &S::maximum_anisotropy), more...);
}
constexpr auto gen8_layout = gen8_layout_with(field("Base Mip Level", dw(0, 26, 22), &S::base_mip_level_field));
constexpr auto gen9_layout = gen8_layout_with(field("Reduction Type Enable", dw(3, 9), &S::reduction_enable),
                                              field("Reduction Type", dw(3, 23, 22), &S::reduction));
static_assert(well_formed(gen6_layout) && well_formed(gen8_layout) && well_formed(gen9_layout));

// `fraction` is that of the LOD fields: one is this many.
template <const auto& layout, int fraction>
Sampler decode(std::span<const uint32_t> packet) {
  Sampler s = unpack(layout, packet);
  s.lod_bias = float(s.lod_bias_field) / fraction;
  s.min_lod = float(s.min_lod_field) / fraction;
  s.max_lod = float(s.max_lod_field) / fraction;
  s.base_mip_level = float(s.base_mip_level_field) / 2;
  return s;
}
template <const auto& layout>
void encode(const Sampler& s, std::span<uint32_t> packet) {
  pack(layout, s, packet);
}

// Gen8 on: four floats or integers, as the format has them.
Rgba plain_border(std::span<const uint32_t, border_dwords> b, const Format&) { return {b[0], b[1], b[2], b[3]}; }

// Gen6: the colour in every encoding, of which the format's kind chooses one.
struct Encoding {
  Kind kind;
  uint8_t width, dword;
};
constexpr Encoding encodings[] = {
    {Kind::unorm, 8, 0}, {Kind::sfloat, 16, 5}, {Kind::unorm, 16, 7}, {Kind::snorm, 16, 9}, {Kind::snorm, 8, 11},
};
constexpr unsigned float_dword = 1;

Rgba chosen_border(std::span<const uint32_t, border_dwords> b, const Format& f) {
  const formats::Channel& c = f.channels[0];
  for (const Encoding& e : encodings) {
    if (e.kind != c.kind || e.width != c.width) continue;
    Rgba out;
    for (unsigned n = 0; n < 4; ++n) {
      const unsigned bit = n * e.width;
      const uint32_t v = b[e.dword + bit / 32] >> bit % 32 & uint32_t(ones(e.width));
      constexpr lanes::One d;
      const formats::Channel channel{.kind = e.kind, .width = e.width};
      out[n] = formats::Widening<lanes::One>{d}.channel(channel, lanes::OneInt::of(v)).v;
    }
    return out;
  }
  return {b[float_dword], b[float_dword + 1], b[float_dword + 2], b[float_dword + 3]};
}

uint32_t clamp_to(Kind kind, uint32_t v) {
  if (kind != Kind::unorm && kind != Kind::snorm) return v;
  const auto f = std::bit_cast<float>(v);
  return std::bit_cast<uint32_t>(f == f ? std::clamp(f, kind == Kind::unorm ? 0.0f : -1.0f, 1.0f) : 0.0f);
}

}  // namespace

const SamplerLayout sampler_gen6{decode<gen6_layout, 64>, encode<gen6_layout>, chosen_border, 12};
const SamplerLayout sampler_gen8{decode<gen8_layout, 256>, encode<gen8_layout>, plain_border, 4};
const SamplerLayout sampler_gen9{decode<gen9_layout, 256>, encode<gen9_layout>, plain_border, 4};

const PacketDescription& describe_sampler_gen6() { return description_of<gen6_layout>; }
const PacketDescription& describe_sampler_gen8() { return description_of<gen8_layout>; }
const PacketDescription& describe_sampler_gen9() { return description_of<gen9_layout>; }

Sampler read_sampler(const SamplerLayout& layout, memory::View& memory, uint64_t address, Reads* reads) {
  std::array<uint32_t, sampler_dwords> packet{};
  memory.read(address, std::as_writable_bytes(std::span(packet)));
  if (reads) reads->note(memory, address, std::as_bytes(std::span(packet)));
  return layout.decode(packet);
}

Rgba read_border(const SamplerLayout& layout, memory::View& memory, const Bases& bases, const Sampler& sampler,
                 const Format& format, Reads* reads) {
  std::array<uint32_t, border_dwords> packet{};
  const uint64_t address = bases.dynamic.address + sampler.border_pointer;
  const auto used = std::span(packet).first(layout.border_dwords);
  memory.read(address, std::as_writable_bytes(used));
  if (reads) reads->note(memory, address, std::as_bytes(used));
  const Rgba colour = layout.border(packet, format);
  Rgba out{0, 0, 0, format.one()};
  if (format.channel_count == 0) {
    const formats::Components has = formats::compressed_components_of(format);
    for (size_t n = 0; n < 4; ++n)
      if (has.mask >> n & 1) out[n] = clamp_to(has.kind, colour[n]);
    return out;
  }
  for (unsigned n = 0; n < format.channel_count; ++n) {
    const formats::Channel& c = format.channels[n];
    if (c.component == Component::none) continue;
    const bool grey = c.component == Component::l || c.component == Component::i;
    const uint32_t v = clamp_to(c.kind, colour[grey ? 0 : size_t(c.component)]);
    if (grey) out[0] = out[1] = out[2] = v;
    if (c.component == Component::i) out[3] = v;
    if (!grey) out[size_t(c.component)] = v;
  }
  return out;
}

}  // namespace vitro::state
