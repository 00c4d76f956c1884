// Labels of code blocks and branches without targets (PG-03; section 9.2.6: the targets "are optional in the assembly
// syntax"). Blocks are matched as they nest; where a branch goes is a table by instruction and generation, after the
// descriptions of chapter 8 (Gen6: I-if .. I-halt) and of the Gen8 volume. `do` marks where a loop starts. A branch
// with written targets goes where they say and needs no match.
// Not modelled: `case`, and branches with BranchCtrl (.b), whose targets are joins; both need their targets written.
#include <fmt/format.h>

#include <cctype>
#include <map>

#include "isa/operand_text.h"
#include "isa/pragmas_rewrite.h"

namespace vitro::isa {
namespace {

constexpr Generations G6{uint8_t(Generation::gen6)};
constexpr Generations G89{uint8_t(Generation::gen8) | uint8_t(Generation::gen9)};
constexpr Generations G689{uint8_t(G6.bits | G89.bits)};

enum class Goes {
  nowhere,       // no such target
  else_body,     // after the matching else, or to the endif
  endif,         // to the matching endif
  outer_end,     // to the end of the block around it, or on
  block_end,     // to the end of the innermost block
  loop_start,    //
  loop_end,      // to the while
  after_loop,    //
  program_end,   // after the last instruction of the code block
  last_halt,     // where halted channels wait: the last halt outside all blocks, which itself goes on
  end_or_other,  // to the end of the innermost block, or where the other target goes
};
struct TargetRule {
  Op op;
  Generations generations;
  Goes jip, uip;
};
constexpr TargetRule target_rules[] = {
    {Op::if_, G6, Goes::else_body, Goes::nowhere},        {Op::if_, G89, Goes::else_body, Goes::endif},
    {Op::else_, G6, Goes::endif, Goes::nowhere},          {Op::else_, G89, Goes::endif, Goes::endif},
    {Op::endif, G689, Goes::outer_end, Goes::nowhere},    {Op::while_, G689, Goes::loop_start, Goes::nowhere},
    {Op::break_, G6, Goes::block_end, Goes::after_loop},  {Op::break_, G89, Goes::block_end, Goes::loop_end},
    {Op::cont, G689, Goes::block_end, Goes::loop_end},    {Op::halt, G6, Goes::end_or_other, Goes::program_end},
    {Op::halt, G89, Goes::end_or_other, Goes::last_halt},
};

constexpr size_t none = size_t(-1);

class Block {
 public:
  Block(const Model& m, std::span<StatementText*> s, LabelPool& pool, Diagnostics& diagnostics)
      : m_(m), s_(s), pool_(pool), diagnostics_(diagnostics), flow_(s.size()) {}

  // Before labels are renamed: where loops start may be a label.
  void match() {
    std::map<std::string_view, size_t> label_at;
    for (size_t n = 0; n < s_.size(); ++n)
      for (const TracedText& l : s_[n]->labels) label_at.emplace(l.text(), n);
    std::vector<size_t> open;  // if and do
    for (size_t n = 0; n < s_.size(); ++n) {
      const bool in_if = !open.empty() && is(open.back(), Op::if_);
      if (is(n, Op::if_) || s_[n]->kind == StatementText::Kind::loop) {
        open.push_back(n);
      } else if (is(n, Op::else_) && in_if && flow_[open.back()].other == none) {
        flow_[n].opener = open.back();
        flow_[open.back()].other = n;
      } else if (is(n, Op::endif) && in_if) {
        const size_t i = open.back();
        open.pop_back();
        flow_[n].opener = i;
        flow_[i].endif = n;
        if (flow_[i].other != none) flow_[flow_[i].other].endif = n;
      } else if (is(n, Op::halt) && open.empty() && s_[n]->predicate.empty()) {
        last_halt_ = n;
      } else if (is(n, Op::while_)) {
        const bool in_do = !open.empty() && !in_if;
        if (omits_targets(n)) {
          if (!in_do) continue;
          flow_[n].opener = open.back();
          open.pop_back();
        } else if (const auto l = label_at.find(s_[n]->operands.back().text()); l != label_at.end() && l->second <= n) {
          flow_[n].opener = l->second;
          // `do` before the label is the same loop's, if no instruction is between them
          if (in_do && !instruction_between(open.back(), l->second)) open.pop_back();
        }
      }
    }
    for (size_t n : open)
      if (s_[n]->kind == StatementText::Kind::loop) error(n, "this do has no matching while");
  }

