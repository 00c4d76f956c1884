// Runs one Vulkan compute shader on a device and writes every result to a file, so that two devices can be compared.
// The shader's source says in //@ lines what it is dispatched with; each buffer, image or texture is the next binding
// of set 0:
//   //@ groups X [Y [Z]]                  //@ indirect   the numbers come from a buffer
//   //@ in|out|inout TYPE COUNT [LO HI]   a storage buffer      //@ uniform TYPE COUNT LO HI   a uniform buffer
//   //@ image in|out FORMAT 2d W H        a linear storage image
//   //@ image scratch FORMAT 1d|2d|3d|2da W H D   a tiled storage image with undefined contents
//   //@ texture FORMAT 2d W H 1 ADDRESSING FILTER [LEVELS]   a linear sampled image with its sampler, or a tiled one
//   //@ levels                            all levels of the texture before, as an array of storage images: the shader
//                                         is dispatched first with specialization constant 0 set, to fill them
//   //@ push TYPE V                       the next push constant
//   //@ passes N                          dispatches with barriers between them; the last push constant is the number
//   //@ tolerance ULP   //@ near DIFFERENCE   //@ but SHARE   //@ unordered   read by the comparing script
//   //@ variants NAME ...                 read by bench/run_compute
//   //@ work N UNIT ...                   how much work it is; read by bench/run_compute
// The device is chosen by a part of its name, and must be there: nothing falls back. With --time the dispatch is
// submitted for so many seconds, and the best time of one submission and their number are printed.
#include <vulkan/vulkan.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "../timing.h"

