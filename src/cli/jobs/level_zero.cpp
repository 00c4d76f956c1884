// The Level Zero job of `vitro doctor`, through Intel's driver.
#include <level_zero/ze_api.h>

#include <algorithm>

#include "cli/jobs/job.h"

namespace vitro::cli::jobs {
namespace {

template <class Description>
Description description(ze_structure_type_t type) {
  Description d{};
  d.stype = type;
  return d;
}

}  // namespace

void level_zero() {
  const Library library("libze_loader.so.1",
                        can_be_loaded("libze_intel_gpu.so.1") ? "" : "Intel's libze_intel_gpu.so.1 is not there");
#define ZE(name) const auto name = library.function<decltype(::name)>(#name)
  ZE(zeInit);
  ZE(zeDriverGet);
  ZE(zeDriverGetProperties);
  ZE(zeDeviceGet);
  ZE(zeDeviceGetProperties);
  ZE(zeContextCreate);
  ZE(zeModuleCreate);
  ZE(zeKernelCreate);
  ZE(zeKernelSetArgumentValue);
  ZE(zeKernelSetGroupSize);
  ZE(zeMemAllocShared);
  ZE(zeCommandListCreateImmediate);
  ZE(zeCommandListAppendLaunchKernel);
#undef ZE
  require_zero(zeInit(ZE_INIT_FLAG_GPU_ONLY), "zeInit");
  uint32_t count = 1;
  ze_driver_handle_t driver;
  require_zero(zeDriverGet(&count, &driver), "zeDriverGet");
  auto driver_properties = description<ze_driver_properties_t>(ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES);
  require_zero(zeDriverGetProperties(driver, &driver_properties), "zeDriverGetProperties");
  count = 1;
  ze_device_handle_t device;
  require_zero(zeDeviceGet(driver, &count, &device), "zeDeviceGet");
  auto properties = description<ze_device_properties_t>(ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES);
  require_zero(zeDeviceGetProperties(device, &properties), "zeDeviceGetProperties");
  const auto context_description = description<ze_context_desc_t>(ZE_STRUCTURE_TYPE_CONTEXT_DESC);
  ze_context_handle_t context;
  require_zero(zeContextCreate(driver, &context_description, &context), "zeContextCreate");

  auto module_description = description<ze_module_desc_t>(ZE_STRUCTURE_TYPE_MODULE_DESC);
  module_description.format = ZE_MODULE_FORMAT_IL_SPIRV;
  module_description.inputSize = opencl_module().size_bytes();
  module_description.pInputModule = reinterpret_cast<const uint8_t*>(opencl_module().data());
  ze_module_handle_t module;
  require_zero(zeModuleCreate(context, device, &module_description, &module, nullptr), "zeModuleCreate");
  auto kernel_description = description<ze_kernel_desc_t>(ZE_STRUCTURE_TYPE_KERNEL_DESC);
  kernel_description.pKernelName = "work";
  ze_kernel_handle_t kernel;
  require_zero(zeKernelCreate(module, &kernel_description, &kernel), "zeKernelCreate");

  const auto on_device = description<ze_device_mem_alloc_desc_t>(ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC);
  const auto on_host = description<ze_host_mem_alloc_desc_t>(ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC);
  const std::vector<uint32_t> before = input();
  void* memory = nullptr;
  require_zero(zeMemAllocShared(context, &on_device, &on_host, elements * sizeof before[0], 64, device, &memory),
               "zeMemAllocShared");
  std::copy(before.begin(), before.end(), static_cast<uint32_t*>(memory));
  require_zero(zeKernelSetArgumentValue(kernel, 0, sizeof memory, &memory), "zeKernelSetArgumentValue");
  require_zero(zeKernelSetGroupSize(kernel, group_size, 1, 1), "zeKernelSetGroupSize");
  auto queue_description = description<ze_command_queue_desc_t>(ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC);
  queue_description.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
  ze_command_list_handle_t list;
  require_zero(zeCommandListCreateImmediate(context, device, &queue_description, &list),
               "zeCommandListCreateImmediate");
  const ze_group_count_t groups{elements / group_size, 1, 1};
  require_zero(zeCommandListAppendLaunchKernel(list, kernel, &groups, nullptr, 0, nullptr), "the kernel");
  check({static_cast<const uint32_t*>(memory), elements});
  const uint32_t v = driver_properties.driverVersion;
  end(exit_done, fmt::format("{}; Intel's Level Zero {}.{}.{}", properties.name, v >> 24, v >> 16 & 255, v & 0xFFFF));
}

}  // namespace vitro::cli::jobs
