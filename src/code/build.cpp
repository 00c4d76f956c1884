// What generated code depends on besides program and options. PRM: none. The host's abilities are asked of the
// processor itself, without LLVM, so that kept code can be used where LLVM is not even loaded.
#include <code_sources.h>  // made by the build
#include <cpuid.h>
#include <fmt/format.h>

#include "code/build.h"

namespace vitro::code {

const char* build_name() { return VITRO_CODE_SOURCES " " __VERSION__; }

// Vendor, family and model, and every feature bit, of which the operating system has to support some, too.
std::string host_name() {
  std::string name;
  const auto add = [&](unsigned leaf, unsigned sub, bool changing) {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (!__get_cpuid_count(leaf, sub, &a, &b, &c, &d)) return;
    if (changing) b &= 0x00FFFFFF;  // which of the processors it is that answers
    name += fmt::format("{:x}.{:x}.{:x}.{:x} ", a, b, c, d);
  };
  add(0, 0, false);
  add(1, 0, true);
  add(7, 0, false);
  add(7, 1, false);
  add(0x80000001, 0, false);
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) && c & bit_OSXSAVE) {
    uint32_t low = 0, high = 0;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    name += fmt::format("{:x}.{:x}", high, low);
  }
  return name;
}

}  // namespace vitro::code
