// The checker of vISA programs: which rules of the documents an object breaks, each with its id. A rule is a row of a
// table with a verdict: an error; something the documents leave undefined; something that the documents and Intel's
// tools read differently. What derives from an instruction is asked of its row (row.h). Rules that the readers enforce,
// because an object cannot even say what breaks them, stand in the table too, without a check. Documents: "Operands",
// "Header" and the instruction pages. Not modelled: what depends on values, such as addresses and indices.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "visa/object.h"
#include "visa/row.h"

namespace vitro::visa {

struct CheckContext;
struct RoutineContext;
class Report;

enum class Verdict : uint8_t { error, undefined, differs };
inline constexpr std::string_view verdict_names[] = {"error", "undefined", "readings differ"};

struct Rule {
  std::string_view id;
  Verdict verdict;
  std::string_view statement;
  uint32_t needs = 0;  // facts (check_context.h) an instruction must have for the check to be made at all
  void (*instruction)(const CheckContext&, Report&) = nullptr;
  void (*routine)(const RoutineContext&, Report&) = nullptr;
  bool by_readers() const { return !instruction && !routine; }
};

// Every rule, by topic.
std::vector<const Rule*> rules();

struct Finding {
  const Rule* rule = nullptr;
  uint32_t routine = 0;
  Place place{};  // of a text: column 0 means the whole instruction; of an object: the byte offset
  std::string message{};
};

// All that is found, in the order of the program; `device` is a bit of row.h.
std::vector<Finding> check(const Object&, uint8_t device);

}  // namespace vitro::visa