  void fill() {
    for (size_t n = 0; n < s_.size(); ++n) {
      if (s_[n]->kind != StatementText::Kind::instruction) continue;
      inherit_size(n);
      for (const TargetRule& r : target_rules)
        if (r.op == s_[n]->row->op && r.generations.contains(m_.generation) && omits_targets(n)) fill(n, r);
    }
  }

 private:
  struct Flow {
    size_t opener = none;               // of else, endif: the if; of while: where the loop starts
    size_t other = none, endif = none;  // of if: its else; of if, else: the endif
  };
  struct Target {
    size_t at = none;
    bool after = false;
  };

  bool is(size_t n, Op op) const { return s_[n]->row && s_[n]->row->op == op; }
  bool instruction_between(size_t begin, size_t end) const {
    for (size_t n = begin + 1; n < end; ++n)
      if (s_[n]->row) return true;
    return false;
  }
  bool omits_targets(size_t n) const {
    const StatementText& s = *s_[n];
    if (s.row->format == Format::branch_compare && !s.condition.empty()) return s.operands.size() <= 2;
    return s.operands.empty();
  }
  void error(size_t n, std::string message) {
    const Origin o = (s_[n]->mnemonic.empty() ? s_[n]->raw : s_[n]->mnemonic).span();
    diagnostics_.push_back({Diagnostic::Severity::error, s_[n]->line, o.column, o.length, std::move(message), {}});
  }

  void inherit_size(size_t n) {
    StatementText& s = *s_[n];
    if (!s.exec_size.empty() || (!is(n, Op::else_) && !is(n, Op::endif))) return;
    s.exec_size = s.size_default;
    if (flow_[n].opener != none && !s_[flow_[n].opener]->exec_size.empty())
      s.exec_size = TracedText(s_[flow_[n].opener]->exec_size.text(), s.mnemonic.span());
  }

  bool is_end_of_loop_around(size_t w, size_t n) const {
    return is(w, Op::while_) && flow_[w].opener != none && flow_[w].opener <= n;
  }
  size_t loop_end(size_t n) const {
    for (size_t w = n + 1; w < s_.size(); ++w)
      if (is_end_of_loop_around(w, n)) return w;
    return none;
  }
  // The else, endif or while that ends the innermost block; a halt where channels wait must not be jumped over.
  size_t block_end(size_t n, bool halts_wait) const {
    int depth = 0;
    for (size_t k = n + 1; k < s_.size(); ++k) {
      if (is(k, Op::if_)) ++depth;
      if (is(k, Op::endif) && depth-- == 0) return k;
      if (depth > 0) continue;
      if (is(k, Op::else_) || is_end_of_loop_around(k, n) || (halts_wait && k == last_halt_)) return k;
    }
    return none;
  }

  Target find(size_t n, Goes goes, const TargetRule& rule) {
    const bool halts_wait = [&] {
      for (const TargetRule& r : target_rules)
        if (r.op == Op::halt && r.generations.contains(m_.generation)) return r.uip == Goes::last_halt;
      return false;
    }();
    const Flow& f = flow_[n];
    switch (goes) {
      case Goes::nowhere: break;
      case Goes::else_body: return f.other != none ? Target{f.other, true} : Target{f.endif, false};
      case Goes::endif: return {f.endif, false};
      case Goes::outer_end: {
        const size_t e = block_end(n, halts_wait);
        return e != none ? Target{e, false} : Target{n, true};
      }
      case Goes::block_end: return {block_end(n, halts_wait), false};
      case Goes::loop_start: return {f.opener, false};
      case Goes::loop_end: return {loop_end(n), false};
      case Goes::after_loop: return {loop_end(n), true};
      case Goes::program_end: return {s_.size() - 1, true};
      case Goes::last_halt:
        if (last_halt_ != none && n <= last_halt_) return {last_halt_, n == last_halt_};
        break;
      case Goes::end_or_other: {
        const size_t e = n == last_halt_ && halts_wait ? none : block_end(n, halts_wait);
        return e != none ? Target{e, false} : find(n, rule.uip, rule);
      }
    }
    return {};
  }

