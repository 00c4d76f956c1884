// Which OpenCL device a test program or a benchmark runs on: the first of the platform whose name contains a text.
// There is no falling back to another: a program that was to run on Intel's driver must not pass on a different one.
#pragma once

#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

inline cl_device_id find_opencl_device(const char* platform_name) {
  cl_uint count = 0;
  clGetPlatformIDs(0, nullptr, &count);
  std::vector<cl_platform_id> platforms(count);
  if (count) clGetPlatformIDs(count, platforms.data(), nullptr);
  for (cl_platform_id platform : platforms) {
    char name[256] = {};
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, nullptr);
    cl_device_id device = nullptr;
    if (std::strstr(name, platform_name) && !clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr))
      return device;
  }
  std::fprintf(stderr, "there is no OpenCL device of a platform %s\n", platform_name);
  std::exit(1);
}
