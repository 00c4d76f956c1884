// Following threads through straight code: what is known of registers, and where it ends. Whatever is known is compared
// with the interpreter at other places.
#include "eu/affine.h"

#include <cstring>
#include <random>

#include "eu/bench_test.h"

namespace vitro::eu {
namespace {

constexpr PlaceRange places{0, 0, 500, 300};
constexpr unsigned at(unsigned reg, unsigned dword = 0) { return reg * reg_bytes + 4 * dword; }

struct Subject {
  Program program;
  AffineThread thread{program, places};

  explicit Subject(const std::string& text) : program(gen::gen9(), code(text)) { start(thread.thread, 0, 0); }
  static std::vector<std::byte> code(const std::string& text) {
    const isa::Assembly a = isa::assemble(gen::gen9(), text + end, {.validate = false});
    for (const isa::Diagnostic& e : a.diagnostics) ADD_FAILURE() << isa::render("test", text, e, false);
    return a.code;
  }
  static constexpr const char* end = "\nsend (8|M0) null r127 0x27 0x02000010 {EOT}\n";

  // r1.0 and r1.1 are x and y as words beside each other; r2 has constants.
  static void start(Thread& t, int x, int y) {
    const std::array<uint16_t, 2> words{uint16_t(10 + x), uint16_t(20 + y)};
    std::memcpy(&t.grf[at(1)], words.data(), sizeof words);
    const std::array<float, 4> constants{1, .5f, -3, 100.25f};
    std::memcpy(&t.grf[at(2)], constants.data(), sizeof constants);
    t.begin({}, {});
    t.enable(0xFF);
  }
  const Plan* run() {
    thread.set_number(at(1), isa::Type::uw, 1, 0);
    thread.set_number(at(1) + 2, isa::Type::uw, 0, 1);
    thread.set_same(at(2), reg_bytes);
    return thread.next_message();
  }
  // Whether each number that is known of a register's dwords is what the interpreter has elsewhere.
  void check(unsigned reg, isa::Type type) {
    std::mt19937 chance(5);
    for (int n = 0; n < 20; ++n) {
      const int x = int(chance() % 501), y = int(chance() % 301);
      const auto other = std::make_unique<Thread>();
      start(*other, x, y);
      const SharedFunctions none{};
      Executor e{*other, program, none};
      while (e.thread.ip != thread.thread.ip) ASSERT_EQ(e.run(1), Status::running);
      for (unsigned l = 0; l < 8; ++l) {
        const AffineValue v = thread.element(at(reg, l), type);
        ASSERT_TRUE(v.is_number());
        const double expected = double(v.at + v.dx * x + v.dy * y) / (1 << AffineValue::fraction_bits);
        float f;
        int32_t i;
        std::memcpy(&f, &other->grf[at(reg, l)], 4), std::memcpy(&i, &other->grf[at(reg, l)], 4);
        ASSERT_EQ(type == isa::Type::f ? double(f) : double(i), expected);
      }
    }
  }
};

TEST(Affine, FollowsSumsProductsAndConversions) {
  for (const char* text : {
           "mov (8|M0) r10.0<1>:f r1.0<0;1,0>:uw",
           "mov (8|M0) r9.0<1>:f r1.1<0;1,0>:uw\nadd (8|M0) r10.0<1>:f r9.0<8;8,1>:f r2.1<0;1,0>:f",
           "mov (8|M0) r9.0<1>:f r1.1<0;1,0>:uw\nmul (8|M0) r10.0<1>:f r9.0<8;8,1>:f r2.2<0;1,0>:f",
           "mov (8|M0) r9.0<1>:f r1.0<0;1,0>:uw\nadd (8|M0) r9.0<1>:f r9.0<8;8,1>:f -r1.0<0;1,0>:uw\n"
           "mov (8|M0) r8.0<1>:f r1.1<0;1,0>:uw\nadd (8|M0) r10.0<1>:f r9.0<8;8,1>:f r8.0<8;8,1>:f",
           "mov (8|M0) r9.0<1>:f r1.0<0;1,0>:uw\n"
           "mad (8|M0) r10.0<1>:f r2.3<0;0>.xxxx:f r2.1<0;0>.xxxx:f r9.0<1>:f",
           "mov (8|M0) r10.0<1>:f r2.0<8;8,1>:f",
       }) {
    Subject s(text);
    ASSERT_TRUE(s.run()) << text;
    s.check(10, isa::Type::f);
  }
  for (const char* text : {
           "add (8|M0) r10.0<1>:d r1.0<0;1,0>:uw -7:w",
           "shl (8|M0) r10.0<1>:d r1.1<0;1,0>:uw 3:w",
           "mov (8|M0) r9.0<1>:f r1.0<0;1,0>:uw\nadd (8|M0) r9.0<1>:f r9.0<8;8,1>:f r2.1<0;1,0>:f\n"
           "mov (8|M0) r10.0<1>:d r9.0<8;8,1>:f",
           "mov (8|M0) r9.0<1>:f r1.0<0;1,0>:uw\nrndd (8|M0) r9.0<1>:f r9.0<8;8,1>:f\n"
           "mov (8|M0) r10.0<1>:d r9.0<8;8,1>:f",
       }) {
    Subject s(text);
    ASSERT_TRUE(s.run()) << text;
    s.check(10, isa::Type::d);
  }
}

TEST(Affine, DoesNotKnowTheRest) {
  for (const char* text : {
           "mul (8|M0) r10.0<1>:d r1.0<0;1,0>:uw r1.1<0;1,0>:uw",  // of both
           "and (8|M0) r10.0<1>:d r1.0<0;1,0>:uw 15:w",            // bits
           "shr (8|M0) r10.0<1>:ud r1.0<0;1,0>:uw 1:w",            //
           "add (8|M0) r10.0<1>:d r1.0<0;1,0>:uw r50.0<8;8,1>:d",  // of what nobody has said
           "mul (8|M0) r10.0<1>:d r1.0<0;1,0>:uw 100:w",           // too large
           "add (8|M0) (sat)r10.0<1>:d r1.0<0;1,0>:uw 1:w",        //
           "mov (8|M0) r10.0<1>:d r1.0<0;1,0>:ud",                 // two elements as one
           "mov (8|M0) r9.0<1>:f r1.0<0;1,0>:uw\nadd (8|M0) r9.0<1>:f r9.0<8;8,1>:f -200.5:f\n"
           "mov (8|M0) r10.0<1>:d r9.0<8;8,1>:f",                                       // towards zero, on both sides
           "mov (8|M0) r9.0<1>:f r1.0<0;1,0>:uw\nmov (8|M0) r10.0<1>:d r9.0<8;8,1>:d",  // a float's bits
           "add (8|M0) r10.0<2>:b r1.0<0;1,0>:uw 0:w",                                  // does not fit
       }) {
    Subject s(text);
    ASSERT_TRUE(s.run()) << text;
    EXPECT_FALSE(s.thread.element(at(10), isa::Type::d).is_number()) << text;
  }
}

TEST(Affine, StopsAtWhatIsNotStraight) {
  for (const char* text : {
           "cmp (8|M0) (gt)f0.0 null:d r1.0<0;1,0>:uw 20:w",
           "(f0.0) mov (8|M0) r10.0<1>:d 0:d",
           "mov (8|M0) r10.0<1>:d acc0.0<8;8,1>:d",
           "(W) mov (1|M0) a0.0<1>:uw 0:uw",
           "(W) jmpi 16",
       })
    EXPECT_FALSE(Subject(text).run()) << text;
}

TEST(Affine, MarksGoWhereTheyAreMoved) {
  Subject s(
      "mov (8|M0) r11.0<1>:ud r10.0<8;8,1>:ud\n"
      "mov (8|M0) r12.0<1>:d r11.0<8;8,1>:d\n"
      "add (8|M0) r13.0<1>:d r10.0<8;8,1>:d 0:w\n"
      "mov (8|M0) r14.0<1>:d r10.0<8;8,1>:uw\n"
      "(W) mov (1|M0) r12.3<1>:d 0:d\n");
  for (unsigned l = 0; l < 8; ++l) s.thread.set_mark(at(10, l), 40 + l);
  const Plan* p = s.run();
  ASSERT_TRUE(p);
  for (unsigned l = 0; l < 8; ++l) {
    const AffineValue v = s.thread.element(at(12, l), isa::Type::ud);
    EXPECT_EQ(v.kind, l == 3 ? AffineValue::Kind::number : AffineValue::Kind::mark);
    EXPECT_EQ(v.mark, l == 3 ? 0 : 40 + l);
    EXPECT_EQ(s.thread.element(at(13, l), isa::Type::d).kind, AffineValue::Kind::unknown);
    EXPECT_EQ(s.thread.element(at(14, l), isa::Type::d).kind, AffineValue::Kind::unknown);
  }
}

}  // namespace
}  // namespace vitro::eu
