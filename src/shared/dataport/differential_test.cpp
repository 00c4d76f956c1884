// Random programs with messages to the data ports, interpreted and compiled, on every generation: whatever the tables
// of messages list, on surfaces, stateless memory and shared local memory, by slots of any pattern: in a row, all
// alike, scattered, crooked, outside of the surface, not mapped. Memory and registers must be the same afterwards.
// The programs come from eu/jit/programs_test.h; campaign_test.h tells how to have more of them.
#include "eu/jit/campaign_test.h"
#include "gen/models.h"
#include "shared/dataport/dataport_bench_test.h"

namespace vitro::shared::test {
namespace {

using eu::Thread;
using eu::jit::Campaign;
using eu::jit::Lines;

// Registers that every thread begins with for its messages, all reserved: two headers, then places as offsets and as
// addresses, of sixteen slots each.
constexpr int headers = eu::jit::first_reserved, offsets = headers + 2, addresses = offsets + 4;
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
  void message(Lines& lines, Rng& rng) const {
    const DataPortFunction* f = nullptr;
    unsigned sfid = 0;
    do f = &layout.functions[sfid = rng.below(16)];
    while (f->messages.empty());
    const DataPortMessage& row = rng.pick(f->messages);
    static constexpr uint32_t tables[] = {0, 0, 0, 1, 2, 254, 254, 254, 255, 253};
    uint32_t desc = row.value | (uint32_t(rng()) & 0x3F00 & ~row.mask) | rng.pick(tables);
    if (rng.coin()) desc |= header_present & ~row.mask;
    const eu::Transfer t = DataPort::describe(layout, sfid, desc);
    unsigned slots = t.slots ? t.slots : rng.coin() ? 8 : 16;
    const unsigned data = t.kind == eu::Transfer::Kind::scattered
                              ? std::popcount(t.positions) * slots * std::max<unsigned>(4, t.element) / eu::reg_bytes
                          : t.kind == eu::Transfer::Kind::block ? (t.bytes + t.at + 31u) / eu::reg_bytes
                                                                : rng.below(5);
    const unsigned places = t.kind == eu::Transfer::Kind::block ? 0 : slots * (t.wide ? 8 : 4) / eu::reg_bytes;
    const bool known = t.kind != eu::Transfer::Kind::none, header = desc & header_present;
    unsigned mlen = std::max(1u, header + places + (!known || t.writes ? data : 0)),
             rlen = known ? (t.writes ? 0 : data) : rng.below(9);
    if (rng.one_in(16)) mlen = 1 + rng.below(8), rlen = rng.below(9);
    if (mlen > 15 || rlen > 16) return;
    desc |= mlen << 25 | rlen << 20;
    write(lines, rng, sfid, desc, slots, header,
          t.wide ? addresses + 4 * int(rng.below(2)) : offsets + 2 * int(rng.below(2)), int(places));
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

  void run(bool flow) {
    Campaign c{.model = model, .around = {}, .options = {}};
    bench.port->install(c.around.functions);
    c.around.functions[7] = {[](void*, Thread&, eu::Message&, std::string&) { return eu::Reply::done; }, nullptr};
    c.around.memory = {bench.host, bench.slm};
    c.around.describe = [this](unsigned sfid, uint32_t desc) { return DataPort::describe(layout, sfid, desc); };
    c.options.flow = flow;
    c.options.statements = 10;
    c.options.message = [this](Lines& lines, Rng& rng) { message(lines, rng); };
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

}  // namespace
}  // namespace vitro::shared::test
