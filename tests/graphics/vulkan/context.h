// Vulkan for the scenes: buffers, images, pipelines from a short description, dynamic rendering, and reading back.
// Every scene has a device of its own, so nothing is destroyed. Barriers are as strong as can be: scenes are small.
#pragma once

#include <vulkan/vulkan.h>

#include <span>

#include "../data.h"

namespace graphics {

// The device's name must contain the given text. The shaders, compiled, are in the folder.
void open_device(const char* name, const char* shaders);
void close_device();
void check(VkResult result, const char* what);

struct Gpu {
  VkInstance instance;
  VkPhysicalDevice physical;
  VkDevice device;
  VkQueue queue;
  VkCommandBuffer list;  // what is being recorded
  VkPhysicalDeviceMemoryProperties memory;
};
extern Gpu gpu;
void submit();  // runs what was recorded, waits, and begins anew

struct Buffer {
  VkBuffer buffer = VK_NULL_HANDLE;
  uint8_t* at = nullptr;
  size_t bytes = 0;
};
Buffer buffer(const void* data, size_t bytes);
template <class T>
Buffer buffer(const std::vector<T>& data) {
  return buffer(data.data(), data.size() * sizeof(T));
}

struct Image {
  VkImage image = VK_NULL_HANDLE;
  VkImageView view = VK_NULL_HANDLE;
  VkFormat format = VK_FORMAT_UNDEFINED;
  uint32_t w = 0, h = 0, levels = 1, layers = 1;
  VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT;
};
struct ImageKind {
  uint32_t samples = 1, levels = 1, layers = 1, depth = 1;
  VkImageViewType view = VK_IMAGE_VIEW_TYPE_2D;
  VkComponentMapping swizzle{};
};
Image image(VkFormat format, uint32_t w, uint32_t h, VkImageUsageFlags usage, const ImageKind& kind = {});
// Filled with texels of layer 0 and level 0, and of the others one after the other; sampled afterwards.
Image texture(VkFormat format, uint32_t w, uint32_t h, const std::vector<uint8_t>& texels, const ImageKind& kind = {});
Image mipmapped(uint32_t edge, uint32_t levels);  // pattern(), its levels made by blits
VkSampler sampler(VkFilter filter, VkSamplerAddressMode address = VK_SAMPLER_ADDRESS_MODE_REPEAT,
                  void (*more)(VkSamplerCreateInfo&) = nullptr);
// All images are in the layout GENERAL all the time; this makes what was done visible to what follows.
void barrier();

struct State {
  const char *vertex = "plain.vert", *fragment = "colour.frag";
  std::vector<VkFormat> colours{VK_FORMAT_R8G8B8A8_UNORM};
  VkFormat depth_format = VK_FORMAT_D32_SFLOAT_S8_UINT;
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  bool restart = false;
  uint32_t samples = 1, viewports = 1;
  VkPipelineRasterizationStateCreateInfo raster{};
  VkPipelineDepthStencilStateCreateInfo depth{};
  VkPipelineColorBlendAttachmentState blend{};
  bool logic = false;
  VkLogicOp logic_operation = VK_LOGIC_OP_COPY;
  bool alpha_to_coverage = false;
  VkSampleMask sample_mask = ~0u;
  VkFormat value_format = VK_FORMAT_UNDEFINED;  // of location 1, from a binding of its own
  bool instanced = false;                       // location 3 from binding 1
  bool plain_pairs = false;                     // vertices are positions and colours only
  State();
};
VkPipeline pipeline(const State& state);
VkPipeline compute_pipeline(const char* name);

struct Bindings {
  Values values{};
  Image first{}, second{};
  VkSampler sampling = VK_NULL_HANDLE;
  Buffer storage{};
  Image store{};
};
VkDescriptorSet descriptor_set(const Bindings& bindings);
void bind_set(VkPipeline pipeline, VkDescriptorSet set, VkPipelineBindPoint point = VK_PIPELINE_BIND_POINT_GRAPHICS);
void bind(VkPipeline pipeline, const Bindings& bindings, VkPipelineBindPoint point = VK_PIPELINE_BIND_POINT_GRAPHICS);

struct Target {
  std::vector<Image> colours{}, resolved{};
  Image depth{};
};
Target target(const std::vector<VkFormat>& formats = {VK_FORMAT_R8G8B8A8_UNORM},
              VkFormat depth = VK_FORMAT_D32_SFLOAT_S8_UINT, uint32_t samples = 1, uint32_t w = width,
              uint32_t h = height);
// Begins rendering, with a clear (or without), viewport and scissor that cover it.
void begin(const Target& target, bool clears = true);
void end();
void bind(const Mesh& mesh);
void draw(const Mesh& mesh, uint32_t instances = 1);
void draw_rectangle(float x0 = -1, float y0 = -1, float x1 = 1, float y1 = 1, float z = 0,
                    const float* colour = nullptr);
void scissor(int x, int y, uint32_t w, uint32_t h);
// Submits, and writes an image (or its depth, or its stencil) to the results.
void save(Results& results, const char* name, const Image& image, const char* kind = "rgba8", size_t pixel_bytes = 4,
          VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT);

std::span<const Scene> drawing_scenes();
std::span<const Scene> texture_scenes();
std::span<const Scene> target_scenes();

}  // namespace graphics
