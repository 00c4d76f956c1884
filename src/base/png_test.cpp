// PNG files against ones that another writer made, and a picture of more than one stored block taken apart again.
#include "base/png.h"

#include <gtest/gtest.h>

namespace vitro {
namespace {

// What Python's zlib and binascii say of a picture of two pixels.
TEST(Png, TwoPixels) {
  const uint8_t pixels[] = {255, 0, 0, 255, 1, 2, 3, 4};
  const uint8_t expected[] = {
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52,
      0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x01, 0x08, 0x06, 0x00, 0x00, 0x00, 0xF4, 0x22, 0x7F,
      0x8A, 0x00, 0x00, 0x00, 0x14, 0x49, 0x44, 0x41, 0x54, 0x78, 0x01, 0x01, 0x09, 0x00, 0xF6, 0xFF,
      0x00, 0xFF, 0x00, 0x00, 0xFF, 0x01, 0x02, 0x03, 0x04, 0x0D, 0x10, 0x02, 0x09, 0x0F, 0x5E, 0xFD,
      0x28, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
  };
  const std::vector<std::byte> file = make_png(2, 1, pixels);
  ASSERT_EQ(file.size(), sizeof expected);
  for (size_t n = 0; n < file.size(); ++n) EXPECT_EQ(uint8_t(file[n]), expected[n]) << n;
}

TEST(Png, LargeOnesHaveSeveralBlocks) {
  constexpr uint32_t width = 300, height = 200;
  std::vector<uint8_t> pixels(4 * width * height);
  for (size_t n = 0; n < pixels.size(); ++n) pixels[n] = uint8_t(n * 7 + n / 1000);
  const std::vector<std::byte> file = make_png(width, height, pixels);
  // Signature, header chunk, then name, length and the two bytes of zlib.
  size_t at = 8 + 25 + 8 + 2;
  std::vector<uint8_t> data;
  for (bool last = false; !last;) {
    last = uint8_t(file[at]) == 1;
    const size_t size = size_t(file[at + 1]) | size_t(file[at + 2]) << 8;
    EXPECT_EQ(size ^ 0xFFFF, size_t(file[at + 3]) | size_t(file[at + 4]) << 8);
    at += 5;
    for (size_t n = 0; n < size; ++n) data.push_back(uint8_t(file[at + n]));
    at += size;
  }
  ASSERT_EQ(data.size(), (4 * width + 1) * height);
  for (size_t y = 0; y < height; ++y) {
    EXPECT_EQ(data[y * (4 * width + 1)], 0);
    EXPECT_TRUE(std::equal(&pixels[y * 4 * width], &pixels[y * 4 * width] + 4 * width, &data[y * (4 * width + 1) + 1]));
  }
  EXPECT_EQ(file.size(), at + 4 + 4 + 12);
}

}  // namespace
}  // namespace vitro
