// The OpenCL job of `vitro doctor`, through Intel's runtime.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/jobs/job.h"

namespace vitro::cli::jobs {
namespace {

// The loader starts every driver that is registered, and one for the CPU may end the process (pocl does without /sys):
// the job asks for Intel's by its file. Where the user has chosen drivers, these stay. Says what is missing.
std::string_view ask_intel_only() {
  if (std::getenv("OCL_ICD_VENDORS")) return {};
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator("/etc/OpenCL/vendors", none)) {
    std::ifstream file(entry.path());
    const std::string library(std::istreambuf_iterator<char>(file), {});
    if (library.find("igdrcl") == library.npos) continue;
    setenv("OCL_ICD_VENDORS", entry.path().c_str(), 0);
    return {};
  }
  return "no file in /etc/OpenCL/vendors names Intel's driver";
}

}  // namespace

void opencl() {
  const Library library("libOpenCL.so.1", ask_intel_only());
#define CL(name) const auto name = library.function<decltype(::name)>(#name)
  CL(clGetPlatformIDs);
  CL(clGetDeviceIDs);
  CL(clGetDeviceInfo);
  CL(clCreateContext);
  CL(clCreateCommandQueueWithProperties);
  CL(clCreateProgramWithSource);
  CL(clBuildProgram);
  CL(clCreateKernel);
  CL(clCreateBuffer);
  CL(clSetKernelArg);
  CL(clEnqueueNDRangeKernel);
  CL(clEnqueueReadBuffer);
#undef CL
  cl_platform_id platforms[16];
  cl_uint count = 0;
  clGetPlatformIDs(16, platforms, &count);
  cl_device_id device = nullptr;
  for (cl_uint i = 0; i < std::min(count, 16u) && !device; ++i) {
    cl_device_id gpu;
    cl_uint vendor = 0;
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_GPU, 1, &gpu, nullptr) != CL_SUCCESS) continue;
    clGetDeviceInfo(gpu, CL_DEVICE_VENDOR_ID, sizeof vendor, &vendor, nullptr);
    if (vendor == 0x8086) device = gpu;
  }
  if (!device) end(exit_failed, "the driver finds no GPU");
  char name[256] = "", version[256] = "";
  clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, nullptr);
  clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof version, version, nullptr);

  cl_int code;
  const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
  require_zero(code, "clCreateContext");
  const cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, &code);
  require_zero(code, "clCreateCommandQueueWithProperties");
  const char* source = opencl_source;
  const cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &code);
  require_zero(code, "clCreateProgramWithSource");
  require_zero(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
  const cl_kernel kernel = clCreateKernel(program, "work", &code);
  require_zero(code, "clCreateKernel");
  std::vector<uint32_t> data = input();
  const size_t bytes = data.size() * sizeof data[0], items = elements;
  const cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, data.data(), &code);
  require_zero(code, "clCreateBuffer");
  require_zero(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "clSetKernelArg");
  require_zero(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr), "the kernel");
  require_zero(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, data.data(), 0, nullptr, nullptr), "the kernel");
  check(data);
  end(exit_done, fmt::format("{}; Intel's OpenCL {}", name, version));
}

}  // namespace vitro::cli::jobs
