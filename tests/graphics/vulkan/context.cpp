// Vulkan for the scenes: a device without a window system, and what all scenes need of it.
#include "context.h"

namespace graphics {

Gpu gpu;

namespace {

std::string shader_folder;
VkDescriptorSetLayout set_layout;
VkPipelineLayout layout;
VkDescriptorPool descriptors;
VkCommandPool commands;
Image no_image;
Buffer no_buffer;
VkSampler no_sampler;
constexpr VkShaderStageFlags all_stages =
    VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT;
constexpr VkDescriptorType kinds[] = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                      VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                      VK_DESCRIPTOR_TYPE_STORAGE_IMAGE};

VkDeviceMemory allocate(const VkMemoryRequirements& needs, VkMemoryPropertyFlags wanted) {
  for (uint32_t i = 0; i < gpu.memory.memoryTypeCount; ++i)
    if (needs.memoryTypeBits >> i & 1 && (gpu.memory.memoryTypes[i].propertyFlags & wanted) == wanted) {
      const VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, needs.size, i};
      VkDeviceMemory m;
      check(vkAllocateMemory(gpu.device, &info, nullptr, &m), "vkAllocateMemory");
      return m;
    }
  throw std::runtime_error("no memory of the kind that is needed");
}

void begin_list() {
  const VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, commands,
                                         VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
  check(vkAllocateCommandBuffers(gpu.device, &info, &gpu.list), "vkAllocateCommandBuffers");
  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  check(vkBeginCommandBuffer(gpu.list, &begin), "vkBeginCommandBuffer");
}

VkPipelineShaderStageCreateInfo stage(VkShaderStageFlagBits which, const char* name) {
  std::ifstream file(shader_folder + "/" + name + ".spv", std::ios::binary);
  if (!file) throw std::runtime_error(std::string("cannot read shader ") + name);
  const std::vector<char> code((std::istreambuf_iterator<char>(file)), {});
  std::vector<uint32_t> words(code.size() / 4);
  std::memcpy(words.data(), code.data(), code.size());
  VkShaderModuleCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, info.codeSize = code.size(), info.pCode = words.data();
  VkPipelineShaderStageCreateInfo s{};
  s.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, s.stage = which, s.pName = "main";
  check(vkCreateShaderModule(gpu.device, &info, nullptr, &s.module), "vkCreateShaderModule");
  return s;
}

void make_layouts() {
  VkDescriptorSetLayoutBinding slots[5];
  for (uint32_t i = 0; i < 5; ++i) slots[i] = {i, kinds[i], 1, all_stages, nullptr};
  const VkDescriptorSetLayoutCreateInfo set{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, nullptr, 0, 5, slots};
  check(vkCreateDescriptorSetLayout(gpu.device, &set, nullptr, &set_layout), "vkCreateDescriptorSetLayout");
  VkPipelineLayoutCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, info.setLayoutCount = 1, info.pSetLayouts = &set_layout;
  check(vkCreatePipelineLayout(gpu.device, &info, nullptr, &layout), "vkCreatePipelineLayout");
  const VkDescriptorPoolSize sizes[] = {{kinds[0], 500}, {kinds[1], 1000}, {kinds[3], 500}, {kinds[4], 500}};
  const VkDescriptorPoolCreateInfo pool{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, nullptr, 0, 500, 4, sizes};
  check(vkCreateDescriptorPool(gpu.device, &pool, nullptr, &descriptors), "vkCreateDescriptorPool");
}

VkImageAspectFlags aspect_of(VkFormat format) {
  switch (format) {
    case VK_FORMAT_D16_UNORM:
    case VK_FORMAT_D32_SFLOAT: return VK_IMAGE_ASPECT_DEPTH_BIT;
    case VK_FORMAT_D32_SFLOAT_S8_UINT: return VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    default: return VK_IMAGE_ASPECT_COLOR_BIT;
  }
}

}  // namespace

void check(VkResult result, const char* what) {
  if (result != VK_SUCCESS) throw std::runtime_error(std::string(what) + ": " + std::to_string(result));
}

