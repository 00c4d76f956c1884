// The demonstration's scene in Vulkan: an ordinary program without a window system, with not a word of vitro in it,
// that draws into a multisampled image, resolves it at the end of the render pass and writes it as a picture.
//   scene_vulkan [PICTURE.png [WIDTH HEIGHT]]
#include <vulkan/vulkan.h>

#include <cstdlib>
#include <cstring>

#include "scene.h"
#include "scene_frag_spirv.h"
#include "scene_vert_spirv.h"
#include "sky_frag_spirv.h"
#include "sky_vert_spirv.h"

namespace {

[[noreturn]] void fail(const char* what, int code = 0) {
  std::fprintf(stderr, "scene_vulkan: %s (%d)\n", what, code);
  std::exit(1);
}
void check(VkResult r, const char* what) {
  if (r != VK_SUCCESS) fail(what, r);
}

constexpr VkFormat colour_format = VK_FORMAT_R8G8B8A8_UNORM, depth_format = VK_FORMAT_D32_SFLOAT;
constexpr VkMemoryPropertyFlags host_memory =
    VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

struct Gpu {
  VkPhysicalDevice physical;
  VkDevice device;
  VkQueue queue;
  VkPhysicalDeviceMemoryProperties memory;
  char name[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];

  VkDeviceMemory allocate(const VkMemoryRequirements& needs, VkMemoryPropertyFlags wanted) const {
    for (uint32_t i = 0; i < memory.memoryTypeCount; ++i)
      if (needs.memoryTypeBits >> i & 1 && (memory.memoryTypes[i].propertyFlags & wanted) == wanted) {
        const VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, needs.size, i};
        VkDeviceMemory m;
        check(vkAllocateMemory(device, &info, nullptr, &m), "vkAllocateMemory");
        return m;
      }
    fail("no memory of the kind that is needed");
  }
};

// A GPU rather than a renderer in software, if there is one. Its first queue family draws.
Gpu open_device() {
  VkApplicationInfo application{
      VK_STRUCTURE_TYPE_APPLICATION_INFO, nullptr, "scene", 1, nullptr, 0, VK_API_VERSION_1_1};
  VkInstanceCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, create.pApplicationInfo = &application;
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
    if (g.physical && properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU) continue;
    g.physical = p;
    std::memcpy(g.name, properties.deviceName, sizeof g.name);
    if (properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU) break;
  }
  if (!g.physical) fail("there is no Vulkan device");
  vkGetPhysicalDeviceMemoryProperties(g.physical, &g.memory);
  const float priority = 1;
  VkDeviceQueueCreateInfo queue{};
  queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, queue.queueCount = 1, queue.pQueuePriorities = &priority;
  VkDeviceCreateInfo device{};
  device.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  device.queueCreateInfoCount = 1, device.pQueueCreateInfos = &queue;
  check(vkCreateDevice(g.physical, &device, nullptr, &g.device), "vkCreateDevice");
  vkGetDeviceQueue(g.device, 0, 0, &g.queue);
  return g;
}

struct Buffer {
  VkBuffer buffer;
  void* at;
};
Buffer make_buffer(const Gpu& g, size_t size, VkBufferUsageFlags usage, const void* data = nullptr) {
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, info.size = size, info.usage = usage;
  Buffer b{};
  check(vkCreateBuffer(g.device, &info, nullptr, &b.buffer), "vkCreateBuffer");
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(g.device, b.buffer, &needs);
  const VkDeviceMemory memory = g.allocate(needs, host_memory);
  check(vkBindBufferMemory(g.device, b.buffer, memory, 0), "vkBindBufferMemory");
  check(vkMapMemory(g.device, memory, 0, VK_WHOLE_SIZE, 0, &b.at), "vkMapMemory");
  if (data) std::memcpy(b.at, data, size);
  return b;
}

