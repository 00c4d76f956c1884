// How a device chooses between interpreter and machine code, and what came of it. Apart from tier.h, so that those who
// only say what they want need not know what a program is. PRM: none.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace vitro::dispatch {

enum class Tiering : uint8_t {
  off,        // everything is interpreted
  on,         // every kernel is compiled before its first thread runs
  automatic,  // kernels that run long enough are compiled in the background
};
// "off", "on" or "auto"; nothing: neither.
std::optional<Tiering> parse_tiering(std::string_view text);
#if VITRO_JIT
inline constexpr Tiering default_tiering = Tiering::automatic;
#else
inline constexpr Tiering default_tiering = Tiering::off;
#endif

// When a kernel that is compiled is compiled again, with the routines in it that its messages lead to.
enum class Fusing : uint8_t {
  never,
  automatic,  // in the background, once it was used for long
  at_once,    // before it is used at all, as far as that is known; for tests
};

struct TierOptions {
  Tiering tiering = Tiering::off;
  // A kernel is compiled when it can be expected to be interpreted for so many times what compiling it takes
  // (tier_account.h): once for the compiler, and twice because host threads go on interpreting meanwhile. Before it has
  // run for `look_after` instructions nothing is expected; then kept code is looked for, which takes 0.1 ms,
  // and that is some 0.5 ms.
  double patience = 3;
  uint64_t look_after = 10'000;
  Fusing fusing = Fusing::automatic;
  // Compiling a kernel is given up after so long, and for each of its instructions so much more. What takes 0.3 ms on a
  // free processor may take far longer on a busy one; what comes late is used all the same.
  uint64_t allowed_ms = 10'000, allowed_ms_each = 20;
  std::string device{};  // what the code is for; without a name nothing is compiled
  std::string store{};   // the folder where code is kept; empty: nowhere
  std::string dump{};    // the folder for EU, intermediate and machine code as text; empty: none
  std::function<void(std::string_view)> report{};  // gets a line for people when code cannot be kept
  bool tell_perf = false, tell_gdb = false;
  bool counts_messages = true;  // code counts those that it carries out, for Wanted::messages
  bool exact_nans = false;      // as in code::Order; for comparing tiers
};

// What became of kernels so far. Instructions and time are those of kernels that were compiled here.
struct TierCounts {
  uint64_t compiled = 0, loaded = 0, failed = 0;  // kernels
  uint64_t given_up = 0;                          // kernels that the compiler has not come to an end with
  uint64_t fused = 0, fused_loaded = 0;           // kernels, once for each set of routines in them
  uint64_t native = 0, called = 0, left = 0;      // instructions
  uint64_t code_bytes = 0;
  double milliseconds = 0;
};

}  // namespace vitro::dispatch
