// What the interposed functions on names share with the interposed syscall(): each in the C library's convention, -1
// and errno, and each for a path relative to a folder (AT_FDCWD for the plain variants).
#pragma once

#include <sys/stat.h>
#include <sys/statfs.h>

#include <cstddef>

namespace vitro::preload {

int open_file(int folder, const char* path, int flags, unsigned mode);
int check_access(int folder, const char* path, int mode, int flags);

int get_status(int folder, const char* path, struct stat* status, int flags);
int get_extended_status(int folder, const char* path, int flags, unsigned mask, struct statx* status);
int get_descriptor_status(int fd, struct stat* status);
int get_file_system(const char* path, struct statfs* status);
int get_descriptor_file_system(int fd, struct statfs* status);

long read_link(int folder, const char* path, char* text, size_t size);
int change_folder(const char* path);
int change_folder_to(int fd);

}  // namespace vitro::preload
