// Waiting awake, for what is over sooner than a thread falls asleep and wakes up. It gives way to whoever else wants
// the processor by a system call of its own: the sched_yield of a program belongs to that program, and a library that
// is preloaded may take it for a wait of the program's (Kernel::yield does).
#pragma once

#include <sys/syscall.h>

#include <chrono>

namespace vitro {

#if !defined(__x86_64__)
#error "vitro makes x86-64 system calls"
#endif

inline void give_way() {
  long result = SYS_sched_yield;
  asm volatile("syscall" : "+a"(result) : : "rcx", "r11", "memory");
}

// Asks again and again. False: not within this time.
template <class F>
bool wait_awake(F&& done, std::chrono::nanoseconds most) {
  using Steady = std::chrono::steady_clock;
  constexpr int looks = 32;  // between system calls
  for (const auto until = Steady::now() + most;;) {
    for (int n = 0; n < looks; ++n) {
      if (done()) return true;
      __builtin_ia32_pause();
    }
    give_way();
    if (Steady::now() >= until) return done();
  }
}

}  // namespace vitro