namespace {

[[noreturn]] void fail(const std::string& what, int code = 0) {
  std::fprintf(stderr, "runner: %s (%d)\n", what.c_str(), code);
  std::exit(1);
}
void check(VkResult r, const char* what) {
  if (r != VK_SUCCESS) fail(what, r);
}

struct Type {
  const char* name;
  size_t bytes;
  char kind;
};
constexpr Type types[] = {{"uchar", 1, 'u'}, {"ushort", 2, 'u'}, {"int", 4, 'i'},    {"uint", 4, 'u'},
                          {"long", 8, 'i'},  {"float", 4, 'f'},  {"double", 8, 'f'}, {"half", 2, 'h'}};
struct Format {
  const char* name;
  VkFormat format;
  size_t bytes;
  const char* channel;  // the type of its random contents
};
constexpr Format formats[] = {{"rgba8", VK_FORMAT_R8G8B8A8_UNORM, 4, "uchar"},
                              {"rgba8ui", VK_FORMAT_R8G8B8A8_UINT, 4, "uchar"},
                              {"rgba16f", VK_FORMAT_R16G16B16A16_SFLOAT, 8, "half"},
                              {"rgba32f", VK_FORMAT_R32G32B32A32_SFLOAT, 16, "float"},
                              {"rgba32ui", VK_FORMAT_R32G32B32A32_UINT, 16, "uint"},
                              {"rgba16ui", VK_FORMAT_R16G16B16A16_UINT, 8, "ushort"},
                              {"r32f", VK_FORMAT_R32_SFLOAT, 4, "float"},
                              {"r32ui", VK_FORMAT_R32_UINT, 4, "uint"},
                              {"rg16", VK_FORMAT_R16G16_UNORM, 4, "ushort"},
                              {"rgba8snorm", VK_FORMAT_R8G8B8A8_SNORM, 4, "uchar"}};
template <class Row, size_t N>
const Row& row(const Row (&rows)[N], const std::string& name) {
  for (const Row& r : rows)
    if (name == r.name) return r;
  fail("unknown name " + name);
}

uint64_t next(uint64_t& state) {  // splitmix64
  uint64_t z = state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}
std::vector<uint8_t> random_contents(const Type& t, size_t count, double lo, double hi, uint64_t seed) {
  std::vector<uint8_t> data(count * t.bytes);
  for (size_t i = 0; i < count; ++i) {
    const double value = lo + double(next(seed) >> 11) / double(1ull << 53) * (hi - lo);
    uint8_t* at = data.data() + i * t.bytes;
    if (t.kind == 'f' && t.bytes == 4) {
      const float f = float(value);
      std::memcpy(at, &f, 4);
    } else if (t.kind == 'f') {
      std::memcpy(at, &value, 8);
    } else if (t.kind == 'h') {
      const float f = float(value);
      uint32_t b;
      std::memcpy(&b, &f, 4);
      const int e = int(b >> 23 & 255) - 112;
      const uint16_t h = e <= 0 ? 0 : uint16_t((b >> 16 & 0x8000) | uint32_t(e) << 10 | (b >> 13 & 0x3FF));
      std::memcpy(at, &h, 2);
    } else {
      const int64_t v = int64_t(value);
      std::memcpy(at, &v, t.bytes);
    }
  }
  return data;
}

struct Binding {
  VkDescriptorType kind = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  bool in = false, out = false;
  std::string type, dim, addressing, filter;
  size_t count = 0;
  double lo = -100, hi = 100;
  uint32_t w = 1, h = 1, d = 1, levels = 1;
  // made later
  VkBuffer buffer = VK_NULL_HANDLE;  // the contents, or where an image's contents go to and from
  VkDeviceMemory memory = VK_NULL_HANDLE, image_memory = VK_NULL_HANDLE;
  VkImage image = VK_NULL_HANDLE;
  std::vector<VkImageView> views{};
  VkSampler sampler = VK_NULL_HANDLE;
  size_t bytes = 0;
  bool is_image() const {
    return kind != VK_DESCRIPTOR_TYPE_STORAGE_BUFFER && kind != VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  }
};
struct Case {
  uint32_t groups[3] = {1, 1, 1};
  bool indirect = false, fills = false;
  int passes = 0;
  std::vector<Binding> bindings;
  std::vector<uint8_t> push;
};

Case parse(const char* path) {
  std::ifstream file(path);
  if (!file) fail(std::string("cannot read ") + path);
  Case c;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("//@", 0) != 0) continue;
    std::istringstream words(line.substr(3));
    std::string what;
    words >> what;
    Binding b;
    if (what == "groups") {
      for (uint32_t& g : c.groups)
        if (!(words >> g)) g = 1;
    } else if (what == "indirect") {
      c.indirect = true;
    } else if (what == "passes") {
      words >> c.passes;
    } else if (what == "in" || what == "out" || what == "inout" || what == "uniform") {
      b.in = what != "out", b.out = what == "out" || what == "inout";
      if (what == "uniform") b.kind = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
      words >> b.type >> b.count;
      if (double lo, hi; words >> lo >> hi) b.lo = lo, b.hi = hi;
      b.bytes = b.count * row(types, b.type).bytes;
      c.bindings.push_back(b);
    } else if (what == "image" || what == "texture") {
      std::string direction = "in";
      if (what == "image") words >> direction;
      b.kind = what == "image" ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE : VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
      b.in = direction == "in", b.out = direction == "out";
      words >> b.type >> b.dim >> b.w >> b.h >> b.d >> b.addressing >> b.filter;
      if (words >> b.levels)
        b.in = false;
      else
        b.levels = 1;
      b.bytes = row(formats, b.type).bytes * b.w * b.h * b.d;
      c.bindings.push_back(b);
    } else if (what == "levels") {
      c.fills = true;
      b.kind = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
      b.levels = c.bindings.back().levels;
      c.bindings.push_back(b);
    } else if (what == "push") {
      std::string type;
      double v = 0;
      words >> type >> v;
      const Type& t = row(types, type);
      const std::vector<uint8_t> bytes = random_contents(t, 1, v, v, 0);
      c.push.insert(c.push.end(), bytes.begin(), bytes.end());
    } else if (what != "tolerance" && what != "near" && what != "but" && what != "unordered" && what != "work" &&
               what != "variants") {
      fail("unknown line: " + line);
    }
  }
  return c;
}

struct Gpu {
  VkPhysicalDevice physical;
  VkDevice device;
  VkQueue queue;
  uint32_t family;
  VkPhysicalDeviceMemoryProperties memory;

  VkDeviceMemory allocate(const VkMemoryRequirements& needs, VkMemoryPropertyFlags wanted) const {
    for (uint32_t i = 0; i < memory.memoryTypeCount; ++i)
      if (needs.memoryTypeBits >> i & 1 && (memory.memoryTypes[i].propertyFlags & wanted) == wanted) {
        const VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, needs.size, i};
        VkDeviceMemory m;
        check(vkAllocateMemory(device, &info, nullptr, &m), "vkAllocateMemory");
        return m;
      }
    fail("no memory type");
  }
};

constexpr VkMemoryPropertyFlags host_memory =
    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

