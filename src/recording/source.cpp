// Files and strings as sources, and the decompression of zstd frames, one after the other. See source.h.
#include "recording/source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

namespace vitro::recording {
namespace {

constexpr std::string_view zstd_magic = "\x28\xb5\x2f\xfd";

}  // namespace

bool is_compressed(std::string_view beginning) { return beginning.starts_with(zstd_magic); }

Result<std::span<const std::byte>> Source::look(size_t bytes) {
  bytes = std::min(bytes, largest_piece);
  if (end_ - at_ < bytes) {
    constexpr size_t least = 64 << 10;
    if (const size_t wanted = std::max(2 * bytes, least); capacity_ < wanted) {
      auto larger = std::make_unique_for_overwrite<std::byte[]>(wanted);
      std::copy(buffer_.get() + at_, buffer_.get() + end_, larger.get());
      buffer_ = std::move(larger), capacity_ = wanted;
    } else {
      std::copy(buffer_.get() + at_, buffer_.get() + end_, buffer_.get());
    }
    end_ -= at_, at_ = 0;
    while (end_ < bytes) {
      const Result<size_t> n = fill({buffer_.get() + end_, capacity_ - end_});
      if (!n) return failure(n.error().message);
      if (*n == 0) break;
      end_ += *n;
    }
  }
  return std::span<const std::byte>(buffer_.get() + at_, std::min(bytes, end_ - at_));
}

namespace {

class FileSource : public Source {
 public:
  FileSource(int fd, std::string path, uint64_t size) : fd_(fd), path_(std::move(path)), size_(size) {}
  ~FileSource() override {
    if (fd_ != STDIN_FILENO) close(fd_);
  }
  uint64_t position() const override { return position_; }
  uint64_t size() const override { return size_; }

 protected:
  Result<size_t> fill(std::span<std::byte> to) override {
    ssize_t n;
    do n = read(fd_, to.data(), to.size());
    while (n < 0 && errno == EINTR);
    if (n < 0) return failure(fmt::format("cannot read {}: {}", path_, std::strerror(errno)));
    position_ += uint64_t(n);
    return size_t(n);
  }

 private:
  int fd_;
  std::string path_;
  uint64_t position_ = 0, size_;
};

class StringSource : public Source {
 public:
  explicit StringSource(std::string bytes) : bytes_(std::move(bytes)) {}
  uint64_t position() const override { return position_; }
  uint64_t size() const override { return bytes_.size(); }

 protected:
  Result<size_t> fill(std::span<std::byte> to) override {
    const size_t n = std::min(to.size(), bytes_.size() - position_);
    std::memcpy(to.data(), bytes_.data() + position_, n);
    position_ += n;
    return n;
  }

 private:
  std::string bytes_;
  size_t position_ = 0;
};

class ZstdSource : public Source {
 public:
  explicit ZstdSource(std::unique_ptr<Source> compressed)
      : compressed_(std::move(compressed)), stream_(ZSTD_createDStream(), ZSTD_freeDStream) {
    ZSTD_DCtx_setParameter(stream_.get(), ZSTD_d_windowLogMax, largest_window_log2);
  }
  uint64_t position() const override { return compressed_->position(); }
  uint64_t size() const override { return compressed_->size(); }

 protected:
  Result<size_t> fill(std::span<std::byte> to) override {
    ZSTD_outBuffer out{to.data(), to.size(), 0};
    while (out.pos == 0) {
      const auto piece = compressed_->look(piece_bytes);
      if (!piece) return failure(piece.error().message);
      if (piece->empty()) {
        if (inside_frame_)
          return failure(fmt::format("offset {:#x}: the file ends inside a zstd frame", compressed_->offset()));
        return size_t{0};
      }
      ZSTD_inBuffer in{piece->data(), piece->size(), 0};
      const size_t result = ZSTD_decompressStream(stream_.get(), &out, &in);
      if (ZSTD_isError(result))
        return failure(
            fmt::format("offset {:#x}: bad zstd frame: {}", compressed_->offset() + in.pos, ZSTD_getErrorName(result)));
      inside_frame_ = result != 0;
      compressed_->skip(in.pos);
    }
    return out.pos;
  }

 private:
  static constexpr int largest_window_log2 = 27;  // 128 MiB: what zstd itself takes without being asked to
  static constexpr size_t piece_bytes = 128 << 10;
  std::unique_ptr<Source> compressed_;
  std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream*)> stream_;
  bool inside_frame_ = false;
};

Result<std::unique_ptr<Source>> decompressed(std::unique_ptr<Source> source) {
  const auto beginning = source->look(zstd_magic.size());
  if (!beginning) return failure(beginning.error().message);
  if (is_compressed({reinterpret_cast<const char*>(beginning->data()), beginning->size()}))
    return std::make_unique<ZstdSource>(std::move(source));
  return source;
}

}  // namespace

Result<std::unique_ptr<Source>> Source::open(const std::string& path) {
  const int fd = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return failure(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  struct stat s {};
  const bool sized = fstat(fd, &s) == 0 && S_ISREG(s.st_mode);
  return decompressed(std::make_unique<FileSource>(fd, path, sized ? uint64_t(s.st_size) : 0));
}

Result<std::unique_ptr<Source>> Source::from_bytes(std::string bytes) {
  return decompressed(std::make_unique<StringSource>(std::move(bytes)));
}

}  // namespace vitro::recording
