// Random structured programs against a model that runs one channel at a time: what a channel computes may not depend on
// the others. Nested if, else, loops, break, cont and halt on every generation, in the conventions of its compilers:
// Gen6 with break past the while and compares inside if and while; Gen8 and Gen9 with if .. endif as well as with goto
// and join. Predicates are fresh, left over from before, or absent.
#include <fmt/format.h>

#include <random>

#include "eu/bench_test.h"

namespace vitro::eu {
namespace {

constexpr int variables = 4;
constexpr int first_variable = 10, first_counter = 40;  // registers; four each, for up to 32 channels
constexpr int max_depth = 4;
constexpr const char* conditions[] = {"eq", "ne", "gt", "ge", "lt", "le"};

struct Test {
  enum Source { fresh, left_over, compare_inside, always } source = always;
  int condition = 0, a = 0, imm = 0, flag = 0;
  bool inverted = false;
};

struct Node {
  enum Kind { assign, if_, loop, break_, cont, halt } kind = assign;
  Test test;
  int dst = 0, a = 0, b = 0, op = 0;
  int limit = 0, depth = 0;  // loop: at most so many rounds; which counter
  bool has_else = false;
  std::vector<Node> body, other;
};

class Generator {
 public:
  Generator(uint32_t seed, bool compares_inside) : random_(seed), compares_inside_(compares_inside) {}

  int pick(int n) { return int(random_() % uint32_t(n)); }

  std::vector<Node> block(int depth, int loops, int budget) {
    std::vector<Node> nodes;
    const int count = 1 + pick(4);
    for (int n = 0; n < count; ++n) nodes.push_back(node(depth, loops, budget));
    return nodes;
  }

 private:
  Node node(int depth, int loops, int budget) {
    Node n;
    const int what = pick(12);
    if (what < 4 || depth >= max_depth || budget <= 0) {
      n.kind = Node::assign;
      n.dst = pick(variables), n.a = pick(variables), n.b = pick(variables), n.op = pick(4);
      if (loops && pick(4) == 0) n.kind = pick(2) ? Node::break_ : Node::cont, n.test = test(false);
    } else if (what < 8) {
      n.kind = Node::if_;
      n.test = test(true);
      n.body = block(depth + 1, loops, budget - 1);
      n.has_else = pick(2);
      if (n.has_else) n.other = block(depth + 1, loops, budget - 1);
    } else if (what < 10) {
      n.kind = Node::loop;
      n.limit = 1 + pick(4);
      n.depth = loops;
      n.body = block(depth + 1, loops + 1, budget - 1);
      n.test = test(true);
    } else if (what == 10 && loops) {
      n.kind = pick(2) ? Node::break_ : Node::cont;
      n.test = test(false);
    } else if (what == 11 && pick(4) == 0) {
      n.kind = Node::halt;
      n.test = test(false);
    } else {
      n.dst = pick(variables), n.a = pick(variables), n.b = pick(variables), n.op = pick(4);
    }
    return n;
  }

  Test test(bool may_compare) {
    Test t;
    const int s = pick(8);
    t.source = s == 0 ? Test::always : s == 1 ? Test::left_over : Test::fresh;
    if (may_compare && compares_inside_ && s >= 5) t.source = Test::compare_inside;
    t.condition = pick(6), t.a = pick(variables), t.imm = pick(16) - 4, t.flag = pick(2);
    t.inverted = t.source != Test::always && t.source != Test::compare_inside && pick(2);
    return t;
  }

  std::mt19937 random_;
  bool compares_inside_;
};

// One channel of the program, run by itself.
struct Channel {
  int32_t v[variables];
  bool flag[2];
  int32_t counter[max_depth + 1];

  enum Outcome { next, broke, continued, halted };

  bool holds(const Test& t) {
    if (t.source == Test::always) return true;
    const int32_t x = v[t.a];
    const bool results[] = {x == t.imm, x != t.imm, x > t.imm, x >= t.imm, x < t.imm, x <= t.imm};
    if (t.source == Test::compare_inside) return results[t.condition];
    if (t.source == Test::fresh) flag[t.flag] = results[t.condition];
    return flag[t.flag] != t.inverted;
  }

  Outcome run(const std::vector<Node>& nodes) {
    for (const Node& n : nodes)
      if (const Outcome o = run(n); o != next) return o;
    return next;
  }
  Outcome run(const Node& n) {
    switch (n.kind) {
      case Node::assign: {
        const uint32_t x = uint32_t(v[n.a]), y = uint32_t(v[n.b]);
        const uint32_t results[] = {x + y, x - y, x ^ y, x + 1};
        v[n.dst] = int32_t(results[n.op]);
        return next;
      }
      case Node::if_: return holds(n.test) ? run(n.body) : run(n.other);
      case Node::break_: return holds(n.test) ? broke : next;
      case Node::cont: return holds(n.test) ? continued : next;
      case Node::halt: return holds(n.test) ? halted : next;
      case Node::loop: break;
    }
    counter[n.depth] = 0;
    for (;;) {
      flag[0] = ++counter[n.depth] > n.limit;
      if (flag[0]) return next;
      const Outcome o = run(n.body);
      if (o == halted) return o;
      if (o == broke) return next;
      // a channel that continues finds the while as it is: the compare before it was not for it
      Test t = n.test;
      if (o == continued && t.source == Test::fresh) t.source = Test::left_over;
      if (!holds(t)) return next;
    }
  }
};

class Writer {
 public:
  Writer(const isa::Model& m, Generator& g, int width, bool gotos) : model_(m), g_(g), width_(width), gotos_(gotos) {}

