// What happens when a batch hangs: who is guilty, who is banned, and the error state. Source: gt/intel_reset.c and
// i915_gpu_error.c of Linux 6.1. A non-recoverable context is banned at once, others at the third hang within 120 s; a
// file whose contexts are banned again and again may not make new ones. The error state has the lines that decoders
// read. Registers that mean nothing here (fences, power, display) are left out.
#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <vector>

#include "gen/machine.h"
#include "i915/raw.h"
#include "i915/state.h"
#include "memory/view.h"
#include "recording/error_text.h"

namespace vitro::i915 {
namespace {

constexpr int64_t second_ns = 1'000'000'000;
constexpr int64_t context_memory_ns = 120 * second_ns, client_memory_ns = 60 * second_ns;
constexpr uint32_t score_of_ban = 3, score_of_fast_hang = 1;
constexpr uint64_t max_capture_bytes = 16 << 20;

void mark_guilty(Head& h, ContextRecord& c) {
  ++c.hangs_active;
  if (!c.bannable) return;
  const int64_t now = raw::monotonic_ns(), before = c.hang_ns[0];
  c.hang_ns[0] = c.hang_ns[1];
  c.hang_ns[1] = now;
  const bool ban = !c.recoverable || (before != 0 && now - before < context_memory_ns);
  if (ban) c.banned = true;
  uint32_t score = ban ? score_of_ban : 0;
  if (h.has_hung && now - h.hang_ns < client_memory_ns) score += score_of_fast_hang;
  h.has_hung = true;
  h.hang_ns = now;
  h.ban_score += score;
}

void append_buffer(std::string& out, std::string_view engine, const Capture& c, memory::View& view) {
  const uint64_t bytes = std::min(c.bytes, max_capture_bytes) & ~uint64_t{3};
  if (bytes == 0) return;
  std::vector<std::byte> memory(bytes);
  view.read(c.address, memory);
  out += fmt::format("{} --- {} = 0x{:08x} {:08x}\n", engine, c.kind, uint32_t(c.address >> 32), uint32_t(c.address));
  out += recording::error_text(memory);
}

std::string process_name() {
  std::string name = raw::read_text("/proc/self/comm", 64);
  if (!name.empty() && name.back() == '\n') name.pop_back();
  return name;
}

// The command where the engine stood, as the decoder shows it.
std::string command_at(const gen::Platform& p, const Queue& q, memory::View& view, uint64_t address) {
  constexpr size_t most_dwords = 64;
  const streamer::CommandSet& commands = gen::machine(*gen::find_device(p.device)).commands;
  std::vector<uint32_t> packet(1, view.load<uint32_t>(address));
  const auto engine = commands::Engine(q.engine);
  const streamer::Row* row = commands.find(packet[0], engine);
  packet.resize(row ? std::min<size_t>(row->length.dwords(packet[0]), most_dwords) : 1);
  view.read(address, std::as_writable_bytes(std::span(packet)));
  return streamer::describe(commands, packet, engine);
}

std::string describe(const Queue& q, const Request& r, const Fault& f, const ContextRecord& c, int hangs) {
  const gen::Platform& p = *r.file->platform;
  utsname host{};
  uname(&host);
  const int64_t up = raw::monotonic_ns();
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  const uint64_t head = f.address, batch = r.batch.address;
  memory::View view(r.batch.ppgtt);
  const memory::Range* const guilty = r.batch.ppgtt->find(memory::from_canonical(head));
  std::string t;
  t += fmt::format("GPU HANG: {} [{}] {}: {}\n", q.engine_name, raw::getpid(), f.command, f.text());
  t += fmt::format("Kernel: {} {}\nDriver: 20201103\n", host.release, host.machine);
  t += fmt::format("Time: {} s {} us\n", int64_t(now.tv_sec), now.tv_nsec / 1000);
  t += fmt::format("Boottime: {} s {} us\nUptime: {} s {} us\n", up / second_ns, up % second_ns / 1000, up / second_ns,
                   up % second_ns / 1000);
  t += fmt::format("Capture: {} jiffies; 0 ms ago\n", up / 4'000'000);
  t += fmt::format("Active process (on ring {}): {} [{}]\n", q.engine_name, process_name(), raw::getpid());
  t += fmt::format("Reset count: {}\nSuspend count: 0\nPlatform: {}\nSubplatform: 0x0\n", hangs, p.kernel_name);
  t += fmt::format("PCI ID: 0x{:04x}\nPCI Revision: 0x{:02x}\nPCI Subsystem: {:04x}:{:04x}\n", p.pci_id, p.pci_revision,
                   p.subsystem_vendor, p.subsystem_device);
  t += fmt::format("CS timestamp frequency: {} Hz, {} ns\n", p.timestamp_hz, second_ns / p.timestamp_hz);
  t += fmt::format("{} command stream:\n", q.engine_name);
  t += fmt::format("  ACTHD: 0x{:08x} {:08x}\n", uint32_t(head >> 32), uint32_t(head));
  t += fmt::format("  IPEHR: 0x{:08x}\n", view.load<uint32_t>(head));
  t += fmt::format("  batch: [0x{:08x}_{:08x}, 0x{:08x}_{:08x}]\n", uint32_t(batch >> 32), uint32_t(batch),
                   uint32_t((batch + r.batch.bytes) >> 32), uint32_t(batch + r.batch.bytes));
  t += fmt::format("  BBADDR: 0x{:08x}_{:08x}\n", uint32_t(head >> 32), uint32_t(head));
  if (guilty) t += fmt::format("  command: {}\n", command_at(p, q, view, head));
  if (f.ip) t += fmt::format("  EU IP: 0x{:08x} {}\n", *f.ip, f.instruction);
  t += fmt::format("  hung: 1\n  engine reset count: {}\n", hangs);
  t += fmt::format("  Active context: {}[{}] prio {}, guilty {} active {}\n", process_name(), raw::getpid(), c.priority,
                   c.hangs_active, c.hangs_pending);
  std::vector<Capture> captures = r.captures;
  // The kernel would not know, but here it is known where the command stands, if another batch was called.
  if (guilty && std::none_of(captures.begin(), captures.end(),
                             [&](const Capture& c) { return memory::from_canonical(c.address) == guilty->start; }))
    captures.push_back({"user", guilty->start, guilty->bytes});
  for (const Capture& capture : captures) append_buffer(t, q.engine_name, capture, view);
  return t;
}

}  // namespace

void KernelState::hang(Queue& queue, const Request& request, const Fault& fault) {
  ContextRecord c{};
  {
    Arena& arena = *request.file->arena;
    const ArenaLock guard(arena);
    ContextRecord& record = arena.head().contexts[request.context];
    mark_guilty(arena.head(), record);
    c = record;
  }
  const int count = ++hangs;
  const uint64_t start = fault.address - fault.batch_offset;  // batches call others
  report(fmt::format("GPU hang on {}, context {}{}: batch 0x{:x}+0x{:x}{}, {}{}: {}", queue.engine_name,
                     request.context, c.banned ? " (banned)" : "", start, fault.batch_offset,
                     start == request.batch.address ? "" : fmt::format(" (submitted: 0x{:x})", request.batch.address),
                     fault.command.empty() ? "unknown command" : fault.command,
                     fault.ip ? fmt::format(", IP 0x{:x} {}", *fault.ip, fault.instruction) : "", fault.text()));
  if (c.no_error_capture) return;
  std::string text = describe(queue, request, fault, c, count);
  const std::lock_guard guard(lock);
  if (error_state.empty()) error_state = std::move(text);
}

}  // namespace vitro::i915
