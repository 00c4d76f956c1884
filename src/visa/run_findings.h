// What a run of vISA shows that the documents call undefined, and what no compiler's output should do: told once for
// each place. Documents: vISA "Operands" (elements outside a variable, addresses), "Header" (variables begin without a
// value).
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

namespace vitro::visa {

enum class FindingKind : uint8_t {
  outside,     // an element is no part of its variable
  misaligned,  // an address is not a multiple of the element's size
  strays,      // an access through an address leaves the variable
  unwritten,   // an element was never written
};
constexpr std::string_view text_of(FindingKind k) {
  constexpr std::string_view texts[] = {
      "an element outside the variable", "an address that is not aligned to the element",
      "an access that leaves the variable its address is of", "an element that was never written"};
  return texts[size_t(k)];
}

struct RunFinding {
  FindingKind kind = FindingKind::outside;
  std::string kernel{}, variable{};
  uint32_t line = 0;
  uint64_t group = 0;
  unsigned thread = 0, channel = 0;
};
std::string to_text(const RunFinding&);

// Of all threads; several host threads may tell at a time.
class RunFindings {
 public:
  using Tell = std::function<void(const RunFinding&)>;
  explicit RunFindings(Tell tell) : tell_(std::move(tell)) {}
  void add(const RunFinding& f) {
    const std::lock_guard guard(lock_);
    if (told_.emplace(f.kernel, f.line, f.kind, f.variable).second) tell_(f);
  }
  size_t count() const {
    const std::lock_guard guard(lock_);
    return told_.size();
  }

 private:
  mutable std::mutex lock_;
  Tell tell_;
  std::set<std::tuple<std::string, uint32_t, FindingKind, std::string>> told_{};
};

}  // namespace vitro::visa
