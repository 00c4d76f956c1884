// Tests of the threads that we start in other people's programs.
#include "base/host_thread.h"

#include <gtest/gtest.h>

namespace vitro {
namespace {

struct Seen {
  size_t stack = 0;
  bool takes_signals = true;
};

Seen look() {
  Seen seen;
  pthread_t thread;
  const auto run = [](void* given) -> void* {
    Seen& s = *static_cast<Seen*>(given);
    pthread_attr_t attributes;
    pthread_getattr_np(pthread_self(), &attributes);
    pthread_attr_getstacksize(&attributes, &s.stack);
    pthread_attr_destroy(&attributes);
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    s.takes_signals = !sigismember(&blocked, SIGTERM) || !sigismember(&blocked, SIGUSR1);
    return nullptr;
  };
  EXPECT_EQ(start_host_thread(thread, run, &seen), 0);
  pthread_join(thread, nullptr);
  return seen;
}

TEST(HostThread, TakesNoSignalsAndTheCallerKeepsItsOwn) {
  EXPECT_FALSE(look().takes_signals);
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  EXPECT_FALSE(sigismember(&blocked, SIGTERM));
}

TEST(HostThread, TheStackIsNotTheProgramsDefault) {
  pthread_attr_t before, small;
  pthread_getattr_default_np(&before);
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, size_t{64} << 10);
  pthread_setattr_default_np(&small);
  EXPECT_GE(look().stack, host_thread_stack);
  pthread_attr_setstacksize(&small, size_t{1} << 50);
  pthread_setattr_default_np(&small);
  EXPECT_GE(look().stack, host_thread_stack);
  pthread_setattr_default_np(&before);
  pthread_attr_destroy(&small);
}

}  // namespace
}  // namespace vitro
