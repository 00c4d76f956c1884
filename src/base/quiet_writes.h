// Writing in somebody else's program. Some writes are answered with a signal that ends a process: those beyond `ulimit
// -f` with SIGXFSZ, those to a pipe that nobody reads with SIGPIPE. Ours are to fail, and the program is to go on.
#pragma once

#include <pthread.h>
#include <signal.h>
#include <time.h>

namespace vitro {

// While it lives, such writes of this thread fail with EFBIG or EPIPE and nothing else happens. The program's own
// handling of the signals is not touched, nor are signals that were there before.
class QuietWrites {
 public:
  QuietWrites() {
    sigemptyset(&ours_);
    for (int signal : signals) sigaddset(&ours_, signal);
    pthread_sigmask(SIG_BLOCK, &ours_, &before_);
    sigset_t pending;
    sigpending(&pending);
    for (int signal : signals)
      if (sigismember(&pending, signal)) sigdelset(&ours_, signal);
  }
  ~QuietWrites() {
    const timespec at_once{};
    while (sigtimedwait(&ours_, nullptr, &at_once) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  QuietWrites(const QuietWrites&) = delete;
  QuietWrites& operator=(const QuietWrites&) = delete;

 private:
  static constexpr int signals[] = {SIGXFSZ, SIGPIPE};
  sigset_t ours_, before_;
};

}  // namespace vitro
