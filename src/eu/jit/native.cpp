// Machine code in memory: an image is put into pages of its own, which then may be run but not written. PRM: none.
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "eu/jit/image.h"
#include "eu/jit/runtime.h"

namespace vitro::eu::jit {
namespace {

// Pages that hold an image's code.
class Pages {
 public:
  Pages() = default;
  explicit Pages(std::span<const std::byte> code) {
    const size_t page = size_t(sysconf(_SC_PAGESIZE));
    const size_t bytes = (code.size() + page - 1) / page * page;
    void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) return;
    std::memcpy(at, code.data(), code.size());
    at_ = static_cast<std::byte*>(at), bytes_ = bytes;
    if (mprotect(at, bytes, PROT_READ | PROT_EXEC) != 0) release();
  }
  ~Pages() { release(); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;

  std::byte* at() const { return at_; }
  size_t bytes() const { return bytes_; }

 private:
  void release() {
    if (at_) munmap(at_, bytes_);
    at_ = nullptr;
  }
  std::byte* at_ = nullptr;
  size_t bytes_ = 0;
};

class Native : public Compiled {
 public:
  Native(const Program& program, const Image& image)
      : pages_(image.code),
        tandem_{.program = program,
                .code = reinterpret_cast<Code>(reinterpret_cast<uintptr_t>(pages_.at()) + image.start),
                .entries = std::vector<bool>(program.size() / 8 + 1),
                .modes = std::vector<Mode>(program.size() / 8 + 1),
                .mode_mask = image.mode_mask,
                .labels = image.labels,
                .sites = image.sites},
        needed_((std::bitset<grf_count>(image.needed[1]) << 64) | std::bitset<grf_count>(image.needed[0])),
        counts_(image.counts),
        start_(image.start),
        function_bytes_(image.function_bytes),
        shared_(image.shared),
        code_bytes_(uint32_t(image.code.size())) {
    for (const auto& [ip, mode] : image.entries) {
      tandem_.entries[ip / 8] = true;
      tandem_.modes[ip / 8] = mode;
    }
    counts_.code_bytes = pages_.bytes();
  }

  bool loaded() const { return pages_.at() != nullptr; }
  Status run(Executor& x, uint64_t budget) const override { return tandem_.run(x, budget); }
  const Counts& counts() const override { return counts_; }
  std::span<const std::byte> code() const override { return {pages_.at() + start_, function_bytes_}; }
  std::span<const std::byte> shared_code() const override { return {pages_.at() + shared_, code_bytes_ - shared_}; }
  std::span<const Transfer> sites() const override { return tandem_.sites; }
  std::bitset<grf_count> needed() const override { return needed_; }

 private:
  Pages pages_;
  Tandem tandem_;
  std::bitset<grf_count> needed_;
  Counts counts_;
  uint32_t start_, function_bytes_, shared_, code_bytes_;
};

// Whether it can be of this program.
bool fits(const Image& image, const Program& program) {
  for (const Image::Entry& e : image.entries)
    if (!program.at(e.ip)) return false;
  return size_t(image.counts.instructions) == program.plans().size();
}

}  // namespace

std::shared_ptr<const Compiled> load(const Program& program, std::span<const std::byte> bytes) {
  const std::optional<Image> image = to_image(bytes);
  if (!image || !fits(*image, program)) return nullptr;
  auto native = std::make_shared<Native>(program, *image);
  return native->loaded() ? native : nullptr;
}

std::shared_ptr<const Compiled> compile(const Program& program, const Options& options) {
  return load(program, generate(program, options));
}

}  // namespace vitro::eu::jit
