// What the interposed functions on descriptors and mappings share with the interposed syscall(), each in the C
// library's convention: -1 (MAP_FAILED) and errno.
#pragma once

#include <cstddef>

struct pollfd;
struct epoll_event;

namespace vitro::preload {

int control(int fd, unsigned long request, void* argument);  // ioctl
void* map(void* address, size_t bytes, int protection, int flags, int fd, long offset);
int unmap(void* address, size_t bytes);
int protect(void* address, size_t bytes, int protection);
void* move_map(void* address, size_t bytes, size_t new_bytes, int flags, void* new_address);
long seek(int fd, long offset, int whence);
int close_descriptor(int fd);
int close_descriptors(unsigned first, unsigned last, int flags);
int duplicate(int from, int to, int flags, bool equal_is_fine);

long read_from(int fd, void* to, size_t bytes);
long write_to(int fd, const void* from, size_t bytes);
long read_at(int fd, void* to, size_t bytes, long offset);
long write_at(int fd, const void* from, size_t bytes, long offset);
int resize(int fd, long bytes);  // ftruncate

int wait_for(pollfd* fds, size_t count, int timeout);  // poll
int control_set(int set, int operation, int fd, epoll_event* event);
int wait_for_set(int set, epoll_event* events, int count, int timeout);

}  // namespace vitro::preload
