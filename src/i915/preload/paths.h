// Which names lead to the emulated device. The kernel shows a GPU in /dev, /sys, /run/udev and debugfs; here a
// read-only tree of ordinary files, one per device (make_tree.cpp), takes the place of those names: a name below one of
// the rules' prefixes is looked up in the tree, whether it is absolute or relative to a folder, and what the kernel
// answers about the tree is translated back. Nothing here allocates, locks or uses stdio, so it may run in signal
// handlers, after vfork and before main.
// Not modelled: names that reach a rule's prefix only through symbolic links outside the tree.
#pragma once

#include <sys/stat.h>

#include <climits>
#include <cstddef>

namespace vitro::preload {

// Files of the tree that stand for something alive.
enum class Special : unsigned char { none, card, render, error_state, drop_caches, reset_parameter };

struct Place {
  bool in_tree = false;
  int folder = 0;              // to be used with `path`
  const char* path = nullptr;  // the caller's own, or buffer
  char buffer[PATH_MAX + 1];
};

struct Tree {
  char root[PATH_MAX + 1];  // canonical; empty: there is no tree, every name is the system's
  size_t length;
  dev_t device;
};

// The tree of this process; found on first use from the place of this library and VITRO_DEVICE.
const Tree& tree();
// The path of this library, as LD_PRELOAD should name it; empty if unknown.
const char* library_path();

// `path` as seen from `folder` (AT_FDCWD or a descriptor). `writes`: the caller may change the file, so that a path
// relative to a folder is looked at more closely. A path that is none of ours comes back as it was.
void resolve(Place& place, int folder, const char* path, bool writes = false);

// For a path known to be absolute and normal: does it lie below a rule's prefix, or is it a folder above one?
bool is_replaced(const char* path, size_t length);
bool is_above(const char* path, size_t length);

// Which special file of the tree a status describes.
Special special_of(const struct stat& status);
int minor_of(Special special);     // 0 or 128, or -1
const char* node_path(int minor);  // "/dev/dri/card0"

// The descriptor behind "/proc/self/fd/N", "/dev/fd/N" and their kin; -1 for other paths.
int descriptor_named(const char* path);

// The path of an open file or folder as the program should know it, translated back; its length or -1. `in_tree` tells
// whether the tree holds it.
long path_of(int fd, char* text, size_t size, bool* in_tree = nullptr);
// Strips the tree's root from a path in place; returns the new length.
size_t translate_back(char* path, size_t length);

// After a change of the working folder.
void forget_working_folder();

}  // namespace vitro::preload
