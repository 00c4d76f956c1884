// Writing files in somebody else's program, which may run under `ulimit -f`: a write beyond the limit is to fail, not
// to end the program by SIGXFSZ.
#pragma once

#include <pthread.h>
#include <signal.h>
#include <time.h>

namespace vitro {

// While it lives, writes of this thread that go beyond the limit fail with EFBIG and nothing else happens. The
// program's own handling of the signal is not touched, nor is a signal that was there before.
class FileSizeLimit {
 public:
  FileSizeLimit() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGXFSZ);
  }
  ~FileSizeLimit() {
    const timespec at_once{};
    if (!was_pending_) sigtimedwait(&signal_, nullptr, &at_once);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  sigset_t signal_, before_;
  bool was_pending_;
};

}  // namespace vitro
