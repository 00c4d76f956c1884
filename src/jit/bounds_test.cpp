// Whatever an instruction says, compiled code and the interpreter touch nothing outside of the thread's image: the
// image stands at the edge of pages that nobody may touch, once with its end and once with its start. Addresses,
// regions and messages here are illegal but can be decoded. PRM: as plan.h; R8.1..R8.6 for addresses.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <fmt/format.h>

#include "base/random.h"
#include "eu/bench_test.h"
#include "jit/compile.h"
#include "jit/twins_test.h"

namespace vitro::jit {
namespace {

// A thread between two pages that cannot be touched: its last byte before one, or its first behind the other.
class Guarded {
 public:
  explicit Guarded(bool at_end) {
    constexpr size_t page = 4096, room = (sizeof(Thread) + page - 1) / page * page;
    size_ = room + 2 * page;
    pages_ = static_cast<std::byte*>(mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (pages_ == MAP_FAILED || mprotect(pages_ + page, room, PROT_READ | PROT_WRITE) != 0) std::abort();
    thread_ = new (pages_ + page + (at_end ? room - sizeof(Thread) : 0)) Thread;
  }
  ~Guarded() { munmap(pages_, size_); }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  Thread& thread() { return *thread_; }

 private:
  std::byte* pages_ = nullptr;
  size_t size_ = 0;
  Thread* thread_ = nullptr;
};

struct Outcome {
  Status status{};
  std::string reason{};
  std::array<std::byte, sizeof Thread::grf> registers{};
};

// Shared functions that look at all they are given, and change nothing.
void look_at(std::span<const std::byte> bytes) {
  for (const std::byte& b : bytes) static_cast<void>(*static_cast<const volatile std::byte*>(&b));
}
SharedFunctions looking() {
  SharedFunctions f{};
  f.fill({[](void*, Thread&, Message& m, std::string&) {
            look_at(m.payload);
            look_at(m.second_payload);
            look_at(m.response);
            return Reply::done;
          },
          nullptr, nullptr, nullptr,
          [](void*, Thread&, uint32_t desc, const std::byte* payload) {
            look_at({payload, Message{.desc = desc}.mlen() * size_t(reg_bytes)});
            return false;
          }});
  return f;
}

// A program in both tiers, for threads with any address in a0.
class Case {
 public:
  Case(const isa::Model& model, const std::string& text, const Options& options = {}) : text_(text) {
    const std::string end = model.mrf_count ? "\n(W) send (8|M0) null m0 0x27 0x02000010 {EOT}\n"
                                            : "\n(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n";
    const isa::Assembly a = isa::assemble(model, text + end, {.validate = false});
    for (const isa::Diagnostic& d : a.diagnostics) ADD_FAILURE() << isa::render("test", text, d, false);
    prepare(model, a.code, options);
  }
  Case(const isa::Model& model, const isa::Instruction& one, const Options& options) {
    const Result<isa::Stored> s = isa::store(model, one);
    if (s) prepare(model, std::span(s->bytes).first(size_t(s->size)), options);
  }

  bool exists() const { return program_.has_value(); }
  // At both edges. All must do the same.
  Outcome run(int address = 0, uint32_t channels = ~0u) const {
    std::optional<Outcome> first;
    for (const bool at_end : {false, true})
      for (const bool native : {false, true}) {
        if (native && !compiled_) continue;
        const Outcome o = run(native, at_end, address, channels);
        if (!first) first = o;
        EXPECT_EQ(int(o.status), int(first->status)) << text_ << "\n" << o.reason << first->reason;
        EXPECT_EQ(o.reason, first->reason) << text_;
        EXPECT_TRUE(o.registers == first->registers) << text_;
      }
    return *first;
  }

