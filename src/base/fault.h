// A Fault: the guest did something undefined, or asked for what is not supported here. It is made where that shows, and
// each layer on the way out adds the place as far as it knows it. The context is for the outermost one to reset.
// PRM: none; hardware would hang.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace vitro {

struct Fault {
  std::string reason;         // in words
  std::string unsupported{};  // by name, if that is the reason
  bool hung = false;          // an endless loop, a deadlock, or abandoned

  std::optional<uint32_t> ip{};  // of the EU instruction, from the kernel's start
  std::string instruction{};     // as text; empty if there is none at this place
  struct Thread {
    uint64_t group = 0;
    unsigned number = 0;  // of the group
  };
  std::optional<Thread> thread{};
  struct Pixel {
    uint64_t draw = 0;  // counted through the context
    uint32_t primitive = 0;
    int x = 0, y = 0;
  };
  std::optional<Pixel> pixel{};  // the first of a pixel thread
  uint64_t address = 0;          // of the command, in the space the batch runs in
  uint64_t batch_offset = 0;     // of the command, from the start of the batch it stands in
  std::string command{};         // its name; empty if it has none

  // The reason, and which thread's it is.
  std::string text() const {
    if (pixel)
      return "pixel (" + std::to_string(pixel->x) + ", " + std::to_string(pixel->y) + ") of primitive " +
             std::to_string(pixel->primitive) + " of draw " + std::to_string(pixel->draw) + ": " + reason;
    if (!thread) return reason;
    return "thread " + std::to_string(thread->number) + " of group " + std::to_string(thread->group) + ": " + reason;
  }
};

inline Fault unsupported_fault(std::string name) {
  return {.reason = "unsupported: " + name, .unsupported = std::move(name)};
}
// Of work that was told to stop.
inline Fault abandoned_fault() { return {.reason = "abandoned", .hung = true}; }

// What a function gives that ends with one.
inline tl::unexpected<Fault> failed(std::string reason) {
  return tl::unexpected<Fault>(Fault{.reason = std::move(reason)});
}
inline tl::unexpected<Fault> unsupported(std::string_view name) {
  return tl::unexpected<Fault>(unsupported_fault(std::string(name)));
}

}  // namespace vitro
