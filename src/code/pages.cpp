// Memory for machine code, from the system and back. PRM: none.
#include "code/pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace vitro::code {

Pages::Pages(std::span<const std::byte> code) {
  const size_t page = size_t(sysconf(_SC_PAGESIZE));
  const size_t bytes = (code.size() + page - 1) / page * page;
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return;
  std::memcpy(at, code.data(), code.size());
  at_ = static_cast<std::byte*>(at), bytes_ = bytes;
  if (mprotect(at, bytes, PROT_READ | PROT_EXEC) != 0) release();
}

Pages::~Pages() { release(); }

void Pages::release() {
  if (at_) munmap(at_, bytes_);
  at_ = nullptr;
}

}  // namespace vitro::code
