// Random programs with messages to the data ports, interpreted and compiled, on every generation: whatever the tables
// of messages list, on surfaces, stateless memory and shared local memory, by slots of any pattern: in a row, all
// alike, scattered, misaligned, outside of the surface, not mapped. Memory and registers must be the same afterwards.
// The programs come from jit/programs_test.h; campaign_test.h tells how to have more of them.
#include "gen/models.h"
#include "jit/campaign_test.h"
#include "shared/dataport/dataport_bench_test.h"

namespace vitro::shared::test {
namespace {

using eu::Thread;
using jit::Campaign;
using jit::Lines;
using jit::Surroundings;

// Registers that every thread begins with for its messages, all reserved: two headers, then places as offsets and as
// addresses, of sixteen slots each.
constexpr int headers = jit::first_reserved, offsets = headers + 2, addresses = offsets + 4;
constexpr unsigned buffer_bytes = 0x1000;

struct Generation {
  const char* name;
  const isa::Model& (*model)();
  const DataPortLayout& layout;
};
void PrintTo(const Generation& g, std::ostream* out) { *out << g.name; }

class MessageFuzz : public testing::TestWithParam<Generation> {
 protected:
  Bench bench{GetParam().layout};
  const isa::Model& model = GetParam().model();
  const DataPortLayout& layout = GetParam().layout;

  void SetUp() override {
    // one that ends in the middle of a page, one of an odd size, one that reaches past what is mapped
    bench.bind_buffer(0, 0x1000, buffer_bytes);
    bench.bind_buffer(1, 0x3000, 0x7FF);
    bench.bind_buffer(2, 0x8000, 0x10000);
    bench.environment.bases.general.address = home;
    bench.environment.bases.general.bytes = memory_bytes;
  }

  static uint32_t place(Rng& rng) {
    switch (rng.below(8)) {
      case 0: return uint32_t(rng.interesting(32));
      case 1: return buffer_bytes - rng.below(80);
      default: return rng.below(buffer_bytes);
    }
  }
  // The places of sixteen slots.
  static void pattern(Rng& rng, uint32_t (&at)[16]) {
    const uint32_t first = place(rng), kind = rng.below(6), step = 1u << rng.below(6);
    for (uint32_t n = 0; n < 16; ++n) {
      at[n] = kind == 0 ? first : kind < 4 ? (first & ~3u) + n * (kind < 3 ? 4 : step) : place(rng);
      if (kind == 4) at[n] &= ~3u;
    }
  }
  static void put(Thread& t, int reg, size_t at, const void* from, size_t bytes) {
    std::memcpy(t.grf.data() + size_t(reg) * eu::reg_bytes + at, from, bytes);
  }
  static void prepare(Thread& t, Rng& rng) {
    for (int n = 0; n < 2; ++n) {
      const uint64_t address = rng.one_in(8) ? rng() : home + place(rng);
      const uint32_t m0[8] = {uint32_t(address),
                              uint32_t(address >> 32),
                              place(rng) >> (n ? 0 : 4),
                              0,
                              0,
                              rng.below(32) << 10,
                              0,
                              rng.coin() ? 0xFFFFu : uint32_t(rng())};
      put(t, headers + n, 0, m0, sizeof m0);
      uint32_t at[16];
      pattern(rng, at);
      put(t, offsets + 2 * n, 0, at, sizeof at);
    }
    for (int n = 0; n < 2; ++n) {
      uint32_t at[16];
      uint64_t wide[16];
      pattern(rng, at);
      for (int k = 0; k < 16; ++k) wide[k] = home + at[k];
      if (rng.one_in(8)) wide[rng.below(16)] = rng();
      put(t, addresses + 4 * n, 0, wide, sizeof wide);
    }
  }

