// What the tests of dispatch share: a pool whose shared function 10 stores and loads dwords, and kernels that use it.
// The messages are the tests' own: bit 0 of the descriptor loads, bit 1 means shared local memory; M0.0 is the dword's
// number and M0.1 its value.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "dispatch/pool.h"
#include "gen/models.h"
#include "isa/assemble.h"

namespace vitro::dispatch {

struct Outcome {
  std::optional<Fault> fault{};  // what went wrong first
  Counts counts{};
};
// One dispatch by itself. May be called by several host threads at once.
inline Outcome run(Pool& pool, const Stage& stage, const Threads& threads) {
  Outcome outcome;
  Caller caller(pool);
  outcome.fault = caller.run(stage, threads, outcome.counts);
  return outcome;
}

}  // namespace vitro::dispatch

namespace vitro::dispatch::testing {

inline std::string store(int reg) { return fmt::format("(W) send (8|M0) null r{} 0xA 0x02000000\n", reg); }
inline std::string load(int to, int reg) { return fmt::format("(W) send (8|M0) r{} r{} 0xA 0x02100001\n", to, reg); }
inline std::string store_local(int reg) { return fmt::format("(W) send (8|M0) null r{} 0xA 0x02000002\n", reg); }
inline std::string load_local(int to, int reg) {
  return fmt::format("(W) send (8|M0) r{} r{} 0xA 0x02100003\n", to, reg);
}
inline std::string end() { return "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n"; }

inline std::vector<std::byte> assembled(const isa::Model& model, const std::string& text) {
  const isa::Assembly a = isa::assemble(model, text, {.validate = false});
  for (const isa::Diagnostic& d : a.diagnostics) ADD_FAILURE() << isa::render("test", text, d, false);
  return a.code;
}

// Where the tests' shared function stores. One for all subslices of a process: their contexts find it here.
inline std::vector<uint32_t>* store_target = nullptr;

struct Words {
  shared::Environment& environment;

  static eu::Reply handle(void* context, eu::Thread&, eu::Message& m, std::string& reason) {
    const Words& w = *static_cast<Words*>(context);
    uint32_t at, value;
    std::memcpy(&at, m.payload.data(), 4);
    std::memcpy(&value, m.payload.data() + 4, 4);
    uint32_t* word = m.desc & 2 ? reinterpret_cast<uint32_t*>(w.environment.slm.data()) : store_target->data();
    const size_t words = m.desc & 2 ? w.environment.slm.size() / 4 : store_target->size();
    if (at >= words) {
      reason = fmt::format("dword {} of {}", at, words);
      return eu::Reply::faulted;
    }
    std::atomic_ref<uint32_t> dword(word[at]);
    if (m.desc & 1) {
      value = dword;
      std::memcpy(m.response.data(), &value, 4);
    } else {
      dword = value;
    }
    return eu::Reply::done;
  }
};
inline constexpr FunctionRow words_row{
    sizeof(Words), alignof(Words),
    [](void* storage, shared::Environment& environment, eu::SharedFunctions& functions) {
      functions[10] = {Words::handle, new (storage) Words{environment}};
    },
    [](void* storage) { static_cast<Words*>(storage)->~Words(); }};

// Threads get in r0: .1 group, .2 thread, .3 the barrier's place in M0.2, .4 FFTID.
struct Bench {
  std::vector<uint32_t> stored = std::vector<uint32_t>(4096);
  Pool pool;
  Run run_with{};
  Stage stage{.run = &run_with};
  Threads threads{};
  std::shared_ptr<const memory::Table> nothing = std::make_shared<memory::Table>();
  bool check_fftids = false;
  mutable std::mutex lock{};
  mutable std::map<unsigned, const eu::Thread*> live{};
  mutable bool fftid_clash = false;
  mutable unsigned largest_fftid = 0;

  explicit Bench(unsigned workers, uint64_t patience = 4'000'000)
      : pool({.workers = workers,
              .subslice = {.functions = {&words_row, 1}, .gateway = &shared::gateway_gen9},
              .patience = patience}) {
    store_target = &stored;
    stage.memory = nothing;
    threads.context = this;
    threads.start = [](const void* context, const Seat& seat, eu::Thread& t) {
      const Bench& b = *static_cast<const Bench*>(context);
      const uint32_t r0[8] = {
          0, uint32_t(seat.group), seat.thread, (seat.barrier & 15) << 24 | (seat.barrier >> 4) << 31, seat.fftid, 0, 0,
          0};
      std::memcpy(t.grf.data(), r0, sizeof r0);
      t.sr[2] = 0xFFFF;
      if (b.check_fftids) b.note(seat.fftid, t);
    };
  }
  Outcome run() { return dispatch::run(pool, stage, threads); }
  // A seat of a group is one thread's storage, so an FFTID must always come with the same storage.
  void note(unsigned fftid, const eu::Thread& t) const {
    const std::lock_guard guard(lock);
    largest_fftid = std::max(largest_fftid, fftid);
    const auto [at, fresh] = live.emplace(fftid, &t);
    if (!fresh && at->second != &t) fftid_clash = true;
  }
  void use(const std::string& text, bool contends = false) {
    const isa::Model& model = gen::gen9();
    std::vector<std::byte> code = assembled(model, text);
    eu::Program program(model, code);
    std::vector<std::byte> page(memory::page_bytes);
    std::copy(code.begin(), code.end(), page.begin());
    memory::Table table({{.start = 0x1000, .bytes = page.size(), .host = page.data()}});
    memory::View view(std::make_shared<memory::Table>(table));
    const Extent e = kernel_extent(model, view, 0x1000);
    stage.state.kernel = std::make_shared<const Kernel>(Kernel{.code = code,
                                                               .program = std::move(program),
                                                               .waits = e.waits,
                                                               .contends = contends,
                                                               .unclean = false,
                                                               .address = 0x1000});
  }
};

}  // namespace vitro::dispatch::testing
