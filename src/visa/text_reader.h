// What the parts of the text reader share: the routine that is being read and the names it knows. Statements and
// directives are in read_text.cpp, instructions and their operands in read_operands.cpp and read_items.cpp.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "visa/read_text.h"
#include "visa/row.h"
#include "visa/text_cursor.h"

namespace vitro::visa {

// What a name stands for.
struct Entity {
  enum class Kind : uint8_t { variable, address, predicate, sampler, surface };
  Kind kind;
  uint32_t id;
};
std::string_view kind_name(Entity::Kind);

class TextReader {
 public:
  TextReader(std::string_view text, TextResult& result);
  void read();

 private:
  // read_text.cpp
  void statement();
  void directive();
  void declaration();
  void begin_routine(bool kernel);
  void end_routine();
  void input(std::string_view directive);
  void kernel_attribute();
  void function();
  void label(std::string_view name, size_t at);
  Attribute attribute(bool of_variables, bool closing);
  Attributes attributes();
  uint8_t alignment();
  void key(std::string_view word);
  bool take_key(std::string_view word);
  void declare(std::string_view name, size_t at, Entity);
  void error(const TextError&);
  void error_at(Place, std::string message);
  Routine& routine();
  Place place(size_t at, size_t length) const;
  uint32_t string(std::string_view);
  uint32_t label_id(std::string_view name, LabelKind, size_t at);
  int64_t size_of(std::string_view name, size_t at);
  const Entity* find(std::string_view name) const;
  void end_of_line();

  // read_operands.cpp, and read_items.cpp for item()
  void instruction();
  void predicate(Instruction&, const Row&, size_t at);
  void item(Instruction&, const Row&, const TextItem&, bool& saturate);
  void field(Instruction&, const Field&);
  void execution(Instruction&);
  uint32_t mask_and_size(uint8_t& mask);
  Operand vector_operand(const Field&, const Row&);
  Operand named_operand(Modifier, const Field&, size_t at, std::string_view name);
  Operand indirect_operand(Modifier, const Field&);
  Operand address_of();
  Operand immediate();
  Operand raw_operand();
  Operand state_operand(Entity::Kind);
  Region destination_region();
  Region source_region(bool indirect);
  Type type();
  Modifier modifier();
  uint64_t named_code(std::span<const std::string_view> names, std::string_view what);
  uint64_t counted_code(std::span<const uint8_t> values, std::string_view what);
  uint64_t channels();
  void labels(Instruction&);
  void take_class(const Operand&, const Field&, const Row&, size_t at);
  Operand& slot(const Instruction&, const Field&);
  uint64_t bounded(int64_t v, uint64_t limit, std::string_view what, size_t at);

  struct Scope {
    std::vector<std::pair<std::string_view, std::optional<Entity>>> hidden{};
    Place place{};
  };
  struct LabelState {
    uint32_t id;
    bool defined = false, used = false;
    Place first_use{};
  };

  TextCursor in_;
  TextResult& result_;
  std::unordered_map<std::string_view, Entity> names_{};
  std::unordered_map<std::string, uint32_t> strings_{};
  std::unordered_map<std::string, LabelState> labels_{};
  std::vector<Scope> scopes_{};
  TextCursor::SizeOf size_of_;
  bool versioned_ = false, in_routine_ = false;
};

}  // namespace vitro::visa