Gpu open_device(const char* name) {
  VkApplicationInfo application{
      VK_STRUCTURE_TYPE_APPLICATION_INFO, nullptr, "runner", 1, nullptr, 0, VK_API_VERSION_1_2};
  VkInstanceCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  create.pApplicationInfo = &application;
  VkInstance instance;
  check(vkCreateInstance(&create, nullptr, &instance), "vkCreateInstance");
  uint32_t n = 0;
  check(vkEnumeratePhysicalDevices(instance, &n, nullptr), "vkEnumeratePhysicalDevices");
  std::vector<VkPhysicalDevice> all(n);
  check(vkEnumeratePhysicalDevices(instance, &n, all.data()), "vkEnumeratePhysicalDevices");
  Gpu g{};
  for (VkPhysicalDevice p : all) {
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(p, &properties);
    if (std::strstr(properties.deviceName, name)) g.physical = p;
  }
  if (!g.physical) fail(std::string("no Vulkan device named ") + name);
  vkGetPhysicalDeviceMemoryProperties(g.physical, &g.memory);
  uint32_t families = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(g.physical, &families, nullptr);
  std::vector<VkQueueFamilyProperties> family(families);
  vkGetPhysicalDeviceQueueFamilyProperties(g.physical, &families, family.data());
  for (g.family = 0; g.family < families && !(family[g.family].queueFlags & VK_QUEUE_COMPUTE_BIT);) ++g.family;
  const float priority = 1;
  const VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, nullptr, 0, g.family, 1, &priority};
  VkPhysicalDeviceFeatures features;
  vkGetPhysicalDeviceFeatures(g.physical, &features);
  VkDeviceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.queueCreateInfoCount = 1, info.pQueueCreateInfos = &queue, info.pEnabledFeatures = &features;
  check(vkCreateDevice(g.physical, &info, nullptr, &g.device), "vkCreateDevice");
  vkGetDeviceQueue(g.device, g.family, 0, &g.queue);
  return g;
}

void make_buffer(const Gpu& g, VkBuffer& buffer, VkDeviceMemory& memory, const std::vector<uint8_t>& data,
                 VkBufferUsageFlags usage) {
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = data.size(), info.usage = usage;
  check(vkCreateBuffer(g.device, &info, nullptr, &buffer), "vkCreateBuffer");
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(g.device, buffer, &needs);
  memory = g.allocate(needs, host_memory);
  check(vkBindBufferMemory(g.device, buffer, memory, 0), "vkBindBufferMemory");
  void* at;
  check(vkMapMemory(g.device, memory, 0, VK_WHOLE_SIZE, 0, &at), "vkMapMemory");
  std::memcpy(at, data.data(), data.size());
  vkUnmapMemory(g.device, memory);
}

VkImageView make_view(const Gpu& g, const Binding& b, uint32_t level, uint32_t levels) {
  VkImageViewCreateInfo view{};
  view.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
  view.image = b.image;
  view.viewType = b.dim == "1d"     ? VK_IMAGE_VIEW_TYPE_1D
                  : b.dim == "2d"   ? VK_IMAGE_VIEW_TYPE_2D
                  : b.dim == "2da"  ? VK_IMAGE_VIEW_TYPE_2D_ARRAY
                  : b.dim == "cube" ? VK_IMAGE_VIEW_TYPE_CUBE
                                    : VK_IMAGE_VIEW_TYPE_3D;
  view.format = row(formats, b.type).format;
  view.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, level, levels, 0, VK_REMAINING_ARRAY_LAYERS};
  VkImageView made;
  check(vkCreateImageView(g.device, &view, nullptr, &made), "vkCreateImageView");
  return made;
}

