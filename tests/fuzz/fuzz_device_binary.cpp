// Fuzz target: any bytes as a device binary of Intel's compiler. It is refused with words, or every kernel's code lies
// inside the file and can be decoded.
#include <cstdint>

#include "fuzz.h"
#include "isa/device_binary.h"
#include "isa/disassemble.h"

using namespace vitro;
using namespace vitro::isa;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span<const std::byte> file(reinterpret_cast<const std::byte*>(data), size);
  const Model& m = *fuzz::models()[2];
  const bool claims = is_device_binary(file);
  const Result<DeviceBinary> binary = read_device_binary(file);
  if (!binary) {
    fuzz::must_hold(!binary.error().message.empty(), m, "a refusal has words");
    return 0;
  }
  fuzz::must_hold(claims, m, "what can be read is recognised by its first bytes");
  for (const DeviceKernel& k : binary->kernels) {
    const bool inside =
        k.code.empty() || (k.code.data() >= file.data() && k.code.data() + k.code.size() <= file.data() + file.size());
    fuzz::must_hold(inside, m, "a kernel's code lies inside the file", k.name);
    disassemble(m, k.code.first(std::min<size_t>(k.code.size(), 1024)));
  }
  return 0;
}
