// vitro exec: runs EU code by itself, without a device around it.
// Threads start as dispatch would start them, with the channels and registers the command line names, and end by their
// end-of-thread message to the thread spawner. They reach each other through the Message Gateway and shared local
// memory, and the memory that the command line binds through the data ports.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstring>
#include <memory>

#include "cli/cli.h"
#include "cli/code_input.h"
#include "cli/register_text.h"
#include "cli/surroundings.h"
#include "cli/trace.h"
#include "code/build.h"
#include "code/compiler.h"
#include "code/order.h"
#include "eu/compiled.h"
#include "gen/models.h"
#include "isa/assemble.h"
#include "shared/gateway.h"

namespace vitro::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string device, input, kernel, sip, dump, number;
  std::vector<std::string> grf, mem, dump_mem;
  uint64_t surface_base = 0;
  uint32_t binding_table = 0;
  uint32_t channels = 0xFFFFFFFF;
  uint64_t limit = 1'000'000;
  int threads = 1, group = 0;
  bool trace = false, json = false, no_validate = false;
  std::string jit = "off";
};

struct Code {
  std::vector<std::byte> bytes;
  std::vector<isa::PlacedLabel> labels;
};

// Assembly is text that is not a list of hexadecimal words.
bool looks_like_assembly(std::string_view file) { return file.find('\0') == file.npos && !looks_like_hex(file); }

// The exit code, if the program cannot be had; complaints are printed.
int read_program(const Options& o, const isa::Model& m, Code& code) {
  const Result<std::string> file = read_file(o.input);
  if (!file) return complain(exit_file, file.error().message);
  if (looks_like_assembly(*file)) {
    isa::Assembly a = isa::assemble(m, *file, {.validate = !o.no_validate});
    report(o.input, *file, a.diagnostics);
    if (!a.ok()) return exit_bad_input;
    code = {std::move(a.code), std::move(a.labels)};
    return exit_ok;
  }
  Result<std::vector<CodeBlock>> blocks = read_code(*file, InputKind::detect);
  if (!blocks) return complain(exit_bad_input, fmt::format("{}: {}", o.input, blocks.error().message));
  if (!o.kernel.empty()) std::erase_if(*blocks, [&](const CodeBlock& b) { return b.name != o.kernel; });
  if (blocks->empty()) return complain(exit_bad_input, fmt::format("{}: no kernel is called {}", o.input, o.kernel));
  if (blocks->size() > 1)
    return complain(exit_bad_input, fmt::format("{}: {} kernels; choose one with --kernel", o.input, blocks->size()));
  code.bytes = std::move(blocks->front().code);
  return exit_ok;
}

Result<uint32_t> place_of(const Code& code, const std::string& text) {
  for (const isa::PlacedLabel& l : code.labels)
    if (l.name == text) return uint32_t(l.offset);
  uint32_t offset = 0;
  if (CLI::detail::lexical_cast(text, offset)) return offset;
  return failure(fmt::format("{} is neither a label nor an offset", text));
}

// The end of a thread is a message to the thread spawner.
eu::Reply thread_spawner(void*, eu::Thread&, eu::Message& m, std::string& reason) {
  if (m.eot) return eu::Reply::done;
  reason = "the thread spawner takes nothing but the end of the thread here";
  return eu::Reply::faulted;
}

// One of the threads, which stays where it is.
struct Running {
  eu::Thread thread{};
  std::unique_ptr<Trace> trace;
  eu::Executor executor;

