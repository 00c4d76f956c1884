// Two processes share a buffer and a semaphore: the parent's GPU work fills an exported buffer and signals an exported
// semaphore; the child, a process of its own that gets both descriptors over a socket, waits for the semaphore on its
// own device and reads the buffer. Vulkan external memory (dma-buf) and external semaphores, through Mesa's drivers.
//   sharing FILL.spv COPY.spv         (starts itself again as the child)
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vulkan/vulkan.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

constexpr uint32_t count = 4096;
constexpr auto memory_kind = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;
constexpr auto semaphore_kind = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT;

[[noreturn]] void fail(const char* what, int code = 0) {
  std::fprintf(stderr, "sharing: %s (%d)\n", what, code);
  std::exit(1);
}
void check(VkResult r, const char* what) {
  if (r != VK_SUCCESS) fail(what, r);
}

struct Gpu {
  VkPhysicalDevice physical{};
  VkDevice device{};
  VkQueue queue{};
};

Gpu open_device() {
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.apiVersion = VK_API_VERSION_1_1;
  VkInstanceCreateInfo create{};
  create.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  create.pApplicationInfo = &application;
  VkInstance instance;
  check(vkCreateInstance(&create, nullptr, &instance), "vkCreateInstance");
  uint32_t n = 8;
  VkPhysicalDevice all[8];
  vkEnumeratePhysicalDevices(instance, &n, all);
  Gpu g;
  for (uint32_t i = 0; i < n; ++i) {
    VkPhysicalDeviceProperties p;
    vkGetPhysicalDeviceProperties(all[i], &p);
    if (std::strstr(p.deviceName, "Intel")) g.physical = all[i];
  }
  if (!g.physical) fail("no Intel device");
  const float priority = 1;
  VkDeviceQueueCreateInfo queue{};
  queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue.queueCount = 1, queue.pQueuePriorities = &priority;
  const char* extensions[] = {VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME, VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME,
                              VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME};
  VkDeviceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.queueCreateInfoCount = 1, info.pQueueCreateInfos = &queue;
  info.enabledExtensionCount = 3, info.ppEnabledExtensionNames = extensions;
  check(vkCreateDevice(g.physical, &info, nullptr, &g.device), "vkCreateDevice");
  vkGetDeviceQueue(g.device, 0, 0, &g.queue);
  return g;
}

struct Memory {
  VkBuffer buffer{};
  VkDeviceMemory memory{};
};

// Own, exportable (imported < 0, shared), or imported from a descriptor.
Memory make_buffer(const Gpu& g, bool shared, int imported = -1) {
  Memory m;
  VkExternalMemoryBufferCreateInfo external{};
  external.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO;
  external.handleTypes = memory_kind;
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.pNext = shared ? &external : nullptr;
  info.size = count * 4, info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  check(vkCreateBuffer(g.device, &info, nullptr, &m.buffer), "vkCreateBuffer");
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(g.device, m.buffer, &needs);
  VkPhysicalDeviceMemoryProperties types;
  vkGetPhysicalDeviceMemoryProperties(g.physical, &types);
  uint32_t type = 0;
  while (!(needs.memoryTypeBits >> type & 1) ||
         !(types.memoryTypes[type].propertyFlags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT))
    if (++type == types.memoryTypeCount) fail("no memory type");
  VkExportMemoryAllocateInfo exported{};
  exported.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO;
  exported.handleTypes = memory_kind;
  VkImportMemoryFdInfoKHR import{};
  import.sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR;
  import.handleType = memory_kind, import.fd = imported;
  VkMemoryAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocate.pNext = imported >= 0 ? static_cast<const void*>(&import) : shared ? &exported : nullptr;
  allocate.allocationSize = needs.size, allocate.memoryTypeIndex = type;
  check(vkAllocateMemory(g.device, &allocate, nullptr, &m.memory), "vkAllocateMemory");
  check(vkBindBufferMemory(g.device, m.buffer, m.memory, 0), "vkBindBufferMemory");
  return m;
}

VkSemaphore make_semaphore(const Gpu& g, bool exported) {
  VkExportSemaphoreCreateInfo external{};
  external.sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO;
  external.handleTypes = semaphore_kind;
  VkSemaphoreCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
  info.pNext = exported ? &external : nullptr;
  VkSemaphore s;
  check(vkCreateSemaphore(g.device, &info, nullptr, &s), "vkCreateSemaphore");
  return s;
}

