// Times the kernels of the OpenCL benchmark on one platform: a warm-up run of each, then runs until enough time has
// passed, and the best of them. Prints one line per kernel: its name, seconds of the best run, and the amount of work
// in one run (items, flops or bytes, whichever the kernel is measured in). The platform is chosen by a part of its
// name.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

void check(cl_int code, const char* what) {
  if (code == CL_SUCCESS) return;
  std::fprintf(stderr, "bench: %s failed (%d)\n", what, code);
  std::exit(1);
}

struct Bench {
  cl_context context;
  cl_command_queue queue;
  cl_program program;
  double seconds;  // measure at least so long

  cl_mem buffer(size_t bytes) const {
    std::vector<uint8_t> data(bytes);
    uint32_t x = 12345;
    for (size_t i = 0; i + 4 <= bytes; i += 4) {  // floats between 0.5 and 2.5
      x = x * 1664525 + 1013904223;
      const float f = 0.5f + float(x >> 8) / float(1 << 23);
      std::memcpy(&data[i], &f, 4);
    }
    cl_int e;
    const cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, data.data(), &e);
    check(e, "clCreateBuffer");
    return m;
  }
  cl_mem image(size_t w, size_t h) const {
    const cl_image_format format{CL_R, CL_FLOAT};
    cl_image_desc d{};
    d.image_type = CL_MEM_OBJECT_IMAGE2D, d.image_width = w, d.image_height = h;
    std::vector<float> data(w * h);
    for (size_t i = 0; i < data.size(); ++i) data[i] = float(i % 977) / 977.0f;
    cl_int e;
    const cl_mem m = clCreateImage(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &d, data.data(), &e);
    check(e, "clCreateImage");
    return m;
  }

  template <class... Args>
  void run(const char* name, double work, const char* unit, std::vector<size_t> global, std::vector<size_t> group,
           Args... args) const {
    cl_int e;
    const cl_kernel kernel = clCreateKernel(program, name, &e);
    check(e, name);
    cl_uint index = 0;
    ((check(clSetKernelArg(kernel, index, sizeof args, &args), name), ++index), ...);
    const auto once = [&] {
      const auto start = std::chrono::steady_clock::now();
      check(clEnqueueNDRangeKernel(queue, kernel, cl_uint(global.size()), nullptr, global.data(),
                                   group.empty() ? nullptr : group.data(), 0, nullptr, nullptr),
            name);
      check(clFinish(queue), name);
      return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    for (double spent = 0; spent < seconds / 2;) spent += once();  // warm-up: compilation ends in it
    double best = 1e9;
    for (double spent = 0; spent < seconds;) {
      const double t = once();
      best = std::fmin(best, t), spent += t;
    }
    std::printf("%s %.9f %.0f %s\n", name, best, work, unit);
    std::fflush(stdout);
    clReleaseKernel(kernel);
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s PLATFORM KERNELS.cl [SCALE [SECONDS [NAME...]]]\n", argv[0]);
    return 2;
  }
  const double scale = argc > 3 ? std::atof(argv[3]) : 1;
  std::ifstream file(argv[2]);
  std::stringstream text;
  text << file.rdbuf();
  const std::string source = text.str();

  cl_uint n = 0;
  clGetPlatformIDs(0, nullptr, &n);
  std::vector<cl_platform_id> platforms(n);
  clGetPlatformIDs(n, platforms.data(), nullptr);
  cl_platform_id platform = nullptr;
  for (cl_platform_id p : platforms) {
    char name[256] = "";
    clGetPlatformInfo(p, CL_PLATFORM_NAME, sizeof name, name, nullptr);
    if (std::strstr(name, argv[1])) platform = p;
  }
  if (!platform) {
    std::fprintf(stderr, "bench: no OpenCL platform named %s\n", argv[1]);
    return 1;
  }
  cl_device_id device;
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
  cl_int e;
  Bench b{};
  b.seconds = argc > 4 ? std::atof(argv[4]) : 1;
  b.context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &e);
  check(e, "clCreateContext");
  b.queue = clCreateCommandQueueWithProperties(b.context, device, nullptr, &e);
  check(e, "clCreateCommandQueueWithProperties");
  const char* code = source.c_str();
  b.program = clCreateProgramWithSource(b.context, 1, &code, nullptr, &e);
  check(e, "clCreateProgramWithSource");
  check(clBuildProgram(b.program, 1, &device, "", nullptr, nullptr), "clBuildProgram");

  const auto wanted = [&](const char* name) {
    for (int i = 5; i < argc; ++i)
      if (std::strcmp(argv[i], name) == 0) return true;
    return argc <= 5;
  };
  // Sizes: multiples of 256, about a hundredth of a second each on one core of a CPU.
  const auto items = [&](double count) { return size_t(count * scale / 256 + 1) * 256; };
  const auto edge = [&](double count) { return size_t(count * std::sqrt(scale) / 16 + 1) * 16; };
  if (wanted("vecadd")) {
    const size_t c = items(4 << 20);
    b.run("vecadd", 12.0 * double(c), "bytes", {c}, {}, b.buffer(4 * c), b.buffer(4 * c), b.buffer(4 * c));
  }
  if (wanted("saxpy")) {
    const size_t c = items(4 << 20);
    b.run("saxpy", 12.0 * double(c), "bytes", {c}, {}, 1.0001f, b.buffer(4 * c), b.buffer(4 * c));
  }
  const size_t m = size_t(256 * std::cbrt(scale) / 16 + 1) * 16;
  const double flops = 2.0 * double(m) * double(m) * double(m);
  if (wanted("sgemm_naive"))
    b.run("sgemm_naive", flops, "flops", {m, m}, {}, cl_int(m), b.buffer(4 * m * m), b.buffer(4 * m * m),
          b.buffer(4 * m * m));
  if (wanted("sgemm_tiled"))
    b.run("sgemm_tiled", flops, "flops", {m, m}, {16, 16}, cl_int(m), b.buffer(4 * m * m), b.buffer(4 * m * m),
          b.buffer(4 * m * m));
  if (wanted("mandelbrot")) {
    const size_t w = edge(512), h = edge(512);
    b.run("mandelbrot", double(w * h), "pixels", {w, h}, {}, cl_int(w), cl_int(h), b.buffer(4 * w * h));
  }
  if (wanted("nbody")) {
    const size_t c = size_t(2048 * std::sqrt(scale) / 256 + 1) * 256;
    b.run("nbody", double(c) * double(c), "interactions", {c}, {}, cl_int(c), b.buffer(16 * c), b.buffer(16 * c));
  }
  if (wanted("reduction")) {
    const size_t c = items(1 << 20);
    b.run("reduction", double(c), "elements", {c}, {256}, b.buffer(4 * c), b.buffer(4 * c / 256));
  }
  if (wanted("histogram")) {
    const size_t c = items(1 << 20);
    b.run("histogram", double(c), "elements", {c}, {}, b.buffer(c), b.buffer(1024));
  }
  if (wanted("sobel")) {
    const size_t w = edge(512), h = edge(512);
    b.run("sobel", double(w * h), "pixels", {w, h}, {}, b.image(w, h), b.image(w, h));
  }
  if (wanted("black_scholes")) {
    const size_t c = items(1 << 20);
    b.run("black_scholes", double(c), "options", {c}, {}, b.buffer(4 * c), b.buffer(4 * c), b.buffer(4 * c),
          b.buffer(4 * c), b.buffer(4 * c));
  }
  if (wanted("sha256")) {
    const size_t c = items(256 << 10);
    b.run("sha256", double(c), "hashes", {c}, {}, b.buffer(32 * c), b.buffer(4 * c));
  }
  return 0;
}
