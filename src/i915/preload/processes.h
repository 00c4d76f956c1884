// Names in /proc that mean a descriptor of this or another process, "/proc/PID/fd/N" and "/proc/PID/fdinfo/N": where it
// is an open device of ours, tools that look for the users of a GPU find what the kernel would show.
#pragma once

#include <string>

namespace vitro::preload {

// The minor number of the device behind "/proc/PID/fd/N", a path as seen from `folder`; -1 if it is none.
int device_named(int folder, const char* path);
// The text of "/proc/PID/fdinfo/N" if N is a device there, empty otherwise.
std::string device_info(int folder, const char* path);

}  // namespace vitro::preload
