// Waiting for descriptors (poll, select, epoll): in place of a device or a dma-buf its gate is waited on (gate.h). All
// else goes on to the C library's own functions, which can be cancelled. Source of the behaviour: fs/select.c and
// fs/eventpoll.c of Linux 6.1. And waiting by yielding, see i915/resting.cpp.
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include <ctime>
#include <memory>
#include <vector>

#include "i915/gate.h"
#include "i915/preload/calls.h"
#include "i915/preload/inner.h"
#include "i915/preload/interpose.h"
#include "i915/preload/raw.h"

namespace vitro::preload {

namespace {

using PollNext = int (*)(pollfd*, unsigned long, int);
PollNext next_poll() { return NEXT_AS(poll, PollNext); }
[[gnu::constructor]] void resolve_early() { next_poll(); }

bool has_gate(int fd) {
  const i915::FdKind kind = identify(fd).kind;
  return kind == i915::FdKind::device || kind == i915::FdKind::dma_buf;
}

bool any_has_gate(const pollfd* fds, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (fds[i].fd >= 0 && has_gate(fds[i].fd)) return true;
  return false;
}

bool look_again() { return !kernel_is_up() || kernel().refresh_gates(); }

timespec after_milliseconds(int ms) { return {ms / 1000, ms % 1000 * 1000000L}; }

// Waits by `once`, which is given a timeout. `look` is asked before, and tells whether what is waited for will change
// by itself; where there is no thread to see to that, it is looked at every millisecond.
template <class Look, class Once>
int wait_by(const timespec* timeout, Look look, Once once) {
  constexpr int64_t billion = 1'000'000'000;
  constexpr timespec turn{0, 1'000'000};
  const int64_t began = i915::raw::monotonic_ns();
  while (!look()) {
    const int64_t left =
        timeout ? timeout->tv_sec * billion + timeout->tv_nsec - (i915::raw::monotonic_ns() - began) : turn.tv_nsec + 1;
    const timespec rest{0, std::max<int64_t>(left, 0)};
    const int result = once(left > turn.tv_nsec ? &turn : &rest);
    if (result != 0 || left <= turn.tv_nsec) return result;
  }
  return once(timeout);
}

int wait_with_gates(pollfd* fds, size_t count, const timespec* timeout, const sigset_t* mask) {
  std::vector<pollfd> stand_ins(fds, fds + count);
  std::vector<std::shared_ptr<i915::Gate>> gates;
  for (pollfd& p : stand_ins) {
    if (p.fd < 0 || !has_gate(p.fd)) continue;
    if (auto gate = kernel().gate(p.fd)) {
      p.fd = gate->end();
      p.events &= short(POLLIN | POLLOUT);
      gates.push_back(std::move(gate));
    }
  }
  const auto look = [&] {
    bool followed = look_again();
    for (const auto& gate : gates) followed = gate->refresh() && followed;
    return followed;
  };
  const int result = wait_by(timeout, look, [&](const timespec* t) {
    return NEXT_AS(ppoll, int (*)(pollfd*, unsigned long, const timespec*, const sigset_t*))(stand_ins.data(), count, t,
                                                                                             mask);
  });
  for (size_t i = 0; result >= 0 && i < count; ++i) fds[i].revents = stand_ins[i].revents;
  const int saved = errno;
  gates.clear();
  errno = saved;
  return result;
}

// Which events each of select's three sets means.
struct Set {
  short wanted, given;
};
constexpr Set sets_of_select[] = {
    {POLLIN | POLLRDNORM | POLLRDBAND, POLLIN | POLLRDNORM | POLLRDBAND | POLLHUP | POLLERR},
    {POLLOUT | POLLWRNORM | POLLWRBAND, POLLOUT | POLLWRNORM | POLLWRBAND | POLLERR},
    {POLLPRI, POLLPRI},
};

bool is_in(const fd_set* set, int fd) { return set && (set->fds_bits[fd / NFDBITS] >> (fd % NFDBITS) & 1); }

bool any_has_gate(int count, fd_set* const sets[3]) {
  for (int fd = 0; fd < count; ++fd)
    if ((is_in(sets[0], fd) || is_in(sets[1], fd) || is_in(sets[2], fd)) && has_gate(fd)) return true;
  return false;
}

std::vector<pollfd> gather(int count, fd_set* const sets[3]) {
  std::vector<pollfd> fds;
  for (int fd = 0; fd < count; ++fd) {
    short events = 0;
    for (int s = 0; s < 3; ++s)
      if (is_in(sets[s], fd)) events |= sets_of_select[s].wanted;
    if (events) fds.push_back({fd, events, 0});
  }
  return fds;
}

int select_with_gates(int count, fd_set* const sets[3], const timespec* timeout, const sigset_t* mask) {
  std::vector<pollfd> fds = gather(count, sets);
  const int result = wait_with_gates(fds.data(), fds.size(), timeout, mask);
  if (result < 0) return result;
  for (const pollfd& p : fds)
    if (p.revents & POLLNVAL) return int(settle(-EBADF));
  int found = 0;
  for (const pollfd& p : fds) {
    for (int s = 0; s < 3; ++s) {
      if (!is_in(sets[s], p.fd)) continue;
      if (p.revents & sets_of_select[s].given)
        ++found;
      else
        sets[s]->fds_bits[p.fd / NFDBITS] &= ~long(1ul << (p.fd % NFDBITS));
    }
  }
  return found;
}

int wait_for_set(int set, epoll_event* events, int count, const timespec* timeout, const sigset_t* mask) {
  return wait_by(timeout, look_again,
                 [&](const timespec* t) { return NEXT(epoll_pwait2)(set, events, count, t, mask); });
}

}  // namespace

int wait_for(pollfd* fds, size_t count, int timeout) {
  if (!any_has_gate(fds, count)) {
    look_again();
    return next_poll()(fds, count, timeout);
  }
  const timespec t = after_milliseconds(timeout);
  return wait_with_gates(fds, count, timeout < 0 ? nullptr : &t, nullptr);
}

int control_set(int set, int operation, int fd, epoll_event* event) {
  if (has_gate(fd))
    if (const auto result = kernel().epoll_control(set, operation, fd, event)) return int(settle(*result));
  return int(settle(raw(SYS_epoll_ctl, set, operation, fd, event)));
}

int wait_for_set(int set, epoll_event* events, int count, int timeout) {
  if (look_again()) return NEXT(epoll_wait)(set, events, count, timeout);
  const timespec t = after_milliseconds(timeout);
  return wait_for_set(set, events, count, timeout < 0 ? nullptr : &t, nullptr);
}

extern "C" {

int vitro_poll(pollfd* fds, unsigned long count, int timeout) { return wait_for(fds, count, timeout); }
INTERPOSE(poll, vitro_poll);

int vitro_poll_chk(pollfd* fds, unsigned long count, int timeout, size_t space) {
  if (any_has_gate(fds, count)) return wait_for(fds, count, timeout);
  look_again();
  return NEXT_AS(__poll_chk, int (*)(pollfd*, unsigned long, int, size_t))(fds, count, timeout, space);
}
INTERPOSE(__poll_chk, vitro_poll_chk);

int vitro_ppoll(pollfd* fds, unsigned long count, const timespec* timeout, const sigset_t* mask) {
  if (any_has_gate(fds, count)) return wait_with_gates(fds, count, timeout, mask);
  look_again();
  return NEXT_AS(ppoll, int (*)(pollfd*, unsigned long, const timespec*, const sigset_t*))(fds, count, timeout, mask);
}
INTERPOSE(ppoll, vitro_ppoll);

int vitro_ppoll_chk(pollfd* fds, unsigned long count, const timespec* timeout, const sigset_t* mask, size_t space) {
  if (any_has_gate(fds, count)) return wait_with_gates(fds, count, timeout, mask);
  look_again();
  return NEXT_AS(__ppoll_chk, int (*)(pollfd*, unsigned long, const timespec*, const sigset_t*, size_t))(
      fds, count, timeout, mask, space);
}
INTERPOSE(__ppoll_chk, vitro_ppoll_chk);

int vitro_select(int count, fd_set* readable, fd_set* writable, fd_set* exceptional, timeval* timeout) {
  fd_set* const sets[3] = {readable, writable, exceptional};
  if (!any_has_gate(count, sets)) {
    look_again();
    return NEXT(select)(count, readable, writable, exceptional, timeout);
  }
  if (!timeout) return select_with_gates(count, sets, nullptr, nullptr);
  if (timeout->tv_sec < 0 || timeout->tv_usec < 0) return int(settle(-EINVAL));
  const int64_t wanted = int64_t(timeout->tv_sec) * 1000000 + timeout->tv_usec, begin = i915::raw::monotonic_ns();
  const timespec t{wanted / 1000000, wanted % 1000000 * 1000};
  const int result = select_with_gates(count, sets, &t, nullptr);
  const int64_t left = std::max<int64_t>(wanted - (i915::raw::monotonic_ns() - begin) / 1000, 0);
  *timeout = {left / 1000000, left % 1000000};  // Linux tells what is left
  return result;
}
INTERPOSE(select, vitro_select);

int vitro_pselect(int count, fd_set* readable, fd_set* writable, fd_set* exceptional, const timespec* timeout,
                  const sigset_t* mask) {
  fd_set* const sets[3] = {readable, writable, exceptional};
  if (any_has_gate(count, sets)) return select_with_gates(count, sets, timeout, mask);
  look_again();
  return NEXT(pselect)(count, readable, writable, exceptional, timeout, mask);
}
INTERPOSE(pselect, vitro_pselect);

int vitro_epoll_ctl(int set, int operation, int fd, epoll_event* event) {
  return control_set(set, operation, fd, event);
}
INTERPOSE(epoll_ctl, vitro_epoll_ctl);

int vitro_epoll_wait(int set, epoll_event* events, int count, int timeout) {
  return wait_for_set(set, events, count, timeout);
}
INTERPOSE(epoll_wait, vitro_epoll_wait);

int vitro_epoll_pwait(int set, epoll_event* events, int count, int timeout, const sigset_t* mask) {
  if (look_again()) return NEXT(epoll_pwait)(set, events, count, timeout, mask);
  const timespec t = after_milliseconds(timeout);
  return wait_for_set(set, events, count, timeout < 0 ? nullptr : &t, mask);
}
INTERPOSE(epoll_pwait, vitro_epoll_pwait);

int vitro_epoll_pwait2(int set, epoll_event* events, int count, const timespec* timeout, const sigset_t* mask) {
  return wait_for_set(set, events, count, timeout, mask);
}
INTERPOSE(epoll_pwait2, vitro_epoll_pwait2);

int vitro_sched_yield() {
  if (!kernel_is_up()) return int(raw(SYS_sched_yield));
  kernel().yield();
  return 0;
}
INTERPOSE(sched_yield, vitro_sched_yield);

}  // extern "C"

}  // namespace vitro::preload
