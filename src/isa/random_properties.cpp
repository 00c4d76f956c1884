// The round trips. Text goes through the assembler without the rules of validate.h: an instruction that breaks one
// still has an encoding.
#include "isa/random_properties.h"

#include <fmt/format.h>

#include <cstring>

#include "isa/assemble.h"
#include "isa/print.h"
#include "isa/random.h"

namespace vitro::isa {
namespace {

std::string hex(const Word128& w) { return fmt::format("{:016x}{:016x}", w.hi, w.lo); }

std::string broken_text(const Model& m, const Instruction& i, const Stored& stored) {
  const std::string text = to_text(m, i);
  const Assembly a = assemble(m, text, {.compact = CompactMode::as_written, .validate = false});
  if (!a.ok()) return fmt::format("does not parse: {}\n{}", text, render("text", text, a.diagnostics.front(), false));
  if (a.instructions.size() != 1) return fmt::format("parses as {} instructions: {}", a.instructions.size(), text);
  if (a.code.size() != size_t(stored.size) || std::memcmp(a.code.data(), stored.bytes.data(), a.code.size()) != 0)
    return fmt::format("assembles to other bytes: {}\nwhich read as:  {}", text,
                       to_text(m, a.instructions[0].instruction));
  if (a.instructions[0].instruction != i)
    return fmt::format("parses to another instruction of the same bytes: {}", text);
  return {};
}

}  // namespace

std::string broken_round_trip(const Model& m, const Instruction& i) {
  const Result<Word128> word = encode(m, i);
  if (!word) return fmt::format("does not encode: {}: {}", to_text(m, i), word.error().message);
  const Result<Instruction> back = decode(m, *word);
  if (!back) return fmt::format("does not decode: {}: {}: {}", to_text(m, i), hex(*word), back.error().message);
  if (*back != i)
    return fmt::format("decodes differently: {}\nas:                 {}", to_text(m, i), to_text(m, *back));
  const Result<Stored> stored = store(m, i);
  if (!stored) return fmt::format("cannot be stored: {}: {}", to_text(m, i), stored.error().message);
  const Result<Fetched> fetched = fetch(m, {stored->bytes.data(), size_t(stored->size)});
  if (!fetched) return fmt::format("cannot be fetched: {}: {}", to_text(m, i), fetched.error().message);
  if (fetched->instruction != i || fetched->size != stored->size)
    return fmt::format("is fetched differently: {}\nas:                {}", to_text(m, i),
                       to_text(m, fetched->instruction));
  return broken_text(m, i, *stored);
}

std::string broken_word(const Model& m, const Word128& word, bool* decodable) {
  std::array<std::byte, 16> bytes;
  std::memcpy(bytes.data(), &word, sizeof bytes);
  const Result<Fetched> fetched = fetch(m, bytes);
  if (decodable) *decodable = fetched.has_value();
  if (!fetched) return fetched.error().message.empty() ? hex(word) + ": an error without words" : std::string{};
  const Instruction& i = fetched->instruction;
  const Result<Stored> stored = store(m, i);
  if (!stored) return fmt::format("{} cannot be stored: {}: {}", hex(word), to_text(m, i), stored.error().message);
  if (stored->size != fetched->size) return fmt::format("{} changes its size: {}", hex(word), to_text(m, i));
  // Two table entries may expand alike: a compact instruction keeps its meaning, a native one its bits.
  const Result<Fetched> again = fetch(m, {stored->bytes.data(), size_t(stored->size)});
  if (!again || again->instruction != i) return fmt::format("{} changes when stored: {}", hex(word), to_text(m, i));
  if (stored->size == 16 && stored->bytes != bytes)
    return fmt::format("{} is stored as other bits: {}", hex(word), to_text(m, i));
  return broken_text(m, i, *stored);
}

Word128 random_word(const Model& m, Rng& rng) {
  if (rng.one_in(4)) return {rng(), rng()};
  Word128 w = encode(m, random_instruction(m, rng)).value_or(Word128{});
  for (uint32_t n = rng.below(6); n > 0; --n) {
    const auto bit = uint8_t(rng.below(128));
    w ^= mask(Bits{bit, bit});
  }
  return w;
}

}  // namespace vitro::isa
