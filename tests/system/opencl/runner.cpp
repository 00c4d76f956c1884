// Runs the kernels of one OpenCL source on a platform and writes every result buffer to a file, so that two platforms
// can be compared. Each kernel says in //@ lines above it what it is called with:
//   //@ kernel NAME            begins a case; several may call the same kernel
//   //@ as TITLE               name of the case, if not the kernel's
//   //@ global X [Y [Z]]       work size; //@ group X [Y [Z]] the size of a group; //@ offset X [Y [Z]]
//   //@ in TYPE COUNT [LO HI]  a buffer with pseudo-random contents between LO and HI
//   //@ out TYPE COUNT         a buffer of zeros, compared afterwards
//   //@ inout TYPE COUNT LO HI both
//   //@ value TYPE V           an argument by value; //@ local BYTES shared memory
//   //@ image DIR DIM ORDER TYPE W H D   DIR is in or out, DIM 1d 2d 3d 1da 2da 1db; W H D with layers last
//   //@ sampler normalized|texels ADDRESSING FILTER
//   //@ tolerance ULP          how far floats may differ (default 0); read by the comparing script
//   //@ near DIFFERENCE        likewise, whatever their size; //@ but SHARE so many may differ by more
//   //@ unordered              results may come in any order; sorted before they are compared
//   //@ repeat N               enqueue N times; //@ queues N alternate between N queues; //@ contexts N likewise
//   //@ printf                 what the kernel prints is compared too
//   //@ options ...            for the compiler, for the whole file
//   //@ needs EXTENSION        of the whole file; a device without it is left out (exit code 77)
//   //@ work N UNIT ...        how much work it is; read by bench/run_compute
// The platform is chosen by a part of its name, and must be there: nothing falls back. With --time each case is run
// for so many seconds, and the best time of one run and their number are printed.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "../opencl_device.h"
#include "../timing.h"