  std::string program(const std::vector<Node>& nodes) {
    text_.clear();
    block(nodes, {"END", "", "", ""});
    // as the compilers end a program with halts in it: a halt for everyone, which all channels reach
    text_ += fmt::format("END: halt ({}|M0) LAST LAST\nLAST:\n", width_);
    Node last;
    last.op = 3;
    assign(last);
    return text_;
  }

 private:
  struct Around {
    std::string block_end, again, loop_end, exit;
  };

  std::string label() { return fmt::format("L{}", ++labels_); }
  static std::string variable(int n, int half) { return fmt::format("r{}.0<8;8,1>:d", first_variable + 4 * n + half); }

  // The channels in one instruction or in several of a smaller size.
  template <class F>
  void pieces(F f) {
    const int size = width_ == 32 ? 16 : width_ == 16 && g_.pick(3) == 0 ? 8 : width_;
    for (int at = 0; at < width_; at += size) text_ += f(fmt::format("({}|M{})", size, at), at / 8) + "\n";
  }
  void assign(const Node& n) {
    pieces([&](const std::string& exec, int half) {
      const std::string b = n.op == 3 ? "1:w" : (n.op == 1 ? "-" : "") + variable(n.b, half);
      return fmt::format("{} {} r{}.0<1>:d {} {}", n.op == 2 ? "xor" : "add", exec, first_variable + 4 * n.dst + half,
                         variable(n.a, half), b);
    });
  }
  // f0.0 and f0.1, or whole registers for 32 channels
  std::string flag(int n) const { return n == 0 ? "f0.0" : width_ == 32 ? "f1.0" : "f0.1"; }

  void compare(int condition, int f, int reg, int imm) {
    pieces([&](const std::string& exec, int half) {
      return fmt::format("cmp {} ({}){} null<1>:d r{}.0<8;8,1>:d {}:w", exec, conditions[condition], flag(f),
                         reg + half, imm);
    });
  }
  // Writes the compare, and gives the predicate; `negate` for goto, which sends away those it leaves out.
  std::string predicate(const Test& t, bool negate = false) {
    if (t.source == Test::fresh) compare(t.condition, t.flag, first_variable + 4 * t.a, t.imm);
    if (t.source == Test::always) return negate ? "(f1.1) " : "";
    if (t.source == Test::compare_inside) return "";
    return fmt::format("({}{}) ", t.inverted != negate ? "~" : "", flag(t.flag));
  }
  std::string inside(const Test& t) const {
    if (t.source != Test::compare_inside) return "";
    return fmt::format("({})f0.0 {} {}:w ", conditions[t.condition], variable(t.a, 0), t.imm);
  }

  void leave(const Test& t, const std::string& op, const std::string& jip, const std::string& uip, bool by_goto) {
    const std::string p = predicate(t, by_goto);
    text_ += fmt::format("{}{} ({}|M0) {} {}\n", p, by_goto ? "goto" : op, width_, jip, uip);
  }

  void block(const std::vector<Node>& nodes, const Around& a) {
    for (const Node& n : nodes) node(n, a);
  }

  void node(const Node& n, const Around& a) {
    switch (n.kind) {
      case Node::assign: assign(n); return;
      case Node::if_: branch(n, a); return;
      case Node::loop: loop(n, a); return;
      case Node::break_: leave(n.test, "break", a.block_end, a.exit, gotos_); return;
      case Node::cont: leave(n.test, "cont", a.block_end, a.again, gotos_); return;
      case Node::halt: leave(n.test, "halt", a.block_end, "END", false); return;
    }
  }

  void branch(const Node& n, const Around& a) {
    const bool old = model_.mrf_count != 0;
    const std::string otherwise = label(), other_part = label(), end = label();
    const std::string p = predicate(n.test);
    if (gotos_) {
      const std::string first_end = n.has_else ? other_part : end;
      text_ += fmt::format("{}goto ({}|M0) {} {}\n", p, width_, first_end, first_end);
      Around in = a;
      in.block_end = first_end;
      block(n.body, in);
      if (n.has_else) {
        text_ += fmt::format("(f1.1) goto ({}|M0) {} {}\n", width_, other_part, end);
        text_ += fmt::format("{}: join ({}|M0) {}\n", other_part, width_, end);
        in.block_end = end;
        block(n.other, in);
      }
      text_ += fmt::format("{}: join ({}|M0) {}\n", end, width_, a.block_end);
      return;
    }
    const std::string false_target = n.has_else ? other_part : end;
    text_ += fmt::format("{}if ({}|M0) {}{}{}\n", p, width_, inside(n.test), false_target, old ? "" : " " + end);
    Around in = a;
    in.block_end = n.has_else ? otherwise : end;
    block(n.body, in);
    if (n.has_else) {
      text_ += fmt::format("{}: else ({}|M0) {}{}\n{}:\n", otherwise, width_, end, old ? "" : " " + end, other_part);
      in.block_end = end;
      block(n.other, in);
    }
    text_ += fmt::format("{}: endif ({}|M0) {}\n", end, width_, a.block_end);
  }

