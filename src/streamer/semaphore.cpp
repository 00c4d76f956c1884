// Semaphores: an engine waits until memory or a register compares with a number as wanted. PRM: Gen8 vol 2a
// MI_SEMAPHORE_WAIT, MI_SEMAPHORE_SIGNAL; Gen6 vol 1 part 5 MI_SEMAPHORE_MBOX. In signal mode hardware looks again
// only when a signal arrives; here both modes poll, so a signal only has to be counted. A wait lasts until the value
// comes, the batch is abandoned, or patience ends, which is a hang as it would be for the kernel.
#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "streamer/handlers.h"

namespace vitro::streamer {

using namespace commands;

Outcome wait_until(Execution& e, const std::function<bool()>& holds, std::string_view what) {
  using namespace std::chrono;
  const auto deadline = steady_clock::now() + e.around.patience;
  for (auto pause = microseconds(2);; pause = std::min(pause * 2, microseconds(200))) {
    if (holds()) return {};
    if (e.around.stop && e.around.stop()) return failed("abandoned while waiting for " + std::string(what));
    if (steady_clock::now() >= deadline) return failed("hung: waits for " + std::string(what));
    std::this_thread::sleep_for(pause);
  }
}

namespace {

// Memory (SAD) with the inline number (SDD), both unsigned.
using Compare = bool (*)(uint32_t memory, uint32_t data);
constexpr Compare compares[8] = {
    [](uint32_t m, uint32_t d) { return m > d; },
    [](uint32_t m, uint32_t d) { return m >= d; },
    [](uint32_t m, uint32_t d) { return m < d; },
    [](uint32_t m, uint32_t d) { return m <= d; },
    [](uint32_t m, uint32_t d) { return m == d; },
    [](uint32_t m, uint32_t d) { return m != d; },
    nullptr,
    nullptr,
};

}  // namespace

Outcome semaphore_wait(Execution& e, const MiSemaphoreWait& c) {
  const Compare compare = compares[c.compare];
  if (!compare) return failed(fmt::format("reserved compare operation {}", c.compare));
  memory::View& view = own_space(e, c.global_gtt);
  const auto value = [&] {
    return c.register_poll ? read_register(e, uint32_t(c.address) & 0x7FFFFC) : view.load<uint32_t>(c.address);
  };
  return wait_until(
      e, [&] { return compare(value(), c.data); },
      fmt::format("{} 0x{:x}", c.register_poll ? "the register" : "memory at", c.address));
}

void semaphore_signal(Execution& e, const MiSemaphoreSignal&) {
  if (e.around.counts) ++e.around.counts->signals;
}

// The register is one of two that other engines write; the comparison is strict.
Outcome semaphore_mbox(Execution& e, const MiSemaphoreMbox& c) {
  memory::View* view = permitted_space(e, c.global_gtt);
  if (!view) return {};
  if (c.update && !c.compare_register) view->store<uint32_t>(c.address, c.data);
  if (!c.compare_semaphore) return {};
  const uint32_t sync = e.state.registers.base() + (c.which ? 0x44 : 0x40);
  return wait_until(
      e, [&] { return (c.compare_register ? e.state.registers.get(sync) : view->load<uint32_t>(c.address)) > c.data; },
      c.compare_register ? std::string("a semaphore register") : fmt::format("memory at 0x{:x}", c.address));
}

}  // namespace vitro::streamer