  Running(const eu::Program& program, const eu::SharedFunctions& functions, uint32_t sip, std::unique_ptr<Trace> t,
          bool observed)
      : trace(std::move(t)), executor{.thread = thread, .program = program, .functions = functions, .sip = sip} {
    if (observed) executor.observer = trace->observer();
  }
  bool is_over() const { return executor.status == eu::Status::ended || executor.status == eu::Status::faulted; }
  const eu::Plan* plan() const { return executor.program.at(thread.ip); }
  // The counter of notifications that it waits for; null: it waits for a message to be taken.
  const uint32_t* awaited() const {
    const eu::Plan* p = plan();
    if (!p || !p->row || p->row->format != isa::Format::wait) return nullptr;
    return &thread.notify[p->instruction.src[0].subreg / 4];
  }
  std::string instruction() const { return executor.program.text_at(thread.ip); }
  bool take_turn(const eu::Compiled* code, uint64_t limit) {
    constexpr uint64_t most = 256;
    eu::Executor& x = executor;
    if (x.status == eu::Status::waiting && awaited() && !*awaited()) return false;
    const uint64_t before = x.executed, turn = std::min(most, limit - before);
    const eu::Status status = code ? code->run(x, turn) : x.run(turn);
    if (status == eu::Status::waiting) --x.executed;  // the last one was not carried out
    if (status == eu::Status::running && x.executed >= limit) {
      x.stop(fmt::format("endless loop: no end of thread after {} instructions", x.executed));
      x.fault->instruction = instruction();
    }
    return is_over() || x.executed > before;
  }
};
using Threads = std::vector<std::unique_ptr<Running>>;

// Turns for all, until nobody gets further. A thread can have one message accepted without getting further, so as many
// rounds as there are threads may pass before that is certain.
void take_turns(Threads& threads, const eu::Compiled* code, const eu::SharedFunctions& functions, uint64_t limit) {
  for (size_t vain = 0; vain < threads.size() + 2; ++vain)
    for (const std::unique_ptr<Running>& t : threads) {
      if (t->is_over()) continue;
      if (t->take_turn(code, limit)) vain = 0;
      if (t->is_over()) eu::thread_is_gone(functions, t->thread);
    }
}

// After the run.
struct Outcome {
  std::string_view status;
  std::string complaint;  // empty: the thread ended
};
Outcome outcome_of(const Running& t) {
  if (t.executor.status == eu::Status::ended) return {"ended", {}};
  if (!t.executor.fault) {
    const std::string what = t.awaited()
                                 ? fmt::format("a notification in n0.{}", t.awaited() - t.thread.notify.data())
                                 : fmt::format("a message to be taken (SFID {})", t.plan()->instruction.sfid & 15);
    return {"waiting",
            fmt::format("at {:04X}: {}: waits for {}, which will not come", t.thread.ip, t.instruction(), what)};
  }
  const Fault& f = *t.executor.fault;
  return {"faulted", fmt::format("fault at {:04X}: {}{}{}", f.ip.value_or(0), f.instruction,
                                 f.instruction.empty() ? "" : ": ", f.reason)};
}

std::string title(const ShownRegister& r) {
  return r.type == isa::Type::none ? r.name : fmt::format("{}:{}", r.name, isa::info(r.type).name);
}

// The exit code, if something cannot be had; complaints are printed.
int read_memory(const Options& o, std::vector<Mapping>& mappings, std::vector<ShownMemory>& shown) {
  for (const std::string& text : o.mem) {
    Result<Mapping> m = parse_mapping(text);
    if (!m) return complain(exit_usage, "--mem " + m.error().message);
    if (!m->file.empty()) {
      const Result<std::string> file = read_file(m->file);
      if (!file) return complain(exit_file, file.error().message);
      m->bytes.resize(file->size());
      std::memcpy(m->bytes.data(), file->data(), file->size());
    }
    mappings.push_back(std::move(*m));
  }
  for (const std::string& text : o.dump_mem) {
    const Result<ShownMemory> m = parse_shown_memory(text);
    if (!m) return complain(exit_usage, "--dump-mem " + m.error().message);
    shown.push_back(*m);
  }
  return exit_ok;
}

// Eight dwords to a line, each line with its address.
void print(uint64_t address, const std::vector<uint32_t>& dwords) {
  for (size_t n = 0; n < dwords.size(); ++n) {
    if (n % 8 == 0) fmt::print("{}{:#010x}", n ? "\n" : "", address + n * 4);
    fmt::print(" {:08X}", dwords[n]);
  }
  fmt::print("\n");
}

