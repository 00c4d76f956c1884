// What the host's processor can do, asked once. Loops and functions over vectors are compiled for every x86-64 and
// again for one with AVX2 and FMA; who calls them takes the better one the host can run. Both give the same bits: they
// are the same source, and the compiler may not contract or reorder floats. No part of the machine. The environment
// variable VITRO_VECTORS=plain keeps to the first kind, to test and to measure it.
#pragma once

namespace vitro::lanes {

#if defined(__x86_64__)
#define VITRO_WIDE_VECTORS __attribute__((target("avx2,fma"), flatten))
#else
#define VITRO_WIDE_VECTORS __attribute__((flatten))
#endif
#define VITRO_PLAIN_VECTORS __attribute__((flatten))

bool host_has_wide_vectors();

}  // namespace vitro::lanes
