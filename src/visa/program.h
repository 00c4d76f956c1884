// A vISA object made ready to run: variables have their places, regions are offsets, immediates are expanded, what an
// instruction computes are steps of the EU, and messages are lowered to descriptor and payload. Made once; threads
// (machine.h) then decode nothing. Nothing is legalised and no register is allocated: what is written is what runs.
// Documents: vISA "Operands" (regions, indirect operands, predication) and the instruction pages.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "eu/plan.h"
#include "isa/model.h"
#include "visa/lower_messages.h"
#include "visa/meaning.h"
#include "visa/object.h"
#include "visa/row.h"
#include "visa/storage.h"

namespace vitro::visa {

class Machine;
struct Operation;

inline constexpr uint32_t max_lanes = 32;

// Where elements of an operand come from or go to.
enum class Access : uint8_t {
  none,       // null, or not there
  variable,   // bytes of a variable
  constant,   // an immediate
  given,      // an immediate that stands in the step itself
  indirect,   // by an address variable
  predicate,  //
  address,    // elements of an address variable
  state,      // of a surface or sampler variable
  address_of  // a variable, as its address
};

// A predefined variable that shows an architecture register, by its bit here.
enum Register : uint8_t {
  register_time = 1,
  register_state = 2,
  register_control = 4,
  register_channels = 8,
  register_debug = 16
};

struct OperandPlan {
  Access access = Access::none;
  isa::Type type = isa::Type::ud;
  uint8_t size = 4;         // bytes of an element
  bool shared = false;      // of a predefined variable
  bool contiguous = false;  // elements in a row
  bool scalar = false;      // one for all
  uint8_t elements = 1;     // in a row, if more are fetched than lanes: of planes
  uint8_t registers = 0;    // Register
  uint16_t slot = 0;        // bytes in the register file, where a step finds it
  uint16_t id = 0;          // of an address, predicate, surface or sampler variable
  uint16_t first = 0;       // element of it
  uint16_t replicated = 0;  // elements of an address operand, of which the lanes take turns
  bool sampler = false;
  bool any_value = false;  // what it reads does not matter
  bool per_row = false;    // indirect: an address for each row
  uint8_t width = 1;
  int16_t offset = 0;     // indirect: added to the address
  uint32_t at = 0;        // bytes of the first element
  uint32_t lanes_at = 0;  // Program::offsets: of each lane, from the base or from the address on
  uint32_t outside = 0;   // lanes whose element is no part of the variable
  uint32_t root = 0, variable = 0;
  uint64_t constant = 0;
  const Operand* operand = nullptr;
};

struct PredicatePlan {
  uint16_t id = 0;  // 0: none
  uint8_t combine = 0;
  bool inverse = false;
  uint8_t elements = 32;
};

using Run = void (*)(Machine&, const Operation&);

struct Operation {
  Run run = nullptr;
  const Instruction* instruction = nullptr;
  uint8_t lanes = 1, channel = 0;
  bool no_mask = false, wakes = false, selects = false;
  uint8_t sources = 0, steps = 0;
  uint32_t lane_mask = 1;
  uint32_t first_step = 0;  // plan of Program::steps
  uint32_t target = 0;      // operation, routine or register, as the instruction has it
  uint32_t message = 0;     // of Program::messages
  PredicatePlan predicate{};
  OperandPlan src[4];
  OperandPlan dst, second;
};

// An operation that cannot be run, and why.
struct Refusal {
  uint32_t line = 0;
  std::string what{};
};

struct RoutineCode {
  const Routine* routine = nullptr;
  Storage storage;
  std::vector<Operation> operations{};
  std::vector<uint32_t> index_of{};  // operation of each instruction
  explicit RoutineCode(const Routine& r) : routine(&r), storage(r) {}
};

// What is not in the object and not in the isa's model.
struct ProgramFacts {
  uint32_t coordinate_mask = 0x7FF;  // of r0.1 in %thread_x and %thread_y
  uint32_t fftid_mask = 0x1FF;       // of r0.5 in %hw_id
};

class Program {
 public:
  // The object must live as long as this. The kernel is chosen by its place in the object.
  Program(const isa::Model& model, const Object& object, uint32_t kernel, const ProgramFacts& facts = {});
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const isa::Model& model() const { return *model_; }
  const Object& object() const { return *object_; }
  const ProgramFacts& facts() const { return facts_; }
  const std::deque<RoutineCode>& routines() const { return routines_; }
  const RoutineCode& kernel() const { return routines_[kernel_]; }
  std::string_view name() const { return kernel().routine->text(kernel().routine->name); }
  const eu::Program& steps() const { return *steps_; }
  const uint32_t* offsets(uint32_t at) const { return offsets_.data() + at; }
  const std::vector<LoweredMessage>& messages() const { return messages_; }
  const std::vector<Refusal>& refusals() const { return refusals_; }
  const Refusal* refusal_of(const Instruction&) const;
  // The routine of a name; -1: it is not in the object.
  int routine_named(std::string_view name) const;
  // Symbols whose addresses are taken, in the order of their instructions, but for routines of the object.
  std::vector<std::string_view> symbols() const;

 private:
  friend class ProgramMaker;
  const isa::Model* model_;
  const Object* object_;
  ProgramFacts facts_;
  uint32_t kernel_ = 0;
  std::deque<RoutineCode> routines_{};
  std::unique_ptr<eu::Program> steps_{};
  std::vector<uint32_t> offsets_{};
  std::vector<LoweredMessage> messages_{};
  std::vector<Refusal> refusals_{};
};

}  // namespace vitro::visa
