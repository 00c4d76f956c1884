// What the tests of media share: an address space with heaps, and a shared function that keeps the registers a thread
// was started with. Its message is the tests' own: SFID 10, as many registers as it has, and nothing is answered.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "base/bits.h"
#include "dispatch/kernels_test.h"
#include "media/state.h"

namespace vitro::media::testing {

struct Started {
  std::vector<uint32_t> registers;  // eight dwords each, from r0 on
  uint32_t mask = 0, cr0 = 0, sr0 = 0;
  size_t slm = 0;
  uint32_t binding_table = 0, sampler_table = 0;

  uint32_t r(int reg, int dword) const { return registers[size_t(reg * 8 + dword)]; }
};

struct Log {
  std::mutex lock;
  std::vector<Started> started;
};
inline Log* log = nullptr;

struct Recorder {
  shared::Environment& environment;
  static eu::Reply handle(void* context, eu::Thread& t, eu::Message& m, std::string&) {
    const Recorder& r = *static_cast<Recorder*>(context);
    Started s{.registers = std::vector<uint32_t>(m.payload.size() / 4),
              .mask = t.sr[2],
              .cr0 = t.cr[0],
              .sr0 = t.sr[0],
              .slm = r.environment.slm.size(),
              .binding_table = r.environment.binding_table,
              .sampler_table = r.environment.sampler_table};
    std::memcpy(s.registers.data(), m.payload.data(), m.payload.size());
    const std::lock_guard guard(log->lock);
    log->started.push_back(std::move(s));
    return eu::Reply::done;
  }
};
inline constexpr dispatch::FunctionRow recorder_row{
    sizeof(Recorder), alignof(Recorder),
    [](void* storage, shared::Environment& environment, eu::SharedFunctions& functions) {
      functions[10] = {Recorder::handle, new (storage) Recorder{environment}};
    },
    [](void* storage) { static_cast<Recorder*>(storage)->~Recorder(); }};

// One page each: kernels, dynamic state, indirect objects.
struct Bench {
  static constexpr uint64_t instructions = 0x1'0000'0000, dynamic = 0x2'0000'0000, indirect = 0x8001'0000'0000;
  std::vector<std::byte> kernels = std::vector<std::byte>(4 * memory::page_bytes),
                         heap = std::vector<std::byte>(4 * memory::page_bytes),
                         objects = std::vector<std::byte>(4 * memory::page_bytes);
  const isa::Model& model;
  Log kept{};
  dispatch::Pool pool;
  dispatch::ProgramCache programs;
  memory::View view;
  state::Bases bases{};
  dispatch::Counts counts{};
  State state{};
  dispatch::Caller caller{pool};
  Surroundings around;

  Bench(const isa::Model& m, const Traits& traits, unsigned workers = 2)
      : model(m),
        pool({.workers = workers, .subslice = {.functions = {&recorder_row, 1}, .gateway = traits.gateway}}),
        programs(m),
        view(std::make_shared<memory::Table>(std::vector<memory::Range>{
            {.start = instructions, .bytes = kernels.size(), .host = kernels.data()},
            {.start = dynamic, .bytes = heap.size(), .host = heap.data()},
            {.start = indirect, .bytes = objects.size(), .host = objects.data()},
        })),
        around{.caller = caller,
               .programs = programs,
               .traits = traits,
               .memory = view,
               .bases = bases,
               .run = dispatch::plain_run,
               .counts = counts} {
    log = &kept;
    bases.instruction.address = instructions;
    bases.dynamic.address = dynamic;
    bases.indirect.address = 0xFFFF'8001'0000'0000;  // canonical, as drivers write it
    state.vfe = commands::MediaVfeState{.maximum_threads = 167};
    state.descriptors = {.length = 128, .start = 0};
    state.curbe = {.length = 2048, .start = 0x400};
  }

  void put_kernel(size_t offset, const std::string& text) {
    const std::vector<std::byte> code = dispatch::testing::assembled(model, text);
    std::copy(code.begin(), code.end(), kernels.begin() + std::ptrdiff_t(offset));
  }
  // Keeps the first `registers` registers, and ends. Where messages come from the MRF, at most eight.
  void put_recording_kernel(size_t offset, unsigned registers) {
    std::string text;
    const bool mrf = model.mrf_count != 0;
    if (mrf)
      for (unsigned n = 0; n < registers; ++n)
        text += fmt::format("(W) mov (8|M0) m{}.0<1>:ud r{}.0<8;8,1>:ud\n", n + 2, n);
    text += fmt::format("(W) send (8|M0) null {} 0xA 0x{:08X}\n", mrf ? "m2" : "r0", registers << 25);
    text += mrf ? "(W) send (8|M0) null m0 0x27 0x02000010 {EOT}\n" : dispatch::testing::end();
    put_kernel(offset, text);
  }
  void put_descriptor(unsigned number, std::vector<uint32_t> dwords) {
    dwords.resize(8);
    std::memcpy(heap.data() + number * 32, dwords.data(), 32);
  }
  static void put(std::vector<std::byte>& to, size_t offset, const std::vector<uint32_t>& dwords) {
    std::memcpy(to.data() + offset, dwords.data(), dwords.size() * 4);
  }
  void put_curbe(size_t offset, const std::vector<uint32_t>& dwords) { put(heap, 0x400 + offset, dwords); }

  // In an order that does not depend on the workers: by group (z, y, x), then by what is the
  // thread's own, which counts up in the tests.
  std::vector<Started> by_group() {
    std::stable_sort(kept.started.begin(), kept.started.end(), [](const Started& a, const Started& b) {
      const auto group = [](const Started& s) { return std::tuple(s.r(0, 7), s.r(0, 6), s.r(0, 1)); };
      const auto own = [](const Started& s) { return std::span(s.registers).subspan(8); };
      if (group(a) != group(b)) return group(a) < group(b);
      return std::ranges::lexicographical_compare(own(a), own(b));
    });
    return kept.started;
  }
};

}  // namespace vitro::media::testing
