// How a gate opens and closes, and the watches of epoll sets (see gate.h). A socket of a pair can be read when a byte
// from the other one waits, and cannot be written when what it has sent fills more than a quarter of its buffer
// (unix_writable in net/unix/af_unix.c). Not modelled: a watch goes with the descriptor that it was made with, not with
// the last copy of it.
#include "i915/gate.h"

#include <sys/socket.h>

#include <cerrno>

#include "i915/fence.h"
#include "i915/kernel.h"
#include "i915/raw.h"
#include "i915/state.h"

namespace vitro::i915 {
namespace {

constexpr char filling[2048] = {};  // more than a quarter of the smallest buffer, less than all of it

void send(int socket, size_t bytes) {
  raw::call(SYS_sendto, socket, raw::of(filling), long(bytes), MSG_DONTWAIT | MSG_NOSIGNAL);
}
void drain(int socket) {
  char block[sizeof filling];
  while (raw::call(SYS_recvfrom, socket, raw::of(block), sizeof block, MSG_DONTWAIT) > 0) {
  }
}

}  // namespace

std::shared_ptr<Gate> Gate::make(KernelState& kernel, ObjectRef object) {
  int ends[2] = {-1, -1};
  if (raw::call(SYS_socketpair, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, raw::of(ends)) < 0) return nullptr;
  const int smallest = 0;
  raw::call(SYS_setsockopt, ends[0], SOL_SOCKET, SO_SNDBUF, raw::of(&smallest), sizeof smallest);
  const std::shared_ptr<Gate> gate(new Gate(kernel, std::move(object)));
  gate->near_ = kernel.add_internal(ends[0]);
  gate->far_ = kernel.add_internal(ends[1]);
  gate->update(false);
  return gate;
}

Gate::~Gate() {
  kernel_.remove_internal(near_);
  kernel_.remove_internal(far_);
}

bool Gate::update(bool check_owners) {
  const std::lock_guard guard(lock_);  // over looking and acting, so that the last look wins
  bool readable = false, writable = false;
  if (object_) {
    Arena& arena = *object_.arena();
    std::vector<FenceRef> all;
    const ArenaLock arena_guard(arena);
    fences_of(arena, *object_, true, all);
    if (check_owners) {
      for (const FenceRef f : all) bury_if_owner_is_gone(arena, f);
      all.clear();
      fences_of(arena, *object_, true, all);
    }
    readable = is_signalled(arena, object_->writer);
    writable = all.empty();
  }
  if (readable != readable_) readable ? send(far_, 1) : drain(near_);
  if (writable != writable_) writable ? drain(far_) : send(near_, sizeof filling);
  readable_ = readable;
  writable_ = writable;
  return !object_ || writable;
}

bool Gate::refresh() {
  if (update(true)) return true;
  const std::lock_guard guard(lock_);
  if (!followed_) followed_ = kernel_.spawn([self = shared_from_this()] { self->follow(); });
  return followed_;
}

void Gate::follow() {
  constexpr int64_t slice_ns = 200'000'000;
  for (;;) {
    const bool done = wait_until(
        *object_.arena(), [&](bool check) { return update(check); }, raw::monotonic_ns() + slice_ns);
    bool ending = false;
    {
      const std::lock_guard guard(kernel_.work_lock);
      ending = kernel_.ending;
    }
    const std::lock_guard guard(lock_);
    if (!ending && !(done && writable_)) continue;  // new work may have come, and a refresh relies on us
    followed_ = false;
    return;
  }
}

std::shared_ptr<Gate> Kernel::gate(int fd) {
  const std::shared_ptr<Arena> arena = state_->arena(fd);
  if (!arena) return nullptr;
  const FdKind kind = identify(fd).kind;
  if (kind == FdKind::syncobj) return nullptr;
  ObjectRef object;
  if (kind == FdKind::dma_buf) {
    const ArenaLock lock(*arena);
    const uint32_t index = dma_buf_object(*arena, fd);
    if (index == 0) return nullptr;
    object = ObjectRef(arena, index);
  }
  const ObjectKey key{arena->inode(), object ? object.index() : 0};
  std::shared_ptr<Gate> gate;
  {
    const std::lock_guard guard(state_->gates_lock);
    std::erase_if(state_->gates, [](const auto& g) { return g.second.expired(); });
    const auto known = state_->gates.find(key);
    if (known != state_->gates.end()) gate = known->second.lock();
    if (!gate && (gate = Gate::make(*state_, std::move(object)))) state_->gates[key] = gate;
  }
  if (gate) gate->refresh();
  return gate;
}

bool Kernel::refresh_gates() {
  if (state_->watch_count == 0) return true;
  std::vector<std::shared_ptr<Gate>> watched;
  {
    const std::lock_guard guard(state_->gates_lock);
    for (const auto& [key, watch] : state_->watches) watched.push_back(watch.gate);
  }
  bool followed = true;
  for (const auto& gate : watched) followed = gate->refresh() && followed;
  return followed;
}

std::optional<int> Kernel::epoll_control(int set, int operation, int fd, epoll_event* event) {
  const auto control = [&](int watched) {
    epoll_event wanted{};
    if (event) {
      if (raw::get(wanted, reinterpret_cast<uint64_t>(event)) < 0) return -EFAULT;
      // What a dma-buf never has is not asked for; the way of waking up stays.
      wanted.events &= uint32_t(EPOLLIN | EPOLLOUT | EPOLLET | EPOLLONESHOT | EPOLLWAKEUP | EPOLLEXCLUSIVE);
    }
    return int(raw::call(SYS_epoll_ctl, set, operation, watched, raw::of(event ? &wanted : nullptr)));
  };
  const std::shared_ptr<Gate> gate = this->gate(fd);
  if (!gate) return std::nullopt;
  Watch gone;  // closed after the lock is given back
  const std::lock_guard guard(state_->gates_lock);
  const auto known = state_->watches.find({set, fd});
  if (operation != EPOLL_CTL_ADD) {
    if (known == state_->watches.end()) return control(gate->end());  // -ENOENT, if there is such a set
    const int result = control(known->second.fd);
    if (result == 0 && operation == EPOLL_CTL_DEL) {
      state_->remove_internal(known->second.fd);
      gone = std::move(known->second);
      state_->watches.erase(known);
    }
    state_->watch_count = state_->watches.size();
    return result;
  }
  if (known != state_->watches.end()) return control(known->second.fd);  // -EEXIST
  const int copy = raw::fcntl(gate->end(), F_DUPFD_CLOEXEC, 0);
  if (copy < 0) return -ENOMEM;
  const int watched = state_->add_internal(copy);
  const int result = control(watched);
  if (result < 0)
    state_->remove_internal(watched);
  else
    state_->watches[{set, fd}] = {gate, watched};
  state_->watch_count = state_->watches.size();
  return result;
}

void Kernel::forget_watches(int closed) {
  if (state_->watch_count == 0) return;
  std::vector<Watch> gone;  // their gates go after the lock is given back
  const std::lock_guard guard(state_->gates_lock);
  for (auto w = state_->watches.begin(); w != state_->watches.end();) {
    if (w->first.first != closed && w->first.second != closed) {
      ++w;
      continue;
    }
    raw::call(SYS_epoll_ctl, w->first.first, EPOLL_CTL_DEL, w->second.fd, 0);
    state_->remove_internal(w->second.fd);
    gone.push_back(std::move(w->second));
    w = state_->watches.erase(w);
  }
  state_->watch_count = state_->watches.size();
}

}  // namespace vitro::i915