void open_device(const char* name, const char* shaders) {
  shader_folder = shaders;
  VkApplicationInfo application{
      VK_STRUCTURE_TYPE_APPLICATION_INFO, nullptr, "graphics", 1, nullptr, 0, VK_API_VERSION_1_3};
  VkInstanceCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, create.pApplicationInfo = &application;
  check(vkCreateInstance(&create, nullptr, &gpu.instance), "vkCreateInstance");
  uint32_t n = 8;
  VkPhysicalDevice all[8];
  check(vkEnumeratePhysicalDevices(gpu.instance, &n, all), "vkEnumeratePhysicalDevices");
  gpu.physical = VK_NULL_HANDLE;
  for (uint32_t i = 0; i < n; ++i) {
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(all[i], &properties);
    if (!gpu.physical && std::strstr(properties.deviceName, name)) gpu.physical = all[i];
  }
  if (!gpu.physical) throw std::runtime_error(std::string("no device is named ") + name);
  vkGetPhysicalDeviceMemoryProperties(gpu.physical, &gpu.memory);
  VkPhysicalDeviceConditionalRenderingFeaturesEXT conditional{};
  conditional.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT;
  VkPhysicalDeviceVulkan13Features v13{};
  v13.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, v13.pNext = &conditional;
  VkPhysicalDeviceVulkan12Features v12{};
  v12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, v12.pNext = &v13;
  VkPhysicalDeviceFeatures2 features{};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, features.pNext = &v12;
  vkGetPhysicalDeviceFeatures2(gpu.physical, &features);  // all that there is
  features.features.robustBufferAccess = VK_FALSE;
  const float priority = 1;
  VkDeviceQueueCreateInfo queue{};
  queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, queue.queueCount = 1, queue.pQueuePriorities = &priority;
  const char* extensions[] = {VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME};
  VkDeviceCreateInfo device{};
  device.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, device.pNext = &features;
  device.queueCreateInfoCount = 1, device.pQueueCreateInfos = &queue;
  device.enabledExtensionCount = 1, device.ppEnabledExtensionNames = extensions;
  check(vkCreateDevice(gpu.physical, &device, nullptr, &gpu.device), "vkCreateDevice");
  vkGetDeviceQueue(gpu.device, 0, 0, &gpu.queue);
  const VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, nullptr, 0, 0};
  check(vkCreateCommandPool(gpu.device, &pool, nullptr, &commands), "vkCreateCommandPool");
  make_layouts();
  begin_list();
  no_buffer = buffer(std::vector<uint32_t>(64));
  no_image = image(VK_FORMAT_R8G8B8A8_UNORM, 8, 8, VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT);
  no_sampler = sampler(VK_FILTER_NEAREST);
}

void close_device() {
  if (gpu.device) vkDestroyDevice(gpu.device, nullptr);
  if (gpu.instance) vkDestroyInstance(gpu.instance, nullptr);
  gpu = {};
}