struct Image {
  VkImage image;
  VkImageView view;
};
Image make_image(const Gpu& g, VkFormat format, VkExtent3D size, uint32_t levels, uint32_t layers, uint32_t samples,
                 VkImageUsageFlags usage) {
  VkImageCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
  info.imageType = VK_IMAGE_TYPE_2D, info.format = format, info.extent = size;
  info.mipLevels = levels, info.arrayLayers = layers, info.samples = VkSampleCountFlagBits(samples);
  info.usage = usage;
  Image i{};
  check(vkCreateImage(g.device, &info, nullptr, &i.image), "vkCreateImage");
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(g.device, i.image, &needs);
  check(vkBindImageMemory(g.device, i.image, g.allocate(needs, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT), 0),
        "vkBindImageMemory");
  VkImageViewCreateInfo view{};
  view.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
  view.image = i.image, view.viewType = layers > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
  view.format = format;
  view.subresourceRange = {format == depth_format ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT, 0, levels, 0,
                           layers};
  check(vkCreateImageView(g.device, &view, nullptr, &i.view), "vkCreateImageView");
  return i;
}

// Samples, depth, and what the samples are resolved to, which is then copied.
VkRenderPass make_pass(const Gpu& g) {
  VkAttachmentDescription attachments[3]{};
  for (VkAttachmentDescription& a : attachments) {
    a.format = colour_format, a.samples = VK_SAMPLE_COUNT_4_BIT;
    a.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR, a.storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE;
    a.finalLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  }
  attachments[1].format = depth_format, attachments[1].finalLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
  attachments[2].samples = VK_SAMPLE_COUNT_1_BIT, attachments[2].loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  attachments[2].storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  attachments[2].finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  const VkAttachmentReference colour{0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL},
      depth{1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL}, resolved{2, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
  VkSubpassDescription subpass{};
  subpass.colorAttachmentCount = 1, subpass.pColorAttachments = &colour, subpass.pResolveAttachments = &resolved;
  subpass.pDepthStencilAttachment = &depth;
  VkSubpassDependency copy{};
  copy.srcSubpass = 0, copy.dstSubpass = VK_SUBPASS_EXTERNAL;
  copy.srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, copy.dstStageMask = VK_PIPELINE_STAGE_TRANSFER_BIT;
  copy.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, copy.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  VkRenderPassCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO;
  info.attachmentCount = 3, info.pAttachments = attachments;
  info.subpassCount = 1, info.pSubpasses = &subpass, info.dependencyCount = 1, info.pDependencies = &copy;
  VkRenderPass pass;
  check(vkCreateRenderPass(g.device, &info, nullptr, &pass), "vkCreateRenderPass");
  return pass;
}

template <size_t N>
VkPipelineShaderStageCreateInfo make_stage(const Gpu& g, VkShaderStageFlagBits which, const uint32_t (&code)[N]) {
  VkShaderModuleCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, info.codeSize = sizeof code, info.pCode = code;
  VkPipelineShaderStageCreateInfo stage{};
  stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, stage.stage = which, stage.pName = "main";
  check(vkCreateShaderModule(g.device, &info, nullptr, &stage.module), "vkCreateShaderModule");
  return stage;
}

VkPipeline make_pipeline(const Gpu& g, const VkPipelineShaderStageCreateInfo (&stages)[2], bool has_vertices,
                         VkExtent3D size, VkPipelineLayout layout, VkRenderPass pass) {
  const VkVertexInputBindingDescription binding{0, sizeof(scene::Vertex), VK_VERTEX_INPUT_RATE_VERTEX};
  const VkVertexInputAttributeDescription attributes[] = {
      {0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(scene::Vertex, position)},
      {1, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(scene::Vertex, normal)},
      {2, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(scene::Vertex, u)},
      {3, 0, VK_FORMAT_R32_SFLOAT, offsetof(scene::Vertex, layer)}};
  VkPipelineVertexInputStateCreateInfo input{};
  input.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO;
  if (has_vertices) {
    input.vertexBindingDescriptionCount = 1, input.pVertexBindingDescriptions = &binding;
    input.vertexAttributeDescriptionCount = 4, input.pVertexAttributeDescriptions = attributes;
  }
  VkPipelineInputAssemblyStateCreateInfo assembly{};
  assembly.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO;
  assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  const VkViewport viewport{0, 0, float(size.width), float(size.height), 0, 1};
  const VkRect2D scissor{{0, 0}, {size.width, size.height}};
  VkPipelineViewportStateCreateInfo viewports{};
  viewports.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO;
  viewports.viewportCount = viewports.scissorCount = 1;
  viewports.pViewports = &viewport, viewports.pScissors = &scissor;
  VkPipelineRasterizationStateCreateInfo raster{};
  raster.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, raster.lineWidth = 1;
  VkPipelineMultisampleStateCreateInfo samples{};
  samples.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO;
  samples.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT;
  VkPipelineDepthStencilStateCreateInfo depth{};
  depth.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO;
  depth.depthTestEnable = depth.depthWriteEnable = VK_TRUE, depth.depthCompareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
  VkPipelineColorBlendAttachmentState target{};
  target.colorWriteMask = 15;
  VkPipelineColorBlendStateCreateInfo blend{};
  blend.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO;
  blend.attachmentCount = 1, blend.pAttachments = &target;
  VkGraphicsPipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
  info.stageCount = 2, info.pStages = stages, info.pVertexInputState = &input, info.pInputAssemblyState = &assembly;
  info.pViewportState = &viewports, info.pRasterizationState = &raster, info.pMultisampleState = &samples;
  info.pDepthStencilState = &depth, info.pColorBlendState = &blend, info.layout = layout, info.renderPass = pass;
  VkPipeline pipeline;
  check(vkCreateGraphicsPipelines(g.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), "vkCreateGraphicsPipelines");
  return pipeline;
}

struct Bindings {
  VkPipelineLayout layout;
  VkDescriptorSet set;
};
Bindings make_bindings(const Gpu& g, VkBuffer uniforms, VkImageView textures) {
  VkSamplerCreateInfo sampler_info{};
  sampler_info.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
  sampler_info.magFilter = sampler_info.minFilter = VK_FILTER_LINEAR;
  sampler_info.mipmapMode = VK_SAMPLER_MIPMAP_MODE_LINEAR, sampler_info.maxLod = VK_LOD_CLAMP_NONE;
  VkSampler sampler;
  check(vkCreateSampler(g.device, &sampler_info, nullptr, &sampler), "vkCreateSampler");
  const VkShaderStageFlags both = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
  const VkDescriptorSetLayoutBinding slots[] = {
      {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, both, nullptr},
      {1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_FRAGMENT_BIT, nullptr}};
  const VkDescriptorSetLayoutCreateInfo set_info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, nullptr, 0, 2,
                                                 slots};
  VkDescriptorSetLayout set_layout;
  check(vkCreateDescriptorSetLayout(g.device, &set_info, nullptr, &set_layout), "vkCreateDescriptorSetLayout");
  Bindings b{};
  VkPipelineLayoutCreateInfo layout_info{};
  layout_info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  layout_info.setLayoutCount = 1, layout_info.pSetLayouts = &set_layout;
  check(vkCreatePipelineLayout(g.device, &layout_info, nullptr, &b.layout), "vkCreatePipelineLayout");
  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1},
                                        {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1}};
  const VkDescriptorPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, nullptr, 0, 1, 2, sizes};
  VkDescriptorPool pool;
  check(vkCreateDescriptorPool(g.device, &pool_info, nullptr, &pool), "vkCreateDescriptorPool");
  const VkDescriptorSetAllocateInfo allocate{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, pool, 1,
                                             &set_layout};
  check(vkAllocateDescriptorSets(g.device, &allocate, &b.set), "vkAllocateDescriptorSets");
  const VkDescriptorBufferInfo buffer{uniforms, 0, VK_WHOLE_SIZE};
  const VkDescriptorImageInfo image{sampler, textures, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
  VkWriteDescriptorSet writes[2]{};
  for (uint32_t i = 0; i < 2; ++i) {
    writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, writes[i].dstSet = b.set, writes[i].dstBinding = i;
    writes[i].descriptorCount = 1, writes[i].descriptorType = slots[i].descriptorType;
    writes[i].pBufferInfo = &buffer, writes[i].pImageInfo = &image;
  }
  vkUpdateDescriptorSets(g.device, 2, writes, 0, nullptr);
  return b;
}

