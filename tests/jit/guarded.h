// Memory at the edge of pages that nobody may touch, so that a step outside ends the program at once, whoever takes it:
// machine code that was just made is seen by no sanitizer. Linked into a program, guarded.cpp gives every thread's
// image and every subslice's local memory such a place, as they are allocated. No part of the machine.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vitro::fuzz {

// Which edge the next allocations stand at: the end of what is allocated before a forbidden page, or its start behind
// one.
enum class Edge : uint8_t { end, start };
extern Edge edge;

// Whole pages, forbidden ones on both sides.
std::byte* guarded_pages(size_t bytes);
// How many images of threads were given such a place.
uint64_t guarded_threads();

}  // namespace vitro::fuzz