void submit() {
  barrier();
  check(vkEndCommandBuffer(gpu.list), "vkEndCommandBuffer");
  VkSubmitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, info.commandBufferCount = 1, info.pCommandBuffers = &gpu.list;
  check(vkQueueSubmit(gpu.queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
  check(vkQueueWaitIdle(gpu.queue), "vkQueueWaitIdle");
  begin_list();
}

Buffer buffer(const void* data, size_t bytes) {
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, info.size = bytes;
  info.usage = VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT |
               VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
               VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
               VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT;
  Buffer b;
  b.bytes = bytes;
  check(vkCreateBuffer(gpu.device, &info, nullptr, &b.buffer), "vkCreateBuffer");
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(gpu.device, b.buffer, &needs);
  const VkDeviceMemory memory =
      allocate(needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  check(vkBindBufferMemory(gpu.device, b.buffer, memory, 0), "vkBindBufferMemory");
  void* at;
  check(vkMapMemory(gpu.device, memory, 0, VK_WHOLE_SIZE, 0, &at), "vkMapMemory");
  b.at = static_cast<uint8_t*>(at);
  if (data) std::memcpy(at, data, bytes);
  return b;
}

Image image(VkFormat format, uint32_t w, uint32_t h, VkImageUsageFlags usage, const ImageKind& kind) {
  VkImageCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
  info.imageType = kind.depth > 1 ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D;
  if (kind.view == VK_IMAGE_VIEW_TYPE_CUBE) info.flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
  info.format = format, info.extent = {w, h, kind.depth}, info.mipLevels = kind.levels, info.arrayLayers = kind.layers;
  info.samples = VkSampleCountFlagBits(kind.samples);
  info.usage = usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
  Image i;
  i.format = format, i.w = w, i.h = h, i.levels = kind.levels, i.layers = kind.layers, i.aspect = aspect_of(format);
  check(vkCreateImage(gpu.device, &info, nullptr, &i.image), "vkCreateImage");
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(gpu.device, i.image, &needs);
  check(vkBindImageMemory(gpu.device, i.image, allocate(needs, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT), 0),
        "vkBindImageMemory");
  VkImageViewCreateInfo view{};
  view.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, view.image = i.image, view.viewType = kind.view;
  view.format = format, view.components = kind.swizzle;
  view.subresourceRange = {i.aspect, 0, kind.levels, 0, kind.layers};
  if (usage == VK_IMAGE_USAGE_SAMPLED_BIT && i.aspect & VK_IMAGE_ASPECT_DEPTH_BIT)
    view.subresourceRange.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
  check(vkCreateImageView(gpu.device, &view, nullptr, &i.view), "vkCreateImageView");
  VkImageMemoryBarrier first{};
  first.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER, first.newLayout = VK_IMAGE_LAYOUT_GENERAL;
  first.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  first.srcQueueFamilyIndex = first.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  first.image = i.image, first.subresourceRange = {i.aspect, 0, kind.levels, 0, kind.layers};
  vkCmdPipelineBarrier(gpu.list, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr,
                       0, nullptr, 1, &first);
  return i;
}

Image texture(VkFormat format, uint32_t w, uint32_t h, const std::vector<uint8_t>& texels, const ImageKind& kind) {
  const Image i = image(format, w, h, VK_IMAGE_USAGE_SAMPLED_BIT, kind);
  const VkBufferImageCopy copy{0, 0, 0, {i.aspect, 0, 0, kind.layers}, {0, 0, 0}, {w, h, kind.depth}};
  vkCmdCopyBufferToImage(gpu.list, buffer(texels).buffer, i.image, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
  barrier();
  return i;
}

Image mipmapped(uint32_t edge, uint32_t levels) {
  ImageKind kind;
  kind.levels = levels;
  const Image i = texture(VK_FORMAT_R8G8B8A8_UNORM, edge, edge, pattern(int(edge), int(edge)), kind);
  for (uint32_t l = 1; l < levels; ++l) {
    const int from = int(edge >> (l - 1)), to = int(edge >> l);
    const VkImageBlit blit{{VK_IMAGE_ASPECT_COLOR_BIT, l - 1, 0, 1},
                           {{0, 0, 0}, {from, from, 1}},
                           {VK_IMAGE_ASPECT_COLOR_BIT, l, 0, 1},
                           {{0, 0, 0}, {to, to, 1}}};
    vkCmdBlitImage(gpu.list, i.image, VK_IMAGE_LAYOUT_GENERAL, i.image, VK_IMAGE_LAYOUT_GENERAL, 1, &blit,
                   VK_FILTER_LINEAR);
    barrier();
  }
  return i;
}

VkSampler sampler(VkFilter filter, VkSamplerAddressMode address, void (*more)(VkSamplerCreateInfo&)) {
  VkSamplerCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, info.magFilter = info.minFilter = filter;
  info.mipmapMode = filter == VK_FILTER_LINEAR ? VK_SAMPLER_MIPMAP_MODE_LINEAR : VK_SAMPLER_MIPMAP_MODE_NEAREST;
  info.addressModeU = info.addressModeV = info.addressModeW = address, info.maxLod = VK_LOD_CLAMP_NONE;
  info.borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
  if (more) more(info);
  VkSampler s;
  check(vkCreateSampler(gpu.device, &info, nullptr, &s), "vkCreateSampler");
  return s;
}

void barrier() {
  constexpr VkAccessFlags all = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  const VkMemoryBarrier info{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, all, all | VK_ACCESS_HOST_READ_BIT};
  vkCmdPipelineBarrier(gpu.list, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                       VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &info, 0, nullptr, 0,
                       nullptr);
}

State::State() {
  raster.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, raster.lineWidth = 1;
  depth.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO;
  depth.depthCompareOp = VK_COMPARE_OP_LESS, depth.depthWriteEnable = VK_TRUE;
  blend.colorWriteMask = 15;
  blend.srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA,
  blend.dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
  blend.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE, blend.dstAlphaBlendFactor = VK_BLEND_FACTOR_ZERO;
}

VkPipeline pipeline(const State& s) {
  const VkPipelineShaderStageCreateInfo stages[] = {stage(VK_SHADER_STAGE_VERTEX_BIT, s.vertex),
                                                    stage(VK_SHADER_STAGE_FRAGMENT_BIT, s.fragment)};
  const uint32_t stride = s.plain_pairs ? 32 : s.value_format ? 16 : sizeof(Vertex);
  const VkVertexInputBindingDescription bindings[] = {
      {0, stride, VK_VERTEX_INPUT_RATE_VERTEX},
      {1, s.value_format ? 32u : 16u, s.value_format ? VK_VERTEX_INPUT_RATE_VERTEX : VK_VERTEX_INPUT_RATE_INSTANCE}};
  std::vector<VkVertexInputAttributeDescription> attributes{{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0}};
  if (s.value_format)
    attributes.push_back({1, 1, s.value_format, 0});
  else
    attributes.push_back({1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(Vertex, colour)});
  if (!s.plain_pairs && !s.value_format) attributes.push_back({2, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(Vertex, uv)});
  if (s.instanced) attributes.push_back({3, 1, VK_FORMAT_R32G32B32A32_SFLOAT, 0});
  VkPipelineVertexInputStateCreateInfo input{};
  input.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO;
  input.vertexBindingDescriptionCount = s.instanced || s.value_format ? 2 : 1,
  input.pVertexBindingDescriptions = bindings;
  input.vertexAttributeDescriptionCount = uint32_t(attributes.size()),
  input.pVertexAttributeDescriptions = attributes.data();
  VkPipelineInputAssemblyStateCreateInfo assembly{};
  assembly.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO;
  assembly.topology = s.topology, assembly.primitiveRestartEnable = s.restart;
  VkPipelineViewportStateCreateInfo viewports{};
  viewports.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO;
  viewports.viewportCount = viewports.scissorCount = s.viewports;
  VkPipelineMultisampleStateCreateInfo samples{};
  samples.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO;
  samples.rasterizationSamples = VkSampleCountFlagBits(s.samples), samples.pSampleMask = &s.sample_mask;
  samples.alphaToCoverageEnable = s.alpha_to_coverage;
  std::vector<VkPipelineColorBlendAttachmentState> blends(s.colours.size(), s.blend);
  for (size_t i = 1; i < blends.size(); ++i) blends[i].blendEnable = VK_FALSE;
  VkPipelineColorBlendStateCreateInfo blend{};
  blend.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO;
  blend.logicOpEnable = s.logic, blend.logicOp = s.logic_operation;
  blend.attachmentCount = uint32_t(blends.size()), blend.pAttachments = blends.data();
  const float constants[4] = {0.3f, 0.6f, 0.9f, 0.4f};
  std::memcpy(blend.blendConstants, constants, sizeof constants);
  const VkDynamicState dynamic[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  VkPipelineDynamicStateCreateInfo dynamics{};
  dynamics.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO;
  dynamics.dynamicStateCount = 2, dynamics.pDynamicStates = dynamic;
  VkPipelineRenderingCreateInfo rendering{};
  rendering.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO;
  rendering.colorAttachmentCount = uint32_t(s.colours.size()), rendering.pColorAttachmentFormats = s.colours.data();
  rendering.depthAttachmentFormat = s.depth_format;
  if (aspect_of(s.depth_format) & VK_IMAGE_ASPECT_STENCIL_BIT) rendering.stencilAttachmentFormat = s.depth_format;
  VkGraphicsPipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, info.pNext = &rendering;
  info.stageCount = 2, info.pStages = stages, info.pVertexInputState = &input, info.pInputAssemblyState = &assembly;
  info.pViewportState = &viewports, info.pRasterizationState = &s.raster, info.pMultisampleState = &samples;
  info.pDepthStencilState = &s.depth, info.pColorBlendState = &blend, info.pDynamicState = &dynamics,
  info.layout = layout;
  VkPipeline p;
  check(vkCreateGraphicsPipelines(gpu.device, VK_NULL_HANDLE, 1, &info, nullptr, &p), "vkCreateGraphicsPipelines");
  return p;
}

VkPipeline compute_pipeline(const char* name) {
  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage = stage(VK_SHADER_STAGE_COMPUTE_BIT, name), info.layout = layout;
  VkPipeline p;
  check(vkCreateComputePipelines(gpu.device, VK_NULL_HANDLE, 1, &info, nullptr, &p), "vkCreateComputePipelines");
  return p;
}

VkDescriptorSet descriptor_set(const Bindings& b) {
  const VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, descriptors, 1,
                                         &set_layout};
  VkDescriptorSet set;
  check(vkAllocateDescriptorSets(gpu.device, &info, &set), "vkAllocateDescriptorSets");
  const VkDescriptorBufferInfo values{buffer(&b.values, sizeof b.values).buffer, 0, VK_WHOLE_SIZE},
      storage{b.storage.buffer ? b.storage.buffer : no_buffer.buffer, 0, VK_WHOLE_SIZE};
  const auto sampled = [&](const Image& i) {
    return VkDescriptorImageInfo{b.sampling ? b.sampling : no_sampler, i.view ? i.view : no_image.view,
                                 VK_IMAGE_LAYOUT_GENERAL};
  };
  const VkDescriptorImageInfo images[] = {{}, sampled(b.first), sampled(b.second), {}, sampled(b.store)};
  VkWriteDescriptorSet writes[5]{};
  for (uint32_t i = 0; i < 5; ++i) {
    writes[i].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, writes[i].dstSet = set, writes[i].dstBinding = i;
    writes[i].descriptorCount = 1, writes[i].descriptorType = kinds[i];
    writes[i].pImageInfo = &images[i], writes[i].pBufferInfo = i == 0 ? &values : &storage;
  }
  vkUpdateDescriptorSets(gpu.device, 5, writes, 0, nullptr);
  return set;
}
void bind_set(VkPipeline p, VkDescriptorSet set, VkPipelineBindPoint point) {
  vkCmdBindPipeline(gpu.list, point, p);
  vkCmdBindDescriptorSets(gpu.list, point, layout, 0, 1, &set, 0, nullptr);
}
void bind(VkPipeline p, const Bindings& b, VkPipelineBindPoint point) { bind_set(p, descriptor_set(b), point); }

Target target(const std::vector<VkFormat>& formats, VkFormat depth, uint32_t samples, uint32_t w, uint32_t h) {
  Target t;
  ImageKind kind;
  kind.samples = samples;
  constexpr VkImageUsageFlags usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT;
  for (VkFormat f : formats) {
    t.colours.push_back(image(f, w, h, usage, kind));
    if (samples > 1) t.resolved.push_back(image(f, w, h, usage));
  }
  if (depth) {
    const bool sampled = depth == VK_FORMAT_D32_SFLOAT;
    t.depth = image(
        depth, w, h,
        VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | (sampled ? VkImageUsageFlags(VK_IMAGE_USAGE_SAMPLED_BIT) : 0),
        kind);
  }
  return t;
}

void begin(const Target& t, bool clears) {
  barrier();
  const auto load = clears ? VK_ATTACHMENT_LOAD_OP_CLEAR : VK_ATTACHMENT_LOAD_OP_LOAD;
  std::vector<VkRenderingAttachmentInfo> colours;
  for (size_t i = 0; i < t.colours.size(); ++i) {
    VkRenderingAttachmentInfo a{};
    a.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO, a.imageView = t.colours[i].view;
    a.imageLayout = VK_IMAGE_LAYOUT_GENERAL, a.loadOp = load, a.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
    const VkFormat f = t.colours[i].format;
    if (f == VK_FORMAT_R32G32B32A32_UINT || f == VK_FORMAT_R32G32B32A32_SINT)
      a.clearValue.color.int32[0] = 7, a.clearValue.color.int32[3] = 3;
    else
      a.clearValue.color = {{0.1f, 0.2f, 0.3f, 1}};
    if (!t.resolved.empty())
      a.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT, a.resolveImageView = t.resolved[i].view,
      a.resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL;
    colours.push_back(a);
  }
  VkRenderingAttachmentInfo depth{};
  depth.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO, depth.imageView = t.depth.view;
  depth.imageLayout = VK_IMAGE_LAYOUT_GENERAL, depth.loadOp = load, depth.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  depth.clearValue.depthStencil = {1, 0};
  const Image& size = t.colours.empty() ? t.depth : t.colours[0];
  VkRenderingInfo info{};
  info.sType = VK_STRUCTURE_TYPE_RENDERING_INFO, info.renderArea = {{0, 0}, {size.w, size.h}}, info.layerCount = 1;
  info.colorAttachmentCount = uint32_t(colours.size()), info.pColorAttachments = colours.data();
  if (t.depth.view) info.pDepthAttachment = &depth;
  if (t.depth.aspect & VK_IMAGE_ASPECT_STENCIL_BIT) info.pStencilAttachment = &depth;
  vkCmdBeginRendering(gpu.list, &info);
  const VkViewport viewport{0, 0, float(size.w), float(size.h), 0, 1};
  vkCmdSetViewport(gpu.list, 0, 1, &viewport);
  scissor(0, 0, size.w, size.h);
}
void end() {
  vkCmdEndRendering(gpu.list);
  barrier();
}
void scissor(int x, int y, uint32_t w, uint32_t h) {
  const VkRect2D area{{x, y}, {w, h}};
  vkCmdSetScissor(gpu.list, 0, 1, &area);
}

void bind(const Mesh& mesh) {
  const VkDeviceSize start = 0;
  const Buffer vertices = buffer(mesh.vertices);
  vkCmdBindVertexBuffers(gpu.list, 0, 1, &vertices.buffer, &start);
  if (!mesh.indices.empty()) vkCmdBindIndexBuffer(gpu.list, buffer(mesh.indices).buffer, 0, VK_INDEX_TYPE_UINT16);
}
void draw(const Mesh& mesh, uint32_t instances) {
  bind(mesh);
  vkCmdDrawIndexed(gpu.list, uint32_t(mesh.indices.size()), instances, 0, 0, 0);
}
void draw_rectangle(float x0, float y0, float x1, float y1, float z, const float* colour) {
  draw(rectangle(x0, y0, x1, y1, z, colour));
}

void save(Results& results, const char* name, const Image& i, const char* kind, size_t pixel_bytes,
          VkImageAspectFlags aspect) {
  const Buffer to = buffer(nullptr, size_t(i.w) * i.h * pixel_bytes);
  barrier();
  const VkBufferImageCopy copy{0, 0, 0, {aspect, 0, 0, 1}, {0, 0, 0}, {i.w, i.h, 1}};
  vkCmdCopyImageToBuffer(gpu.list, i.image, VK_IMAGE_LAYOUT_GENERAL, to.buffer, 1, &copy);
  submit();
  results.picture(name, kind, int(i.w), int(i.h), to.at, to.bytes);
}

}  // namespace graphics