// All levels of the texture array through one buffer.
void record_upload(VkCommandBuffer list, VkBuffer from, VkImage image) {
  VkImageMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT, barrier.newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED, barrier.image = image;
  barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, scene::levels, 0, scene::layers};
  vkCmdPipelineBarrier(list, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0,
                       nullptr, 1, &barrier);
  std::vector<VkBufferImageCopy> copies;
  VkDeviceSize at = 0;
  for (uint32_t level = 0, n = scene::edge; level < scene::levels; ++level, n /= 2) {
    copies.push_back({at, 0, 0, {VK_IMAGE_ASPECT_COLOR_BIT, level, 0, scene::layers}, {0, 0, 0}, {n, n, 1}});
    at += VkDeviceSize(n) * n * scene::layers * 4;
  }
  vkCmdCopyBufferToImage(list, from, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, uint32_t(copies.size()),
                         copies.data());
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT, barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT;
  barrier.oldLayout = barrier.newLayout, barrier.newLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
  vkCmdPipelineBarrier(list, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, 0, 0, nullptr, 0,
                       nullptr, 1, &barrier);
}

}  // namespace

int main(int argc, char** argv) {
  const char* file = argc > 1 ? argv[1] : "scene_vulkan.png";
  const int w = argc > 3 ? std::atoi(argv[2]) : 960, h = argc > 3 ? std::atoi(argv[3]) : 640;
  if (w < 1 || h < 1 || w > 8192 || h > 8192) fail("usage: scene_vulkan [PICTURE.png [WIDTH HEIGHT]]");
  const VkExtent3D size{uint32_t(w), uint32_t(h), 1};
  const Gpu g = open_device();

  const scene::Mesh mesh = scene::make_mesh();
  const Buffer vertices = make_buffer(g, mesh.vertices.size() * sizeof mesh.vertices[0],
                                      VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, mesh.vertices.data());
  const Buffer indices = make_buffer(g, mesh.indices.size() * 4, VK_BUFFER_USAGE_INDEX_BUFFER_BIT, mesh.indices.data());
  const scene::Uniforms values = scene::make_uniforms(size.width, size.height, true);
  const Buffer uniforms = make_buffer(g, sizeof values, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, &values);
  std::vector<uint8_t> texels;
  for (const auto& level : scene::make_textures()) texels.insert(texels.end(), level.begin(), level.end());
  const Buffer upload = make_buffer(g, texels.size(), VK_BUFFER_USAGE_TRANSFER_SRC_BIT, texels.data());
  const size_t bytes = size_t(size.width) * size.height * 4;
  const Buffer download = make_buffer(g, bytes, VK_BUFFER_USAGE_TRANSFER_DST_BIT);

  const Image textures = make_image(g, colour_format, {scene::edge, scene::edge, 1}, scene::levels, scene::layers, 1,
                                    VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
  const Image samples = make_image(g, colour_format, size, 1, 1, 4, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
  const Image depth = make_image(g, depth_format, size, 1, 1, 4, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
  const Image picture = make_image(g, colour_format, size, 1, 1, 1,
                                   VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
  const Bindings bindings = make_bindings(g, uniforms.buffer, textures.view);
  const VkRenderPass pass = make_pass(g);
  const VkImageView views[] = {samples.view, depth.view, picture.view};
  const VkFramebufferCreateInfo framebuffer_info{
      VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO, nullptr, 0, pass, 3, views, size.width, size.height, 1};
  VkFramebuffer framebuffer;
  check(vkCreateFramebuffer(g.device, &framebuffer_info, nullptr, &framebuffer), "vkCreateFramebuffer");
  const VkPipeline draw = make_pipeline(g,
                                        {make_stage(g, VK_SHADER_STAGE_VERTEX_BIT, scene_vert_spirv),
                                         make_stage(g, VK_SHADER_STAGE_FRAGMENT_BIT, scene_frag_spirv)},
                                        true, size, bindings.layout, pass);
  const VkPipeline sky = make_pipeline(g,
                                       {make_stage(g, VK_SHADER_STAGE_VERTEX_BIT, sky_vert_spirv),
                                        make_stage(g, VK_SHADER_STAGE_FRAGMENT_BIT, sky_frag_spirv)},
                                       false, size, bindings.layout, pass);

  const VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, nullptr, 0, 0};
  VkCommandPool pool;
  check(vkCreateCommandPool(g.device, &pool_info, nullptr, &pool), "vkCreateCommandPool");
  const VkCommandBufferAllocateInfo list_info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                              VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
  VkCommandBuffer list;
  check(vkAllocateCommandBuffers(g.device, &list_info, &list), "vkAllocateCommandBuffers");
  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  check(vkBeginCommandBuffer(list, &begin), "vkBeginCommandBuffer");
  record_upload(list, upload.buffer, textures.image);
  VkClearValue clears[2]{};
  clears[1].depthStencil.depth = 1;
  VkRenderPassBeginInfo drawing{};
  drawing.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, drawing.renderPass = pass;
  drawing.framebuffer = framebuffer, drawing.renderArea.extent = {size.width, size.height};
  drawing.clearValueCount = 2, drawing.pClearValues = clears;
  vkCmdBeginRenderPass(list, &drawing, VK_SUBPASS_CONTENTS_INLINE);
  vkCmdBindDescriptorSets(list, VK_PIPELINE_BIND_POINT_GRAPHICS, bindings.layout, 0, 1, &bindings.set, 0, nullptr);
  vkCmdBindPipeline(list, VK_PIPELINE_BIND_POINT_GRAPHICS, draw);
  const VkDeviceSize start = 0;
  vkCmdBindVertexBuffers(list, 0, 1, &vertices.buffer, &start);
  vkCmdBindIndexBuffer(list, indices.buffer, 0, VK_INDEX_TYPE_UINT32);
  vkCmdDrawIndexed(list, uint32_t(mesh.indices.size()), 1, 0, 0, 0);
  vkCmdBindPipeline(list, VK_PIPELINE_BIND_POINT_GRAPHICS, sky);
  vkCmdDraw(list, 3, 1, 0, 0);
  vkCmdEndRenderPass(list);
  const VkBufferImageCopy copy{0, 0, 0, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, {0, 0, 0}, size};
  vkCmdCopyImageToBuffer(list, picture.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, download.buffer, 1, &copy);
  const VkMemoryBarrier read{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_TRANSFER_WRITE_BIT,
                             VK_ACCESS_HOST_READ_BIT};
  vkCmdPipelineBarrier(list, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &read, 0, nullptr, 0,
                       nullptr);
  check(vkEndCommandBuffer(list), "vkEndCommandBuffer");
  VkSubmitInfo submit{};
  submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, submit.commandBufferCount = 1, submit.pCommandBuffers = &list;
  check(vkQueueSubmit(g.queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
  check(vkQueueWaitIdle(g.queue), "vkQueueWaitIdle");

  const auto* pixels = static_cast<const uint8_t*>(download.at);
  if (!scene::write_picture(file, size.width, size.height, {pixels, pixels + bytes})) return 1;
  std::printf("%s drew %u x %u pixels with Vulkan: %s\n", g.name, size.width, size.height, file);
  return 0;
}
