// A Vulkan layer that writes the last of N images which a program presents to a file, as a result that graphics.py
// reads: VITRO_IMAGE_NUMBER says which, VITRO_IMAGE_FILE where to. The program knows nothing of it. It serves programs
// with one device, one queue that presents and one swapchain at a time.
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace {

PFN_vkGetInstanceProcAddr next_instance;
PFN_vkGetDeviceProcAddr next_device;
VkInstance instance;
VkPhysicalDevice physical;
VkDevice device;
uint32_t family;
std::vector<VkImage> images;
VkExtent2D size;
VkFormat format;
unsigned presented;

template <class F>
F of_device(const char* name) {
  return reinterpret_cast<F>(next_device(device, name));
}
#define DEVICE(name) of_device<PFN_##name>(#name)
template <class F>
F of_instance(const char* name) {
  return reinterpret_cast<F>(next_instance(instance, name));
}
#define INSTANCE(name) of_instance<PFN_##name>(#name)

// The place in the chain of create infos where the loader says who comes next.
template <class Info, class Create>
Info* link_of(const Create* create, VkStructureType type) {
  auto* at = reinterpret_cast<Info*>(const_cast<void*>(create->pNext));
  while (at && !(at->sType == type && at->function == VK_LAYER_LINK_INFO))
    at = reinterpret_cast<Info*>(const_cast<void*>(at->pNext));
  return at;
}

VkResult create_instance(const VkInstanceCreateInfo* info, const VkAllocationCallbacks* allocator, VkInstance* result) {
  auto* link = link_of<VkLayerInstanceCreateInfo>(info, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
  if (!link) return VK_ERROR_INITIALIZATION_FAILED;
  next_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const VkResult r = reinterpret_cast<PFN_vkCreateInstance>(next_instance(VK_NULL_HANDLE, "vkCreateInstance"))(
      info, allocator, result);
  if (r == VK_SUCCESS) instance = *result;
  return r;
}

VkResult create_device(VkPhysicalDevice p, const VkDeviceCreateInfo* info, const VkAllocationCallbacks* allocator,
                       VkDevice* result) {
  auto* link = link_of<VkLayerDeviceCreateInfo>(info, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
  if (!link) return VK_ERROR_INITIALIZATION_FAILED;
  next_device = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
  link->u.pLayerInfo = link->u.pLayerInfo->pNext;
  const VkResult r = INSTANCE(vkCreateDevice)(p, info, allocator, result);
  if (r == VK_SUCCESS) physical = p, device = *result, family = info->pQueueCreateInfos[0].queueFamilyIndex;
  return r;
}

VkResult create_swapchain(VkDevice d, const VkSwapchainCreateInfoKHR* info, const VkAllocationCallbacks* allocator,
                          VkSwapchainKHR* result) {
  VkSwapchainCreateInfoKHR ours = *info;
  ours.imageUsage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  const VkResult r = DEVICE(vkCreateSwapchainKHR)(d, &ours, allocator, result);
  if (r != VK_SUCCESS) return r;
  size = info->imageExtent, format = info->imageFormat;
  uint32_t n = 0;
  DEVICE(vkGetSwapchainImagesKHR)(d, *result, &n, nullptr);
  images.resize(n);
  return DEVICE(vkGetSwapchainImagesKHR)(d, *result, &n, images.data());
}

// The loader's pointer in front of every dispatchable object: what a layer creates itself has none yet.
void adopt(void* created) { *static_cast<void**>(created) = *reinterpret_cast<void**>(device); }

// Copies an image that is to be presented, after the semaphores it waits for.
void write_image(VkQueue queue, const VkPresentInfoKHR& present, const char* path) {
  const size_t bytes = size_t(size.width) * size.height * 4;
  VkBufferCreateInfo buffer_info{};
  buffer_info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, buffer_info.size = bytes;
  buffer_info.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  VkBuffer buffer;
  DEVICE(vkCreateBuffer)(device, &buffer_info, nullptr, &buffer);
  VkMemoryRequirements needs;
  DEVICE(vkGetBufferMemoryRequirements)(device, buffer, &needs);
  VkPhysicalDeviceMemoryProperties memories;
  INSTANCE(vkGetPhysicalDeviceMemoryProperties)(physical, &memories);
  constexpr VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  uint32_t kind = 0;
  while (kind < memories.memoryTypeCount &&
         !(needs.memoryTypeBits >> kind & 1 && (memories.memoryTypes[kind].propertyFlags & wanted) == wanted))
    ++kind;
  const VkMemoryAllocateInfo memory_info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, nullptr, needs.size, kind};
  VkDeviceMemory memory;
  DEVICE(vkAllocateMemory)(device, &memory_info, nullptr, &memory);
  DEVICE(vkBindBufferMemory)(device, buffer, memory, 0);
  const VkCommandPoolCreateInfo pool_info{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, nullptr, 0, family};
  VkCommandPool pool;
  DEVICE(vkCreateCommandPool)(device, &pool_info, nullptr, &pool);
  const VkCommandBufferAllocateInfo list_info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                              VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
  VkCommandBuffer list;
  DEVICE(vkAllocateCommandBuffers)(device, &list_info, &list);
  adopt(list);
  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  DEVICE(vkBeginCommandBuffer)(list, &begin);
  VkImageMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT, barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT;
  barrier.oldLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR, barrier.newLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
  barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  barrier.image = images.at(present.pImageIndices[0]);
  barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  const auto pipeline_barrier = DEVICE(vkCmdPipelineBarrier);
  pipeline_barrier(list, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, nullptr, 0, nullptr,
                   1, &barrier);
  const VkBufferImageCopy copy{0, 0, 0, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, {0, 0, 0}, {size.width, size.height, 1}};
  DEVICE(vkCmdCopyImageToBuffer)(list, barrier.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, buffer, 1, &copy);
  std::swap(barrier.oldLayout, barrier.newLayout);
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_READ_BIT, barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT;
  pipeline_barrier(list, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr, 0, nullptr,
                   1, &barrier);
  DEVICE(vkEndCommandBuffer)(list);
  const std::vector<VkPipelineStageFlags> stages(present.waitSemaphoreCount, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
  VkSubmitInfo submit{};
  submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  submit.waitSemaphoreCount = present.waitSemaphoreCount, submit.pWaitSemaphores = present.pWaitSemaphores;
  submit.pWaitDstStageMask = stages.data(), submit.commandBufferCount = 1, submit.pCommandBuffers = &list;
  VkResult r = DEVICE(vkQueueSubmit)(queue, 1, &submit, VK_NULL_HANDLE);
  if (r == VK_SUCCESS) r = DEVICE(vkQueueWaitIdle)(queue);
  void* at = nullptr;
  if (r == VK_SUCCESS) r = DEVICE(vkMapMemory)(device, memory, 0, VK_WHOLE_SIZE, 0, &at);
  if (r != VK_SUCCESS) {
    std::fprintf(stderr, "last_image: the image cannot be read (%d)\n", r);
    return;
  }
  std::vector<char> rgba(bytes);
  std::memcpy(rgba.data(), at, bytes);
  if (format == VK_FORMAT_B8G8R8A8_UNORM || format == VK_FORMAT_B8G8R8A8_SRGB)
    for (size_t i = 0; i < bytes; i += 4) std::swap(rgba[i], rgba[i + 2]);
  // Intel's driver offers these first; of alpha nobody sees anything.
  const bool blue_first = format == VK_FORMAT_A2R10G10B10_UNORM_PACK32;
  if (blue_first || format == VK_FORMAT_A2B10G10R10_UNORM_PACK32)
    for (size_t i = 0; i < bytes; i += 4) {
      uint32_t packed;
      std::memcpy(&packed, &rgba[i], 4);
      for (size_t k = 0; k < 3; ++k) {
        const uint32_t value = packed >> (10 * k) & 1023;
        rgba[i + (blue_first ? 2 - k : k)] = char((value * 255 + 511) / 1023);
      }
    }
  for (size_t i = 3; i < bytes; i += 4) rgba[i] = char(255);
  std::ofstream out(path, std::ios::binary);
  out << "last image rgba8 " << size.width << ' ' << size.height << ' ' << bytes << '\n';
  out.write(rgba.data(), std::streamsize(bytes));
  out << '\n';
}

VkResult queue_present(VkQueue queue, const VkPresentInfoKHR* info) {
  const char *number = std::getenv("VITRO_IMAGE_NUMBER"), *path = std::getenv("VITRO_IMAGE_FILE");
  VkPresentInfoKHR ours = *info;
  if (number && path && ++presented == unsigned(std::atoi(number))) {
    write_image(queue, *info, path);
    ours.waitSemaphoreCount = 0;
  }
  return DEVICE(vkQueuePresentKHR)(queue, &ours);
}

PFN_vkVoidFunction ours(const char* name) {
  const struct {
    const char* name;
    PFN_vkVoidFunction function;
  } functions[] = {{"vkCreateInstance", reinterpret_cast<PFN_vkVoidFunction>(create_instance)},
                   {"vkCreateDevice", reinterpret_cast<PFN_vkVoidFunction>(create_device)},
                   {"vkCreateSwapchainKHR", reinterpret_cast<PFN_vkVoidFunction>(create_swapchain)},
                   {"vkQueuePresentKHR", reinterpret_cast<PFN_vkVoidFunction>(queue_present)}};
  for (const auto& f : functions)
    if (!std::strcmp(name, f.name)) return f.function;
  return nullptr;
}
PFN_vkVoidFunction device_function(VkDevice d, const char* name) {
  const auto found = ours(name);
  return found ? found : next_device(d, name);
}
PFN_vkVoidFunction instance_function(VkInstance i, const char* name) {
  if (!std::strcmp(name, "vkGetDeviceProcAddr")) return reinterpret_cast<PFN_vkVoidFunction>(device_function);
  const auto found = ours(name);
  return found ? found : next_instance ? next_instance(i, name) : nullptr;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) VkResult vkNegotiateLoaderLayerInterfaceVersion(
    VkNegotiateLayerInterface* version) {
  version->loaderLayerInterfaceVersion = 2;
  version->pfnGetInstanceProcAddr = instance_function;
  version->pfnGetDeviceProcAddr = device_function;
  version->pfnGetPhysicalDeviceProcAddr = nullptr;
  return VK_SUCCESS;
}
