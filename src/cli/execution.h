// What vitro exec and vitro visa exec have in common: threads that run by themselves, without a device around them, in
// the memory that the command line binds, with a Message Gateway and shared local memory for each group. What runs a
// thread, EU code or vISA, is the caller's. No part of the machine.
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/fault.h"
#include "cli/register_text.h"
#include "cli/surroundings.h"
#include "eu/executor.h"
#include "gen/models.h"
#include "shared/gateway.h"

namespace vitro::cli {

using OrderedJson = nlohmann::ordered_json;

struct ExecutionOptions {
  std::vector<std::string> grf{}, mem{}, dump_mem{};
  std::string number{};
  uint64_t surface_base = 0;
  uint32_t binding_table = 0;
  uint32_t channels = 0xFFFFFFFF;
  uint64_t limit = 1'000'000;
  int threads = 1, group = 0;
  bool trace = false;
};
void add_execution_options(CLI::App& command, ExecutionOptions& options);

// One of the threads, which stays where it is. What is shown of it at the end has a title and elements.
using Shown = std::pair<std::string, std::vector<OrderedJson>>;
class RunningThread {
 public:
  virtual ~RunningThread() = default;
  // Its registers and masks are filled.
  virtual void start(const eu::SharedFunctions&) {}
  // What has to wait was not executed.
  virtual eu::Status run(uint64_t instructions) = 0;
  virtual eu::Status status() const = 0;
  virtual uint64_t executed() const = 0;
  virtual void stop(std::string reason) = 0;
  virtual const std::optional<Fault>& fault() const = 0;
  // What it waits for, in words, and the counter of notifications if that is what it is.
  virtual std::string awaits() const = 0;
  virtual const uint32_t* awaited() const { return nullptr; }
  virtual std::string where(const Fault&) const = 0;
  virtual void finish() {}  // the trace of an instruction that faulted
  virtual std::vector<Shown> shown() const = 0;

  bool is_over() const { return status() == eu::Status::ended || status() == eu::Status::faulted; }

  eu::Thread thread{};
};

class Execution {
 public:
  Execution(const ExecutionOptions& options, const gen::Device& device) : options_(options), device_(device) {}

  // The exit code, if something cannot be had; complaints are printed.
  int prepare();
  const gen::Device& device() const { return device_; }
  const eu::SharedFunctions& functions() const { return functions_; }
  // make(n) makes a thread.
  using Make = std::function<std::unique_ptr<RunningThread>(int n)>;
  void run(const Make& make);
  // Asked for before run(): called after each message that was carried out.
  using Sent = std::function<void(const eu::Thread& sender)>;
  void watch(Sent sent);
  // What became of it: the exit code.
  int report(const std::string& input, OrderedJson* json) const;
  const std::vector<std::unique_ptr<RunningThread>>& threads() const { return threads_; }
  const Surroundings& surroundings() const { return *surroundings_; }
  const std::vector<ShownMemory>& shown_memory() const { return shown_memory_; }

 private:
  struct Watched {
    eu::SharedFunction function{};
    const Sent* sent = nullptr;
  };
  int read_memory();
  void take_turns();

  const ExecutionOptions& options_;
  const gen::Device& device_;
  std::vector<RegisterValues> values_{};
  std::vector<ShownRegister> number_{};
  std::vector<Mapping> mappings_{};
  std::vector<ShownMemory> shown_memory_{};
  std::unique_ptr<Surroundings> surroundings_{};
  std::optional<shared::Gateway> gateway_{};
  eu::SharedFunctions functions_{};
  Sent sent_{};
  std::array<Watched, 16> watched_{};
  std::vector<std::unique_ptr<RunningThread>> threads_{};
};

}  // namespace vitro::cli
