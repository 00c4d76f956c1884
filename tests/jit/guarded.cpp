// The allocator behind guarded.h: it takes the place of the program's operator new, for objects of the sizes that
// matter. What was freed is forbidden from then on, and never given out again.
#include "guarded.h"

#include <sys/mman.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "dispatch/subslice.h"

namespace vitro::fuzz {

Edge edge = Edge::end;

namespace {

constexpr size_t page = 4096, arena_bytes = size_t(16) << 30;
std::atomic<uint64_t> threads{0};

// Address space alone, until it is given out.
std::byte* arena() {
  static std::byte* const all = [] {
    void* p = mmap(nullptr, arena_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) std::abort();
    return static_cast<std::byte*>(p);
  }();
  return all;
}
bool is_guarded(const void* p) {
  const auto* b = static_cast<const std::byte*>(p);
  return b >= arena() && b < arena() + arena_bytes;
}

size_t whole_pages(size_t bytes) { return (bytes + page - 1) / page * page; }

void* guarded(size_t bytes) {
  static std::atomic<size_t> used{0};
  const size_t room = whole_pages(bytes), at = used.fetch_add(room + 2 * page) + page;
  if (at + room + page > arena_bytes) std::abort();
  std::byte* first = arena() + at;
  if (mprotect(first, room, PROT_READ | PROT_WRITE) != 0) std::abort();
  return edge == Edge::end ? first + room - bytes : first;
}

void* allocate(size_t bytes, size_t alignment) {
  if (bytes == sizeof(eu::Thread) && alignment == alignof(eu::Thread)) {
    ++threads;
    return guarded(bytes);
  }
  if (bytes == dispatch::Subslice::slm_bytes) return guarded(bytes);
  void* p = nullptr;
  if (alignment <= alignof(std::max_align_t))
    p = std::malloc(bytes ? bytes : 1);
  else if (posix_memalign(&p, alignment, bytes) != 0)
    p = nullptr;
  if (!p) std::abort();
  return p;
}
void release(void* p, size_t bytes) {
  if (!p || !is_guarded(p)) return std::free(p);
  std::byte* first = arena() + (static_cast<std::byte*>(p) - arena()) / std::ptrdiff_t(page) * std::ptrdiff_t(page);
  mprotect(first, whole_pages(bytes ? bytes : 1), PROT_NONE);
}

}  // namespace

std::byte* guarded_pages(size_t bytes) { return static_cast<std::byte*>(guarded(whole_pages(bytes))); }
uint64_t guarded_threads() { return threads; }

}  // namespace vitro::fuzz

using vitro::fuzz::allocate, vitro::fuzz::release;

void* operator new(size_t n) { return allocate(n, 1); }
void* operator new[](size_t n) { return allocate(n, 1); }
void* operator new(size_t n, std::align_val_t a) { return allocate(n, size_t(a)); }
void* operator new[](size_t n, std::align_val_t a) { return allocate(n, size_t(a)); }
void* operator new(size_t n, const std::nothrow_t&) noexcept { return allocate(n, 1); }
void* operator new[](size_t n, const std::nothrow_t&) noexcept { return allocate(n, 1); }
void operator delete(void* p) noexcept { release(p, 0); }
void operator delete[](void* p) noexcept { release(p, 0); }
void operator delete(void* p, size_t n) noexcept { release(p, n); }
void operator delete[](void* p, size_t n) noexcept { release(p, n); }
void operator delete(void* p, std::align_val_t) noexcept { release(p, 0); }
void operator delete[](void* p, std::align_val_t) noexcept { release(p, 0); }
void operator delete(void* p, size_t n, std::align_val_t) noexcept { release(p, n); }
void operator delete[](void* p, size_t n, std::align_val_t) noexcept { release(p, n); }
