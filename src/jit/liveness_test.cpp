// Programs of whose registers nobody sees what is not sent: channels that do not run need not be kept there. Random
// branches and loops with instructions of all masks; at the end every channel sends what it has, and the interpreter
// must send the same.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "base/random.h"
#include "eu/bench_test.h"
#include "jit/compile.h"

namespace vitro::jit {
namespace {

class RandomText {
 public:
  explicit RandomText(uint64_t seed) : rng_(seed) {}

  std::string make() {
    for (int n = 0; n < 3; ++n) block(0);
    for (int r = first; r < first + count; r += 2) {
      line(fmt::format("mov (16|M0) r100.0<1>:d r{}.0<8;8,1>:d", r));
      line("send (16|M0) null r100 0x5 0x04000000");
    }
    return text_ + "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n";
  }

 private:
  static constexpr int first = 10, count = 12;

  void line(const std::string& s) { text_ += s + "\n"; }
  std::string register_value(int lanes, const char* type) {
    const int r = first + int(rng_.below(count));
    const int even = lanes == 16 && std::strcmp(type, "w") != 0 ? r & ~1 : r;
    if (rng_.one_in(8)) return fmt::format("r{}.{}<0;1,0>:{}", even, rng_.below(8), type);
    return fmt::format("r{}.0<{};{},1>:{}", even, std::strcmp(type, "w") ? 8 : lanes,
                       std::strcmp(type, "w") ? 8 : lanes, type);
  }
  void instruction() {
    static constexpr const char* ops[] = {"add", "mul", "sel", "mov", "add", "mad", "or", "mov"};
    static constexpr const char* masks[] = {"16|M0", "16|M0", "16|M0", "8|M0", "8|M8"};
    const char* op = ops[rng_.below(std::size(ops))];
    const char* mask = masks[rng_.below(std::size(masks))];
    const int lanes = mask[0] == '1' ? 16 : 8;
    const bool words = rng_.one_in(12) && lanes == 16;
    const char* type = words ? "w" : "d";
    std::string before = rng_.one_in(8) ? "(W) " : rng_.one_in(4) ? "(f0.0) " : "";
    if (!std::strcmp(op, "sel")) before = "(f0.0) ";
    int r = first + int(rng_.below(count));
    // the second half of a pair holds the upper channels
    if (!words) r = lanes == 16 ? r & ~1 : mask[3] == '8' && rng_.below(6) ? r | 1 : r;
    std::string s;
    if (!std::strcmp(op, "mad")) {
      r &= ~1;
      s = fmt::format("mad ({}) r{}.0<1>:f r{}.0<2;1>:f r{}.0<2;1>:f r{}.0<1>:f", mask, r,
                      (first + int(rng_.below(count))) & ~1, (first + int(rng_.below(count))) & ~1,
                      (first + int(rng_.below(count))) & ~1);
    } else {
      s = fmt::format("{} ({}) r{}.0<1>:{} {}", op, mask, r, type, register_value(lanes, type));
      if (std::strcmp(op, "mov")) s += " " + register_value(lanes, type);
    }
    line(before + s);
  }
  void compare(const char* flag) {
    line(fmt::format("cmp (16|M0) (lt){} null<1>:d {} {}", flag, register_value(16, "d"), register_value(16, "d")));
  }
  void block(int depth) {
    for (uint64_t n = 2 + rng_.below(4); n-- > 0;) {
      const int id = labels_++;
      switch (rng_.below(depth < 3 ? 8 : 4)) {
        case 4:
        case 5: {
          compare("f0.0");
          const bool otherwise = rng_.coin();
          line(fmt::format("(f0.0) if (16|M0) {}{} end{}", otherwise ? "else" : "end", id, id));
          block(depth + 1);
          if (otherwise) {
            line(fmt::format("else{}: else (16|M0) end{} end{}", id, id, id));
            block(depth + 1);
          }
          line(fmt::format("end{}: endif (16|M0) after{}\nafter{}: mov (16|M0) r90.0<1>:d 0:w", id, id, id));
          break;
        }
        case 6: {
          const int counter = 30 + 2 * depth;
          line(fmt::format("mov (16|M0) r{}.0<1>:d 0:w", counter));
          line(fmt::format("head{}: add (16|M0) r{}.0<1>:d r{}.0<8;8,1>:d 1:w", id, counter, counter));
          block(depth + 1);
          line(fmt::format("cmp (16|M0) (lt)f1.0 null<1>:d r{}.0<8;8,1>:d {}:w", counter, 1 + rng_.below(3)));
          if (rng_.coin()) {
            compare("f0.0");
            line(fmt::format("(f0.0) {} (16|M0) while{} while{}", rng_.coin() ? "break" : "cont", id, id));
            instruction();
          }
          line(fmt::format("while{}: (f1.0) while (16|M0) head{}", id, id));
          break;
        }
        case 7: compare("f0.0"); break;
        default: instruction(); break;
      }
    }
  }

  Rng rng_;
  std::string text_;
  int labels_ = 0;
};

struct Sent {
  std::vector<std::byte> bytes;
};

// VITRO_JIT_PROGRAMS asks for more of them.
TEST(Overwriting, WhatIsSentIsTheSame) {
  const char* wanted = std::getenv("VITRO_JIT_PROGRAMS");
  const int programs = wanted ? std::atoi(wanted) : 12;
  const isa::Model& m = gen::gen9();
  Sent sent;
  SharedFunctions functions{};
  functions[7] = {[](void*, Thread&, Message&, std::string&) { return Reply::done; }, nullptr};
  functions[5] = {[](void* context, Thread&, Message& message, std::string&) {
                    auto& all = static_cast<Sent*>(context)->bytes;
                    all.insert(all.end(), message.payload.begin(), message.payload.end());
                    return Reply::done;
                  },
                  &sent};
  for (int n = 0; n < programs; ++n) {
    const uint64_t seed = 77'000 + uint64_t(n);
    const std::string text = RandomText(seed).make();
    const isa::Assembly a = isa::assemble(m, text, {.validate = false});
    for (const isa::Diagnostic& d : a.diagnostics) FAIL() << isa::render("test", text, d, false);
    const Program program(m, a.code);
    const auto compiled = compile(
        program,
        {.all_wait = false, .all_registers = false, .section = n % 2 ? 5u : Options{}.section, .exact_nans = true});
    ASSERT_TRUE(compiled);
    Thread begin;
    Rng rng(seed);
    for (int k = 0; k < grf_count * reg_bytes; k += 4) {
      const uint32_t v = std::bit_cast<uint32_t>(float(int32_t(rng.below(2000)) - 1000) / 16);
      std::memcpy(begin.grf.data() + k, &v, sizeof v);
    }
    begin.flag = {uint32_t(rng()), uint32_t(rng())};
    begin.dispatched = begin.active = begin.sr[2] = begin.sr[3] = rng.coin() ? 0xFFFF : uint32_t(rng()) & 0xFFFF;
    begin.cr[0] = cr_keep_float_denorms | cr_keep_double_denorms;
    std::vector<std::byte> results[2];
    for (size_t k = 0; k < 2; ++k) {
      Thread t;
      std::memcpy(&t, &begin, sizeof t);
      Executor x{t, program, functions};
      sent.bytes.clear();
      const Status s = k ? compiled->run(x, 100'000) : x.run(100'000);
      ASSERT_EQ(s, Status::ended) << text;
      results[k] = sent.bytes;
    }
    ASSERT_FALSE(results[0].empty());
    ASSERT_TRUE(results[0] == results[1]) << "seed " << seed << "\n" << text;
  }
}

}  // namespace
}  // namespace vitro::jit