void make_image(const Gpu& g, Binding& b) {
  VkImageCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
  info.imageType = b.dim == "1d" ? VK_IMAGE_TYPE_1D : b.dim == "3d" ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D;
  const bool cube = b.dim == "cube", array = cube || b.dim == "2da";
  info.flags = cube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0;
  info.format = row(formats, b.type).format;
  info.extent = {b.w, b.h, array ? 1 : b.d};
  info.mipLevels = b.levels, info.arrayLayers = array ? b.d : 1, info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
               (b.kind == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ? VK_IMAGE_USAGE_STORAGE_BIT : VK_IMAGE_USAGE_SAMPLED_BIT) |
               (b.levels > 1 ? VK_IMAGE_USAGE_STORAGE_BIT : 0);
  const bool linear = b.in || b.out;
  info.tiling = linear ? VK_IMAGE_TILING_LINEAR : VK_IMAGE_TILING_OPTIMAL;
  info.initialLayout = linear ? VK_IMAGE_LAYOUT_PREINITIALIZED : VK_IMAGE_LAYOUT_UNDEFINED;
  check(vkCreateImage(g.device, &info, nullptr, &b.image), "vkCreateImage");
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(g.device, b.image, &needs);
  b.image_memory = g.allocate(needs, linear ? host_memory : 0);
  check(vkBindImageMemory(g.device, b.image, b.image_memory, 0), "vkBindImageMemory");
  b.views = {make_view(g, b, 0, b.levels)};
  if (b.kind != VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER) return;
  VkSamplerCreateInfo sampler{};
  sampler.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
  sampler.magFilter = sampler.minFilter = b.filter == "linear" ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
  const VkSamplerAddressMode mode = b.addressing == "repeat"   ? VK_SAMPLER_ADDRESS_MODE_REPEAT
                                    : b.addressing == "mirror" ? VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT
                                    : b.addressing == "border" ? VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER
                                                               : VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  if (b.levels > 1) sampler.mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR, sampler.maxLod = float(b.levels - 1);
  sampler.addressModeU = sampler.addressModeV = sampler.addressModeW = mode;
  sampler.borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
  check(vkCreateSampler(g.device, &sampler, nullptr, &b.sampler), "vkCreateSampler");
}

// Contents of a linear image, row by row.
void exchange(const Gpu& g, const Binding& b, std::vector<uint8_t>& data, bool to_image) {
  const VkImageSubresource part{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0};
  VkSubresourceLayout layout;
  vkGetImageSubresourceLayout(g.device, b.image, &part, &layout);
  uint8_t* at;
  check(vkMapMemory(g.device, b.image_memory, 0, VK_WHOLE_SIZE, 0, reinterpret_cast<void**>(&at)), "vkMapMemory");
  const size_t bytes = row(formats, b.type).bytes * b.w;
  for (uint32_t y = 0; y < b.h; ++y) {
    uint8_t *texels = at + layout.offset + y * layout.rowPitch, *linear = data.data() + y * bytes;
    to_image ? std::memcpy(texels, linear, bytes) : std::memcpy(linear, texels, bytes);
  }
  vkUnmapMemory(g.device, b.image_memory);
}

