// Batches and memory of jobs. PRM: Gen8 vol 2a, Gen6 vol 2 part 2 (media commands), vol 4 part 1 (surface state). The
// numbers are written out, as in tests/faults/commands.h.
#include "job.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

#include "../faults/commands.h"
#include "isa/assemble.h"

namespace vitro::fuzz {
namespace {

using faults::Words;

enum Part : size_t { state, data, output };
constexpr uint64_t state_at = 0x10000, data_at = 0x100000, output_at = 0x200000;
constexpr size_t state_bytes = 0x10000, data_bytes = 0x8000, output_bytes = 0x4000;
// In the state: offsets.
constexpr uint32_t descriptor_at = 0x400, samplers_at = 0x600, curbe_at = 0x800, surfaces_at = 0x2000,
                   bindings_at = 0x2800, kernel_at = 0x4000;
// All registers but the last are filled at a thread's start, for nobody knows what else is in them.
constexpr uint32_t common_registers = 122, own_registers = 1, most_threads = 3;
constexpr uint32_t addresses_register = 38, flags_register = 39, outputs_binding = 4;

std::vector<std::byte> assembled(const isa::Model& m, const std::string& text) {
  const isa::Assembly a = isa::assemble(m, text, {.validate = false});
  if (!a.ok()) {
    fmt::print(stderr, "{}\n", isa::render("kernel", text, a.diagnostics.front(), false));
    std::abort();
  }
  return a.code;
}

bool is_old(const isa::Model& m) { return m.mrf_count != 0; }

// --- what programs find in their registers

// A register's dwords: offsets and addresses in all orders, near the ends of what they are of, and numbers.
void fill_register(std::span<uint32_t, 8> r, Rng& rng) {
  const uint32_t step = 1u << rng.below(5), start = rng.below(data_bytes / 4) * 4;
  switch (rng.below(9)) {
    case 0:
    case 1:
      for (uint32_t l = 0; l < 8; ++l) r[l] = start % 256 + l * step;
      return;
    case 2:
      for (uint32_t l = 0; l < 8; ++l) r[l] = uint32_t(data_bytes) - 64 + rng.below(16) * 4 + l * step;
      return;
    case 3: std::fill(r.begin(), r.end(), start); return;
    case 4:
    case 5: {  // four addresses
      const uint64_t from = (rng.coin() ? data_at : output_at) + (rng.coin() ? 0 : data_bytes - 8 * rng.below(16));
      for (uint32_t l = 0; l < 4; ++l) r[2 * l] = uint32_t(from) + l * step, r[2 * l + 1] = 0;
      return;
    }
    case 6:
      for (uint32_t& v : r) v = std::bit_cast<uint32_t>(float(int(rng.below(2000)) - 1000) / 16);
      return;
    case 7:
      for (uint32_t& v : r) v = rng.below(64);
      return;
    default:
      for (uint32_t& v : r) v = uint32_t(rng.interesting(32));
  }
}
void fill_addresses(std::span<uint32_t, 8> r, Rng& rng) {
  constexpr uint16_t edges[] = {0, 8, 31, 32, 64, 4000, 4032, 4064, 4080, 4088, 4092, 4095, 4096, 0x7FFF, 0xFFF8};
  std::array<uint16_t, 16> a;
  const uint16_t one = uint16_t(rng.below(128) * 32);
  const bool same = rng.coin();
  for (uint16_t& v : a) v = rng.one_in(4) ? rng.pick(edges) : same ? one : uint16_t(rng.below(1024) * 4);
  std::memcpy(r.data(), a.data(), sizeof a);
}

// --- state

Words old_buffer(uint64_t address, uint32_t bytes) {
  const uint32_t n = bytes - 1;
  return {4u << 29 | 0x1FFu << 18,
          uint32_t(address),
          (n & 0x7F) << 6 | (n >> 7 & 0x1FFF) << 19,
          (n >> 20 & 0x7F) << 21,
          0,
          0};
}
Words old_image(uint64_t address, uint32_t width, uint32_t height) {
  return {
      1u << 29 | 0x0CAu << 18, uint32_t(address), (width - 1) << 6 | (height - 1) << 19, (width * 4 - 1) << 3, 0, 0};
}

Words join(const std::vector<Words>& parts) {
  Words all;
  for (const Words& w : parts) all.insert(all.end(), w.begin(), w.end());
  return all;
}
Words old_batch(uint32_t threads) {
  const auto base = uint32_t(state_at) | 1;
  Words walk(18);
  walk[0] = 0x71030010;
  walk[7] = 0x3FF;
  walk[8] = walk[13] = 1 << 16 | threads;
  walk[11] = 1 << 16;
  walk[12] = 1;
  walk[17] = 0xAB;
  return join(
      {{0x69040001},
       {0x61010008, uint32_t(data_at) | 1, base, base, base, base, 0xFFFFF001, 0xFFFFF001, 0xFFFFF001, 0xFFFFF001},
       {0x70000006, 0, 30 << 16, 0, 0, 0, 0, 0},
       faults::curbe_load(common_registers * 32, curbe_at),
       faults::descriptor_load(32, descriptor_at),
       walk,
       {0x70040000, 0},
       faults::end()});
}
Words batch(const faults::Dialect& d, uint32_t threads, Rng& rng) {
  const uint32_t masks[] = {~0u, ~0u, 0xFFFF, 0xFF, uint32_t(rng())};
  return join(
      {{d.select_gpgpu},
       faults::base_addresses(d, {data_at, state_at, state_at, state_at, state_at}),
       faults::vfe_state({.scratch = 0, .scratch_size = 1}),
       faults::curbe_load((common_registers + threads * own_registers) * 32, curbe_at),
       faults::descriptor_load(32, descriptor_at),
       faults::walker({.simd = rng.below(3), .threads = threads, .x = 1 + rng.below(3), .right_mask = rng.pick(masks)}),
       faults::media_flush(),
       faults::end()});
}

device::Options options_of(dispatch::Tiering tiering) {
  return {.workers = 1,
          .tier = {.tiering = tiering, .allowed_ms = 60'000, .exact_nans = true},
          .hang_instructions = 2000,
          .semaphore_patience = std::chrono::milliseconds(2)};
}

}  // namespace

std::vector<std::byte> whole_kernel(const isa::Model& m, std::span<const std::byte> program, Rng& rng) {
  const int a0 = m.address_subregs;
  std::string before, after;
  for (int reg : {124, 126}) before += fmt::format("(W) mov (16|M0) r{}.0<1>:ud r{}.0<8;8,1>:ud\n", reg, reg / 4);
  for (int reg = 0; reg < m.mrf_count; reg += 2)
    before += fmt::format("(W) mov (16|M0) m{}.0<1>:ud r{}.0<8;8,1>:ud\n", reg, 4 + reg);
  if (!rng.one_in(8)) {
    before += fmt::format("(W) mov ({0}|M0) a0.0<1>:uw r{1}.0<{0};{0},1>:uw\n", a0, addresses_register);
    before += fmt::format("(W) mov (1|M0) f0.0<1>:ud r{}.0<0;1,0>:ud\n", flags_register);
    if (m.flag_regs > 1) before += fmt::format("(W) mov (1|M0) f1.0<1>:ud r{}.1<0;1,0>:ud\n", flags_register);
  }
  if (is_old(m)) {
    after = "(W) mov (8|M0) m0.0<1>:ud r0.0<8;8,1>:ud\n(W) send (8|M0) null m0 0x27 0x02000010 {EOT}\n";
  } else {
    // four registers each, to a place of the group's own
    for (int n = 0, reg = 9; n < 6; ++n, reg += 9) {
      after += fmt::format("(W) mov (8|M0) r{}.0<1>:ud 0:ud\n", reg);
      after += fmt::format("(W) shl (1|M0) r{}.2<1>:ud r0.1<0;1,0>:ud 8:uw\n", reg);
      after += fmt::format("(W) add (1|M0) r{0}.2<1>:ud r{0}.2<0;1,0>:ud {1}:ud\n", reg, 8 * n);
      after += fmt::format("(W) send (8|M0) null r{} 0xA {:#x}\n", reg, 0x0A0A0400 | outputs_binding);
    }
    after += "(W) mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud\n" + std::string(faults::end_of_thread);
  }
  std::vector<std::byte> code = assembled(m, before);
  code.insert(code.end(), program.begin(), program.end());
  const std::vector<std::byte> end = assembled(m, after);
  code.insert(code.end(), end.begin(), end.end());
  return code;
}

Bench::Bench(const gen::Device& kind, Edge at)
    : kind_(kind),
      edge_(at),
      compiling_(kind, options_of(dispatch::Tiering::on)),
      interpreting_(kind, options_of(dispatch::Tiering::off)) {
  edge = edge_;
  for (const auto& [address, bytes] :
       {std::pair(state_at, state_bytes), {data_at, data_bytes}, {output_at, output_bytes}})
    objects_.push_back({address, bytes, guarded_pages(bytes)});
}

void Bench::prepare(std::span<const std::byte> kernel, uint64_t seed) {
  Rng rng(seed);
  const isa::Model& m = kind_.model();
  const bool old = is_old(m);
  for (Object& o : objects_) o.content.assign(o.bytes, {});
  for (std::byte& b : objects_[data].content) b = std::byte(rng.one_in(3) ? rng() : 0);
  std::vector<std::byte>& s = objects_[state].content;
  const auto put = [&](uint32_t at, const Words& w) { std::memcpy(s.data() + at, w.data(), w.size() * 4); };

  const uint32_t threads = rng.coin() ? 1 : 1 + rng.below(most_threads);
  const faults::Dialect* dialect = std::find_if(std::begin(faults::dialects), std::end(faults::dialects),
                                                [&](const faults::Dialect& d) { return d.device == kind_.name; });
  put(0, old ? old_batch(threads) : batch(*dialect, threads, rng));
  if (old)
    put(descriptor_at, {kernel_at, 0, samplers_at, bindings_at, common_registers << 16, 0, 0, 0});
  else
    put(descriptor_at, faults::interface_descriptor({.kernel = kernel_at,
                                                     .bindings = bindings_at,
                                                     .samplers = samplers_at,
                                                     .curbe_registers = own_registers,
                                                     .cross_thread_registers = common_registers,
                                                     .threads = threads,
                                                     .slm = dialect->slm_4k == 1 ? 16u : 7u,
                                                     .barrier = rng.coin()}));
  Words constants((common_registers + most_threads * own_registers) * 8);
  for (size_t r = 0; r < constants.size(); r += 8) fill_register(std::span(constants).subspan(r).first<8>(), rng);
  // r0 is the header
  fill_addresses(std::span(constants).subspan((addresses_register - 1) * 8).first<8>(), rng);
  for (size_t n = 0; n < 8; ++n) constants[(flags_register - 1) * 8 + n] = uint32_t(rng());
  put(curbe_at, constants);

  // whole objects, and small ones that end where they end
  const auto buffer = old ? old_buffer : faults::raw_buffer;
  const auto image = old ? old_image : faults::image;
  const Words surfaces[] = {
      buffer(data_at, data_bytes), buffer(data_at + data_bytes - 100, 100), image(data_at + data_bytes - 1024, 32, 8),
      image(data_at, 16, 16),      buffer(output_at, output_bytes),         buffer(data_at, 4)};
  for (uint32_t n = 0; n < std::size(surfaces); ++n) put(surfaces_at + n * 64, surfaces[n]);
  Words bindings(256);
  for (uint32_t n = 0; n < bindings.size(); ++n) bindings[n] = surfaces_at + n % uint32_t(std::size(surfaces)) * 64;
  put(bindings_at, bindings);
  std::memcpy(s.data() + kernel_at, kernel.data(), std::min(kernel.size(), state_bytes - kernel_at));
}

Outcome Bench::run(bool compiled) {
  std::vector<memory::Range> ranges;
  for (const Object& o : objects_) {
    std::memcpy(o.host, o.content.data(), o.bytes);
    ranges.push_back({.start = o.address, .bytes = o.bytes, .host = o.host});
  }
  const auto table = std::make_shared<memory::Table>(std::move(ranges));
  edge = edge_;
  device::Device& d = compiled ? compiling_ : interpreting_;
  std::shared_ptr<device::Context>& context = contexts_[compiled];
  if (!context) context = d.create_context();
  Outcome out;
  out.fault = d.run(*context, {.ppgtt = table, .ggtt = table, .address = state_at});
  if (out.fault) d.reset(*context);
  for (const Object& o : objects_) out.memory.insert(out.memory.end(), o.host, o.host + o.bytes);
  return out;
}

Bench::Counts Bench::counts() const {
  const auto jit = nlohmann::json::parse(compiling_.statistics(true))["jit"];
  return {jit["compiled"], jit["failed"], jit["given_up"]};
}

}  // namespace vitro::fuzz
