// Packets of the clipper, of setup and of the rasteriser: what of a primitive becomes pixels and samples, and with
// which attributes. PRM: Gen8 vol 2a 3DSTATE_CLIP, _SF, _RASTER, _SBE*, _VIEWPORT_*, _SCISSOR_*, _DRAWING_RECTANGLE,
// _MULTISAMPLE, _SAMPLE_*, _*STIPPLE*, _WM.
#include "packet_cases_test.h"

namespace vitro::drawing {
namespace {

namespace p = commands::three_d;
namespace every = p::every;

Words with_raster(const Drawing& d, void (*change)(p::Raster&)) {
  p::Raster r = rasteriser(d);
  change(r);
  return packet_of<p::gen8::raster, p::gen9::raster>(d, r);
}
Words with_sf(const Drawing& d, void (*change)(p::Sf&)) {
  p::Sf sf = setup(d);
  change(sf);
  return packet_of<p::gen8::sf, p::gen9::sf>(d, sf);
}
Words with_sbe(const Drawing& d, void (*change)(p::Sbe&)) {
  p::Sbe sbe = setup_attributes(d);
  change(sbe);
  return packet_of<p::gen8::sbe, p::gen9::sbe>(d, sbe);
}
Words with_clip(void (*change)(p::Clip&)) {
  p::Clip c = clipper();
  change(c);
  return packet<every::clip>(c);
}
Drawing lines(std::vector<Vector> positions) {
  return {.places = compact, .topology = 2, .positions = std::move(positions), .attributes = {{1, 0, 0, 1}}};
}
Drawing multisampled(std::vector<Vector> positions) {
  return {.places = compact, .positions = std::move(positions), .attributes = {{1, 0, 0, 1}}, .samples = 4};
}
const std::vector<Vector> everywhere{{-1, -1, .5f, 1}, {3, -1, .5f, 1}, {-1, 3, .5f, 1}};
// A row of pixels, and one point.
const std::vector<Vector> row_10{{-1, at_pixel(10.5f), .5f, 1}, {1, at_pixel(10.5f), .5f, 1}};
const std::vector<Vector> pixel_10{{at_pixel(10.5f), at_pixel(10.5f), .5f, 1}};

TEST(Packets, Clipper) {
  run({
      {.packet = "3DSTATE_CLIP",
       .decides = "Clip Mode: nothing is accepted",
       .drawing = whole({1, 0, 0, 1}),
       .commands = [](const Drawing&) { return with_clip([](p::Clip& c) { c.clip_mode = 3; }); },
       .looks = {{5, 5, 0, red}}},
      {.packet = "3DSTATE_CLIP",
       .decides = "whether clip distances clip",
       .drawing = {.places = compact,
                   // from left to right; the attribute is the first distance, too
                   .attributes = {{-1, 1, 0, 1}, {3, 1, 0, 1}, {-1, 1, 0, 1}},
                   .shade = Shade::flat},
       .commands =
           [](const Drawing&) {
             return with_clip([](p::Clip& c) {
               c.force_user_clip_distance_clip_test_enable_bitmask = true;
               c.user_clip_distance_clip_test_enable_bitmask = 1;
             });
           },
       .looks = {{5, 5, 0, green}, {14, 9, 0, green}, {17, 9, green, green}, {30, 5, green, green}}},
      {.packet = "3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP",
       .decides = "where the viewport is",
       .drawing = {.places = compact,
                   .positions = {{-1, -1, .5f, 1}, {1, -1, .5f, 1}, {-1, 1, .5f, 1}},
                   .attributes = {{1, 0, 0, 1}}},
       .commands = [](const Drawing&) { return packet<every::viewport_state_pointers_sf_clip>({data_at}); },
       .looks =
           {{2, 2, 0, red}, {20, 2, 0, red}, {9, 5, red, red}, {13, 5, red, red}, {14, 5, 0, red}, {9, 11, 0, red}},
       .put =
           [](const Drawing&, Image& image) {  // 8 x 6 pixels at (8, 4)
             image.put(data_at, packet<state::every::sf_clip_viewport>({4, 3, 1, 12, 7, 0, -8, 8, -8, 8, 8, 15, 4, 9}));
           }},
      {.packet = "3DSTATE_VIEWPORT_STATE_POINTERS_CC",
       .decides = "the range of depth",
       .drawing = {.places = compact, .attributes = {{1, 0, 0, 1}}, .depth_format = 1},
       .commands = [](const Drawing&) { return packet<every::viewport_state_pointers_cc>({data_at}); },
       .looks = {{5, 5, red, red}},
       .memory = {{compact.depth, 0x3E800000, 0x3F000000}},
       .put =
           [](const Drawing&, Image& image) {
             image.put(data_at, packet<state::every::cc_viewport>({0, .25f}));
           }},
  });
}

TEST(Packets, Setup) {
  run({
      {.packet = "3DSTATE_SF",
       .decides = "Point Width",
       .drawing = {.places = compact, .topology = 1, .positions = pixel_10, .attributes = {{1, 0, 0, 1}}},
       .commands = [](const Drawing& d) { return with_sf(d, [](p::Sf& s) { s.point_width = 5 << 3; }); },
       .looks = {{10, 10, red, red}, {12, 12, red, 0}, {8, 8, red, 0}, {13, 10, 0, 0}, {7, 10, 0, 0}}},
      {.packet = "3DSTATE_SF",
       .decides = "Line Width",
       .drawing = lines(row_10),
       .commands = [](const Drawing& d) { return with_sf(d, [](p::Sf& s) { s.line_width = 3 << 7; }); },
       .looks = {{5, 10, red, red}, {5, 9, red, 0}, {5, 11, red, 0}, {5, 8, 0, 0}, {5, 12, 0, 0}}},
      {.packet = "3DSTATE_SF",
       .decides = "Viewport Transform Enable",
       .drawing = {.places = compact,
                   .positions = {{0, 0, .5f, 1}, {8, 0, .5f, 1}, {0, 8, .5f, 1}},
                   .attributes = {{1, 0, 0, 1}}},
       .given = [](const Drawing&) { return with_clip([](p::Clip& c) { c.clip_mode = 4; }); },
       .commands = [](const Drawing& d) { return with_sf(d, [](p::Sf& s) { s.viewport_transform_enable = false; }); },
       .looks = {{1, 1, red, 0}, {20, 20, 0, red}}},
      {.packet = "3DSTATE_SF",
       .decides = "which vertex provokes",
       .drawing = {.places = compact, .shade = Shade::flat},
       .given =
           [](const Drawing&) {
             return with_clip([](p::Clip& c) { c.triangle_strip_list_provoking_vertex_select = 2; });
           },
       .commands =
           [](const Drawing& d) {
             return with_sf(d, [](p::Sf& s) { s.triangle_strip_list_provoking_vertex_select = 2; });
           },
       .looks = {{5, 5, blue, red}}},
      {.packet = "3DSTATE_RASTER",
       .decides = "Cull Mode: front faces",
       .drawing = whole({1, 0, 0, 1}),
       .commands = [](const Drawing& d) { return with_raster(d, [](p::Raster& r) { r.cull_mode = 2; }); },
       .looks = {{5, 5, 0, red}}},
      {.packet = "3DSTATE_RASTER",
       .decides = "Front Winding",
       .drawing = whole({1, 0, 0, 1}),
       .given = [](const Drawing& d) { return with_raster(d, [](p::Raster& r) { r.cull_mode = 3; }); },
       .commands =
           [](const Drawing& d) { return with_raster(d, [](p::Raster& r) { r.cull_mode = 3, r.front_winding = 1; }); },
       .looks = {{5, 5, 0, red}}},
      {.packet = "3DSTATE_RASTER",
       .decides = "Fill Mode: the triangle's edges",
       .drawing = {.places = compact,
                   .positions = {{at_pixel(2.5f), at_pixel(2.5f), .5f, 1},
                                 {at_pixel(28.5f), at_pixel(2.5f), .5f, 1},
                                 {at_pixel(2.5f), at_pixel(28.5f), .5f, 1}},
                   .attributes = {{1, 0, 0, 1}}},
       .commands =
           [](const Drawing& d) {
             return with_raster(d, [](p::Raster& r) { r.front_face_fill_mode = r.back_face_fill_mode = 1; });
           },
       .looks = {{8, 8, 0, red}, {12, 2, red, red}, {2, 12, red, red}}},
      {.packet = "3DSTATE_RASTER",
       .decides = "Scissor Rectangle Enable",
       .drawing = whole({1, 0, 0, 1}),
       .commands =
           [](const Drawing& d) { return with_raster(d, [](p::Raster& r) { r.scissor_rectangle_enable = true; }); },
       .looks = {{5, 5, red, red}, {20, 5, 0, red}, {5, 20, 0, red}},
       .put =
           [](const Drawing&, Image& image) {
             image.put(dynamic_at + 96, packet<state::every::scissor_rect>({0, 0, 9, 9}));
           }},
      {.packet = "3DSTATE_RASTER",
       .decides = "Global Depth Offset",
       .drawing = {.places = compact, .attributes = {{1, 0, 0, 1}}, .depth_format = 1},
       .commands =
           [](const Drawing& d) {
             return with_raster(d, [](p::Raster& r) {
               r.global_depth_offset_enable_solid = true;
               r.global_depth_offset_constant = 0x200000;  // of units of 2^-24, as 0.5 has them
             });
           },
       .memory = {{compact.depth, 0x3F200000, 0x3F000000}}},
      {.packet = "3DSTATE_RASTER",
       .decides = "whether what lies behind the viewport's depth is clipped",
       .drawing = {.places = compact,
                   .positions = {{-1, -1, 1.5f, 1}, {3, -1, 1.5f, 1}, {-1, 3, 1.5f, 1}},
                   .attributes = {{1, 0, 0, 1}}},
       .commands =
           [](const Drawing& d) {
             return with_raster(d, [](p::Raster& r) {
               r.viewport_z_clip_test_enable = r.viewport_z_far_clip_test_enable = true;  // Gen8, Gen9
             });
           },
       .looks = {{5, 5, 0, red}}},
      {.packet = "3DSTATE_RASTER",
       .decides = "Conservative Rasterization Enable: pixels that are touched",
       .drawing = {.places = compact, .positions = from_x(10.75f), .attributes = {{1, 0, 0, 1}}},
       .commands =
           [](const Drawing& d) {
             return with_raster(d, [](p::Raster& r) { r.conservative_rasterization_enable = true; });
           },
       .looks = {{9, 20, 0, 0}, {10, 20, red, 0}, {11, 20, red, red}},
       .device = "kbl"},
      {.packet = "3DSTATE_SCISSOR_STATE_POINTERS",
       .decides = "where scissors are",
       .drawing = whole({1, 0, 0, 1}),
       .given =
           [](const Drawing& d) { return with_raster(d, [](p::Raster& r) { r.scissor_rectangle_enable = true; }); },
       .commands = [](const Drawing&) { return packet<every::scissor_state_pointers>({data_at}); },
       .looks = {{5, 5, 0, red}, {8, 7, red, red}, {10, 9, red, red}, {11, 9, 0, red}, {10, 10, 0, red}},
       .put =
           [](const Drawing&, Image& image) {
             image.put(data_at, packet<state::every::scissor_rect>({8, 7, 10, 9}));
           }},
      {.packet = "3DSTATE_DRAWING_RECTANGLE",
       .decides = "its borders, and its origin",
       .drawing = {.places = compact, .positions = from_x(8), .attributes = {{1, 0, 0, 1}}},
       .commands =
           [](const Drawing&) {
             return packet<every::drawing_rectangle>({.clipped_drawing_rectangle_x_min = 10,
                                                      .clipped_drawing_rectangle_y_min = 4,
                                                      .clipped_drawing_rectangle_x_max = 20,
                                                      .clipped_drawing_rectangle_y_max = 15,
                                                      .drawing_rectangle_origin_x = 3});
           },
       .looks = {{8, 8, 0, red},
                 {10, 8, 0, red},
                 {11, 4, red, red},
                 {11, 3, 0, red},
                 {20, 15, red, red},
                 {21, 15, 0, red},
                 {20, 16, 0, red}}},
      {.packet = "3DSTATE_SBE",
       .decides = "attributes that are flat",
       .drawing = {.places = compact},
       .commands = [](const Drawing& d) { return with_sbe(d, [](p::Sbe& s) { s.constant_interpolation_enable = 1; }); },
       .looks = {{31, 31, red, 0xFF7E7E04}, {0, 0, red, 0xFF0202FB}}},
      {.packet = "3DSTATE_SBE",
       .decides = "texture coordinates across a point",
       .drawing = {.places = compact,
                   .topology = 1,
                   .positions = {{at_pixel(16), at_pixel(16), .5f, 1}},
                   .attributes = {{1, 0, 0, 1}},
                   .point_width = 16 << 3},
       .commands =
           [](const Drawing& d) {  // (s, t, 0, 1), from the upper left
             return with_sbe(d, [](p::Sbe& s) { s.point_sprite_texture_coordinate_enable = 1; });
           },
       // from 8 on: 0.5 of 16 and 15.5 of 16, times 255
       .looks = {{8, 8, 0xFF000808, red}, {23, 8, 0xFF0008F7, red}, {8, 23, 0xFF00F708, red}}},
      {.packet = "3DSTATE_SBE",
       .decides = "Primitive ID in an attribute",
       .drawing =
           {.places = compact,
            .positions =
                {{-1, -1, .5f, 1}, {0, -1, .5f, 1}, {-1, 0, .5f, 1}, {0, -1, .5f, 1}, {1, -1, .5f, 1}, {0, 0, .5f, 1}},
            .attributes = {{1, 0, 0, 1}},
            .shade = Shade::flat,
            .target_format = "R32_UINT"},
       .commands =
           [](const Drawing& d) { return with_sbe(d, [](p::Sbe& s) { s.primitive_id_override_component_x = true; }); },
       .looks = {{2, 2, 0, 0x3F800000}, {18, 2, 1, 0x3F800000}}},
      {.packet = "3DSTATE_SBE_SWIZ",
       .decides = "constants instead of attributes",
       .drawing = whole({1, 0, 0, 1}),
       .given = [](const Drawing& d) { return with_sbe(d, [](p::Sbe& s) { s.attribute_swizzle_enable = true; }); },
       .commands =
           [](const Drawing&) {
             p::SbeSwiz s;
             s.constant_source[0] = 2;  // ones
             s.component_override_y[0] = s.component_override_z[0] = true;
             return packet<every::sbe_swiz>(s);
           },
       .looks = {{5, 5, white, red}}},
  });
}

TEST(Packets, Samples) {
  run({
      {.packet = "3DSTATE_MULTISAMPLE",
       .decides = "where in a pixel it is sampled",
       .drawing = {.places = compact, .positions = from_x(10.25f), .attributes = {{1, 0, 0, 1}}},
       .commands = [](const Drawing&) { return packet<every::multisample>({.pixel_location = 1}); },  // its corner
       .looks = {{9, 20, 0, 0}, {10, 20, 0, red}, {11, 20, red, red}}},
      {.packet = "3DSTATE_MULTISAMPLE",
       .decides = "how many samples there are",
       .drawing = multisampled(everywhere),
       .given = [](const Drawing&) { return packet<every::multisample>({.number_of_multisamples = 0}); },
       .commands = [](const Drawing&) { return packet<every::multisample>({.number_of_multisamples = 2}); },
       .looks = {{5, 5, red, red, 0}, {5, 5, red, 0, 1}, {5, 5, red, 0, 2}, {5, 5, red, 0, 3}}},
      {.packet = "3DSTATE_SAMPLE_MASK",
       .decides = "which samples are drawn",
       .drawing = multisampled(everywhere),
       .commands = [](const Drawing&) { return packet<every::sample_mask>({0b0101}); },
       .looks = {{5, 5, red, red, 0}, {5, 5, 0, red, 1}, {5, 5, red, red, 2}, {5, 5, 0, red, 3}}},
      {.packet = "3DSTATE_SAMPLE_MASK",
       .decides = "whether the one sample is drawn",
       .drawing = whole({1, 0, 0, 1}),
       .commands = [](const Drawing&) { return packet<every::sample_mask>({0xFFFE}); },
       .looks = {{5, 5, 0, red}}},
      {.packet = "3DSTATE_SAMPLE_PATTERN",
       .decides = "where samples are",
       .drawing = multisampled(from_x(10.5f)),
       .commands =
           [](const Drawing& d) {  // right, left, right, left
             p::SamplePattern s = standard_pattern;
             s.samples_4 = 0x18F818F8;
             return packet_of<p::gen8::sample_pattern, p::gen9::sample_pattern>(d, s);
           },
       .looks = {{10, 20, red, 0, 0}, {10, 20, 0, red, 1}, {10, 20, red, 0, 2}, {10, 20, 0, red, 3}}},
  });
}

// --- stipple

Words stippled(const Drawing&) {
  return packet<every::wm>({.polygon_stipple_enable = true, .barycentric_interpolation_mode = 1});
}
Words stipple_pattern(const Drawing&) {  // one pixel, five rows down: the highest bit is the leftmost pixel
  p::PolyStipplePattern s;
  s.pattern_row[5] = 0x80000000;
  return packet<every::poly_stipple_pattern>(s);
}
Words full_pattern(const Drawing&) {
  p::PolyStipplePattern s;
  s.pattern_row.fill(0xFFFFFFFF);
  return packet<every::poly_stipple_pattern>(s);
}
Words stippled_line(uint16_t pattern) {
  return packet<every::line_stipple>(
      {.line_stipple_pattern = pattern, .line_stipple_repeat_count = 2, .line_stipple_inverse_repeat_count = 1 << 15});
}

TEST(Packets, Stipple) {
  run({
      {.packet = "3DSTATE_POLY_STIPPLE_PATTERN",
       .decides = "which pixels are left",
       .drawing = whole({1, 0, 0, 1}),
       .given = [](const Drawing& d) { return stippled(d) + full_pattern(d); },
       .commands = stipple_pattern,
       .looks = {{0, 5, red, red}, {1, 5, 0, red}, {0, 4, 0, red}, {0, 6, 0, red}}},
      {.packet = "3DSTATE_POLY_STIPPLE_OFFSET",
       .decides = "where the pattern begins",
       .drawing = whole({1, 0, 0, 1}),
       .given = [](const Drawing& d) { return stippled(d) + stipple_pattern(d); },
       .commands =
           [](const Drawing&) {
             return packet<every::poly_stipple_offset>({.polygon_stipple_y_offset = 2, .polygon_stipple_x_offset = 3});
           },
       .looks = {{0, 5, 0, red}, {29, 3, red, 0}, {29, 5, 0, 0}}},
      {.packet = "3DSTATE_WM",
       .decides = "Polygon Stipple Enable",
       .drawing = whole({1, 0, 0, 1}),
       .given = stipple_pattern,
       .commands = stippled,
       .looks = {{0, 5, red, red}, {1, 5, 0, red}}},
      {.packet = "3DSTATE_WM",
       .decides = "Force Thread Dispatch: no threads",
       .drawing = whole({1, 0, 0, 1}),
       .commands =
           [](const Drawing& d) {
             p::Wm wm = windower(d);
             wm.force_thread_dispatch_enable = 1;
             return packet<every::wm>(wm);
           },
       .looks = {{5, 5, 0, red}}},
      {.packet = "3DSTATE_LINE_STIPPLE",
       .decides = "which pixels of a line are left",
       .drawing =
           [] {
             Drawing d = lines(row_10);
             d.line_stipple = true;
             return d;
           }(),
       .given = [](const Drawing&) { return stippled_line(0xFFFF); },
       .commands = [](const Drawing&) { return stippled_line(0x00F1); },  // from bit 0 on, two pixels for each
       .looks = {{0, 10, red, red},
                 {1, 10, red, red},
                 {2, 10, 0, red},
                 {7, 10, 0, red},
                 {8, 10, red, red},
                 {15, 10, red, red},
                 {16, 10, 0, red},
                 {30, 10, 0, red}}},
  });
}

}  // namespace
}  // namespace vitro::drawing
