// Starting threads, their turns, and what is told of them at the end; see execution.h. Threads start as dispatch would
// start them, with the channels and registers the command line names, and end by their end-of-thread message to the
// thread spawner.
#include "cli/execution.h"

#include <fmt/format.h>

#include <cstring>

#include "cli/cli.h"
#include "gen/machine.h"

namespace vitro::cli {
namespace {

// The end of a thread is a message to the thread spawner.
eu::Reply thread_spawner(void*, eu::Thread&, eu::Message& m, std::string& reason) {
  if (m.eot) return eu::Reply::done;
  reason = "the thread spawner takes nothing but the end of the thread here";
  return eu::Reply::faulted;
}

bool take_turn(RunningThread& t, uint64_t limit) {
  constexpr uint64_t most = 256;
  if (t.status() == eu::Status::waiting && t.awaited() && !*t.awaited()) return false;
  const uint64_t before = t.executed();
  const eu::Status status = t.run(std::min(most, limit - before));
  const uint64_t done = t.executed();
  if (status == eu::Status::running && done >= limit)
    t.stop(fmt::format("endless loop: no end of thread after {} instructions", done));
  return t.is_over() || done > before;
}

// Eight dwords to a line, each line with its address.
void print(uint64_t address, const std::vector<uint32_t>& dwords) {
  for (size_t n = 0; n < dwords.size(); ++n) {
    if (n % 8 == 0) fmt::print("{}{:#010x}", n ? "\n" : "", address + n * 4);
    fmt::print(" {:08X}", dwords[n]);
  }
  fmt::print("\n");
}

}  // namespace

int Execution::read_memory() {
  for (const std::string& text : options_.mem) {
    Result<Mapping> m = parse_mapping(text);
    if (!m) return complain(exit_usage, "--mem " + m.error().message);
    if (!m->file.empty()) {
      const Result<std::string> file = read_file(m->file);
      if (!file) return complain(exit_file, file.error().message);
      m->bytes.resize(file->size());
      std::memcpy(m->bytes.data(), file->data(), file->size());
    }
    mappings_.push_back(std::move(*m));
  }
  for (const std::string& text : options_.dump_mem) {
    const Result<ShownMemory> m = parse_shown_memory(text);
    if (!m) return complain(exit_usage, "--dump-mem " + m.error().message);
    shown_memory_.push_back(*m);
  }
  return exit_ok;
}

int Execution::prepare() {
  const isa::Model& m = device_.model();
  for (const std::string& text : options_.grf) {
    Result<RegisterValues> v = parse_register_values(m, text);
    if (!v) return complain(exit_usage, "--grf " + v.error().message);
    values_.push_back(std::move(*v));
  }
  Result<std::vector<ShownRegister>> number = parse_shown_registers(m, options_.number);
  if (!number || (!options_.number.empty() && (number->size() != 1 || number->front().file != isa::RegFile::grf)))
    return complain(exit_usage, "--number takes a general register");
  number_ = std::move(*number);
  if (const int problem = read_memory()) return problem;
  const gen::Machine& machine = gen::machine(device_);
  surroundings_ =
      std::make_unique<Surroundings>(machine, std::move(mappings_), options_.surface_base, options_.binding_table);
  for (const ShownMemory& s : shown_memory_)
    if (surroundings_->dwords(s).empty())
      return complain(exit_usage, fmt::format("--dump-mem {:#x}:{}: not all of it is bound", s.address, s.bytes));
  gateway_.emplace(shared::Gateway{.layout = machine.gateway});
  surroundings_->install(functions_);
  functions_[shared::Gateway::sfid] = gateway_->function();
  functions_[7] = {thread_spawner, nullptr};
  return exit_ok;
}

void Execution::watch(Sent sent) {
  sent_ = std::move(sent);
  for (size_t n = 0; n < functions_.size(); ++n) {
    if (!functions_[n].handle) continue;
    watched_[n] = {functions_[n], &sent_};
    functions_[n] = {[](void* context, eu::Thread& sender, eu::Message& message, std::string& reason) {
                       const Watched& w = *static_cast<Watched*>(context);
                       const eu::Reply reply = w.function.handle(w.function.context, sender, message, reason);
                       if (reply == eu::Reply::done) (*w.sent)(sender);
                       return reply;
                     },
                     &watched_[n]};
  }
}

void Execution::run(const Make& make) {
  const int group = options_.group ? options_.group : options_.threads;
  for (int n = 0; n < options_.threads; ++n) {
    threads_.push_back(make(n));
    eu::Thread& thread = threads_.back()->thread;
    for (const RegisterValues& v : values_) apply(v, thread);
    if (!number_.empty()) {
      const uint32_t numbers[2] = {uint32_t(n), uint32_t(n / group)};
      std::memcpy(thread.grf.data() + number_[0].reg * eu::reg_bytes, numbers, sizeof numbers);
    }
    thread.dispatched = thread.active = options_.channels;
    thread.sr[2] = thread.sr[3] = options_.channels;
    gateway_->attach(thread, unsigned(n) / 8, unsigned(n) % 8, uint32_t(n / group));
    surroundings_->seat(thread, uint32_t(n / group));
    if (n % group == 0)
      gateway_->start_barrier(uint32_t(n / group), 0, unsigned(std::min(group, options_.threads - n)));
    threads_.back()->start(functions_);
  }
  take_turns();
}

// Turns for all, until nobody gets further. A thread can have one message accepted without getting further, so as many
// rounds as there are threads may pass before that is certain.
void Execution::take_turns() {
  for (size_t vain = 0; vain < threads_.size() + 2; ++vain)
    for (const std::unique_ptr<RunningThread>& t : threads_) {
      if (t->is_over()) continue;
      if (take_turn(*t, options_.limit)) vain = 0;
      if (t->is_over()) eu::thread_is_gone(functions_, t->thread);
    }
}

int Execution::report(const std::string& input, OrderedJson* json) const {
  int result = exit_ok;
  for (size_t n = 0; n < threads_.size(); ++n) {
    RunningThread& ran = *threads_[n];
    ran.finish();
    const std::optional<Fault>& f = ran.fault();
    const bool ended = ran.status() == eu::Status::ended;
    OrderedJson thread{{"status", ended ? "ended" : f ? "faulted" : "waiting"}, {"executed", ran.executed()}};
    if (f) thread["fault"] = {{"ip", f->ip.value_or(0)}, {"instruction", f->instruction}, {"reason", f->reason}};
    const std::vector<Shown> shown = ran.shown();
    if (!json && threads_.size() > 1 && !shown.empty()) fmt::print("thread {}\n", n);
    for (const auto& [title, elements] : shown) {
      if (json)
        thread["registers"][title] = elements;
      else
        fmt::print("{:<8} {}\n", title, in_one_line(elements));
    }
    if (json) (*json)["threads"].push_back(thread);
    std::fflush(stdout);
    if (ended) continue;
    const std::string complaint = f ? fmt::format("fault at {}: {}{}{}", ran.where(*f), f->instruction,
                                                  f->instruction.empty() ? "" : ": ", f->reason)
                                    : fmt::format("at {}, which will not come", ran.awaits());
    result = complain(exit_bad_input, fmt::format("{}: {}{}", input,
                                                  threads_.size() > 1 ? fmt::format("thread {}: ", n) : "", complaint));
  }
  for (const ShownMemory& s : shown_memory_) {
    const std::vector<uint32_t> dwords = surroundings_->dwords(s);
    if (json)
      (*json)["memory"].push_back({{"address", s.address}, {"dwords", dwords}});
    else
      print(s.address, dwords);
  }
  return result;
}

void add_execution_options(CLI::App& command, ExecutionOptions& o) {
  command
      .add_option("--grf", o.grf,
                  "registers to start with: r2=1,2,3:d puts dwords into r2 from its first on, r2.4=0.5:f a float into "
                  "its fifth, r2=@FILE the hexadecimal words of a file; also m1=... where there are message registers")
      ->allow_extra_args(false);
  command.add_option("--channels", o.channels, "channels that take part, as a mask (all 32)");
  command
      .add_option(
          "--mem", o.mem,
          "memory: 0x1000=FILE binds a file's bytes at an address, to be read; 0x1000=FILE:rw also to be written "
          "(not the file); 0x1000=zero:4096 binds so many zeros")
      ->allow_extra_args(false);
  command.add_option("--dump-mem", o.dump_mem, "memory to print at the end, in dwords: 0x1000:64")
      ->allow_extra_args(false);
  command.add_option("--surface-base", o.surface_base, "the surface state base address (0)");
  command.add_option("--binding-table", o.binding_table,
                     "where the binding table stands, from the surface state base (0)");
  command.add_option("--threads", o.threads, "run so many threads of the program in turns (1)")
      ->check(CLI::Range(1, 128));
  command.add_option("--group", o.group, "so many threads in turn share barrier 0 of the Message Gateway (all)")
      ->check(CLI::Range(1, 128));
  command.add_option("--number", o.number,
                     "the register whose first two dwords are the thread's number and its group's");
  command.add_option("--limit", o.limit, "stop a thread after so many instructions (a million)");
  command.add_flag("--trace", o.trace,
                   "print every executed instruction: its channels, operands before, results after");
}

}  // namespace vitro::cli