int run(const Options& o) {
  const gen::Device* device = gen::find_device(o.device);
  if (!device) return complain(exit_usage, "unknown device " + o.device);
  const isa::Model& m = device->model();
  std::vector<RegisterValues> values;
  for (const std::string& text : o.grf) {
    Result<RegisterValues> v = parse_register_values(m, text);
    if (!v) return complain(exit_usage, "--grf " + v.error().message);
    values.push_back(std::move(*v));
  }
  const Result<std::vector<ShownRegister>> shown = parse_shown_registers(m, o.dump);
  if (!shown) return complain(exit_usage, "--dump " + shown.error().message);
  const Result<std::vector<ShownRegister>> numbered = parse_shown_registers(m, o.number);
  if (!numbered || (!o.number.empty() && (numbered->size() != 1 || numbered->front().file != isa::RegFile::grf)))
    return complain(exit_usage, "--number takes a general register");
  const std::vector<ShownRegister>& number = *numbered;
  std::vector<Mapping> mappings;
  std::vector<ShownMemory> shown_memory;
  if (const int problem = read_memory(o, mappings, shown_memory)) return problem;
  Code code;
  if (const int problem = read_program(o, m, code)) return problem;
  uint32_t sip = 0;
  if (!o.sip.empty()) {
    const Result<uint32_t> place = place_of(code, o.sip);
    if (!place) return complain(exit_usage, "--sip " + place.error().message);
    sip = *place;
  }

  const eu::Program program(m, code.bytes);
  std::shared_ptr<const eu::Compiled> compiled;
  if (o.jit == "on") {
    if (!code::has_compiler) return complain(exit_usage, "--jit=on: this vitro was built without the JIT");
    const code::Order order{.device = std::string(device->name), .kernel = code.bytes, .exact_nans = true};
    compiled = eu::load(program, code::compile(code::to_bytes(order)));
    if (!compiled) return complain(exit_bad_input, "the program cannot be compiled");
  }
  const int group = o.group ? o.group : o.threads;
  const gen::Machine& machine = gen::machine(*device);
  Surroundings surroundings(machine, std::move(mappings), o.surface_base, o.binding_table);
  for (const ShownMemory& s : shown_memory)
    if (surroundings.dwords(s).empty())
      return complain(exit_usage, fmt::format("--dump-mem {:#x}:{}: not all of it is bound", s.address, s.bytes));
  shared::Gateway gateway{.layout = machine.gateway};
  eu::SharedFunctions functions{};
  surroundings.install(functions);
  functions[shared::Gateway::sfid] = gateway.function();
  functions[7] = {thread_spawner, nullptr};
  Json json{{"device", o.device}}, instructions = Json::array();
  Threads threads;
  for (int n = 0; n < o.threads; ++n) {
    threads.push_back(std::make_unique<Running>(
        program, functions, sip, std::make_unique<Trace>(program, n, o.json ? &instructions : nullptr), o.trace));
    eu::Thread& thread = threads.back()->thread;
    for (const RegisterValues& v : values) apply(v, thread);
    if (!number.empty()) {
      const uint32_t numbers[2] = {uint32_t(n), uint32_t(n / group)};
      std::memcpy(thread.grf.data() + number[0].reg * eu::reg_bytes, numbers, sizeof numbers);
    }
    thread.dispatched = thread.active = o.channels;
    thread.sr[2] = thread.sr[3] = o.channels;
    gateway.attach(thread, unsigned(n) / 8, unsigned(n) % 8, uint32_t(n / group));
    surroundings.seat(thread, uint32_t(n / group));
    if (n % group == 0) gateway.start_barrier(uint32_t(n / group), 0, unsigned(std::min(group, o.threads - n)));
  }
  take_turns(threads, compiled.get(), functions, o.limit);

  int result = exit_ok;
  for (int n = 0; n < o.threads; ++n) {
    const Running& ran = *threads[size_t(n)];
    ran.trace->finish();
    const Outcome outcome = outcome_of(ran);
    Json thread{{"status", outcome.status}, {"executed", ran.executor.executed}};
    if (const std::optional<Fault>& f = ran.executor.fault)
      thread["fault"] = {{"ip", f->ip.value_or(0)}, {"instruction", f->instruction}, {"reason", f->reason}};
    if (!o.json && o.threads > 1 && !shown->empty()) fmt::print("thread {}\n", n);
    for (const ShownRegister& r : *shown) {
      const std::vector<Json> elements = elements_of(m, ran.thread, r);
      if (o.json)
        thread["registers"][title(r)] = elements;
      else
        fmt::print("{:<8} {}\n", title(r), in_one_line(elements));
    }
    json["threads"].push_back(thread);
    std::fflush(stdout);
    if (!outcome.complaint.empty())
      result = complain(
          exit_bad_input,
          fmt::format("{}: {}{}", o.input, o.threads > 1 ? fmt::format("thread {}: ", n) : "", outcome.complaint));
  }
  for (const ShownMemory& s : shown_memory) {
    const std::vector<uint32_t> dwords = surroundings.dwords(s);
    if (o.json)
      json["memory"].push_back({{"address", s.address}, {"dwords", dwords}});
    else
      print(s.address, dwords);
  }
  if (o.json) {
    if (o.trace) json["trace"] = instructions;
    fmt::print("{}\n", json.dump(2));
  }
  return result;
}

}  // namespace

