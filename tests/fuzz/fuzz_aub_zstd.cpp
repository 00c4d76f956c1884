// Fuzz target: AUB files in frames of zstd that were damaged, which random bytes would never be. The first bytes say
// into how many frames the file is put, whether they have checksums, where they end and what is turned over in them.
#include <zstd.h>

#include <algorithm>
#include <cstring>

#include "recordings.h"

namespace {

struct Damage {
  uint8_t frames, options;
  uint16_t end, place;  // of all bytes, in 65536ths
  uint8_t turned, level;
};
constexpr uint8_t has_checksums = 1, keeps_size = 2, is_cut = 4, is_turned = 8;

std::string frames_of(const uint8_t* data, size_t size, const Damage& d) {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, d.options & has_checksums);
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, (d.options & keeps_size) != 0);
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, d.level % 8);
  const size_t step = std::max<size_t>(1, size / (1 + d.frames % 4));
  std::string out;
  for (size_t at = 0; at < size; at += step) {
    const size_t n = std::min(step, size - at), begin = out.size();
    out.resize(begin + ZSTD_compressBound(n));
    out.resize(begin + ZSTD_compress2(context, out.data() + begin, out.size() - begin, data + at, n));
  }
  ZSTD_freeCCtx(context);
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Damage d;
  if (size <= sizeof d) return 0;
  std::memcpy(&d, data, sizeof d);
  std::string bytes = frames_of(data + sizeof d, size - sizeof d, d);
  if (d.options & is_turned) bytes[bytes.size() * d.place >> 16] ^= char(d.turned);
  if (d.options & is_cut) bytes.resize(bytes.size() * d.end >> 16);
  return vitro::fuzz::read_all(std::move(bytes));
}
