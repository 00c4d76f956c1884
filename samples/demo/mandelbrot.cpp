// The demonstration of ./run: an ordinary OpenCL program, with not a word of vitro in it, that finds a GPU, computes
// the Mandelbrot set there and writes it as a picture.
//   mandelbrot [PICTURE.png [WIDTH HEIGHT]]
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <png.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr const char* source = R"(
kernel void mandelbrot(int width, int height, global uchar4* picture) {
  int px = get_global_id(0), py = get_global_id(1);
  float x0 = (px - 0.72f * width) * 2.4f / height, y0 = (py - 0.5f * height) * 2.4f / height, x = 0, y = 0;
  int n = 0;
  while (n < 200 && x * x + y * y < 16.0f) {
    float t = x * x - y * y + x0;
    y = 2 * x * y + y0, x = t, ++n;
  }
  float smooth = n < 200 ? n + 2 - native_log2(native_log2(x * x + y * y)) : 0;
  float3 colour = n < 200 ? 0.5f + 0.5f * native_cos((float3)(3.0f, 3.6f, 4.4f) + smooth * 0.12f) : (float3)(0);
  picture[py * width + px] = convert_uchar4_sat((float4)(colour, 1) * 255.0f);
})";

void check(cl_int code, const char* what) {
  if (code == CL_SUCCESS) return;
  std::fprintf(stderr, "mandelbrot: %s failed (%d)\n", what, code);
  std::exit(1);
}

// The loader of OpenCL starts every driver there is, and one for the CPU may end the whole program (pocl does, where
// there is no /sys). It is told to leave all others alone, unless the user has a say in it.
void ask_intel_only() {
  constexpr const char* driver = "/etc/OpenCL/vendors/intel.icd";
  if (access(driver, R_OK) == 0) setenv("OCL_ICD_VENDORS", driver, 0);
}

cl_device_id find_gpu() {
  cl_uint n = 0;
  clGetPlatformIDs(0, nullptr, &n);
  std::vector<cl_platform_id> platforms(n);
  clGetPlatformIDs(n, platforms.data(), nullptr);
  for (cl_platform_id p : platforms) {
    cl_device_id device;
    if (clGetDeviceIDs(p, CL_DEVICE_TYPE_GPU, 1, &device, nullptr) == CL_SUCCESS) return device;
  }
  std::fprintf(stderr, "mandelbrot: there is no GPU\n");
  std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  const char* file = argc > 1 ? argv[1] : "mandelbrot.png";
  const cl_int width = argc > 3 ? std::atoi(argv[2]) : 960, height = argc > 3 ? std::atoi(argv[3]) : 640;
  ask_intel_only();
  const cl_device_id device = find_gpu();
  char name[256] = "";
  clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, nullptr);

  cl_int e;
  const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &e);
  check(e, "clCreateContext");
  const cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, nullptr, &e);
  check(e, "clCreateCommandQueueWithProperties");
  const char* text = source;
  const cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &e);
  check(e, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
  const cl_kernel kernel = clCreateKernel(program, "mandelbrot", &e);
  check(e, "clCreateKernel");
  const size_t pixels = size_t(width) * size_t(height);
  const cl_mem picture = clCreateBuffer(context, CL_MEM_WRITE_ONLY, pixels * 4, nullptr, &e);
  check(e, "clCreateBuffer");
  check(clSetKernelArg(kernel, 0, sizeof width, &width), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof height, &height), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof picture, &picture), "clSetKernelArg");
  const size_t size[2] = {size_t(width), size_t(height)};
  check(clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, size, nullptr, 0, nullptr, nullptr), "the kernel");
  std::vector<uint8_t> rgba(pixels * 4);
  check(clEnqueueReadBuffer(queue, picture, CL_TRUE, 0, rgba.size(), rgba.data(), 0, nullptr, nullptr), "the kernel");

  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = png_uint_32(width), png.height = png_uint_32(height), png.format = PNG_FORMAT_RGBA;
  if (!png_image_write_to_file(&png, file, 0, rgba.data(), 0, nullptr)) {
    std::fprintf(stderr, "mandelbrot: %s: %s\n", file, png.message);
    return 1;
  }
  std::printf("%s computed %d x %d pixels: %s\n", name, width, height, file);
  return 0;
}
