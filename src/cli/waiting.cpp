// Progress on the terminal, and Ctrl-C; see waiting.h. No part of the machine.
#include "cli/waiting.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>

namespace vitro::cli {
namespace {

std::atomic<bool> was_interrupted{false};

}  // namespace

Interruptible::Interruptible() {
  struct sigaction action {};
  action.sa_handler = [](int) { was_interrupted = true; };
  action.sa_flags = int(SA_RESETHAND);
  sigaction(SIGINT, &action, &before_);
}

Interruptible::~Interruptible() { sigaction(SIGINT, &before_, nullptr); }

bool interrupted() { return was_interrupted; }

Progress::Progress(const recording::Reader& reader, bool shown)
    : reader_(reader), shown_(shown && isatty(STDERR_FILENO)) {}

void Progress::tell(uint64_t submission) {
  constexpr std::chrono::milliseconds between{200};
  const auto now = std::chrono::steady_clock::now();
  if (!shown_ || now - last_ < between) return;
  last_ = now;
  const uint64_t size = reader_.size();
  fmt::print(stderr, "\r\033[Ksubmission {}, {}", submission,
             size ? fmt::format("{} % of the file", reader_.position() * 100 / size)
                  : fmt::format("{} MiB", reader_.position() >> 20));
  std::fflush(stderr);
  written_ = true;
}

void Progress::clear() {
  if (written_) fmt::print(stderr, "\r\033[K");
  written_ = false;
}

}  // namespace vitro::cli
