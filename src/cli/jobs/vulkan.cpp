// The Vulkan job of `vitro doctor`, through Mesa's anv and hasvk.
#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include <cstring>

#include "cli/jobs/job.h"

namespace vitro::cli::jobs {
namespace {

PFN_vkGetInstanceProcAddr address_of;
VkInstance instance = VK_NULL_HANDLE;

// The functions of Vulkan by their names, each looked up when it is called.
#define VK(name) reinterpret_cast<PFN_##name>(address_of(instance, #name))

struct Gpu {
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  std::string name{}, driver{};
};

Gpu find_gpu() {
  VkPhysicalDevice devices[16];
  uint32_t count = 16;
  VK(vkEnumeratePhysicalDevices)(instance, &count, devices);
  for (uint32_t i = 0; i < count; ++i) {
    VkPhysicalDeviceDriverProperties driver{};
    driver.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES;
    VkPhysicalDeviceProperties2 properties{};
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, properties.pNext = &driver;
    VK(vkGetPhysicalDeviceProperties2)(devices[i], &properties);
    if (driver.driverID == VK_DRIVER_ID_INTEL_OPEN_SOURCE_MESA)
      return {devices[i], properties.properties.deviceName, fmt::format("{} {}", driver.driverName, driver.driverInfo)};
  }
  end(exit_failed, "the driver finds no GPU");
}

// A buffer with the input, mapped.
struct Buffer {
  VkBuffer buffer;
  void* memory;
};

Buffer make_buffer(VkPhysicalDevice physical, VkDevice device) {
  constexpr VkDeviceSize bytes = elements * sizeof(uint32_t);
  VkBufferCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  create.size = bytes, create.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  Buffer b{};
  require_zero(VK(vkCreateBuffer)(device, &create, nullptr, &b.buffer), "vkCreateBuffer");
  VkMemoryRequirements needs;
  VK(vkGetBufferMemoryRequirements)(device, b.buffer, &needs);
  VkPhysicalDeviceMemoryProperties memory;
  VK(vkGetPhysicalDeviceMemoryProperties)(physical, &memory);
  constexpr VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  uint32_t type = 0;
  while (type < memory.memoryTypeCount &&
         !(needs.memoryTypeBits >> type & 1 && (memory.memoryTypes[type].propertyFlags & wanted) == wanted))
    ++type;
  const VkMemoryAllocateInfo allocate{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, needs.size, type};
  VkDeviceMemory allocated;
  require_zero(VK(vkAllocateMemory)(device, &allocate, nullptr, &allocated), "vkAllocateMemory");
  require_zero(VK(vkBindBufferMemory)(device, b.buffer, allocated, 0), "vkBindBufferMemory");
  require_zero(VK(vkMapMemory)(device, allocated, 0, VK_WHOLE_SIZE, 0, &b.memory), "vkMapMemory");
  const std::vector<uint32_t> data = input();
  std::memcpy(b.memory, data.data(), bytes);
  return b;
}

struct Pipeline {
  VkPipeline pipeline;
  VkPipelineLayout layout;
  VkDescriptorSet set;
};

Pipeline make_pipeline(VkDevice device, VkBuffer buffer) {
  Pipeline p{};
  const VkDescriptorSetLayoutBinding binding{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT,
                                             nullptr};
  const VkDescriptorSetLayoutCreateInfo set_create{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, nullptr, 0, 1,
                                                   &binding};
  VkDescriptorSetLayout set_layout;
  require_zero(VK(vkCreateDescriptorSetLayout)(device, &set_create, nullptr, &set_layout),
               "vkCreateDescriptorSetLayout");
  VkPipelineLayoutCreateInfo layout_create{};
  layout_create.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  layout_create.setLayoutCount = 1, layout_create.pSetLayouts = &set_layout;
  require_zero(VK(vkCreatePipelineLayout)(device, &layout_create, nullptr, &p.layout), "vkCreatePipelineLayout");
  VkShaderModuleCreateInfo module_create{};
  module_create.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  module_create.codeSize = glsl_module().size_bytes(), module_create.pCode = glsl_module().data();
  VkComputePipelineCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  create.layout = p.layout;
  create.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  create.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT, create.stage.pName = "main";
  require_zero(VK(vkCreateShaderModule)(device, &module_create, nullptr, &create.stage.module), "vkCreateShaderModule");
  require_zero(VK(vkCreateComputePipelines)(device, VK_NULL_HANDLE, 1, &create, nullptr, &p.pipeline),
               "vkCreateComputePipelines");

  const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1};
  const VkDescriptorPoolCreateInfo pool_create{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, nullptr, 0, 1, 1, &size};
  VkDescriptorPool pool;
  require_zero(VK(vkCreateDescriptorPool)(device, &pool_create, nullptr, &pool), "vkCreateDescriptorPool");
  const VkDescriptorSetAllocateInfo allocate{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, pool, 1,
                                             &set_layout};
  require_zero(VK(vkAllocateDescriptorSets)(device, &allocate, &p.set), "vkAllocateDescriptorSets");
  const VkDescriptorBufferInfo whole{buffer, 0, VK_WHOLE_SIZE};
  VkWriteDescriptorSet write{};
  write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
  write.dstSet = p.set, write.descriptorCount = 1, write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  write.pBufferInfo = &whole;
  VK(vkUpdateDescriptorSets)(device, 1, &write, 0, nullptr);
  return p;
}

void dispatch(VkDevice device, const Pipeline& p) {
  const VkCommandPoolCreateInfo pool_create{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, nullptr, 0, 0};
  VkCommandPool pool;
  require_zero(VK(vkCreateCommandPool)(device, &pool_create, nullptr, &pool), "vkCreateCommandPool");
  const VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                             VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
  VkCommandBuffer commands;
  require_zero(VK(vkAllocateCommandBuffers)(device, &allocate, &commands), "vkAllocateCommandBuffers");
  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  require_zero(VK(vkBeginCommandBuffer)(commands, &begin), "vkBeginCommandBuffer");
  VK(vkCmdBindPipeline)(commands, VK_PIPELINE_BIND_POINT_COMPUTE, p.pipeline);
  VK(vkCmdBindDescriptorSets)(commands, VK_PIPELINE_BIND_POINT_COMPUTE, p.layout, 0, 1, &p.set, 0, nullptr);
  VK(vkCmdDispatch)(commands, elements / group_size, 1, 1);
  const VkMemoryBarrier barrier{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_SHADER_WRITE_BIT,
                                VK_ACCESS_HOST_READ_BIT};
  VK(vkCmdPipelineBarrier)
  (commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
  require_zero(VK(vkEndCommandBuffer)(commands), "vkEndCommandBuffer");
  VkQueue queue;
  VK(vkGetDeviceQueue)(device, 0, 0, &queue);
  VkSubmitInfo submit{};
  submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  submit.commandBufferCount = 1, submit.pCommandBuffers = &commands;
  require_zero(VK(vkQueueSubmit)(queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
  require_zero(VK(vkQueueWaitIdle)(queue), "the shader");
}

}  // namespace

void vulkan() {
  const bool driver = can_be_loaded("libvulkan_intel.so") || can_be_loaded("libvulkan_intel_hasvk.so");
  const Library library("libvulkan.so.1", driver ? "" : "Mesa's libvulkan_intel.so is not there");
  address_of = library.function<std::remove_pointer_t<PFN_vkGetInstanceProcAddr>>("vkGetInstanceProcAddr");
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, application.apiVersion = VK_API_VERSION_1_2;
  VkInstanceCreateInfo instance_create{};
  instance_create.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, instance_create.pApplicationInfo = &application;
  require_zero(VK(vkCreateInstance)(&instance_create, nullptr, &instance), "vkCreateInstance");
  const Gpu gpu = find_gpu();

  // The first family of queues of these drivers can compute, and its first queue is enough.
  const float priority = 1;
  const VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, nullptr, 0, 0, 1, &priority};
  VkDeviceCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  create.queueCreateInfoCount = 1, create.pQueueCreateInfos = &queue;
  VkDevice device;
  require_zero(VK(vkCreateDevice)(gpu.physical, &create, nullptr, &device), "vkCreateDevice");
  const Buffer buffer = make_buffer(gpu.physical, device);
  dispatch(device, make_pipeline(device, buffer.buffer));
  check({static_cast<const uint32_t*>(buffer.memory), elements});
  end(exit_done, fmt::format("{}; {}", gpu.name, gpu.driver));
}

}  // namespace vitro::cli::jobs
