// Binary objects that are cut off or changed: an error with its place or an object that can be written, never more.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "visa/read_bytes.h"
#include "visa/read_text.h"
#include "visa/samples.h"
#include "visa/write_bytes.h"
#include "visa/write_text.h"

namespace vitro::visa {
namespace {

std::vector<std::byte> object_of(std::string_view sample) {
  const TextResult r = read_text(sample_kernel(sample));
  EXPECT_TRUE(r.ok());
  return write_bytes(r.object).bytes;
}

// Where the first instruction behind `main` and `here` begins, by its bytes from behind: ret, subroutine, ret.
size_t code_of(const std::vector<std::byte>& bytes, size_t size) {
  constexpr size_t behind = 3 + 4 + 3 + 4;  // label there, ret, subroutine inner, ret
  return bytes.size() - behind - size;
}

void expect_error(std::vector<std::byte> bytes, size_t at, std::byte value, std::string_view message) {
  bytes[at] = value;
  const Result<Object> r = read_bytes(bytes);
  ASSERT_FALSE(r) << message;
  EXPECT_NE(r.error().message.find(message), std::string::npos) << r.error().message;
  EXPECT_TRUE(r.error().message.starts_with("at 0x")) << r.error().message;
}

TEST(VisaBytes, VI_401_VI_405_TheLayoutOfAnInstruction) {
  const std::vector<std::byte> bytes = object_of("add (M2_NM, 4) D0(1,2)<2> (-abs)D1(0,0)<4;2,2> 0xfffffffd:d");
  constexpr uint8_t expected[] = {0x01, 0x92, 0,    0,                               // add, mask and size, no predicate
                                  0x00, 35,   0,    0,    0,    1,   2, 0x00, 0x03,  // D0
                                  0x18, 36,   0,    0,    0,    0,   0, 0x34, 0x03,  // -abs D1
                                  0x05, 0x01, 0xfd, 0xff, 0xff, 0xff};               // -3:d
  const size_t at = code_of(bytes, sizeof expected);
  for (size_t n = 0; n < sizeof expected; ++n) EXPECT_EQ(uint8_t(bytes[at + n]), expected[n]) << n;
}

// Text that ends an instruction with this operand, and the operand's bytes.
TEST(VisaBytes, VI_402_VI_403_VI_404_VI_406_TheLayoutOfOperands) {
  struct Case {
    std::string_view text;
    std::vector<uint8_t> bytes;
  };
  for (const Case& c : {
           Case{"mov (M1_NM, 8) UW0(0,0)<1> A1(3)<8>", {0x01, 1, 0, 3, 3}},
           Case{"mov (M1_NM, 1) UW0(0,0)<1> P2", {0x02, 2, 0}},
           Case{"mov (M1, 8) D0(0,0)<1> (-)r[A1(2),-16]<8;4,2>:w", {0x13, 1, 0, 2, 0xf0, 0xff, 3, 0x45, 0x03}},
           Case{"mov (M1, 8) D0(0,0)<1> r[A1(0),4]<4,1>:d", {0x03, 1, 0, 0, 4, 0, 1, 0x40, 0x02}},
           Case{"movs (M1_NM, 1) U0(0,0)<1> T7(2)", {0x06, 0, 7, 0, 2}},
           Case{"movs (M1_NM, 1) U0(0,0)<1> S0(0)", {0x06, 1, 0, 0, 0}},
           Case{"mov (M1, 8) DF0(0,0)<1> 0x3ff0000000000000:df", {0x05, 6, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f}},
       }) {
    const std::vector<std::byte> bytes = object_of(c.text);
    const size_t at = code_of(bytes, c.bytes.size());
    for (size_t n = 0; n < c.bytes.size(); ++n) EXPECT_EQ(uint8_t(bytes[at + n]), c.bytes[n]) << c.text << " " << n;
  }
  // 32 addresses have no code.
  const std::vector<std::byte> address = object_of("mov (M1_NM, 8) UW0(0,0)<1> A1(0)<8>");
  expect_error(address, code_of(address, 1), std::byte{5}, "at most 16");
}

TEST(VisaBytes, VI_407_ReservedCodesAreErrors) {
  const std::vector<std::byte> add = object_of("(P1) add (M1, 16) D0(0,0)<1> D1(0,0)<0;1,0> 0x5:w");
  const size_t at = code_of(add, 28);
  ASSERT_EQ(uint8_t(add[at]), 0x01);
  expect_error(add, at, std::byte{0x5e}, "no instruction 0x5E");
  expect_error(add, at + 1, std::byte{0x06}, "execution size");
  expect_error(add, at + 3, std::byte{0x10}, "bit 12");
  expect_error(add, at + 3, std::byte{0x60}, "any or all");
  expect_error(add, at + 2, std::byte{9}, "no predicate 9");
  expect_error(add, at + 4, std::byte{0x04}, "class 4");
  expect_error(add, at + 4, std::byte{0x07}, "class 7");
  expect_error(add, at + 4, std::byte{0x40}, "bits 7:6");
  expect_error(add, at + 4, std::byte{0x08}, "modifier 1");
  expect_error(add, at + 13, std::byte{0x30}, "modifier 6");
  expect_error(add, at + 5, std::byte{0xff}, "no variable");
  expect_error(add, at + 12, std::byte{0x08}, "no region");
  expect_error(add, at + 20, std::byte{0x11}, "no region");
  expect_error(add, at + 23, std::byte{15}, "no type 15");
  expect_error(add, 4, std::byte{9}, "version 9.1");
  expect_error(add, 0, std::byte{0}, "no vISA object");
}

// Video analytics: the operation, sampler before surface, and the size of the kernel in bit 4 of the mode.
TEST(VisaBytes, TheLayoutOfVideoAnalytics) {
  const std::vector<std::byte> bytes = object_of("va.convolve T6 S0 0x0:f 0x1:f VA_CONV_16x1 31x31 U2.0");
  constexpr uint8_t expected[] = {0x44, 1,    0, 6,            // convolve, S0, T6
                                  0x05, 0x07, 0, 0, 0, 0,      // u
                                  0x05, 0x07, 1, 0, 0, 0,      // v
                                  0x12, 39,   0, 0, 0, 0, 0};  // 16x1 and 31x31, U2
  const size_t at = code_of(bytes, sizeof expected);
  for (size_t n = 0; n < sizeof expected; ++n) EXPECT_EQ(uint8_t(bytes[at + n]), expected[n]) << n;
  expect_error(bytes, at + 16, std::byte{0x11}, "is reserved");
  expect_error(bytes, at + 16, std::byte{0x22}, "is reserved");
  expect_error(bytes, at + 1, std::byte{0}, "no such operation");
  expect_error(bytes, at + 1, std::byte{8}, "no such operation");
}

TEST(VisaBytes, CutOffAnywhere) {
  for (const std::string_view sample : all_samples()) {
    const std::vector<std::byte> whole = object_of(sample);
    for (size_t n = 0; n < whole.size(); n += 1 + n / 64) {
      const Result<Object> r = read_bytes(std::span(whole).first(n));
      ASSERT_FALSE(r) << n;
      EXPECT_TRUE(r.error().message.starts_with("at 0x"));
    }
  }
}

TEST(VisaBytes, ChangedAnywhere) {
  std::mt19937 random(1);
  size_t readable = 0;
  for (int round = 0; round < 40; ++round)
    for (const std::string_view sample : all_samples()) {
      std::vector<std::byte> bytes = object_of(sample);
      for (int n = 0; n < 3; ++n) {
        const size_t from_end = random() % 64;
        const size_t at = random() % 4 ? bytes.size() - 1 - from_end : random() % bytes.size();
        bytes[at] = std::byte(random() % 3 ? random() : unsigned(bytes[at]) ^ 1u << random() % 8);
      }
      const Result<Object> r = read_bytes(bytes);
      if (!r) continue;
      ++readable;
      const std::string text = write_text(*r);
      const TextResult again = read_text(text);
      EXPECT_TRUE(again.ok()) << isa::render("t", text, again.diagnostics.front(), false);
    }
  EXPECT_GT(readable, 100u);
}

TEST(VisaBytes, ChangedText) {
  std::mt19937 random(2);
  for (int round = 0; round < 20; ++round)
    for (const std::string_view sample : all_samples()) {
      std::string text = sample_kernel(sample);
      for (int n = 0; n < 2; ++n) text[text.size() - 1 - random() % 200] = " ()<>,.;:0x1\n\"&%"[random() % 16];
      const TextResult r = read_text(text);
      for (const isa::Diagnostic& d : r.diagnostics) EXPECT_GE(d.line, 1);
      if (r.ok()) write_bytes(r.object);
    }
}

TEST(VisaBytes, AttributesOfFunctionsAreThoseTheirTextCanHave) {
  for (const std::string_view name : {"ArgSize", "RetValSize"})
    for (const uint8_t high : {0, 1}) {
      TextResult r =
          read_text(".version 4.1\n.kernel k\n.global_function f\n.kernel_attr " + std::string(name) + "=1\n");
      ASSERT_TRUE(r.ok());
      r.object.routines[1].attributes[0].value[1] = char(high);
      const Result<Object> again = read_bytes(write_bytes(r.object).bytes);
      EXPECT_EQ(again.has_value(), high == 0);
      if (again) continue;
      EXPECT_NE(again.error().message.find("at most 255"), std::string::npos);
    }
}

TEST(VisaBytes, NamesThatTextGivesToOthersAreChanged) {
  for (const std::string_view name : {"T0", "S31", "T6", "S0", "%slm", "1"}) {
    TextResult r = read_text(sample_kernel("sample_b.R (M1, 8)  0x0:uw S31 T6 U2.0 F0.0"));
    ASSERT_TRUE(r.ok());
    Routine& k = r.object.routines[0];
    k.strings.emplace_back(name);
    k.variables[0].name = uint32_t(k.strings.size() - 1);
    const Result<Object> object = read_bytes(write_bytes(r.object).bytes);
    ASSERT_TRUE(object);
    const std::string text = write_text(*object);
    const TextResult again = read_text(text);
    EXPECT_TRUE(again.ok()) << isa::render("t", text, again.diagnostics.front(), false);
  }
}

TEST(VisaBytes, GenCodeIsKept) {
  TextResult r = read_text(sample_kernel("barrier"));
  r.object.routines[0].gen_binaries.push_back({5, std::vector<std::byte>(48, std::byte{7})});
  const Result<Object> again = read_bytes(write_bytes(r.object).bytes);
  ASSERT_TRUE(again) << again.error().message;
  ASSERT_EQ(again->routines[0].gen_binaries.size(), 1u);
  EXPECT_EQ(again->routines[0].gen_binaries[0].platform, 5);
  EXPECT_EQ(again->routines[0].gen_binaries[0].code.size(), 48u);
}

}  // namespace
}  // namespace vitro::visa
