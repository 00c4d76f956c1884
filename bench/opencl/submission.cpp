// What it costs to hand work to a device, through OpenCL: bench_submission PLATFORM [FILLS].
// Every row of a 3D image is filled by a command of its own, 30,240 unless said otherwise: first all are enqueued and
// then waited for (`fill`), then each is waited for before the next (`in turn`); what is in the image is checked.
// `empty`: a kernel that does nothing is enqueued and waited for, again and again. Printed are the seconds of all
// fills, and the microseconds of the median and of the best empty kernel.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "../../tests/system/opencl_device.h"

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point began) { return std::chrono::duration<double>(Clock::now() - began).count(); }

void check(cl_int error, const char* what) {
  if (error == CL_SUCCESS) return;
  std::fprintf(stderr, "bench_submission: %s: %d\n", what, error);
  std::exit(1);
}

double fill_rows(cl_context context, cl_command_queue queue, size_t fills, bool in_turn) {
  constexpr size_t width = 16, height = 168;
  const size_t depth = (fills + height - 1) / height;
  const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE3D;
  description.image_width = width, description.image_height = height, description.image_depth = depth;
  cl_int error = 0;
  const cl_mem image = clCreateImage(context, CL_MEM_READ_WRITE, &format, &description, nullptr, &error);
  check(error, "clCreateImage");
  const auto colour = [](size_t row, unsigned channel) { return cl_uint((row * 7 + channel * 31) % 251); };
  const auto fill = [&](size_t row) {
    const cl_uint pattern[4] = {colour(row, 0), colour(row, 1), colour(row, 2), colour(row, 3)};
    const size_t origin[3] = {0, row % height, row / height}, region[3] = {width, 1, 1};
    check(clEnqueueFillImage(queue, image, pattern, origin, region, 0, nullptr, nullptr), "clEnqueueFillImage");
  };
  fill(0);  // the first is compiled
  check(clFinish(queue), "clFinish");
  const Clock::time_point began = Clock::now();
  for (size_t row = 0; row < fills; ++row) {
    fill(row);
    if (in_turn) check(clFinish(queue), "clFinish");
  }
  check(clFinish(queue), "clFinish");
  const double seconds = seconds_since(began);
  std::vector<unsigned char> pixels(width * height * depth * 4);
  const size_t origin[3] = {}, region[3] = {width, height, depth};
  check(clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, pixels.data(), 0, nullptr, nullptr), "read");
  for (size_t i = 0; i < fills * width * 4; ++i)
    if (pixels[i] != colour(i / (width * 4), i % 4)) check(CL_INVALID_VALUE, "a row was not filled");
  clReleaseMemObject(image);
  return seconds;
}

struct Latency {
  double median, best;
};
Latency run_empty(cl_context context, cl_device_id device, cl_command_queue queue) {
  const char* source = "kernel void nothing() {}";
  cl_int error = 0;
  const cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
  check(error, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
  const cl_kernel kernel = clCreateKernel(program, "nothing", &error);
  check(error, "clCreateKernel");
  constexpr size_t one = 1;
  constexpr int warm_up = 200, runs = 5000;
  std::vector<double> times;
  for (int n = -warm_up; n < runs; ++n) {
    const Clock::time_point began = Clock::now();
    check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, &one, 0, nullptr, nullptr), "enqueue");
    check(clFinish(queue), "clFinish");
    if (n >= 0) times.push_back(seconds_since(began));
  }
  std::sort(times.begin(), times.end());
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  return {times[runs / 2] * 1e6, times.front() * 1e6};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: bench_submission PLATFORM [FILLS]\n");
    return 2;
  }
  const size_t fills = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 30'240;
  const cl_device_id device = find_opencl_device(argv[1]);
  cl_int error = 0;
  const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  check(error, "clCreateContext");
  const cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "clCreateCommandQueue");
  const double fill = fill_rows(context, queue, fills, false), in_turn = fill_rows(context, queue, fills, true);
  const Latency empty = run_empty(context, device, queue);
  std::printf("fill %.4f s, in turn %.4f s, empty %.1f us, %.1f us at best\n", fill, in_turn, empty.median, empty.best);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return 0;
}
