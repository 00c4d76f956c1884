// What all threads of an interface descriptor are started with, made once and kept for the walkers that follow: as long
// as the descriptor's bytes, the VFE state and the base addresses are the same, and the kernel, which is compared again
// after every command but the few that leave it alone. PRM: Gen8 vol 7 "Thread Payload"; INTERFACE_DESCRIPTOR_DATA.
// Only what threads themselves do to a kernel may go unseen until a command stands between, as in the hardware's
// instruction cache.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "commands/interface_descriptor.h"
#include "commands/media.h"
#include "dispatch/thread_header.h"
#include "dispatch/work.h"

namespace vitro::media {

using RawDescriptor = std::array<uint32_t, commands::interface_descriptor_dwords>;

using Header = dispatch::ThreadHeader;

struct Launch {
  commands::InterfaceDescriptor descriptor;
  uint32_t descriptor_offset = 0;  // from the dynamic state base
  Header header;
  dispatch::ThreadState state;
  uint32_t slm_bytes = 0;
};

struct Prepared {
  // What it was made of, besides the base addresses, which the stage has.
  RawDescriptor raw{};
  commands::MediaVfeState vfe{};
  bool kernel_is_current = false;  // no command since could have changed it

  Launch launch{};
  dispatch::Stage stage{};  // without a number: nothing is prepared

  // Payloads of a GPGPU walker's threads: room for the data, and masks, which stay the same for the same counters.
  std::vector<std::byte> data{};
  std::vector<uint32_t> masks{};
  commands::GpgpuWalker masks_of{};
  uint64_t channels = 0;  // of a group
};

}  // namespace vitro::media