// Submits one dispatch over the buffers, between two semaphores if there are any.
void dispatch(const Gpu& g, const char* file, const std::vector<VkBuffer>& buffers, VkSemaphore wait,
              VkSemaphore signal, VkFence fence) {
  std::ifstream in(file, std::ios::binary);
  const std::vector<char> code((std::istreambuf_iterator<char>(in)), {});
  VkShaderModuleCreateInfo module_info{};
  module_info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  module_info.codeSize = code.size(), module_info.pCode = reinterpret_cast<const uint32_t*>(code.data());
  VkShaderModule module;
  check(vkCreateShaderModule(g.device, &module_info, nullptr, &module), "vkCreateShaderModule");
  std::vector<VkDescriptorSetLayoutBinding> bindings;
  for (uint32_t i = 0; i < buffers.size(); ++i)
    bindings.push_back({i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
  VkDescriptorSetLayoutCreateInfo set_info{};
  set_info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  set_info.bindingCount = uint32_t(bindings.size()), set_info.pBindings = bindings.data();
  VkDescriptorSetLayout set_layout;
  check(vkCreateDescriptorSetLayout(g.device, &set_info, nullptr, &set_layout), "vkCreateDescriptorSetLayout");
  VkPipelineLayoutCreateInfo layout_info{};
  layout_info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  layout_info.setLayoutCount = 1, layout_info.pSetLayouts = &set_layout;
  VkPipelineLayout layout;
  check(vkCreatePipelineLayout(g.device, &layout_info, nullptr, &layout), "vkCreatePipelineLayout");
  VkComputePipelineCreateInfo compute{};
  compute.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  compute.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  compute.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT, compute.stage.module = module, compute.stage.pName = "main";
  compute.layout = layout;
  VkPipeline pipeline;
  check(vkCreateComputePipelines(g.device, VK_NULL_HANDLE, 1, &compute, nullptr, &pipeline),
        "vkCreateComputePipelines");
  const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 8};
  VkDescriptorPoolCreateInfo pool_info{};
  pool_info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  pool_info.maxSets = 1, pool_info.poolSizeCount = 1, pool_info.pPoolSizes = &size;
  VkDescriptorPool pool;
  check(vkCreateDescriptorPool(g.device, &pool_info, nullptr, &pool), "vkCreateDescriptorPool");
  VkDescriptorSetAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  allocate.descriptorPool = pool, allocate.descriptorSetCount = 1, allocate.pSetLayouts = &set_layout;
  VkDescriptorSet set;
  check(vkAllocateDescriptorSets(g.device, &allocate, &set), "vkAllocateDescriptorSets");
  for (uint32_t i = 0; i < buffers.size(); ++i) {
    const VkDescriptorBufferInfo buffer{buffers[i], 0, VK_WHOLE_SIZE};
    VkWriteDescriptorSet write{};
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = set, write.dstBinding = i, write.descriptorCount = 1;
    write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, write.pBufferInfo = &buffer;
    vkUpdateDescriptorSets(g.device, 1, &write, 0, nullptr);
  }
  VkCommandPoolCreateInfo commands_info{};
  commands_info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  VkCommandPool commands;
  check(vkCreateCommandPool(g.device, &commands_info, nullptr, &commands), "vkCreateCommandPool");
  const VkCommandBufferAllocateInfo list_info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, commands,
                                              VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
  VkCommandBuffer list;
  check(vkAllocateCommandBuffers(g.device, &list_info, &list), "vkAllocateCommandBuffers");
  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  check(vkBeginCommandBuffer(list, &begin), "vkBeginCommandBuffer");
  vkCmdBindPipeline(list, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vkCmdBindDescriptorSets(list, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
  vkCmdDispatch(list, count / 64, 1, 1);
  check(vkEndCommandBuffer(list), "vkEndCommandBuffer");
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
  VkSubmitInfo submit{};
  submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  submit.commandBufferCount = 1, submit.pCommandBuffers = &list;
  submit.waitSemaphoreCount = wait ? 1 : 0, submit.pWaitSemaphores = &wait, submit.pWaitDstStageMask = &stage;
  submit.signalSemaphoreCount = signal ? 1 : 0, submit.pSignalSemaphores = &signal;
  check(vkQueueSubmit(g.queue, 1, &submit, fence), "vkQueueSubmit");
}

template <class F>
F function(const Gpu& g, const char* name) {
  return reinterpret_cast<F>(vkGetDeviceProcAddr(g.device, name));
}

void send_descriptors(int socket, const int (&fds)[2]) {
  char byte = 1, control[CMSG_SPACE(sizeof fds)] = {};
  iovec data{&byte, 1};
  msghdr message{};
  message.msg_iov = &data, message.msg_iovlen = 1, message.msg_control = control,
  message.msg_controllen = sizeof control;
  cmsghdr* c = CMSG_FIRSTHDR(&message);
  c->cmsg_level = SOL_SOCKET, c->cmsg_type = SCM_RIGHTS, c->cmsg_len = CMSG_LEN(sizeof fds);
  std::memcpy(CMSG_DATA(c), fds, sizeof fds);
  if (sendmsg(socket, &message, 0) != 1) fail("sendmsg");
}

void receive_descriptors(int socket, int (&fds)[2]) {
  char byte, control[CMSG_SPACE(sizeof fds)] = {};
  iovec data{&byte, 1};
  msghdr message{};
  message.msg_iov = &data, message.msg_iovlen = 1, message.msg_control = control,
  message.msg_controllen = sizeof control;
  if (recvmsg(socket, &message, 0) != 1) fail("recvmsg");
  std::memcpy(fds, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fds);
}

int exporter(char** argv) {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets)) fail("socketpair");
  const pid_t child = fork();
  if (child == 0) {
    close(sockets[0]);
    const std::string socket = std::to_string(sockets[1]);
    execl("/proc/self/exe", argv[0], argv[1], argv[2], socket.c_str(), nullptr);
    _exit(127);
  }
  close(sockets[1]);
  const Gpu g = open_device();
  const Memory m = make_buffer(g, true);
  const VkSemaphore done = make_semaphore(g, true);
  int fds[2];
  const VkMemoryGetFdInfoKHR get_memory{VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, nullptr, m.memory, memory_kind};
  check(function<PFN_vkGetMemoryFdKHR>(g, "vkGetMemoryFdKHR")(g.device, &get_memory, &fds[0]), "vkGetMemoryFdKHR");
  dispatch(g, argv[1], {m.buffer}, VK_NULL_HANDLE, done, VK_NULL_HANDLE);
  const VkSemaphoreGetFdInfoKHR get_semaphore{VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR, nullptr, done,
                                              semaphore_kind};
  check(function<PFN_vkGetSemaphoreFdKHR>(g, "vkGetSemaphoreFdKHR")(g.device, &get_semaphore, &fds[1]),
        "vkGetSemaphoreFdKHR");
  send_descriptors(sockets[0], fds);
  int status = 1;
  waitpid(child, &status, 0);
  check(vkDeviceWaitIdle(g.device), "vkDeviceWaitIdle");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int importer(const char* copy, int socket) {
  int fds[2];
  const Gpu g = open_device();
  receive_descriptors(socket, fds);
  const Memory theirs = make_buffer(g, true, fds[0]), ours = make_buffer(g, false);
  const VkSemaphore done = make_semaphore(g, false);
  VkImportSemaphoreFdInfoKHR import{};
  import.sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR;
  import.semaphore = done, import.handleType = semaphore_kind, import.fd = fds[1];
  check(function<PFN_vkImportSemaphoreFdKHR>(g, "vkImportSemaphoreFdKHR")(g.device, &import), "vkImportSemaphoreFdKHR");
  VkFenceCreateInfo fence_info{};
  fence_info.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
  VkFence fence;
  check(vkCreateFence(g.device, &fence_info, nullptr, &fence), "vkCreateFence");
  dispatch(g, copy, {theirs.buffer, ours.buffer}, done, VK_NULL_HANDLE, fence);
  check(vkWaitForFences(g.device, 1, &fence, VK_TRUE, 120'000'000'000), "vkWaitForFences");
  uint32_t* result;
  check(vkMapMemory(g.device, ours.memory, 0, VK_WHOLE_SIZE, 0, reinterpret_cast<void**>(&result)), "vkMapMemory");
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t v = i;
    for (uint32_t k = 0; k < 3000; ++k) v = v * 1664525u + 1013904223u;
    if (result[i] != v + 1) {
      std::fprintf(stderr, "sharing: element %u is %u instead of %u\n", i, result[i], v + 1);
      return 1;
    }
  }
  std::printf("both processes saw the same %u numbers\n", count);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3) return exporter(argv);
  if (argc == 4) return importer(argv[2], std::atoi(argv[3]));
  std::fprintf(stderr, "usage: %s FILL.spv COPY.spv\n", argv[0]);
  return 2;
}
