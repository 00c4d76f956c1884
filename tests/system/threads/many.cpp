// Many host threads use the GPU at once, each with a context, a queue, a program and buffers of its own, and some share
// one context: every result must be right. Ends with one line that a test looks for.
//   many PLATFORM [THREADS [ROUNDS]]
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "../opencl_device.h"

namespace {

constexpr const char* source = R"(
kernel void mix(uint seed, global uint* a) {
  uint i = get_global_id(0), v = a[i] + seed;
  for (uint k = 0; k < 1 + (i & 7); ++k) v = v * 1664525u + 1013904223u;
  a[i] = v;
})";

std::atomic<int> wrong{0};

void check(cl_int code, const char* what) {
  if (code == CL_SUCCESS) return;
  std::fprintf(stderr, "many: %s failed (%d)\n", what, code);
  std::_Exit(1);
}

struct Program {
  cl_context context;
  cl_program program;
};
Program make(cl_device_id device) {
  cl_int e;
  Program p;
  p.context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &e);
  check(e, "clCreateContext");
  const char* text = source;
  p.program = clCreateProgramWithSource(p.context, 1, &text, nullptr, &e);
  check(e, "clCreateProgramWithSource");
  check(clBuildProgram(p.program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
  return p;
}

void work(cl_device_id device, const Program& p, uint32_t seed, int rounds) {
  constexpr uint32_t n = 777;
  cl_int e;
  const cl_command_queue queue = clCreateCommandQueueWithProperties(p.context, device, nullptr, &e);
  check(e, "clCreateCommandQueueWithProperties");
  const cl_kernel kernel = clCreateKernel(p.program, "mix", &e);
  check(e, "clCreateKernel");
  std::vector<uint32_t> expected(n), result(n);
  for (uint32_t i = 0; i < n; ++i) expected[i] = i * seed;
  const cl_mem buffer = clCreateBuffer(p.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, n * 4, expected.data(), &e);
  check(e, "clCreateBuffer");
  check(clSetKernelArg(kernel, 0, 4, &seed), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof buffer, &buffer), "clSetKernelArg");
  for (int r = 0; r < rounds; ++r) {
    const size_t global = n;
    check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr), "enqueueing");
    for (uint32_t i = 0; i < n; ++i) {
      uint32_t v = expected[i] + seed;
      for (uint32_t k = 0; k < 1 + (i & 7); ++k) v = v * 1664525u + 1013904223u;
      expected[i] = v;
    }
    if (r % 5 == 4) {
      check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, n * 4, result.data(), 0, nullptr, nullptr), "reading");
      if (result != expected) ++wrong;
    }
  }
  clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
  clReleaseCommandQueue(queue);
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 2 ? std::atoi(argv[2]) : 8, rounds = argc > 3 ? std::atoi(argv[3]) : 20;
  const cl_device_id device = find_opencl_device(argc > 1 ? argv[1] : "Intel");
  const Program shared = make(device);
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&, t] {
      if (t % 2) {
        work(device, shared, uint32_t(t) * 7 + 1, rounds);
      } else {
        const Program own = make(device);
        work(device, own, uint32_t(t) * 7 + 1, rounds);
      }
    });
  for (std::thread& t : all) t.join();
  std::printf("%d threads, %d results wrong\n", threads, wrong.load());
  return wrong != 0;
}
