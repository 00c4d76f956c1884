// Reading a render target as its own messages would (shared/dataport/target.h), control surface and all, and writing
// the file by system calls: the program under us may have its own ideas of stdio.
#include "device/picture.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "base/png.h"
#include "base/quiet_writes.h"
#include "formats/convert.h"
#include "shared/dataport/target.h"

namespace vitro::device {
namespace {

double value(const formats::Format& f, uint32_t bits) {
  if (!f.integer()) return double(std::bit_cast<float>(bits));
  return f.numeric == formats::Numeric::sints ? double(int32_t(bits)) : double(bits);
}

uint8_t shown(const formats::Format& f, size_t channel, double v) {
  if (!f.integer() && f.space == formats::Space::srgb && channel < 3)
    return uint8_t(formats::float_to_srgb(float(v), 8));
  const double scaled = f.integer() ? v : v * 255;
  return scaled > 0 ? uint8_t(std::nearbyint(std::min(scaled, 255.0))) : 0;
}

}  // namespace

Result<shared::RenderTarget> part_of(const state::Surface& surface) {
  shared::RenderTarget target = shared::readable_target(surface);
  if (target.is_null()) return failure("it has no colour target");
  if (!target.unsupported.empty()) return failure(fmt::format("unsupported: {}", target.unsupported));
  const formats::Format& format = *target.image.format;
  // The clear colour of a control surface is one that a target can hold.
  if (target.mcs_bytes && !format.encode) return failure(fmt::format("unsupported: {}", format.name));
  return target;
}

Result<Pixels> pixels_of(memory::View& memory, const state::Surface& surface) {
  const Result<shared::RenderTarget> found = part_of(surface);
  if (!found) return tl::unexpected(found.error());
  const shared::RenderTarget& target = *found;
  const formats::Format& format = *target.image.format;
  if (!format.decode || format.block_width > 1 || format.block_height > 1)
    return failure(fmt::format("unsupported: {}", format.name));
  constexpr uint32_t most = 16384;
  const shared::ImageLevel& level = target.at();
  Pixels p{std::min(level.width, most), std::min(level.height, most)};
  p.rgba.resize(size_t(4) * p.width * p.height);
  uint8_t* to = p.rgba.data();
  const unsigned samples = target.image.samples;
  for (uint32_t y = 0; y < p.height; ++y)
    for (uint32_t x = 0; x < p.width; ++x) {
      shared::TargetPixel pixel{.memory = memory, .target = target, .x = x, .y = y, .slice = target.slice(0)};
      pixel.load_code();
      std::array<double, 4> sum{};
      for (unsigned s = 0; s < samples; ++s) {
        const formats::Rgba texel = shared::decoded(target, pixel.load(s));
        for (size_t c = 0; c < 4; ++c) sum[c] += value(format, texel[c]);
      }
      for (size_t c = 0; c < 4; ++c) *to++ = shown(format, c, sum[c] / samples);
    }
  return p;
}

Result<void> write_picture(memory::View& memory, const state::Surface& surface, const std::string& file) {
  const Result<Pixels> pixels = pixels_of(memory, surface);
  if (!pixels) return tl::unexpected(pixels.error());
  const std::vector<std::byte> png = make_png(pixels->width, pixels->height, pixels->rgba);
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return failure(std::strerror(errno));
  const QuietWrites quiet;
  int error = 0;
  for (size_t done = 0; done < png.size() && !error;) {
    const ssize_t wrote = ::write(fd, png.data() + done, png.size() - done);
    if (wrote > 0) done += size_t(wrote);
    if (wrote <= 0 && errno != EINTR) error = wrote ? errno : EIO;
  }
  ::close(fd);
  if (error) return failure(std::strerror(error));
  return {};
}

}  // namespace vitro::device
