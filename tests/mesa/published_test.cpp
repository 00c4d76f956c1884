// Instructions that Mesa's shader compilers are published to emit (the assembler's tests in Mesa 22.3, Gen6, Gen8 and
// Gen9) and that break a rule of the documents: each decodes, breaks no more than advice, and says by whom.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>

#include "gen/models.h"
#include "isa/print.h"
#include "isa/validate.h"

namespace vitro::mesa {
namespace {

struct Published {
  std::string_view device, bytes, advice;
};

constexpr Published published[] = {
    {"snb", "43 01 60 80 be 03 8f 20 64 00 6e 00 00 00 00 00", "OP-SAT.frc"},
    {"snb", "08 00 00 00 85 1c 60 20 00 0e 00 00 0c 00 00 00", "I-shr"},
    {"snb", "01 00 60 02 bd 03 80 20 40 60 00 00 00 00 00 00", "I-mov.cond"},
    {"snb", "01 01 60 02 a4 00 01 20 20 00 00 00 00 00 00 00", "I-mov.cond"},
    {"snb", "49 01 60 10 a4 1c 0f 20 20 00 60 00 2c 2c 2c 2c", "ARF-acc.implicit"},
    {"bdw", "19 00 60 00 08 0a 80 22 60 02 8d 0a 40 02 8d 00", "OP-TYPES.sign"},
    {"kbl", "19 00 60 00 08 0a 80 22 60 02 8d 0a 40 02 8d 00", "OP-TYPES.sign"},
    {"kbl", "05 00 60 00 08 43 80 21 20 01 69 42 60 01 69 00", "R9.5"},
    {"kbl", "32 00 60 02 40 02 00 20 80 0f 8d 06 01 a0 0b 88", "I-send.sampler"},  // ld_lz
    {"kbl", "32 00 60 02 40 02 00 20 a0 0f 8d 00 00 02 00 80", "I-send.sampler"},  // the descriptor is in a0
    {"kbl", "32 00 80 02 40 02 00 20 60 0f 8d 06 01 30 0c 8a", "I-send.sampler"},  // sample_c
    {"apl", "32 00 60 02 40 02 00 20 a0 0f 8d 06 01 80 0b 86", "I-send.sampler"},  // sample_lz
};

TEST(Published, BreaksAdviceAtMost) {
  for (const Published& p : published) {
    SCOPED_TRACE(std::string(p.device) + ": " + std::string(p.bytes));
    std::array<std::byte, 16> bytes{};
    std::istringstream text{std::string(p.bytes)};
    unsigned value = 0;
    for (size_t n = 0; text >> std::hex >> value; ++n) bytes.at(n) = std::byte(value);
    const isa::Model& model = gen::find_device(p.device)->model();
    const Result<isa::Fetched> f = isa::fetch(model, bytes);
    ASSERT_TRUE(f) << f.error().message;
    const std::vector<isa::Violation> found = isa::validate(model, f->instruction);
    for (const isa::Violation& v : found) EXPECT_FALSE(is_error(v)) << v.rule->id << ": " << v.rule->statement;
    EXPECT_TRUE(std::any_of(found.begin(), found.end(), [&](const isa::Violation& v) {
      return v.rule->id == p.advice;
    })) << isa::to_text(model, f->instruction);
  }
}

}  // namespace
}  // namespace vitro::mesa