std::vector<uint32_t> read_words(const char* path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(std::string("cannot read ") + path);
  std::stringstream s;
  s << file.rdbuf();
  const std::string text = s.str();
  std::vector<uint32_t> words(text.size() / 4);
  std::memcpy(words.data(), text.data(), words.size() * 4);
  return words;
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 0;
  if (argc > 2 && std::string(argv[1]) == "--time") seconds = std::atof(argv[2]), argc -= 2, argv += 2;
  if (argc != 5) {
    std::fprintf(stderr, "usage: vulkan_runner [--time SECONDS] DEVICE SOURCE SPIRV RESULTS\n");
    return 2;
  }
  Case c = parse(argv[2]);
  const std::vector<uint32_t> code = read_words(argv[3]);
  const Gpu g = open_device(argv[1]);

  std::vector<VkDescriptorSetLayoutBinding> layout;
  for (size_t i = 0; i < c.bindings.size(); ++i) {
    Binding& b = c.bindings[i];
    const bool levels = b.is_image() && b.type.empty();
    layout.push_back({uint32_t(i), b.kind, levels ? b.levels : 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
    if (levels) {
      for (uint32_t l = 0; l < b.levels; ++l) b.views.push_back(make_view(g, c.bindings[i - 1], l, 1));
    } else if (b.is_image()) {
      const Format& f = row(formats, b.type);
      const Type& t = row(types, f.channel);
      const bool real = t.kind == 'f' || t.kind == 'h';
      const double hi = real ? 2 : t.bytes == 4 ? 4e9 : double((1 << 8 * t.bytes) - 1);
      std::vector<uint8_t> data =
          b.in ? random_contents(t, b.bytes / t.bytes, real ? -2 : 0, hi, 500 + i) : std::vector<uint8_t>(b.bytes);
      make_image(g, b);
      if (b.in || b.out) exchange(g, b, data, true);
    } else {
      const std::vector<uint8_t> data =
          b.in ? random_contents(row(types, b.type), b.count, b.lo, b.hi, 500 + i) : std::vector<uint8_t>(b.bytes);
      make_buffer(g, b.buffer, b.memory, data, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    }
  }
  VkDescriptorSetLayoutCreateInfo set_info{};
  set_info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  set_info.bindingCount = uint32_t(layout.size()), set_info.pBindings = layout.data();
  VkDescriptorSetLayout set_layout;
  check(vkCreateDescriptorSetLayout(g.device, &set_info, nullptr, &set_layout), "vkCreateDescriptorSetLayout");
  if (c.passes) c.push.resize(c.push.size() + 4);
  const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, uint32_t(c.push.size())};
  VkPipelineLayoutCreateInfo pipe_info{};
  pipe_info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  pipe_info.setLayoutCount = 1, pipe_info.pSetLayouts = &set_layout;
  pipe_info.pushConstantRangeCount = c.push.empty() ? 0 : 1, pipe_info.pPushConstantRanges = &range;
  VkPipelineLayout pipe_layout;
  check(vkCreatePipelineLayout(g.device, &pipe_info, nullptr, &pipe_layout), "vkCreatePipelineLayout");
  VkShaderModuleCreateInfo module_info{};
  module_info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  module_info.codeSize = code.size() * 4, module_info.pCode = code.data();
  VkShaderModule module;
  check(vkCreateShaderModule(g.device, &module_info, nullptr, &module), "vkCreateShaderModule");
  VkComputePipelineCreateInfo compute{};
  compute.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  compute.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  compute.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT, compute.stage.module = module, compute.stage.pName = "main";
  compute.layout = pipe_layout;
  VkPipeline pipeline, filling = VK_NULL_HANDLE;
  check(vkCreateComputePipelines(g.device, VK_NULL_HANDLE, 1, &compute, nullptr, &pipeline),
        "vkCreateComputePipelines");
  const VkBool32 yes = VK_TRUE;
  const VkSpecializationMapEntry constant{0, 0, sizeof yes};
  const VkSpecializationInfo special{1, &constant, sizeof yes, &yes};
  if (c.fills) {
    compute.stage.pSpecializationInfo = &special;
    check(vkCreateComputePipelines(g.device, VK_NULL_HANDLE, 1, &compute, nullptr, &filling),
          "vkCreateComputePipelines");
  }

  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 16},
                                        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 16},
                                        {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 32},
                                        {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 16}};
  VkDescriptorPoolCreateInfo pool_info{};
  pool_info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  pool_info.maxSets = 1, pool_info.poolSizeCount = 4, pool_info.pPoolSizes = sizes;
  VkDescriptorPool pool;
  check(vkCreateDescriptorPool(g.device, &pool_info, nullptr, &pool), "vkCreateDescriptorPool");
  VkDescriptorSetAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  allocate.descriptorPool = pool, allocate.descriptorSetCount = 1, allocate.pSetLayouts = &set_layout;
  VkDescriptorSet set;
  check(vkAllocateDescriptorSets(g.device, &allocate, &set), "vkAllocateDescriptorSets");
  for (size_t i = 0; i < c.bindings.size(); ++i) {
    const Binding& b = c.bindings[i];
    const VkDescriptorBufferInfo buffer{b.buffer, 0, b.bytes};
    std::vector<VkDescriptorImageInfo> images;
    for (VkImageView view : b.views) images.push_back({b.sampler, view, VK_IMAGE_LAYOUT_GENERAL});
    VkWriteDescriptorSet write{};
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = set, write.dstBinding = uint32_t(i), write.descriptorType = b.kind;
    write.descriptorCount = b.views.empty() ? 1 : uint32_t(images.size());
    write.pBufferInfo = &buffer, write.pImageInfo = images.data();
    vkUpdateDescriptorSets(g.device, 1, &write, 0, nullptr);
  }

  VkBuffer numbers = VK_NULL_HANDLE;
  VkDeviceMemory numbers_memory;
  if (c.indirect) {
    std::vector<uint8_t> data(12);
    std::memcpy(data.data(), c.groups, 12);
    make_buffer(g, numbers, numbers_memory, data, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  }
  VkCommandPoolCreateInfo commands_info{};
  commands_info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  commands_info.queueFamilyIndex = g.family;
  VkCommandPool commands;
  check(vkCreateCommandPool(g.device, &commands_info, nullptr, &commands), "vkCreateCommandPool");
  const VkCommandBufferAllocateInfo buffer_info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, commands,
                                                VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
  const auto prepare_images = [&](VkCommandBuffer list) {
    for (const Binding& b : c.bindings) {
      if (!b.image) continue;
      VkImageMemoryBarrier barrier{};
      barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
      barrier.srcAccessMask = VK_ACCESS_HOST_WRITE_BIT;
      barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
      barrier.oldLayout = b.in || b.out ? VK_IMAGE_LAYOUT_PREINITIALIZED : VK_IMAGE_LAYOUT_UNDEFINED,
      barrier.newLayout = VK_IMAGE_LAYOUT_GENERAL;
      barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
      barrier.image = b.image;
      barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, b.levels, 0, VK_REMAINING_ARRAY_LAYERS};
      vkCmdPipelineBarrier(list, VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 0, nullptr, 0,
                           nullptr, 1, &barrier);
    }
  };
  const VkMemoryBarrier between{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_SHADER_WRITE_BIT,
                                VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_HOST_READ_BIT};
  const auto record = [&](VkPipeline with, bool first) {
    VkCommandBuffer list;
    check(vkAllocateCommandBuffers(g.device, &buffer_info, &list), "vkAllocateCommandBuffers");
    VkCommandBufferBeginInfo begin{};
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    check(vkBeginCommandBuffer(list, &begin), "vkBeginCommandBuffer");
    if (first) prepare_images(list);
    vkCmdBindPipeline(list, VK_PIPELINE_BIND_POINT_COMPUTE, with);
    vkCmdBindDescriptorSets(list, VK_PIPELINE_BIND_POINT_COMPUTE, pipe_layout, 0, 1, &set, 0, nullptr);
    for (uint32_t i = 0; i < uint32_t(c.passes ? c.passes : 1); ++i) {
      if (c.passes) std::memcpy(&c.push[c.push.size() - 4], &i, 4);
      if (!c.push.empty())
        vkCmdPushConstants(list, pipe_layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, uint32_t(c.push.size()), c.push.data());
      if (c.indirect)
        vkCmdDispatchIndirect(list, numbers, 0);
      else
        vkCmdDispatch(list, c.groups[0], c.groups[1], c.groups[2]);
      vkCmdPipelineBarrier(list, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                           VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &between, 0,
                           nullptr, 0, nullptr);
    }
    check(vkEndCommandBuffer(list), "vkEndCommandBuffer");
    return list;
  };
  VkSubmitInfo submit{};
  submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  submit.commandBufferCount = 1;
  VkFenceCreateInfo fence_info{};
  fence_info.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
  VkFence fence;
  check(vkCreateFence(g.device, &fence_info, nullptr, &fence), "vkCreateFence");
  const auto submit_list = [&](VkCommandBuffer list) {
    submit.pCommandBuffers = &list;
    check(vkResetFences(g.device, 1, &fence), "vkResetFences");
    check(vkQueueSubmit(g.queue, 1, &submit, fence), "vkQueueSubmit");
    check(vkWaitForFences(g.device, 1, &fence, VK_TRUE, 300'000'000'000), "vkWaitForFences");
  };
  if (c.fills) submit_list(record(filling, true));
  VkCommandBuffer list = record(pipeline, !c.fills);
  const auto once = [&] { submit_list(list); };
  if (seconds > 0) {
    const Timing t = measure(seconds, once);
    std::printf("main %.9f %d\n", t.best, t.runs);
  } else {
    once();
  }

  std::ofstream out(argv[4], std::ios::binary);
  for (size_t i = 0; i < c.bindings.size(); ++i) {
    Binding& b = c.bindings[i];
    if (!b.out) continue;
    std::vector<uint8_t> data(b.bytes);
    if (b.is_image()) {
      exchange(g, b, data, false);
    } else {
      void* at;
      check(vkMapMemory(g.device, b.memory, 0, VK_WHOLE_SIZE, 0, &at), "vkMapMemory");
      std::memcpy(data.data(), at, b.bytes);
    }
    const std::string type = b.is_image() ? std::string("image:") + row(formats, b.type).channel : b.type;
    out << "main 0 " << i << ' ' << type << ' ' << data.size() << '\n';
    out.write(reinterpret_cast<const char*>(data.data()), std::streamsize(data.size()));
    out << '\n';
  }
  return 0;
}