  // A message of the tables, with any of the bits that are left to it.
  void any_message(Lines& lines, Rng& rng) const {
    unsigned sfid = 0;
    do sfid = rng.below(16);
    while (!(layout.sfids >> sfid & 1));
    message(lines, rng, sfid, rng.pick(layout.messages.functions[sfid].rows));
  }
  // One that does something to elements where they stand.
  void operation(Lines& lines, Rng& rng) const {
    const isa::MessageRow* row = nullptr;
    do row = &rng.pick(layout.messages.functions[dc1].rows);
    while (row->shape.action != isa::MessageAction::atomic);
    message(lines, rng, dc1, *row);
  }
  void message(Lines& lines, Rng& rng, unsigned sfid, const isa::MessageRow& row) const {
    static constexpr uint32_t tables[] = {0, 0, 0, 1, 2, 254, 254, 254, 255, 253};
    const auto fixed = uint32_t(row.match.mask);
    uint32_t desc = uint32_t(row.match.value) | (uint32_t(rng()) & 0x3F00 & ~fixed) | rng.pick(tables);
    if (rng.coin()) desc |= header_present & ~fixed;
    const isa::MessageShape t = isa::decode_message(layout.messages, sfid, desc).shape;
    const unsigned slots = t.slots >= 8 ? t.slots : rng.coin() ? 8 : 16;
    const bool header = desc & header_present;
    const unsigned places = t.is_scattered() ? t.place_registers() : t.is_block() ? 0 : slots / 8;
    const bool known = t.is_scattered() || t.is_block();
    unsigned mlen = std::max(1u, known ? t.payload_registers() : header + places + rng.below(5));
    unsigned rlen = known ? t.response_registers() : rng.below(9);
    if (rng.one_in(16)) mlen = 1 + rng.below(8), rlen = rng.below(9);
    if (mlen > 15 || rlen > 16) return;
    desc |= mlen << 25 | rlen << 20;
    write(lines, rng, sfid, desc, slots, header,
          t.wide() ? addresses + 4 * int(rng.below(2)) : offsets + 2 * int(rng.below(2)), int(places));
  }

  void add(Lines& lines, const std::string& text) const {
    const isa::Assembly a = isa::assemble(model, text, {.validate = false});
    ASSERT_EQ(a.instructions.size(), 1u) << text;
    lines.add(a.instructions[0].instruction);
  }
  void write(Lines& lines, Rng& rng, unsigned sfid, uint32_t desc, unsigned slots, bool header, int from,
             int places) const {
    // the payload's data is whatever stands behind the places
    const bool mrf = model.mrf_count != 0;
    const char* file = mrf ? "m" : "r";
    int at = mrf ? 1 : 40 + int(rng.below(20));
    const int first = at;
    if (header)
      add(lines, fmt::format("(W) mov (8|M0) {}{}.0<1>:ud r{}.0<8;8,1>:ud", file, at++, headers + int(rng.below(2))));
    for (int n = 0; n < places; ++n)
      add(lines, fmt::format("(W) mov (8|M0) {}{}.0<1>:ud r{}.0<8;8,1>:ud", file, at++, from + n));
    const unsigned rlen = desc >> 20 & 31, mlen = desc >> 25 & 15;
    const std::string to = rlen && !rng.one_in(16) ? fmt::format("r{}", 8 + rng.below(40)) : "null";
    const int group = slots == 8 ? 8 * int(rng.below(4)) : rng.one_in(4) ? 16 : 0;
    if (model.row(isa::Op::sends) && mlen > 1 && rng.coin()) {
      const unsigned cut = 1 + rng.below(mlen - 1);
      add(lines, fmt::format("sends ({}|M{}) {} r{} r{} {:#x} {:#x}", slots, group, to, first, first + int(cut),
                             sfid | (mlen - cut) << 6, (desc & ~(15u << 25)) | cut << 25));
    } else {
      add(lines, fmt::format("send ({}|M{}) {} {}{} {:#x} {:#x}", slots, group, to, file, first, sfid, desc));
    }
    isa::Instruction& i = lines.all.back().instruction;
    i.no_mask = rng.one_in(4);
    if (rng.one_in(4)) i.pred_ctrl = isa::PredCtrl::sequential, i.pred_inv = rng.coin();
  }

  Surroundings around() {
    Surroundings a;
    bench.port->install(a.functions);
    a.functions[7] = {[](void*, Thread&, eu::Message&, std::string&) { return eu::Reply::done; }, nullptr};
    a.memory = {bench.host, bench.slm};
    a.carries_messages = true;
    return a;
  }

