// Fuzz target: any bytes as an AUB file, of either form; what is compared is compared.
#include "recordings.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return vitro::fuzz::read_all(std::string(reinterpret_cast<const char*>(data), size));
}
