// Fuzz target: any bytes behind the first line of an error state of i915.
#include "recordings.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return vitro::fuzz::read_all("GPU HANG: fuzzed\n" + std::string(reinterpret_cast<const char*>(data), size));
}
