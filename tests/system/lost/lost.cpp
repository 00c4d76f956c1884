// A kernel that never ends: lost PLATFORM [WAY]. The GPU is reset; the driver must notice, by asking the kernel for
// reset statistics, every wait must end, and so must the program. Each way of waiting is a process of its own: for the
// queue or for an event, with work in the queue behind it, with more of it enqueued afterwards (until the context is
// banned), and not at all.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "../opencl_device.h"

namespace {

void check(cl_int error, const char* what) {
  if (error == CL_SUCCESS) return;
  std::fprintf(stderr, "lost: %s: %d\n", what, error);
  std::exit(1);
}
// A wait that must not succeed.
void check_lost(cl_int error, const char* what) {
  if (error != CL_SUCCESS) return;
  std::fprintf(stderr, "lost: %s succeeded after the context was lost\n", what);
  std::exit(1);
}

constexpr const char* source =
    "kernel void spin(global volatile int* p) { while (p[0] == 0) ; p[1] = 1; }\n"
    "kernel void set(global int* p) { p[2] = 2; }\n";

struct Program {
  cl_command_queue queue;
  cl_kernel spin, set;
  cl_mem buffer;

  cl_int enqueue(cl_kernel kernel, cl_event* event = nullptr) const {
    constexpr size_t items = 64;
    return clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, event);
  }
};

void wait_for_queue(const Program& p) { check_lost(clFinish(p.queue), "clFinish"); }
void wait_for_event(const Program& p) {
  cl_event event = nullptr;
  check(p.enqueue(p.spin, &event), "enqueue");
  check_lost(clWaitForEvents(1, &event), "clWaitForEvents");
  clReleaseEvent(event);
}
// What runs after a reset may succeed, if it needs nothing of what was lost; it must come to an end.
void work_behind(const Program& p) {
  int words[64];
  for (int n = 0; n < 6; ++n) p.enqueue(p.spin);
  clEnqueueReadBuffer(p.queue, p.buffer, CL_TRUE, 0, sizeof words, words, 0, nullptr, nullptr);
  clFinish(p.queue);
}
void work_afterwards(const Program& p) {
  check_lost(clFinish(p.queue), "clFinish");
  for (int n = 0; n < 4; ++n)
    if (p.enqueue(p.set) == CL_SUCCESS) check_lost(clFinish(p.queue), "clFinish of more work");
}
void do_not_wait(const Program& p) { check(clFlush(p.queue), "clFlush"); }

struct Way {
  const char* name;
  void (*wait)(const Program&);
};
constexpr Way ways[] = {{"queue", wait_for_queue},
                        {"event", wait_for_event},
                        {"behind", work_behind},
                        {"afterwards", work_afterwards},
                        {"none", do_not_wait}};

void run(const char* platform, const Way& way) {
  const cl_device_id device = find_opencl_device(platform);
  cl_int error = 0;
  const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  check(error, "clCreateContext");
  Program p{};
  p.queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "clCreateCommandQueue");
  const char* text = source;
  const cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &error);
  check(error, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
  p.spin = clCreateKernel(program, "spin", &error);
  check(error, "clCreateKernel");
  p.set = clCreateKernel(program, "set", &error);
  check(error, "clCreateKernel");
  int words[64] = {};
  p.buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof words, words, &error);
  check(error, "clCreateBuffer");
  check(clSetKernelArg(p.spin, 0, sizeof p.buffer, &p.buffer), "clSetKernelArg");
  check(clSetKernelArg(p.set, 0, sizeof p.buffer, &p.buffer), "clSetKernelArg");
  check(p.enqueue(p.spin), "enqueue");
  way.wait(p);
  clReleaseMemObject(p.buffer);
  clReleaseKernel(p.spin);
  clReleaseKernel(p.set);
  clReleaseProgram(program);
  clReleaseCommandQueue(p.queue);
  clReleaseContext(context);
}

}  // namespace

int main(int argc, char** argv) {
  constexpr unsigned patience_s = 20;
  if (argc < 2) return 2;
  bool good = true;
  for (const Way& way : ways) {
    if (argc > 2 && std::strcmp(argv[2], way.name) != 0) continue;
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
      alarm(patience_s);
      run(argv[1], way);
      return 0;
    }
    int status = -1;
    waitpid(child, &status, 0);
    const bool ended = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    std::printf("%s: %s\n", way.name, ended ? "ended" : WIFSIGNALED(status) ? "never ended" : "failed");
    good = good && ended;
  }
  return good ? 0 : 1;
}
