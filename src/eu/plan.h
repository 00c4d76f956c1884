// An instruction made ready to run: regions turned into byte offsets, immediates expanded, the handler chosen. Made
// once per program; the interpreter then does no decoding.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "eu/num.h"
#include "eu/thread.h"
#include "isa/message_tables.h"
#include "isa/model.h"

namespace vitro::eu {

struct Executor;

// The type a lane is computed in. Integers up to 32 bits are computed in 64, so that sums, products and their signs are
// exact; 64-bit ones, and saturating products, in 128. Halves are computed in doubles: then rounding twice is harmless.
enum class Compute : uint8_t { i64, i128, f32, f64 };

struct SourcePlan {
  enum class Kind : uint8_t { grf, mrf, arf, accumulator, indirect, immediate } kind = Kind::grf;
  isa::Type type = isa::Type::ud;
  bool abs = false, negate = false, complement = false;
  bool contiguous = false, scalar = false;
  std::array<uint16_t, max_channels> offset{};  // bytes from the register file's (or ARF's) start, per channel
  const isa::Operand* operand = nullptr;        //
  std::array<uint64_t, 8> imm{};                // elements of an immediate, repeated
  uint8_t imm_count = 1;
};

struct DestinationPlan {
  enum class Kind : uint8_t { grf, mrf, arf, accumulator, indirect, null } kind = Kind::grf;
  isa::Type type = isa::Type::ud;
  bool contiguous = false;
  uint32_t channel_enable = ~0u;  // Align16 write mask, repeated every four channels
  std::array<uint16_t, max_channels> offset{};
};

// The common shape of an instruction (rows.h): eights of floats or dwords that stand in a row, or one element for all
// channels, to such a row. All that running it needs stands here, at the front of the plan.
struct RowSource {
  uint16_t offset = 0;            // of the first element in the register file
  bool same = false;              // one element for all channels
  bool given = false;             // an immediate: `value`
  bool modified = false;          // an integer with modifiers
  uint32_t keep = ~0u, flip = 0;  // modifiers of a float: the bits that stay, then those that turn over
  uint32_t sign = 0;              // of a signed integer: its sign bit
  int64_t value = 0;
};
struct RowPlan {
  bool possible = false;
  bool nowhere = false;  // null destination
  bool saturate = false;
  bool writes_condition = false;
  uint16_t dst = 0;
  float least = 0;              // magnitudes below this are flushed...
  uint32_t keep_denormals = 0;  // ...unless one of these bits of cr0.0 is set
  RowSource src[3];
};

// A thread that passes over more illegal opcodes in a row than this has run past its program's end: 4 KiB of zeros.
// Between the pieces of kernels that drivers link stand up to 128 bytes.
inline constexpr uint32_t most_illegal_in_a_row = 256;

struct alignas(64) Plan {
  void (*run)(Executor&, const Plan&) = nullptr;
  uint32_t ip = 0, next_ip = 0;
  int lanes = 1;
  int channel = 0;  // first channel
  uint32_t lane_mask = 1;
  int sources = 0;
  Compute compute = Compute::i64;
  bool wakes = false;        // channels may be parked here
  bool two_flags = false;    // the generation has f1
  bool raw = false;          // moves bits as they are
  uint8_t illegal_code = 0;  // of an illegal opcode: the byte that stands there
  // What it asks of the host's modes: nothing; none but the plain ones, as messages whose functions compute floats;
  // rounding as cr0.0 says; that, and denormals flushed if Program::host_flushes().
  enum class Floats : uint8_t { none, plain, rounded, flushed } floats = Floats::none;
  // A predicate that is just the flag's bits from a place on, or turned over; others are worked out each time.
  enum class Predicate : uint8_t { none, plain, other } predicate = Predicate::none;
  uint8_t flag_reg = 0, flag_shift = 0;
  isa::CondModifier condition = isa::CondModifier::none;
  uint8_t asked = 0;  // relations that it asks for (conditions.h)
  uint32_t flag_flip = 0;
  uint32_t no_mask = 0;  // all ones: channels run whether they are active or not
  RowPlan rows;

  const isa::OpcodeRow* row = nullptr;
  isa::Instruction instruction;
  SourcePlan src[3];
  DestinationPlan dst;
  std::optional<uint32_t> park_ip{};  // where a branch leaves channels waiting
  // Of a message whose descriptors are immediate: what they say.
  isa::DecodedMessage message{};
  bool knows_message() const { return !instruction.desc.in_register && !instruction.ex_desc.in_register; }
  std::string fault;  // not empty: why this instruction cannot run
};

// A program ready to run. Places without an instruction (and reserved encodings) are plans that fault.
class Program {
 public:
  Program(const isa::Model& model, std::span<const std::byte> code);
  // Of instructions as they are, one every 16 bytes. They may be more than an encoding has words for: only their
  // meaning counts.
  Program(const isa::Model& model, std::span<const isa::Instruction> instructions);

  const isa::Model& model() const { return *model_; }
  uint32_t size() const { return size_; }
  // nullptr: no instruction starts here
  const Plan* at(uint32_t ip) const {
    return ip / 8 < index_.size() && ip % 8 == 0 && index_[ip / 8] >= 0 ? &plans_[size_t(index_[ip / 8])] : nullptr;
  }
  std::span<const Plan> plans() const { return plans_; }
  std::string text_at(uint32_t ip) const;  // the instruction's; empty: there is none
  // Denormals are flushed by the host itself while cr0.0 keeps those of no type, float or double, that the program
  // computes with: the host has one mode for both. It flushes too early where doubles become floats: those that round
  // up to the least normal number stay.
  bool host_flushes(uint32_t cr) const { return computes_floats_ && !narrows_doubles_ && !(cr & keeping_); }
  uint32_t keeping() const { return keeping_; }  // the bits of cr0.0 that decide it

 private:
  void make_plans();
  void find_wake_points();
  void plan_floats(Plan&);

  const isa::Model* model_;
  uint32_t size_, keeping_ = 0;
  bool computes_floats_ = false, narrows_doubles_ = false;
  std::vector<Plan> plans_;
  std::vector<int32_t> index_;
};

}  // namespace vitro::eu