namespace {

[[noreturn]] void fail(const std::string& what, int code = 0) {
  std::fprintf(stderr, "runner: %s (%d)\n", what.c_str(), code);
  std::exit(1);
}
void check(cl_int code, const std::string& what) {
  if (code != CL_SUCCESS) fail(what, code);
}

struct Type {
  const char* name;
  size_t bytes;
  char kind;  // i, u, f, h
};
constexpr Type types[] = {{"char", 1, 'i'},  {"uchar", 1, 'u'},  {"short", 2, 'i'}, {"ushort", 2, 'u'},
                          {"int", 4, 'i'},   {"uint", 4, 'u'},   {"long", 8, 'i'},  {"ulong", 8, 'u'},
                          {"float", 4, 'f'}, {"double", 8, 'f'}, {"half", 2, 'h'}};
const Type& type_of(const std::string& name) {
  for (const Type& t : types)
    if (name == t.name) return t;
  fail("no type " + name);
}

uint64_t next(uint64_t& state) {  // splitmix64
  uint64_t z = state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

uint16_t half_of(float f) {  // of a number with few digits in the normal range: exact enough for test data
  uint32_t b;
  std::memcpy(&b, &f, 4);
  const uint32_t sign = b >> 16 & 0x8000;
  const int e = int(b >> 23 & 255) - 127 + 15;
  if (e <= 0) return uint16_t(sign);
  if (e >= 31) return uint16_t(sign | 0x7BFF);
  return uint16_t(sign | uint32_t(e) << 10 | (b >> 13 & 0x3FF));
}

std::vector<uint8_t> random_data(const Type& t, size_t count, double lo, double hi, uint64_t seed) {
  std::vector<uint8_t> data(count * t.bytes);
  for (size_t i = 0; i < count; ++i) {
    const double unit = double(next(seed) >> 11) / double(1ull << 53);
    uint8_t* at = data.data() + i * t.bytes;
    if (t.kind == 'f' && t.bytes == 4) {
      const float f = float(lo + unit * (hi - lo));
      std::memcpy(at, &f, 4);
    } else if (t.kind == 'f') {
      const double f = lo + unit * (hi - lo);
      std::memcpy(at, &f, 8);
    } else if (t.kind == 'h') {
      const uint16_t h = half_of(float(lo + unit * (hi - lo)));
      std::memcpy(at, &h, 2);
    } else {
      const uint64_t span = uint64_t(int64_t(hi)) - uint64_t(int64_t(lo)) + 1;
      const uint64_t v = uint64_t(int64_t(lo)) + (span ? next(seed) % span : next(seed));
      std::memcpy(at, &v, t.bytes);
    }
  }
  return data;
}

struct Argument {
  enum Kind { buffer, value, local, image, sampler } kind = buffer;
  bool in = false, out = false;
  std::string type;
  size_t count = 0;
  double lo = 0, hi = 0;
  std::string dim, order;
  size_t w = 1, h = 1, d = 1;
  std::string coordinates, addressing, filter;
};
struct Case {
  std::string kernel, title;
  std::vector<size_t> global, group, offset;
  std::vector<Argument> arguments;
  int repeat = 1, queues = 1, contexts = 1;
};

std::vector<Case> parse(const std::string& source, std::string& options, std::string& needed) {
  std::vector<Case> cases;
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("//@", 0) != 0) continue;
    std::istringstream words(line.substr(3));
    std::string what;
    words >> what;
    if (what == "options") {
      std::getline(words, options);
      continue;
    }
    if (what == "needs") {
      words >> needed;
      continue;
    }
    if (what == "kernel") {
      cases.emplace_back();
      words >> cases.back().kernel;
      cases.back().title = cases.back().kernel;
      continue;
    }
    if (cases.empty()) fail("a //@ line before the first kernel");
    Case& c = cases.back();
    const auto sizes = [&](std::vector<size_t>& v) {
      for (size_t n; words >> n;) v.push_back(n);
    };
    Argument a;
    if (what == "as") {
      words >> c.title;
    } else if (what == "global") {
      sizes(c.global);
    } else if (what == "group") {
      sizes(c.group);
    } else if (what == "offset") {
      sizes(c.offset);
    } else if (what == "repeat") {
      words >> c.repeat;
    } else if (what == "queues") {
      words >> c.queues;
    } else if (what == "contexts") {
      words >> c.contexts;
    } else if (what == "in" || what == "out" || what == "inout") {
      a.in = what != "out", a.out = what != "in";
      words >> a.type >> a.count;
      if (!(words >> a.lo >> a.hi)) a.lo = -100, a.hi = 100;
      c.arguments.push_back(a);
    } else if (what == "value") {
      a.kind = Argument::value;
      words >> a.type >> a.lo;
      c.arguments.push_back(a);
    } else if (what == "local") {
      a.kind = Argument::local;
      words >> a.count;
      c.arguments.push_back(a);
    } else if (what == "image") {
      a.kind = Argument::image;
      std::string direction;
      words >> direction >> a.dim >> a.order >> a.type >> a.w;
      words >> a.h >> a.d;
      a.in = direction == "in", a.out = direction == "out";
      if (a.h == 0) a.h = 1;
      if (a.d == 0) a.d = 1;
      c.arguments.push_back(a);
    } else if (what == "sampler") {
      a.kind = Argument::sampler;
      words >> a.coordinates >> a.addressing >> a.filter;
      c.arguments.push_back(a);
    } else if (what != "tolerance" && what != "near" && what != "but" && what != "unordered" && what != "printf" &&
               what != "work") {
      fail("unknown line: " + line);
    }
  }
  return cases;
}

