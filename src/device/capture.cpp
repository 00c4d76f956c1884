// Batches to a file; see capture.h. The file is opened anew for each write: a program may close whatever descriptors it
// finds, and what it opens next must not be written to.
#include "device/capture.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/quiet_writes.h"
#include "device/trace.h"
#include "gen/models.h"
#include "gen/platform.h"

namespace vitro::device {
namespace {

bool append(const std::string& file, std::span<const std::byte> bytes) {
  const int fd = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (fd < 0) return false;
  const QuietWrites quiet;
  bool good = true;
  while (good && !bytes.empty()) {
    const ssize_t wrote = ::write(fd, bytes.data(), bytes.size());
    if (wrote > 0)
      bytes = bytes.subspan(size_t(wrote));
    else
      good = wrote < 0 && errno == EINTR;
  }
  ::close(fd);
  return good;
}

// The first process of a run that has work takes the name as it is, others put their number into it.
std::string take_file(const std::string& wanted) {
  const int first = ::open(wanted.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (first >= 0) {
    ::close(first);
    return wanted;
  }
  const size_t name = wanted.rfind('/') + 1;
  const size_t dot = std::min(wanted.find('.', name + 1), wanted.size());
  const std::string other = fmt::format("{}.{}{}", wanted.substr(0, dot), getpid(), wanted.substr(dot));
  const int fd = ::open(other.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd >= 0) ::close(fd);
  return fd >= 0 ? other : "";
}

std::string program_name() {
  char name[64] = {};
  const int fd = ::open("/proc/self/comm", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  const ssize_t n = ::read(fd, name, sizeof name - 1);
  ::close(fd);
  return std::string(name, size_t(n > 0 ? n - 1 : 0));
}

// Of the second execution nobody is told.
Options quiet(Options options) {
  options.trace = {};
  options.pictures.clear();
  options.statistics = false;
  options.remark = {};
  options.tier.dump.clear();
  options.capture = {};
  // Who is to change the memory that a batch waits for has no part in this.
  constexpr std::chrono::milliseconds patience{1000};
  options.semaphore_patience = patience;
  return options;
}

}  // namespace

Capture::Capture(const gen::Device& device, const Options& options)
    : options_(options.capture), device_(device, quiet(options)) {}

Capture::~Capture() = default;

bool Capture::open() {
  file_ = take_file(options_.file);
  if (file_.empty()) {
    give_up(fmt::format("{} cannot be written: {}", options_.file, std::strerror(errno)));
    return false;
  }
  const gen::Platform& platform = *gen::find_platform(device_.kind());
  recorder_ =
      std::make_unique<recording::Recorder>([this](std::span<const std::byte> bytes) { return append(file_, bytes); },
                                            recording::RecorderOptions{.zstd = file_.ends_with(".zst"),
                                                                       .expectations = options_.results,
                                                                       .old_form = platform.aliasing_ppgtt,
                                                                       .pci_id = platform.pci_id,
                                                                       .program = program_name()});
  return true;
}

void Capture::give_up(const std::string& why) {
  write_trace("vitro: the capture ends here: " + why);
  recorder_.reset();
  given_up_ = true;
}

void Capture::record(uint64_t context, const Batch& batch, const std::function<bool()>& stop) {
  const std::lock_guard guard(lock_);
  if (given_up_ || (!recorder_ && !open())) return;
  recording::Recorder::Batch b{.engine = commands::Engine(batch.engine), .context = context, .address = batch.address};
  b.timestamp = device_.timestamp();
  if (batch.objects.empty()) {
    b.objects.assign(batch.ppgtt->ranges().begin(), batch.ppgtt->ranges().end());
  } else {
    for (const uint64_t address : batch.objects)
      if (const memory::Range* const r = batch.ppgtt->find(memory::from_canonical(address))) b.objects.push_back(*r);
  }
  const std::shared_ptr<const memory::Table> memory = recorder_->begin(b);
  if (!memory) return give_up("there is no room for a copy of the program's memory");
  std::shared_ptr<Context>& mine = contexts_[context];
  if (!mine) mine = device_.create_context();
  const Batch copy{.engine = batch.engine,
                   .ppgtt = memory,
                   .ggtt = batch.ggtt == batch.ppgtt ? memory : std::make_shared<memory::Table>(),
                   .address = batch.address,
                   .bytes = batch.bytes,
                   .timestamp = b.timestamp};
  const std::optional<Fault> fault = device_.run(*mine, copy, stop);
  if (fault) device_.reset(*mine);
  recorder_->end(b, fault ? to_text(*fault) : "");
  if (!recorder_->flush()) give_up(fmt::format("{} cannot be written", file_));
}

}  // namespace vitro::device