 private:
  void prepare(const isa::Model& model, std::span<const std::byte> code, Options options) {
    options.mode = {false, false, false};
    program_.emplace(model, code);
    compiled_ = compile(*program_, options);
    EXPECT_TRUE(compiled_) << text_;
  }
  Outcome run(bool native, bool at_end, int address, uint32_t channels) const {
    Guarded guarded(at_end);
    Thread& t = guarded.thread();
    Rng rng(1);
    for (std::byte& b : t.grf) b = std::byte(rng());
    t.a0.fill(uint16_t(address));
    t.dispatched = t.active = t.sr[2] = t.sr[3] = channels;
    const SharedFunctions functions = looking();
    Executor x{t, *program_, functions};
    std::vector<Window> windows(native ? compiled_->sites().size() : 0);
    x.windows = windows;
    Outcome o;
    o.status = native ? compiled_->run(x, 100) : x.run(100);
    if (x.fault)
      o.reason = x.fault->reason;
    else
      o.registers = t.grf;
    return o;
  }

  std::string text_;
  std::optional<Program> program_;
  std::shared_ptr<const Compiled> compiled_;
};

const isa::Model* const models[] = {&gen::gen8(), &gen::gen9()};
constexpr int addresses[] = {0, 8, 31, 32, 2048, 4064, 4088, 4095, 4096, 0x7FFF, 0xF000, 0xFFF8, 0xFFFF};
constexpr int immediates[] = {-512, -8, -1, 0, 8, 504};

// Every form with every immediate, at every address.
template <size_t forms_count, size_t count>
void all(const isa::Model& m, const std::string_view (&forms)[forms_count], const int (&further)[count]) {
  for (const std::string_view form : forms)
    for (const int imm : further) {
      const Case c(m, fmt::format(fmt::runtime(form), imm));
      for (const int at : addresses) {
        const Outcome o = c.run(at);
        const bool outside = at + imm < 0 || at + imm >= grf_count * reg_bytes;
        EXPECT_TRUE(!outside || o.status == Status::faulted) << form << " at " << at;
      }
    }
}

TEST(Bounds, RegionsThatTheRegisterFileHasNoRoomFor) {
  for (const isa::Model* m : models)
    for (const std::string_view type : {"df", "q", "uq"})
      for (const int further : {-512, 0, 504}) {
        // 31 * 32 * 8 + 8 bytes
        const Case c(*m, fmt::format("mov (32|M0) r2.0<1>:{0} r[a0.0,{1}]<32;1,0>:{0}", type, further));
        for (const int at : addresses) {
          const Outcome o = c.run(at);
          EXPECT_EQ(int(o.status), int(Status::faulted));
          EXPECT_NE(o.reason.find("is not that of a register element of 8 bytes"), std::string::npos) << o.reason;
        }
      }
}

// The channels that run have a place, others do not: nobody asks where these would be.
TEST(Bounds, OnlyChannelsThatRunNeedRoom) {
  const Outcome o = Case(gen::gen9(), "mov (32|M0) r2.0<1>:q r[a0.0]<32;1,0>:q").run(64, 0xFFF);
  EXPECT_EQ(int(o.status), int(Status::ended)) << o.reason;
}

TEST(Bounds, SourcesAtAddresses) {
  static constexpr std::string_view forms[] = {
      "mov (16|M0) r2.0<1>:d r[a0.0,{}]<8;8,1>:d",   "mov (32|M0) r2.0<1>:d r[a0.0,{}]<32;8,4>:d",
      "mov (8|M0) r2.0<1>:q r[a0.0,{}]<4;4,1>:q",    "add (16|M0) r2.0<1>:f r[a0.0,{}]<16;1,0>:f r40.0<8;8,1>:f",
      "mov (16|M0) r2.0<1>:ub r[a0.0,{}]<8;8,1>:ub",
      "mov (16|M0) r2.0<1>:d r[a0.0,{}]<1,0>:d",  // Vx1: an address for each
      "mov (16|M0) r2.0<1>:d r[a0.4,{}]<4,1>:d",  // VxH: one for each row
      "mov (16|M0) r2.0<1>:d r[a0.0,{}]<0;1,0>:d",
  };
  all(gen::gen9(), forms, immediates);
}

TEST(Bounds, MoreRowsThanAddresses) {
  const Case c(gen::gen9(), "mov (32|M0) r2.0<1>:q r[a0.8]<1,0>:q");
  EXPECT_EQ(int(c.run(64).status), int(Status::faulted));
  EXPECT_EQ(int(c.run(64, 0xFF).status), int(Status::ended));
}

TEST(Bounds, DestinationsAtAddresses) {
  static constexpr std::string_view forms[] = {
      "mov (16|M0) r[a0.0,{}]<1>:d r40.0<8;8,1>:d",      "mov (32|M0) r[a0.0,{}]<4>:q r40.0<4;4,1>:q",
      "mov (32|M0) r[a0.0,{}]<4>:df r40.0<4;4,1>:df",    "mov (8|M0) r[a0.15,{}]<2>:uw r40.0<8;8,1>:uw",
      "(W) mov (1|M0) r[a0.0,{}]<1>:ub r40.0<0;1,0>:ub",
  };
  all(gen::gen9(), forms, immediates);
}

TEST(Bounds, Align16AtAddresses) {
  static constexpr std::string_view forms[] = {
      "mov (8|M0) r2.0<1>.xyzw:f r[a0.0,{}]<4>.wzyx:f {{Align16}}",
      "mov (8|M0) r[a0.0,{}]<1>.xw:f r40.0<4>.xyzw:f {{Align16}}",
      "mov (32|M0) r2.0<1>.xyzw:q r[a0.0,{}]<4>.xyzw:q {{Align16}}",
  };
  static constexpr int aligned[] = {-512, -16, 0, 16, 496};
  all(gen::gen8(), forms, aligned);
}

// Two dwords, even if the operand is smaller than that.
TEST(Bounds, ReturnAddressesPastTheLastRegister) {
  for (const isa::Model* m : {&gen::gen6(), &gen::gen8(), &gen::gen9()})
    for (const int place : {7, 6}) {
      const Outcome o = Case(*m, fmt::format("call (1|M0) r127.{}<1>:ud 16", place)).run();
      EXPECT_EQ(int(o.status), int(place == 7 ? Status::faulted : Status::ended)) << o.reason;
    }
}

TEST(Bounds, PlanesPastTheLastRegister) {
  for (const int lanes : {8, 16, 32})
    for (const int reg : {126, 125, 124, 122, 120, 118}) {
      const Outcome o =
          Case(gen::gen8(), fmt::format("pln ({}|M0) r2.0<1>:f r40.0<0;1,0>:f r{}.0<8;8,1>:f", lanes, reg)).run();
      EXPECT_EQ(int(o.status), int(reg + lanes / 4 > 128 ? Status::faulted : Status::ended)) << lanes << " " << reg;
    }
}

// Payload and response: registers that do not exist, or too many of them. The shared functions here read and write all
// that they are given.
TEST(Bounds, MessagesPastTheLastRegister) {
  struct Kind {
    unsigned sfid;
    uint32_t desc;
  };
  // none, a barrier, an untyped read of four dwords, a write of one, a block
  static constexpr Kind messages[] = {{10, 0xF << 14}, {3, 4}, {12, 0x5000}, {12, 0x26E00}, {10, 0x80400}};
  for (const size_t in_place : {size_t(6), size_t(0)})
    for (const Kind& k : messages)
      for (const int reg : {113, 126, 127})
        for (const uint32_t lengths : {0u, 1u << 25, 2u << 25 | 8u << 20, 15u << 25 | 31u << 20}) {
          Options options{.all_wait = false, .short_program = in_place, .in_place = in_place};
          options.carries_messages = true;
          for (const std::string_view form :
               {"send (16|M0) r2 r{0} {3:#x} {2:#x}", "sends (16|M0) r{0} r2 r{0} {1:#x} {2:#x}"})
            Case(gen::gen9(), fmt::format(fmt::runtime(form), reg, k.sfid | 4 << 6, lengths | k.desc, k.sfid), options)
                .run();
        }
}

// A mask of channels that leaves all of them out.
TEST(Bounds, MessagesThatNameNoElement) {
  constexpr uint32_t untyped_read = 1 << 14, untyped_write = 9 << 14, simd16 = 1 << 12, simd8 = 2 << 12, none = 15 << 8;
  for (const uint32_t type : {untyped_read, untyped_write})
    for (const uint32_t mode : {simd16, simd8})
      for (const size_t in_place : {size_t(6), size_t(0)}) {
        Options options{.all_wait = false, .short_program = in_place, .in_place = in_place};
        options.carries_messages = true;
        const std::string line = fmt::format("send (16|M0) null r2 0xC {:#x}", type | mode | none | 3 << 25);
        const Outcome o = Case(gen::gen9(), line, options).run();
        EXPECT_EQ(int(o.status), int(Status::ended)) << o.reason;
      }
}

// Code that goes to the middle of an instruction must come to the same end as the interpreter, and come to one.
TEST(Bounds, BranchesIntoInstructions) {
  for (const isa::Model* m : models)
    for (const std::string_view form : {"else (8|M0) 16 -8", "else (8|M0) -8 16", "if (8|M0) 8 16", "while (8|M0) -8",
                                        "(f0.0) if (8|M0) 16 -8", "goto (8|M0) -8 8"}) {
      const Case c(*m, "mov (8|M0) r10.0<1>:d r2.0<8;8,1>:d\n" + std::string(form));
      for (const uint32_t channels : {0xFFu, 0xFFFFu, 0x10u}) c.run(0, channels);
    }
}

// Changes of modes are followed in code; this one is none that could be carried out.
TEST(Bounds, ModesThatAreNoIntegers) {
  for (const std::string_view form : {"or", "and", "xor"}) {
    const Outcome o = Case(gen::gen9(), fmt::format("(W) {} (1|M0) cr0.0<1>:ud cr0.0<0;1,0>:f 0x80:uw", form)).run();
    EXPECT_EQ(int(o.status), int(Status::faulted)) << form;
  }
}

// Numbers that the assembler has no words for.
TEST(Bounds, RegistersThatDoNotExist) {
  static constexpr std::string_view lines[] = {
      "send (8|M0) r10 r2 0x3 0x02000004",
      "send (8|M0) r10 r2 0xA 0x02180200",
      "sends (8|M0) r10 r2 r4 0x4A 0x02180200",
      "add (8|M0) r10.0<1>:f r2.0<8;8,1>:f r4.0<8;8,1>:f",
      "mad (8|M0) r10.0<1>:f r2.0<2;1>:f r4.0<2;1>:f r6.0<1>:f",
      "call (2|M0) r10.0<1>:d 16",
      "ret (2|M0) r10.0<2;2,1>:d",
  };
  const isa::Model& m = gen::gen9();
  for (const std::string_view line : lines)
    for (const bool plain : {false, true})
      for (const int number : {128, 129, 170, 200, 255})
        for (size_t operand = 0; operand < 4; ++operand) {
          isa::Instruction i = isa::assemble(m, line, {.validate = false}).instructions.at(0).instruction;
          isa::Operand& o = operand ? i.src[operand - 1] : i.dst;
          if (o.file != isa::RegFile::grf) continue;
          o.reg = uint8_t(number);
          Options options{.all_wait = false};
          options.carries_messages = plain;
          const Case c(m, i, options);
          if (!c.exists()) continue;  // a field of seven bits
          const Outcome one = c.run();
          EXPECT_EQ(int(one.status), int(Status::faulted)) << line;  // if for nothing else, for the program's end
          const bool empty = i.op == isa::Op::send && operand == 0 && number == 128;
          EXPECT_TRUE(empty || one.reason.find("off its end") == std::string::npos) << line << " with r" << number;
        }
}

}  // namespace
}  // namespace vitro::jit
