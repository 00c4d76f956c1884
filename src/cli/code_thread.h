// EU code that vitro exec and vitro visa compare run by themselves: how it is read, and a thread of it.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "cli/execution.h"
#include "cli/register_text.h"
#include "cli/trace.h"
#include "eu/compiled.h"
#include "isa/assemble.h"

namespace vitro::cli {

struct Code {
  std::vector<std::byte> bytes;
  std::vector<isa::PlacedLabel> labels;
};

// The exit code, if the program cannot be had; complaints are printed.
int read_program(const std::string& input, const std::string& kernel, bool validate, const isa::Model& model,
                 Code& code);

std::string title(const ShownRegister&);

// A thread of EU code, interpreted or compiled.
class CodeThread : public RunningThread {
 public:
  CodeThread(const eu::Program& program, const eu::Compiled* code, const eu::SharedFunctions& functions, uint32_t sip,
             std::unique_ptr<Trace> trace, bool observed, std::span<const ShownRegister> shown)
      : code_(code),
        trace_(std::move(trace)),
        shown_(shown),
        executor_{.thread = thread, .program = program, .functions = functions, .sip = sip} {
    if (observed) executor_.observer = trace_->observer();
  }
  eu::Status run(uint64_t instructions) override {
    const eu::Status status = code_ ? code_->run(executor_, instructions) : executor_.run(instructions);
    // the last one was not carried out
    if (status == eu::Status::waiting) --executor_.executed;
    return status;
  }
  eu::Status status() const override { return executor_.status; }
  uint64_t executed() const override { return executor_.executed; }
  void stop(std::string reason) override {
    executor_.stop(std::move(reason));
    executor_.fault->instruction = instruction();
  }
  const std::optional<Fault>& fault() const override { return executor_.fault; }
  const uint32_t* awaited() const override {
    const eu::Plan* p = plan();
    if (!p || !p->row || p->row->format != isa::Format::wait) return nullptr;
    return &thread.notify[p->instruction.src[0].subreg / 4];
  }
  std::string awaits() const override {
    const std::string what = awaited() ? fmt::format("a notification in n0.{}", awaited() - thread.notify.data())
                                       : fmt::format("a message to be taken (SFID {})", plan()->instruction.sfid & 15);
    return fmt::format("{:04X}: {}: waits for {}", thread.ip, instruction(), what);
  }
  std::string where(const Fault& f) const override { return fmt::format("{:04X}", f.ip.value_or(0)); }
  void finish() override { trace_->finish(); }
  std::vector<Shown> shown() const override {
    std::vector<Shown> all;
    for (const ShownRegister& r : shown_) all.emplace_back(title(r), elements_of(executor_.program.model(), thread, r));
    return all;
  }

 private:
  const eu::Plan* plan() const { return executor_.program.at(thread.ip); }
  std::string instruction() const { return executor_.program.text_at(thread.ip); }

  const eu::Compiled* code_;
  std::unique_ptr<Trace> trace_;
  std::span<const ShownRegister> shown_;
  eu::Executor executor_;
};

}  // namespace vitro::cli
