// Machine code in memory, and a thread that runs as it. PRM: none.
#include "eu/compiled.h"

#include "code/image.h"
#include "code/pages.h"
#include "eu/compiled_call.h"

namespace vitro::eu {
namespace {

class Native : public Compiled {
 public:
  Native(const Program& program, const code::Image& image, const CodeFacts& facts)
      : pages_(image.code),
        tandem_{.program = program,
                .code = reinterpret_cast<Code>(reinterpret_cast<uintptr_t>(pages_.at()) + image.start),
                .entries = std::vector<bool>(program.size() / 8 + 1),
                .modes = std::vector<Mode>(program.size() / 8 + 1),
                .mode_mask = facts.mode_mask,
                .host_flushes = facts.host_flushes,
                .labels = facts.labels,
                .sites = facts.sites},
        needed_((std::bitset<grf_count>(facts.needed[1]) << 64) | std::bitset<grf_count>(facts.needed[0])),
        counts_(facts.counts),
        start_(image.start),
        function_bytes_(image.function_bytes),
        shared_(image.shared),
        code_bytes_(uint32_t(image.code.size())) {
    for (const auto& [ip, mode] : facts.entries) {
      tandem_.entries[ip / 8] = true;
      tandem_.modes[ip / 8] = mode;
    }
    counts_.code_bytes = pages_.bytes();
  }

  bool loaded() const { return pages_.at() != nullptr; }
  Status run(Executor& x, uint64_t budget) const override { return tandem_.run(x, budget); }
  const CodeCounts& counts() const override { return counts_; }
  std::span<const std::byte> code() const override { return {pages_.at() + start_, function_bytes_}; }
  std::span<const std::byte> shared_code() const override { return {pages_.at() + shared_, code_bytes_ - shared_}; }
  std::span<const uint32_t> sites() const override { return tandem_.sites; }
  std::bitset<grf_count> needed() const override { return needed_; }

 private:
  code::Pages pages_;
  Tandem tandem_;
  std::bitset<grf_count> needed_;
  CodeCounts counts_;
  uint32_t start_, function_bytes_, shared_, code_bytes_;
};

// Whether it can be of this program.
bool fits(const CodeFacts& facts, const Program& program) {
  for (const CodeFacts::Entry& e : facts.entries)
    if (!program.at(e.ip)) return false;
  for (const uint32_t n : facts.sites)
    if (n >= program.plans().size() || !program.plans()[n].message.row) return false;
  return size_t(facts.counts.instructions) == program.plans().size();
}

}  // namespace

std::shared_ptr<const Compiled> load(const Program& program, std::span<const std::byte> bytes) {
  const std::optional<code::Image> image = code::to_image(bytes);
  const std::optional<CodeFacts> facts = image ? to_facts(image->facts) : std::nullopt;
  if (!facts || !fits(*facts, program)) return nullptr;
  auto native = std::make_shared<Native>(program, *image, *facts);
  return native->loaded() ? native : nullptr;
}

}  // namespace vitro::eu