void add_exec(CLI::App& app, int& result) {
  auto o = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("exec", "run EU code by itself");
  sub->add_option("-g,--device", o->device, "device: snb, bdw, kbl or apl")->required();
  sub->add_option("input", o->input, "assembly text, or machine code: raw, hexadecimal, or a device binary")
      ->required();
  sub->add_option("--kernel", o->kernel, "the kernel of a device binary with several");
  sub->add_option("--grf", o->grf,
                  "registers to start with: r2=1,2,3:d puts dwords into r2 from its first on, r2.4=0.5:f a float into "
                  "its fifth, r2=@FILE the hexadecimal words of a file; also m1=... where there are message registers")
      ->allow_extra_args(false);
  sub->add_option("--channels", o->channels, "channels that take part, as a mask (all 32)");
  sub->add_option("--sip", o->sip, "where the system routine for exceptions stands: a label or an offset");
  sub->add_option("--dump", o->dump,
                  "registers to print at the end: r10-r12:f,f0,acc0,a0; without a type they are hexadecimal");
  sub->add_option(
         "--mem", o->mem,
         "memory: 0x1000=FILE binds a file's bytes at an address, to be read; 0x1000=FILE:rw also to be written "
         "(not the file); 0x1000=zero:4096 binds so many zeros")
      ->allow_extra_args(false);
  sub->add_option("--dump-mem", o->dump_mem, "memory to print at the end, in dwords: 0x1000:64")
      ->allow_extra_args(false);
  sub->add_option("--surface-base", o->surface_base, "the surface state base address (0)");
  sub->add_option("--binding-table", o->binding_table,
                  "where the binding table stands, from the surface state base (0)");
  sub->add_option("--threads", o->threads, "run so many threads of the program in turns (1)")
      ->check(CLI::Range(1, 128));
  sub->add_option("--group", o->group, "so many threads in turn share barrier 0 of the Message Gateway (all)")
      ->check(CLI::Range(1, 128));
  sub->add_option("--number", o->number, "the register whose first two dwords are the thread's number and its group's");
  sub->add_option("--limit", o->limit, "stop a thread after so many instructions (a million)");
  sub->add_option("--jit", o->jit, "on: the program is compiled; off: interpreted, as are programs that are traced")
      ->check(CLI::IsMember({"off", "on"}))
      ->capture_default_str();
  sub->add_flag("--trace", o->trace, "print every executed instruction: its channels, operands before, results after");
  sub->add_flag("--json", o->json, "print the outcome, registers and trace as JSON");
  sub->add_flag("--no-validate", o->no_validate, "do not check the rules of the generation when assembling");
  sub->footer(
      "A thread ends by its message to the thread spawner, so a program's last instruction is\n"
      "  (W) send (8|M0) null r127 0x27 0x02000010 {EOT}        (snb: m1 in place of r127)\n"
      "A line of the trace is thread, offset, [channels] and text; below it come operands and results, lane 0 first,\n"
      "with - for lanes that were not written. docs/tutorial.md teaches the EU this way.\n"
      "Messages reach the memory that --mem binds through the data ports (binding tables, stateless, 64-bit\n"
      "addresses) and 64 KB of shared local memory for each group; an access to anything else is a fault.\n"
      "Exit code: 0 the thread ended, 1 bad input or a fault (with instruction, offset and reason), 2 wrong command\n"
      "line, 3 a file could not be read.");
  sub->callback([o, &result] { result = run(*o); });
}

}  // namespace vitro::cli