  enum class Of : uint8_t { all, operations };
  void run(bool flow, Of what = Of::all) {
    Campaign c{.model = model, .around = around(), .options = {}};
    c.options.flow = flow;
    c.options.statements = 10;
    c.options.message = [this, what](Lines& lines, Rng& rng) {
      what == Of::all ? any_message(lines, rng) : operation(lines, rng);
    };
    c.furnish = [this](Rng& rng) {
      for (uint32_t n = 0; n < tables; n += 4) bench.set(n, uint32_t(rng()));
      for (std::byte& b : bench.slm) b = std::byte(rng());
    };
    c.prepare = prepare;
    c.run();
  }
};
INSTANTIATE_TEST_SUITE_P(EveryGeneration, MessageFuzz,
                         testing::Values(Generation{"gen6", gen::gen6, dataport_gen6},
                                         Generation{"gen8", gen::gen8, dataport_gen8},
                                         Generation{"gen9", gen::gen9, dataport_gen9}),
                         [](const auto& p) { return std::string(p.param.name); });

TEST_P(MessageFuzz, CompiledMessagesDoTheSame) { run(false); }
TEST_P(MessageFuzz, CompiledMessagesBetweenBranchesDoTheSame) { run(true); }

// Gen6 has no operations on elements.
class OperationMessageFuzz : public MessageFuzz {};
INSTANTIATE_TEST_SUITE_P(SinceGen8, OperationMessageFuzz,
                         testing::Values(Generation{"gen8", gen::gen8, dataport_gen8},
                                         Generation{"gen9", gen::gen9, dataport_gen9}),
                         [](const auto& p) { return std::string(p.param.name); });

TEST_P(OperationMessageFuzz, CompiledOperationsDoTheSame) { run(false, Of::operations); }

// All operations but CMPWR_2W, one after the other: by code alone, once there are windows. Two slots share a place.
TEST_P(OperationMessageFuzz, EveryOperationIsCarriedOutByCode) {
  struct Form {
    uint32_t desc, last;              // the message, and the last operation it knows
    unsigned address_registers, row;  // registers of places, and of one operand
    bool wide;
  };
  static constexpr uint32_t answers = 1 << 13, simd8 = 1 << 12, qwords = 1 << 12, local = 254;
  static constexpr Form forms[] = {
      {type5(0x02), 15, 2, 2, false},
      {type5(0x02) | answers | simd8, 15, 1, 1, false},
      {type5(0x02) | answers | local, 15, 2, 2, false},
      {type5(0x12), 15, 2, 1, true},
      {type5(0x12) | answers | qwords, 15, 2, 2, true},
      {type5(0x1B) | answers | local, 3, 2, 2, false},
      {type5(0x1D) | answers, 3, 2, 1, true},
  };
  Rng rng(1);
  for (const Form& f : forms) {
    Lines lines;
    lines.model = &model;
    unsigned sent = 0;
    for (uint32_t op = 1; op <= f.last; ++op) {
      const uint32_t desc = f.desc | op << 8;
      const auto [row, t] = isa::decode_message(layout.messages, dc1, desc);
      if (!row) continue;  // not of this generation
      const unsigned mlen = f.address_registers + t.given() * f.row, rlen = t.answered() * f.row;
      add(lines, fmt::format("send ({}|M0) {} r{} 0xC {:#x}", f.row * (t.element == 8 ? 4 : 8),
                             rlen ? fmt::format("r{}", 60 + 2 * op) : "null", 10, desc | mlen << 25 | rlen << 20));
      ++sent;
    }
    add(lines, "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}");
    Thread begin = jit::random_thread(model, rng);
    begin.dispatched = begin.active = begin.sr[2] = begin.sr[3] = 0xFEFF;
    for (uint32_t n = 0; n < 16; ++n) {
      const uint32_t offset = n == 5 ? 8 : 8 * n;
      const uint64_t address = home + offset;
      if (f.wide && n < 8)
        put(begin, 10, 8 * n, &address, sizeof address);
      else if (!f.wide)
        put(begin, 10, 4 * n, &offset, sizeof offset);
    }
    const std::vector<std::byte> code = machine_code(lines);
    const eu::Program program(model, code);
    const Surroundings here = around();
    const auto compiled = jit::compile(program, options_for(begin, here));
    ASSERT_TRUE(compiled);
    EXPECT_FALSE(compiled->shared_code().empty());  // at least what asks the shared functions
    const jit::Twins t = run_twins(program, *compiled, begin, here, 1000, 1000);
    EXPECT_EQ(t.difference(), "") << fmt::format("{:#x}", f.desc);
    EXPECT_EQ(t.interpreted.status, eu::Status::ended) << fmt::format("{:#x}", f.desc);
    EXPECT_EQ(t.again.carried, sent) << fmt::format("{:#x}", f.desc);
  }
}

// An operation on memory that the host cannot do at once is left to the data port.
TEST_P(OperationMessageFuzz, CrookedSurfacesHaveNoWindows) {
  bench.bind_buffer(3, 0x1002, 0x100);
  bench.bind_buffer(4, 0x1004, 0x100);
  const eu::SharedFunction f = around().functions[dc1];
  const auto window = [&](uint32_t desc) {
    return f.locate(f.context, desc, isa::decode_message(layout.messages, dc1, desc).shape, 0);
  };
  EXPECT_EQ(window(type5(0x02) | 0x700 | 3).limit, 0u);
  EXPECT_GT(window(type5(0x02) | 0x700 | 4).limit, 0u);
  EXPECT_GT(window(type5(0x01) | 0x2E00 | 3).limit, 0u);  // a read
}

}  // namespace
}  // namespace vitro::shared::test
