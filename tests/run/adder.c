// A small OpenCL program that leaves nothing behind: adds numbers on the device of the named platform, checks the sums
// and releases everything. For the tests that run programs in unusual surroundings. Exits with 1 and a line at the
// first call that fails. Usage: adder PLATFORM [ROUNDS]
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(cl_int code, const char* call) {
  if (code == CL_SUCCESS) return;
  fprintf(stderr, "adder: %s failed (%d)\n", call, code);
  exit(1);
}

static cl_device_id find_device(const char* platform) {
  cl_platform_id all[16];
  cl_uint count = 0;
  check(clGetPlatformIDs(16, all, &count), "clGetPlatformIDs");
  for (cl_uint i = 0; i < count && i < 16; ++i) {
    char name[256] = "";
    clGetPlatformInfo(all[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
    cl_device_id device;
    if (strstr(name, platform) && clGetDeviceIDs(all[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS)
      return device;
  }
  fprintf(stderr, "adder: no device of platform %s\n", platform);
  exit(1);
}

int main(int argc, char** argv) {
  enum { count = 4096 };
  static const char* source =
      "kernel void add(global const uint* a, global uint* b, uint c) {"
      "  size_t i = get_global_id(0); b[i] = a[i] + b[i] + c; }";
  cl_int e;
  cl_device_id device = find_device(argc > 1 ? argv[1] : "Intel");
  const unsigned rounds = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
  check(e, "clCreateContext");
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &e);
  check(e, "clCreateCommandQueueWithProperties");
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &e);
  check(e, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "add", &e);
  check(e, "clCreateKernel");

  cl_uint* numbers = malloc(count * sizeof *numbers);
  for (cl_uint i = 0; i < count; ++i) numbers[i] = i * 2654435761u;
  cl_mem a = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, count * sizeof *numbers, numbers, &e);
  check(e, "clCreateBuffer");
  cl_mem b = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, count * sizeof *numbers, numbers, &e);
  check(e, "clCreateBuffer");
  const cl_uint constant = 7;
  check(clSetKernelArg(kernel, 0, sizeof a, &a), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof b, &b), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof constant, &constant), "clSetKernelArg");
  const size_t size = count;
  for (unsigned r = 0; r < rounds; ++r)
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL), "clEnqueueNDRangeKernel");
  cl_uint* sums = malloc(count * sizeof *sums);
  check(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, count * sizeof *sums, sums, 0, NULL, NULL), "clEnqueueReadBuffer");
  cl_uint wrong = 0;
  for (cl_uint i = 0; i < count; ++i) wrong += sums[i] != (rounds + 1) * numbers[i] + rounds * constant;
  printf("%u sums, %u wrong\n", (unsigned)count, wrong);

  free(sums);
  free(numbers);
  check(clReleaseMemObject(a), "clReleaseMemObject");
  check(clReleaseMemObject(b), "clReleaseMemObject");
  check(clReleaseKernel(kernel), "clReleaseKernel");
  check(clReleaseProgram(program), "clReleaseProgram");
  check(clReleaseCommandQueue(queue), "clReleaseCommandQueue");
  check(clReleaseContext(context), "clReleaseContext");
  return wrong != 0;
}
