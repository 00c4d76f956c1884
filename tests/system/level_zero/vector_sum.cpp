// The smallest useful Level Zero program: finds the GPU, loads a SPIR-V module, runs one kernel over shared memory and
// checks the result on the host.
#include <level_zero/ze_api.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

namespace {
void check(ze_result_t r, const char* what) {
  if (r == ZE_RESULT_SUCCESS) return;
  std::fprintf(stderr, "vector_sum: %s: %#x\n", what, unsigned(r));
  std::exit(1);
}
}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::ifstream file(argv[1], std::ios::binary);
  const std::vector<char> code((std::istreambuf_iterator<char>(file)), {});
  check(zeInit(ZE_INIT_FLAG_GPU_ONLY), "zeInit");
  uint32_t count = 1;
  ze_driver_handle_t driver;
  check(zeDriverGet(&count, &driver), "zeDriverGet");
  count = 1;
  ze_device_handle_t device;
  check(zeDeviceGet(driver, &count, &device), "zeDeviceGet");
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  check(zeDeviceGetProperties(device, &properties), "zeDeviceGetProperties");
  ze_context_desc_t context_desc{};
  context_desc.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC;
  ze_context_handle_t context;
  check(zeContextCreate(driver, &context_desc, &context), "zeContextCreate");

  ze_module_desc_t module_desc{};
  module_desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  module_desc.format = ZE_MODULE_FORMAT_IL_SPIRV;
  module_desc.inputSize = code.size(), module_desc.pInputModule = reinterpret_cast<const uint8_t*>(code.data());
  ze_module_handle_t module;
  check(zeModuleCreate(context, device, &module_desc, &module, nullptr), "zeModuleCreate");
  ze_kernel_desc_t kernel_desc{};
  kernel_desc.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC;
  kernel_desc.pKernelName = "vector_sum";
  ze_kernel_handle_t kernel;
  check(zeKernelCreate(module, &kernel_desc, &kernel), "zeKernelCreate");

  constexpr uint32_t n = 1000, group = 40;
  ze_device_mem_alloc_desc_t on_device{};
  on_device.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
  ze_host_mem_alloc_desc_t on_host{};
  on_host.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
  int* memory[3];
  for (int*& m : memory)
    check(zeMemAllocShared(context, &on_device, &on_host, n * sizeof(int), 64, device, reinterpret_cast<void**>(&m)),
          "zeMemAllocShared");
  for (uint32_t i = 0; i < n; ++i) memory[0][i] = int(i * 7), memory[1][i] = int(i) - 500, memory[2][i] = -1;
  for (uint32_t i = 0; i < 3; ++i)
    check(zeKernelSetArgumentValue(kernel, i, sizeof memory[i], &memory[i]), "zeKernelSetArgumentValue");
  check(zeKernelSetGroupSize(kernel, group, 1, 1), "zeKernelSetGroupSize");

  ze_command_queue_desc_t queue_desc{};
  queue_desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  queue_desc.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
  ze_command_list_handle_t list;
  check(zeCommandListCreateImmediate(context, device, &queue_desc, &list), "zeCommandListCreateImmediate");
  const ze_group_count_t groups{n / group, 1, 1};
  check(zeCommandListAppendLaunchKernel(list, kernel, &groups, nullptr, 0, nullptr), "zeCommandListAppendLaunchKernel");
  for (uint32_t i = 0; i < n; ++i)
    if (memory[2][i] != memory[0][i] + memory[1][i]) {
      std::fprintf(stderr, "vector_sum: element %u is %d, not %d\n", i, memory[2][i], memory[0][i] + memory[1][i]);
      return 1;
    }
  std::printf("%s: %u sums are right\n", properties.name, n);
  return 0;
}