struct ChannelType {
  const char* name;
  cl_channel_type type;
  size_t bytes;
};
constexpr ChannelType channel_types[] = {
    {"unorm8", CL_UNORM_INT8, 1},     {"snorm8", CL_SNORM_INT8, 1},   {"unorm16", CL_UNORM_INT16, 2},
    {"snorm16", CL_SNORM_INT16, 2},   {"sint8", CL_SIGNED_INT8, 1},   {"sint16", CL_SIGNED_INT16, 2},
    {"sint32", CL_SIGNED_INT32, 4},   {"uint8", CL_UNSIGNED_INT8, 1}, {"uint16", CL_UNSIGNED_INT16, 2},
    {"uint32", CL_UNSIGNED_INT32, 4}, {"half", CL_HALF_FLOAT, 2},     {"float", CL_FLOAT, 4},
};
struct ChannelOrder {
  const char* name;
  cl_channel_order order;
  size_t channels;
};
constexpr ChannelOrder channel_orders[] = {
    {"r", CL_R, 1}, {"rg", CL_RG, 2}, {"rgba", CL_RGBA, 4}, {"bgra", CL_BGRA, 4}};

template <class Row, size_t N>
const Row& row(const Row (&rows)[N], const std::string& name) {
  for (const Row& r : rows)
    if (name == r.name) return r;
  fail("unknown name " + name);
}

struct Bound {  // an argument with its memory
  cl_mem memory = nullptr;
  cl_sampler sampler = nullptr;
  size_t bytes = 0;
};

struct Platform {
  cl_device_id device;
  cl_context context;
  cl_program program;
  std::vector<cl_command_queue> queues;
};

Platform make_context(cl_device_id device, const std::string& source, const std::string& options, int queues) {
  Platform p{device, nullptr, nullptr, {}};
  cl_int e;
  p.context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &e);
  check(e, "clCreateContext");
  const char* text = source.c_str();
  p.program = clCreateProgramWithSource(p.context, 1, &text, nullptr, &e);
  check(e, "clCreateProgramWithSource");
  e = clBuildProgram(p.program, 1, &device, options.c_str(), nullptr, nullptr);
  if (e != CL_SUCCESS) {
    std::string log(65536, '\0');
    size_t n = 0;
    clGetProgramBuildInfo(p.program, device, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), &n);
    fail("build failed: " + log.substr(0, n), e);
  }
  for (int i = 0; i < queues; ++i) {
    p.queues.push_back(clCreateCommandQueueWithProperties(p.context, device, nullptr, &e));
    check(e, "clCreateCommandQueueWithProperties");
  }
  return p;
}

