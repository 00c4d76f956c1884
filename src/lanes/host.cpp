// Asking the processor, see host.h.
#include "lanes/host.h"

#include <cstdlib>
#include <string_view>

namespace vitro::lanes {

bool host_has_wide_vectors() {
#if defined(__x86_64__)
  static const bool has = [] {
    const char* wanted = std::getenv("VITRO_VECTORS");
    if (wanted && std::string_view(wanted) == "plain") return false;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  }();
  return has;
#else
  return false;
#endif
}

}  // namespace vitro::lanes
