/* Work for Intel's OpenCL driver while it writes an AUB file instead of using a GPU: three kernels over one buffer, one
 * of them with local memory and a barrier. Prints the name of the device, and the buffer's address and size; what the
 * buffer must hold afterwards goes to the file that is named. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { elements = 4096, group = 64 };

static const char* const source =
    "kernel void affine(global uint* a) { size_t i = get_global_id(0); a[i] = a[i] * 3 + 7 + get_group_id(0); }\n"
    "kernel void reverse(global uint* a) {\n"
    "  local uint l[64]; size_t i = get_local_id(0);\n"
    "  l[i] = a[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE); a[get_global_id(0)] = l[63 - i];\n"
    "}\n"
    "kernel void roots(global uint* a) { size_t i = get_global_id(0); a[i] ^= (uint)(sqrt((float)i) * 16); }\n";

static void check(cl_int error, const char* what) {
  if (!error) return;
  fprintf(stderr, "%s: %d\n", what, error);
  exit(1);
}

static void expect(uint32_t* a) {
  for (uint32_t i = 0; i < elements; ++i) a[i] = a[i] * 3 + 7 + i / group;
  for (uint32_t g = 0; g < elements; g += group)
    for (uint32_t i = 0; i < group / 2; ++i) {
      const uint32_t t = a[g + i];
      a[g + i] = a[g + group - 1 - i];
      a[g + group - 1 - i] = t;
    }
  for (uint32_t i = 0; i < elements; ++i) { /* floor(sqrt(i) * 16), in integers */
    uint32_t root = 0;
    while ((root + 1) * (root + 1) <= 256 * i) ++root;
    a[i] ^= root;
  }
}

int main(int argc, char** argv) {
  cl_platform_id platforms[16];
  cl_uint count = 0;
  cl_device_id device = NULL;
  check(argc != 2, "usage: neo FILE");
  check(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
  for (cl_uint n = 0; n < count && n < 16 && !device; ++n) {
    char vendor[100] = "";
    clGetPlatformInfo(platforms[n], CL_PLATFORM_VENDOR, sizeof vendor, vendor, NULL);
    if (strstr(vendor, "Intel")) clGetDeviceIDs(platforms[n], CL_DEVICE_TYPE_GPU, 1, &device, NULL);
  }
  check(!device, "Intel's driver gives no device");
  cl_int error = 0;
  char name[200];
  check(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL), "clGetDeviceInfo");
  const cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "clCreateContext");
  const cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "clCreateCommandQueue");
  const cl_program program = clCreateProgramWithSource(context, 1, (const char**)&source, NULL, &error);
  check(error, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");

  uint32_t* const memory = aligned_alloc(4096, sizeof(uint32_t[elements]));
  uint32_t* const wanted = malloc(sizeof(uint32_t[elements]));
  for (uint32_t i = 0; i < elements; ++i) wanted[i] = memory[i] = i * 2654435761u;
  /* The driver gives the GPU the same address for memory of the program. */
  const cl_mem buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof(uint32_t[elements]), memory, &error);
  check(error, "clCreateBuffer");
  static const char* const kernels[] = {"affine", "reverse", "roots"};
  for (size_t n = 0; n < 3; ++n) {
    const cl_kernel kernel = clCreateKernel(program, kernels[n], &error);
    check(error, kernels[n]);
    check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
    const size_t global = elements, local = group;
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), "clEnqueueNDRangeKernel");
    check(clFinish(queue), "clFinish");
  }
  expect(wanted);
  FILE* const file = fopen(argv[1], "wb");
  check(!file || fwrite(wanted, sizeof(uint32_t[elements]), 1, file) != 1 || fclose(file), argv[1]);
  printf("%s\n%p %zu\n", name, (void*)memory, sizeof(uint32_t[elements]));
  return 0;
}