Bound bind_argument(const Platform& p, const Argument& a, uint64_t seed) {
  Bound b;
  cl_int e = CL_SUCCESS;
  const cl_mem_flags access = a.in && a.out ? CL_MEM_READ_WRITE : a.in ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE;
  if (a.kind == Argument::buffer) {
    const Type& t = type_of(a.type);
    b.bytes = a.count * t.bytes;
    std::vector<uint8_t> data = a.in ? random_data(t, a.count, a.lo, a.hi, seed) : std::vector<uint8_t>(b.bytes);
    b.memory = clCreateBuffer(p.context, access | CL_MEM_COPY_HOST_PTR, b.bytes, data.data(), &e);
  } else if (a.kind == Argument::image) {
    const ChannelType& t = row(channel_types, a.type);
    const ChannelOrder& o = row(channel_orders, a.order);
    const cl_image_format format{o.order, t.type};
    cl_image_desc d{};
    d.image_width = a.w;
    const bool array = a.dim == "1da" || a.dim == "2da";
    d.image_type = a.dim == "1d"    ? CL_MEM_OBJECT_IMAGE1D
                   : a.dim == "1da" ? CL_MEM_OBJECT_IMAGE1D_ARRAY
                   : a.dim == "2d"  ? CL_MEM_OBJECT_IMAGE2D
                   : a.dim == "2da" ? CL_MEM_OBJECT_IMAGE2D_ARRAY
                   : a.dim == "1db" ? CL_MEM_OBJECT_IMAGE1D_BUFFER
                                    : CL_MEM_OBJECT_IMAGE3D;
    if (a.dim == "2d" || a.dim == "2da" || a.dim == "3d") d.image_height = a.h;
    if (a.dim == "3d") d.image_depth = a.d;
    if (array) d.image_array_size = a.dim == "1da" ? a.h : a.d;
    const size_t texel = t.bytes * o.channels, texels = a.w * a.h * a.d;
    b.bytes = texel * texels;
    const Type plain = t.bytes == 1              ? Type{"uchar", 1, 'u'}
                       : t.type == CL_FLOAT      ? Type{"float", 4, 'f'}
                       : t.type == CL_HALF_FLOAT ? Type{"half", 2, 'h'}
                       : t.bytes == 2            ? Type{"ushort", 2, 'u'}
                                                 : Type{"uint", 4, 'u'};
    const bool real = plain.kind == 'f' || plain.kind == 'h';
    std::vector<uint8_t> data = a.in ? random_data(plain, texels * o.channels, real ? -2 : 0,
                                                   real               ? 2
                                                   : plain.bytes == 4 ? 4e9
                                                                      : double((1 << 8 * plain.bytes) - 1),
                                                   seed)
                                     : std::vector<uint8_t>(b.bytes);
    if (a.dim == "1db") {
      d.buffer = clCreateBuffer(p.context, access | CL_MEM_COPY_HOST_PTR, b.bytes, data.data(), &e);
      check(e, "clCreateBuffer");
      b.memory = clCreateImage(p.context, access, &format, &d, nullptr, &e);
    } else {
      b.memory = clCreateImage(p.context, access | CL_MEM_COPY_HOST_PTR, &format, &d, data.data(), &e);
    }
  } else if (a.kind == Argument::sampler) {
    static const std::map<std::string, cl_addressing_mode> modes{{"none", CL_ADDRESS_NONE},
                                                                 {"clamp", CL_ADDRESS_CLAMP},
                                                                 {"edge", CL_ADDRESS_CLAMP_TO_EDGE},
                                                                 {"repeat", CL_ADDRESS_REPEAT},
                                                                 {"mirror", CL_ADDRESS_MIRRORED_REPEAT}};
    const cl_sampler_properties properties[] = {
        CL_SAMPLER_NORMALIZED_COORDS,
        cl_sampler_properties(a.coordinates == "normalized"),
        CL_SAMPLER_ADDRESSING_MODE,
        modes.at(a.addressing),
        CL_SAMPLER_FILTER_MODE,
        cl_sampler_properties(a.filter == "linear" ? CL_FILTER_LINEAR : CL_FILTER_NEAREST),
        0};
    b.sampler = clCreateSamplerWithProperties(p.context, properties, &e);
  }
  check(e, "making an argument");
  return b;
}

void set_argument(cl_kernel kernel, cl_uint index, const Argument& a, const Bound& b) {
  cl_int e = CL_SUCCESS;
  if (a.kind == Argument::local) {
    e = clSetKernelArg(kernel, index, a.count, nullptr);
  } else if (a.kind == Argument::value) {
    const Type& t = type_of(a.type);
    uint8_t bytes[8] = {};
    const float f = float(a.lo);
    const int64_t i = int64_t(a.lo);
    if (t.kind == 'f')
      t.bytes == 4 ? std::memcpy(bytes, &f, 4) : std::memcpy(bytes, &a.lo, 8);
    else
      std::memcpy(bytes, &i, t.bytes);
    e = clSetKernelArg(kernel, index, t.bytes, bytes);
  } else if (a.kind == Argument::sampler) {
    e = clSetKernelArg(kernel, index, sizeof b.sampler, &b.sampler);
  } else {
    e = clSetKernelArg(kernel, index, sizeof b.memory, &b.memory);
  }
  check(e, "clSetKernelArg " + std::to_string(index));
}

std::vector<uint8_t> read_back(cl_command_queue queue, const Argument& a, const Bound& b) {
  std::vector<uint8_t> data(b.bytes);
  cl_int e;
  if (a.kind == Argument::image) {
    const size_t origin[3] = {0, 0, 0};
    const size_t region[3] = {a.w, a.h, a.d};
    e = clEnqueueReadImage(queue, b.memory, CL_TRUE, origin, region, 0, 0, data.data(), 0, nullptr, nullptr);
  } else {
    e = clEnqueueReadBuffer(queue, b.memory, CL_TRUE, 0, b.bytes, data.data(), 0, nullptr, nullptr);
  }
  check(e, "reading a result");
  return data;
}