  void loop(const Node& n, const Around& a) {
    const bool old = model_.mrf_count != 0;
    const std::string head = label(), end = label(), out = label();
    const int counter = first_counter + 4 * n.depth;
    pieces(
        [&](const std::string& exec, int half) { return fmt::format("mov {} r{}.0<1>:d 0:w", exec, counter + half); });
    text_ += head + ":\n";
    pieces([&](const std::string& exec, int half) {
      return fmt::format("add {0} r{1}.0<1>:d r{1}.0<8;8,1>:d 1:w", exec, counter + half);
    });
    compare(2, 0, counter, n.limit);
    Around in{end, end, end, out};
    // Gen6 names what follows the while; later generations the while, though what follows it works as well
    if (!gotos_ && !old && g_.pick(4)) in.exit = end;
    Test limit;
    limit.source = Test::left_over;
    leave(limit, "break", end, in.exit, gotos_);
    block(n.body, in);
    if (gotos_) {
      // channels that continue skip the compare, as they do at a while
      const std::string p = predicate(n.test);
      text_ += fmt::format("{}: join ({}|M0) {}\n", end, width_, out);
      text_ += fmt::format("{}goto.b ({}|M0) {} {}\n", p, width_, out, head);
      text_ += fmt::format("{}: join ({}|M0) {}\n", out, width_, a.block_end);
    } else {
      const std::string p = predicate(n.test);
      text_ += fmt::format("{}: {}while ({}|M0) {}{}\n{}:\n", end, p, width_, inside(n.test), head, out);
    }
  }

  const isa::Model& model_;
  Generator& g_;
  int width_;
  bool gotos_;
  int labels_ = 0;
  std::string text_;
};

void run_programs(const isa::Model& model, int count, bool gotos, std::initializer_list<int> widths) {
  int64_t executed = 0;
  for (int seed = 1; seed <= count; ++seed) {
    Generator g(uint32_t(seed) * 7919u, model.mrf_count != 0);
    const int width = std::data(widths)[size_t(g.pick(int(widths.size())))];
    const std::vector<Node> nodes = g.block(0, 0, 5);
    const std::string text = Writer(model, g, width, gotos).program(nodes);
    uint32_t mask = width == 32 ? ~0u : (1u << width) - 1;
    if (g.pick(3) == 0) mask &= uint32_t(g.pick(1 << 30)) | 1;

    Bench b(model, mask);
    Channel model_channels[max_channels]{};
    for (int c = 0; c < width; ++c)
      for (int v = 0; v < variables; ++v) {
        model_channels[c].v[v] = g.pick(16) - 4;
        b.set(first_variable + 4 * v, c, model_channels[c].v[v]);
      }
    b.run(text, 1000000);
    executed += int64_t(b.executed);
    ASSERT_EQ(b.status, Status::ended) << "program " << seed << ": " << (b.fault ? b.fault->reason : "") << "\n"
                                       << text;
    for (int c = 0; c < width; ++c) {
      Channel& m = model_channels[c];
      if (mask >> c & 1) {
        m.run(nodes);
        ++m.v[0];
      }
      for (int v = 0; v < variables; ++v)
        ASSERT_EQ(b.get<int32_t>(first_variable + 4 * v, c), m.v[v])
            << "program " << seed << ", channel " << c << ", variable " << v << ", mask " << mask << "\n"
            << text;
    }
    ASSERT_EQ(b.thread.active, mask) << "program " << seed << ": not all channels came back\n" << text;
  }
  testing::Test::RecordProperty("instructions", std::to_string(executed));
}

TEST(RandomFlow, MK01_StructuredProgramsOnGen6) { run_programs(gen::gen6(), 700, false, {8, 16}); }
TEST(RandomFlow, MK01_StructuredProgramsOnGen8) { run_programs(gen::gen8(), 700, false, {8, 16, 32}); }
TEST(RandomFlow, MK01_StructuredProgramsOnGen9) { run_programs(gen::gen9(), 700, false, {8, 16, 32}); }
TEST(RandomFlow, MK01_GotoAndJoinOnGen8) { run_programs(gen::gen8(), 600, true, {8, 16}); }
TEST(RandomFlow, MK01_GotoAndJoinOnGen9) { run_programs(gen::gen9(), 600, true, {8, 16}); }

}  // namespace
}  // namespace vitro::eu
