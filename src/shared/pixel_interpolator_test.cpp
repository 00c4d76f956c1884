// The pixel interpolator's four messages, in both widths, linear and in perspective, against barycentrics that are
// computed from the planes here.
#include "shared/pixel_interpolator.h"

#include <gtest/gtest.h>

#include "shared/rows_ran_test.h"

namespace vitro::shared {
namespace {

struct Interpolated {
  Environment environment{};
  Barycentrics barycentrics{};
  PixelThread thread{};
  PixelContext pixels{};
  std::array<float, 8 * 4> out{};
  std::vector<uint32_t> payload = std::vector<uint32_t>(32);
  std::string reason{};

  Interpolated() {
    environment.pixels = &pixels;
    pixels.thread = &thread, thread.barycentrics = &barycentrics;
    pixels.samples = 4;
    pixels.places = {PixelPlace{.375f, .125f}, {.875f, .375f}, {.125f, .625f}, {.625f, .875f}};
    thread.covered = {0xFFFF, 0xFFF0, 0xFFFF, 0xFFFE};
    barycentrics = {.l1 = {.125f, 0, .5f},
                    .l2 = {0, .25f, 1},
                    .inverse_w = {.5f, .25f, 2},
                    .n1 = {.125f, 0, .5f},
                    .n2 = {0, .25f, 1},
                    .inverse_ws = {1, 2, 4},
                    .origin_x = 8,
                    .origin_y = 16};
    for (unsigned k = 0; k < 8; ++k) thread.subspans[k] = {uint16_t(8 + 2 * k), 16};
  }
  eu::Reply send(uint32_t desc, const PixelInterpolatorLayout& layout) {
    const unsigned rlen = desc >> 16 & 1 ? 4 : 2;
    eu::Message m;
    m.sfid = pixel_interpolator_sfid, m.desc = desc;
    m.channels = 0xFFFF;
    m.payload = std::as_bytes(std::span(payload));
    m.response = std::as_writable_bytes(std::span(out)).first(rlen * 32);
    out.fill(-1);
    const HostFloats floats(test::modes_for(layout.messages, pixel_interpolator_sfid, desc));
    const eu::Reply r = PixelInterpolator(layout, environment).handle(m, reason);
    test::note(layout.messages, pixel_interpolator_sfid, desc, r);
    return r;
  }
  // Lane n of the message, at a place of the thread's lane.
  void expect(unsigned n, unsigned lane, PixelPlace at, bool linear) {
    const double x = thread.x(lane) + at.x - 8, y = thread.y(lane) + at.y - 16;
    const double w = linear ? 1 : 2 + .5 * x + .25 * y;
    EXPECT_NEAR(out[n / 8 * 16 + n % 8], (.125 * x + .5) * (linear ? 1 : 2) / w, 1e-6) << n;
    EXPECT_NEAR(out[n / 8 * 16 + 8 + n % 8], (.25 * y + 1) * (linear ? 1 : 4) / w, 1e-6) << n;
  }
};
constexpr uint32_t wide = 1 << 16, linear = 1 << 14, high = 1 << 11;
constexpr uint32_t type(uint32_t t) { return t << 12; }

template <class Test>
void all(Test test) {
  for (const PixelInterpolatorLayout* l : {&pixel_interpolator_gen8, &pixel_interpolator_gen9})
    for (uint32_t options : {0u, linear, wide, wide | linear, high, wide | high | linear}) {
      Interpolated i;
      const unsigned lanes = options & wide ? 16 : 8, first = options & high ? 16 : 0;
      test(i, *l, options, lanes, first);
    }
}

TEST(PixelInterpolator, SharedOffset) {
  all([](Interpolated& i, const PixelInterpolatorLayout& l, uint32_t options, unsigned lanes, unsigned first) {
    ASSERT_EQ(i.send(options | type(0) | 0x7C, l), eu::Reply::done) << i.reason;  // x -4, y 7
    for (unsigned n = 0; n < lanes; ++n) i.expect(n, first + n, {.5f - 4 / 16.f, .5f + 7 / 16.f}, options & linear);
  });
}
TEST(PixelInterpolator, SamplePosition) {
  all([](Interpolated& i, const PixelInterpolatorLayout& l, uint32_t options, unsigned lanes, unsigned first) {
    ASSERT_EQ(i.send(options | type(1) | 2 << 4, l), eu::Reply::done) << i.reason;
    for (unsigned n = 0; n < lanes; ++n) i.expect(n, first + n, i.pixels.places[2], options & linear);
  });
}
TEST(PixelInterpolator, Centroid) {
  all([](Interpolated& i, const PixelInterpolatorLayout& l, uint32_t options, unsigned lanes, unsigned first) {
    ASSERT_EQ(i.send(options | type(2), l), eu::Reply::done) << i.reason;
    for (unsigned n = 0; n < lanes; ++n)
      i.expect(n, first + n, first + n < 4 ? i.pixels.places[0] : i.pixels.pixel, options & linear);
  });
}
TEST(PixelInterpolator, PerSlotOffset) {
  all([](Interpolated& i, const PixelInterpolatorLayout& l, uint32_t options, unsigned lanes, unsigned first) {
    for (unsigned n = 0; n < lanes; ++n) i.payload[n] = n % 8, i.payload[lanes + n] = uint32_t(-int(n % 8));
    ASSERT_EQ(i.send(options | type(3), l), eu::Reply::done) << i.reason;
    for (unsigned n = 0; n < lanes; ++n)
      i.expect(n, first + n, {.5f + float(n % 8) / 16, .5f - float(n % 8) / 16}, options & linear);
  });
}
TEST(PixelInterpolator, Faults) {
  Interpolated i;
  i.payload.resize(8);
  EXPECT_EQ(i.send(type(3), pixel_interpolator_gen9), eu::Reply::faulted);
  i.environment.pixels = nullptr;
  EXPECT_EQ(i.send(type(0), pixel_interpolator_gen9), eu::Reply::faulted);
  EXPECT_NE(i.reason.find("no pixel shader"), std::string::npos);
}

}  // namespace
}  // namespace vitro::shared
