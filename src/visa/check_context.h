// What the checker's rules look at: the facts of a routine and of one instruction, computed once, so that a rule is a
// line or two. Private to check*.cpp. Document: vISA "Operands".
#pragma once

#include <array>

#include "visa/check.h"
#include "visa/names.h"

namespace vitro::visa {

// Facts of an instruction that decide which rules need to be asked.
enum Fact : uint32_t {
  f_computes = 1 << 0,    // vector operands with regions
  f_execution = 1 << 1,   // has an execution size
  f_predicated = 1 << 2,  // has a predicate
  f_general = 1 << 3,     // a general operand
  f_indirect = 1 << 4,    // ... and so on
  f_region = 1 << 5,      // general or indirect
  f_immediate = 1 << 6,
  f_address = 1 << 7,
  f_flag = 1 << 8,  // a predicate as operand
  f_address_of = 1 << 9,
  f_raw = 1 << 10,
  f_surface = 1 << 11,
  f_typed = 1 << 12,  // an operand whose types the row knows
  f_modifier = 1 << 13,
  f_saturate = 1 << 14,
  f_written = 1 << 15,  // a general or raw destination
};

// A variable, predefined or declared, and where it lies in the one it is an alias of in the end.
struct VariableFacts {
  Type type = Type::ud;
  uint32_t bytes = 0;  // of all elements
  uint32_t root = 0, root_bytes = 0, root_offset = 0;
};

struct RoutineContext {
  const Object& object;
  const Routine& routine;
  uint8_t device;
  uint32_t simd_size;                      // 0: not said
  std::vector<VariableFacts> variables{};  // by id

  const VariableFacts& variable(uint32_t id) const { return variables[id]; }
  std::string name(uint32_t id) const;
  std::string predicate_name(uint32_t id) const;
  uint32_t predicate_elements(uint32_t id) const { return routine.predicates[id - first_predicate].elements; }
};

struct OperandFacts {
  const Field* field;
  const Operand* operand;
  Type type = Type::ud;
  uint32_t bytes = 0;            // of an element
  uint32_t first = 0, last = 0;  // general: bytes of the variable, of the first and the last element
  bool is(OperandClass c) const { return operand->kind == c; }
};

struct CheckContext {
  const RoutineContext& of;
  const Instruction& instruction;
  const Row& row;
  const Operand* all;
  std::span<const OperandFacts> operands;  // vector and raw ones
  uint32_t facts = 0;
  uint32_t size = 1;  // execution size

  const Operand* field(std::string_view name) const;  // by its name in the table
  uint64_t value(std::string_view name) const;
};

class Report {
 public:
  Report(std::vector<Finding>& to, uint32_t routine, bool text) : to_(to), routine_(routine), text_(text) {}
  // The rule that is being asked, and the instruction.
  void ask(const Rule& r) { rule_ = &r; }
  void look_at(const Instruction& i) { instruction_ = &i; }
  void operator()(std::string message) const;  // the instruction as a whole
  void operator()(const OperandFacts& o, std::string message) const { (*this)(*o.operand, std::move(message)); }
  void operator()(const Operand&, std::string message) const;
  void operator()(Place, std::string message) const;

 private:
  std::vector<Finding>& to_;
  const uint32_t routine_;
  const bool text_;
  const Rule* rule_ = nullptr;
  const Instruction* instruction_ = nullptr;
};

std::string type_list(Types);
bool is_integer(Type);  // of an element; V and UV are

// Tables by topic.
std::span<const Rule> region_rules();
std::span<const Rule> type_rules();
std::span<const Rule> execution_rules();
std::span<const Rule> message_rules();
std::span<const Rule> declaration_rules();

}  // namespace vitro::visa
