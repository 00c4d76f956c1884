// Which registers a program takes for the numbers of its threads' work items. They are words, one for each channel, of
// the first dimension, then of the others; in most groups those of the first count up and the others stay the same
// through a register, and then there is quicker code (progressions.h). A guess is enough: code compares.
// PRM: none; Intel's OpenCL driver lays payloads out so.
#include "eu/executor.h"
#include "jit/analysis.h"

namespace vitro::jit {
namespace {

// Whether all of an instruction's elements in a register are words in a row, one for each channel.
bool reads_words(const Plan& p, size_t r) {
  for (int n = 0; n < p.sources; ++n) {
    const SourcePlan& s = p.src[n];
    if (s.kind == SourcePlan::Kind::indirect) return false;
    if (s.kind != SourcePlan::Kind::grf) continue;
    for (int l = 0; l < p.lanes; ++l) {
      if (s.offset[size_t(l)] / reg_bytes != int(r)) continue;
      if (s.type != isa::Type::uw && s.type != isa::Type::w) return false;
      if (p.lanes < 8 || s.offset[size_t(l)] != s.offset[0] + 2 * l) return false;
    }
  }
  return true;
}

}  // namespace

OwnWords find_own_words(const Program& program, const Analysis& analysis) {
  Registers words = analysis.lowered[0].live, changed;
  for (size_t n = 0; n < analysis.lowered.size(); ++n) {
    const Lowered& s = analysis.lowered[n];
    for (size_t r = 0; r < words.size(); ++r)
      if (words[r] && !changed[r] && s.reads[r] &&
          (s.lowering != Lowering::emitted || !reads_words(program.plans()[n], r) || s.writes[r]))
        words[r] = false;
    changed |= s.writes;
  }
  OwnWords own;
  const size_t first_dimension = analysis.all_channels > 0xFFFF ? 2 : 1;
  for (size_t r = 1; r < ThreadChain::most_payload; ++r)
    if (words[r]) (r <= first_dimension ? own.counting : own.uniform) |= uint64_t(1) << r;
  return own;
}

}  // namespace vitro::jit
