// The files in which compilers hand over EU code: the device binaries of Intel's OpenCL compiler (`ocloc`). Two forms:
//   - an ELF container of type "OpenCL executable" around a patch-token program: program header "CTNI", then for each
//     kernel its header, name, kernel heap (the code), three state heaps and a patch list; also that program bare;
//   - a "zebin": an ELF object for machine 205 (Intel GT), 64 or 32 bits, the code of each kernel in `.text.<kernel>`.
// No part of the machine, and in no PRM: the layouts are those of the published compiler and its files.
// Not modelled: everything but names and code (patch lists, state heaps, relocations, the kernels' argument layout; the
// checksums are not verified), and archives for several devices, which are refused with a hint.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace vitro::isa {

// The code as the EU sees it from the kernel's start: subroutines included, the padding behind it (which the hardware's
// instruction prefetch may read) left out where the file tells its size. Points into the file's bytes.
struct DeviceKernel {
  std::string name;
  std::span<const std::byte> code;
};

struct DeviceBinary {
  std::string device;  // what the file says about its target ("Gen9core"), empty if it says nothing
  std::vector<DeviceKernel> kernels;
};

// Whether the file claims to be one of the forms above (or an archive of them), from its first bytes only.
bool is_device_binary(std::span<const std::byte> file);

// The result refers to `file`. A file that is cut off or contradicts itself is an Error that names the place.
Result<DeviceBinary> read_device_binary(std::span<const std::byte> file);

}  // namespace vitro::isa
