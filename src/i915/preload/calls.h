// What the interposed functions on descriptors and mappings share with the interposed syscall(), each in the C
// library's convention: -1 (MAP_FAILED) and errno.
#pragma once

#include <cstddef>

namespace vitro::preload {

int control(int fd, unsigned long request, void* argument);  // ioctl
void* map(void* address, size_t bytes, int protection, int flags, int fd, long offset);
int unmap(void* address, size_t bytes);
void* move_map(void* address, size_t bytes, size_t new_bytes, int flags, void* new_address);
long seek(int fd, long offset, int whence);
int close_descriptor(int fd);
int close_descriptors(unsigned first, unsigned last, int flags);
int duplicate(int from, int to, int flags, bool equal_is_fine);

}  // namespace vitro::preload