void run(const std::vector<Platform>& contexts, const Case& c, double seconds, std::ofstream& out) {
  for (int which = 0; which < c.contexts; ++which) {
    const Platform& p = contexts[size_t(which)];
    cl_int e;
    cl_kernel kernel = clCreateKernel(p.program, c.kernel.c_str(), &e);
    check(e, "clCreateKernel " + c.kernel);
    std::vector<Bound> bound;
    for (size_t i = 0; i < c.arguments.size(); ++i) {
      bound.push_back(bind_argument(p, c.arguments[i], 1000 + i));
      set_argument(kernel, cl_uint(i), c.arguments[i], bound.back());
    }
    const auto once = [&] {
      for (int r = 0; r < c.repeat; ++r) {
        cl_command_queue queue = p.queues[size_t(r % c.queues)];
        check(clEnqueueNDRangeKernel(queue, kernel, cl_uint(c.global.size()),
                                     c.offset.empty() ? nullptr : c.offset.data(), c.global.data(),
                                     c.group.empty() ? nullptr : c.group.data(), 0, nullptr, nullptr),
              "enqueueing " + c.title);
        if (c.queues > 1) check(clFinish(queue), "clFinish");
      }
      check(clFinish(p.queues[0]), "clFinish");
    };
    if (seconds > 0) {
      const Timing t = measure(seconds, once);
      std::printf("%s %.9f %d\n", c.title.c_str(), t.best, t.runs);
    } else {
      once();
    }
    for (size_t i = 0; i < c.arguments.size(); ++i) {
      const Argument& a = c.arguments[i];
      if (!a.out) continue;
      const std::vector<uint8_t> data = read_back(p.queues[0], a, bound[i]);
      out << c.title << ' ' << which << ' ' << i << ' ' << (a.kind == Argument::image ? "image:" : "") << a.type << ' '
          << data.size() << '\n';
      out.write(reinterpret_cast<const char*>(data.data()), std::streamsize(data.size()));
      out << '\n';
    }
    for (const Bound& b : bound) {
      if (b.memory) clReleaseMemObject(b.memory);
      if (b.sampler) clReleaseSampler(b.sampler);
    }
    clReleaseKernel(kernel);
  }
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 0;
  if (argc > 2 && std::string(argv[1]) == "--time") seconds = std::atof(argv[2]), argc -= 2, argv += 2;
  if (argc < 4) {
    std::fprintf(stderr, "usage: opencl_runner [--time SECONDS] PLATFORM SOURCE RESULTS [CASE...]\n");
    return 2;
  }
  std::ifstream file(argv[2]);
  if (!file) fail(std::string("cannot read ") + argv[2]);
  std::stringstream text;
  text << file.rdbuf();
  std::string options, needed;
  const std::vector<Case> cases = parse(text.str(), options, needed);

  const cl_device_id device = find_opencl_device(argv[1]);

  std::string extensions(16384, '\0');
  check(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, extensions.size(), extensions.data(), nullptr),
        "clGetDeviceInfo");
  if (extensions.find(needed) == std::string::npos) return 77;

  int contexts = 1, queues = 1;
  for (const Case& c : cases) contexts = std::max(contexts, c.contexts), queues = std::max(queues, c.queues);
  std::vector<Platform> made;
  for (int i = 0; i < contexts; ++i) made.push_back(make_context(device, text.str(), options, queues));
  std::ofstream out(argv[3], std::ios::binary);
  for (const Case& c : cases) {
    if (argc > 4 && std::find(argv + 4, argv + argc, c.title) == argv + argc) continue;
    run(made, c, seconds, out);
  }
  return 0;
}