  void fill(size_t n, const TargetRule& r) {
    StatementText& s = *s_[n];
    if (s.mnemonic.text().ends_with(".b")) return error(n, "targets of a branch with .b are joins: expected labels");
    const Target jip = find(n, r.jip, r), uip = find(n, r.uip, r);
    const bool unmatched = (is(n, Op::else_) || is(n, Op::endif)) && flow_[n].opener == none;
    if (jip.at == none || (r.uip != Goes::nowhere && uip.at == none) || unmatched) {
      static constexpr struct {
        Op op;
        std::string_view missing;
      } reasons[] = {
          {Op::if_, "endif"},
          {Op::else_, "if and endif"},
          {Op::endif, "if"},
          {Op::while_, "do"},
          {Op::break_, "while"},
          {Op::cont, "while"},
          {Op::halt, "halt further down, outside all blocks and without predicate"},
      };
      for (const auto& reason : reasons)
        if (reason.op == r.op)
          error(n, fmt::format("this {} has no matching {}; expected one, or labels", s.row->mnemonic, reason.missing));
      s.kind = StatementText::Kind::dropped;
      return;
    }
    put(s, jip);
    if (r.uip != Goes::nowhere) put(s, uip);
  }
  void put(StatementText& s, Target t) {
    StatementText& to = *s_[t.at];
    std::string& label = t.after ? to.label_after : to.label_before;
    if (label.empty()) label = pool_.make();
    s.operands.push_back(TracedText(label, s.mnemonic.span()));
  }

  const Model& m_;
  std::span<StatementText*> s_;
  LabelPool& pool_;
  Diagnostics& diagnostics_;
  std::vector<Flow> flow_;
  size_t last_halt_ = none;
};

// Labels are code-block scope: two blocks may use the same names, and none sees the other's.
void rename_labels(const Model& m, std::span<StatementText*> block, LabelPool& pool, Diagnostics& diagnostics) {
  auto error = [&](const StatementText& s, const TracedText& at, std::string message) {
    const Origin o = at.span();
    diagnostics.push_back({Diagnostic::Severity::error, s.line, o.column, o.length, std::move(message), {}});
  };
  std::map<std::string, std::string, std::less<>> names;
  for (StatementText* s : block) {
    std::vector<TracedText> kept;
    for (const TracedText& l : s->labels) {
      const auto [i, fresh] = names.emplace(l.text(), "");
      if (!fresh) {
        error(*s, l, fmt::format("the label {} stands at two places of this code block", l.text()));
        continue;
      }
      i->second = pool.claim(l.text());
      kept.push_back(TracedText(i->second, l.span()));
    }
    s->labels = kept;
  }
  for (StatementText* s : block) {
    if (s->kind != StatementText::Kind::instruction) continue;
    for (size_t n = 0; n < s->operands.size(); ++n) {
      TracedText& o = s->operands[n];
      const char first = o.text()[0];
      if (role_of(*s, n) != Role::target || std::isdigit(static_cast<unsigned char>(first)) || !is_word(first))
        continue;
      if (const auto i = names.find(o.text()); i != names.end()) {
        o = TracedText(i->second, o.span());
        continue;
      }
      Cursor c(o.text(), 0, o.size());
      if (at_register(c, m)) continue;
      error(*s, o, fmt::format("the label {} is not defined in this code block", o.text()));
      s->kind = StatementText::Kind::dropped;
      break;
    }
  }
}

}  // namespace

std::string LabelPool::make() {
  for (;;)
    if (std::string name = fmt::format("_{}", made++); taken.insert(name).second) return name;
}
std::string LabelPool::claim(std::string_view name) {
  std::string unique(name);
  for (int n = 2; !taken.insert(unique).second; ++n) unique = fmt::format("{}_{}", name, n);
  return unique;
}

void resolve_block(const Model& m, std::span<StatementText*> block, bool scoped, LabelPool& pool,
                   Diagnostics& diagnostics) {
  if (block.empty()) return;
  Block b(m, block, pool, diagnostics);
  b.match();
  if (scoped) rename_labels(m, block, pool, diagnostics);
  b.fill();
}

}  // namespace vitro::isa
