// Host threads of our own in somebody else's program: signals are the program's business and not theirs, and their
// stacks are as large as our work needs, whatever `ulimit -s` or the program's own default for its threads say. They
// begin in plain modes of floats, which otherwise they would have from whoever starts them.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <cstddef>

#include "base/host_floats.h"

namespace vitro {

constexpr size_t host_thread_stack = size_t{8} << 20;  // for the compiler, which recurses

// As pthread_create: 0, or an error number where there is no thread to be had.
inline int start_host_thread(pthread_t& thread, void* (*run)(void*), void* argument) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, host_thread_stack);
  const HostFloats floats(HostFloats::plain);
  const int error = pthread_create(&thread, &attributes, run, argument);
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return error;
}

}  // namespace vitro
