// For tests of the EU: a program as text, run by one thread, and its registers afterwards.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "eu/executor.h"
#include "gen/models.h"
#include "isa/assemble.h"

namespace vitro::eu {

// Opcodes that ran in this process, by generation: opcode_coverage_test.cpp asks at the end whether all did.
inline std::set<std::pair<isa::Generation, isa::Op>>& executed_opcodes() {
  static std::set<std::pair<isa::Generation, isa::Op>> all;
  return all;
}

// Runs a program once more, compiled, from the state it began with, and compares (jit/). Null: there is no compiler.
inline void (*run_compiled)(const Program&, const Thread& begin, const Executor& interpreted,
                            uint64_t budget) = nullptr;

// One thread and its program. Ends the thread with a message to SFID 7, which takes anything.
struct Bench {
  const isa::Model& model;
  Thread thread{};
  SharedFunctions functions{};
  std::optional<Fault> fault{};
  Status status = Status::running;
  uint64_t executed = 0;
  uint32_t sip = 0;
  Clock clock{};

  explicit Bench(const isa::Model& m, uint32_t channels = 0xFFFF) : model(m) {
    thread.dispatched = thread.active = channels;
    thread.sr[2] = thread.sr[3] = channels;
    functions[7] = {[](void*, Thread&, Message&, std::string&) { return Reply::done; }, nullptr};
  }

  // Appends the end of thread and runs; a program that does not assemble is a failure.
  Bench& run(const std::string& text, uint64_t budget = 100000) {
    const std::string end = model.mrf_count ? "\n(W) send (8|M0) null m0 0x27 0x02000010 {EOT}\n"
                                            : "\n(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n";
    return run_as_is(text + end, budget);
  }
  Bench& run_as_is(const std::string& text, uint64_t budget = 100000) {
    const isa::Assembly a = isa::assemble(model, text, {.validate = false});
    for (const isa::Diagnostic& d : a.diagnostics) ADD_FAILURE() << isa::render("test", text, d, false);
    const Program program(model, a.code);
    thread.ip = 0;
    const Thread begin = thread;
    Executor x{thread, program, functions};
    x.observer = {[](void* m, const Thread&, const Plan& p, uint32_t) {
                    if (p.row)
                      executed_opcodes().emplace(static_cast<const isa::Model*>(m)->generation, p.instruction.op);
                  },
                  nullptr, const_cast<isa::Model*>(&model)};
    x.sip = sip;
    x.clock = clock;
    status = x.run(budget);
    if (run_compiled) run_compiled(program, begin, x, budget);
    fault = x.fault;
    executed = x.executed;
    return *this;
  }

  template <class T>
  T get(int reg, int n) const {
    T v;
    std::memcpy(&v, thread.grf.data() + reg * reg_bytes + n * int(sizeof(T)), sizeof v);
    return v;
  }
  template <class T>
  void set(int reg, int n, T v) {
    std::memcpy(thread.grf.data() + reg * reg_bytes + n * int(sizeof(T)), &v, sizeof v);
  }
  template <class T>
  void fill(int reg, const std::vector<T>& values) {
    for (size_t n = 0; n < values.size(); ++n) set(reg, int(n), values[n]);
  }
  template <class T>
  std::vector<T> lanes(int reg, int count) const {
    std::vector<T> v;
    for (int n = 0; n < count; ++n) v.push_back(get<T>(reg, n));
    return v;
  }
};

}  // namespace vitro::eu
