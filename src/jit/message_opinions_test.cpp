// Three opinions on messages of the data ports: a plain reference, the interpreter with its data port, and compiled
// code agree byte for byte on descriptors, places and data drawn at random: on surfaces that end in the middle of a
// page, of an odd size or past what is mapped, on stateless memory, shared local memory and 64-bit addresses; by slots
// in a row, all alike, scattered or out of bounds. VITRO_JIT_SECONDS says how long, VITRO_JIT_SEED where to begin.
#include <chrono>
#include <cstdlib>

#include "gen/models.h"
#include "isa/assemble.h"
#include "jit/campaign_test.h"
#include "jit/message_reference_test.h"
#include "shared/dataport/dataport_bench_test.h"

namespace vitro::shared::test {
namespace {

using eu::Thread;
using jit::reference::Decoded;
using jit::reference::Space;

constexpr int payload_at[] = {2, 18, 34}, response_at[] = {64, 82, 100};
constexpr unsigned messages_of_a_program = 3;

struct Sent {
  unsigned sfid, exec_size;
  uint32_t desc;
  bool no_mask;
  Decoded decoded;
};

class Opinions : public testing::Test {
 protected:
  struct Surface {
    uint32_t offset, bytes;
  };
  static constexpr Surface surfaces[] = {{0x1000, 0x1000}, {0x3000, 0x7FF}, {0x8000, 0x10000}};
  Bench bench{dataport_gen9};
  const isa::Model& model = gen::gen9();

  void SetUp() override {
    for (unsigned n = 0; n < std::size(surfaces); ++n) bench.bind_buffer(n, surfaces[n].offset, surfaces[n].bytes);
    bench.environment.bases.general.address = home;
    bench.environment.bases.general.bytes = memory_bytes;
  }

  // A message that the reference knows.
  static Sent draw(Rng& rng) {
    static constexpr uint32_t tables[] = {0, 0, 1, 2, 254, 254, 255};
    for (;;) {
      Sent s{rng.coin() ? 10u : 12u, 0, uint32_t(rng()) & 0x7FF00, rng.one_in(4), {}};
      s.decoded = jit::reference::decode(s.sfid, s.desc);
      const Decoded& d = s.decoded;
      if (d.kind == Decoded::none) continue;
      const bool block = d.kind == Decoded::block_read || d.kind == Decoded::block_write;
      const bool header = block || (!d.a64 && rng.coin());
      if (!d.scratch) s.desc |= d.a64 ? 255 : rng.pick(tables);
      if (header) s.desc |= header_present;
      s.exec_size = block ? (rng.coin() ? 8 : 16) : d.slots;
      s.desc |= d.payload(header) << 25 | d.response() << 20;
      if (d.payload(header) <= 15 && d.response() <= 16) return s;
    }
  }
  Space space_of(const Sent& s, std::vector<std::byte>& host, std::vector<std::byte>& slm) const {
    if (s.decoded.a64) return {host.data(), ~uint64_t(3), memory_bytes, home};
    const unsigned bti = s.desc & 255;
    if (s.decoded.scratch || bti == 255) return {host.data(), memory_bytes, memory_bytes};
    if (bti == 254) return {slm.data(), slm.size(), slm.size()};
    const Surface& f = surfaces[bti];
    return {host.data() + f.offset, f.bytes & ~3u, memory_bytes - f.offset};
  }
  static uint32_t place(Rng& rng) {
    switch (rng.below(8)) {
      case 0: return 0x1000 - rng.below(80);
      case 1: return rng.below(0x20000);
      case 2: return ~rng.below(64);
      default: return rng.below(0x1000);
    }
  }
  static void fill(const Sent& s, std::byte* payload, Rng& rng) {
    for (unsigned n = 0; n < 15 * 8; ++n) {
      const uint32_t v = rng.coin() ? uint32_t(rng()) : uint32_t(rng.interesting(32));
      std::memcpy(payload + 4 * n, &v, 4);
    }
    const auto put = [&](unsigned n, uint32_t v) { std::memcpy(payload + 4 * n, &v, 4); };
    const auto put_address = [&](unsigned n) {
      const uint64_t a = rng.one_in(16) ? rng() >> 17 : home + place(rng);
      put(n, uint32_t(a)), put(n + 1, uint32_t(a >> 32));
    };
    const bool header = s.desc & header_present;
    const Decoded& d = s.decoded;
    const unsigned first = header ? 8 : 0;
    if (header) {
      if (d.a64) put_address(0);
      put(2, place(rng) / (d.unit ? d.unit : 1));
      put(5, rng.below(16) << 10 | rng.below(4));
      if (d.pixel_mask) put(7, rng.coin() ? 0xFFFF : uint32_t(rng()));
      if (d.kind == Decoded::read || d.kind == Decoded::write) put(2, rng.coin() ? 0 : place(rng));
    }
    if (d.kind == Decoded::block_read || d.kind == Decoded::block_write) return;
    const uint32_t start = place(rng) / d.unit, kind = rng.below(5),
                   step = kind < 2 ? d.bytes * d.count() : 4u << rng.below(4);
    for (unsigned slot = 0; slot < d.slots; ++slot) {
      uint64_t v = kind == 2 ? start : kind < 4 ? start + slot * std::max(1u, step / d.unit) : place(rng) / d.unit;
      if (!d.a64) {
        put(first + slot, uint32_t(v));
      } else {
        v += home;
        put(first + 2 * slot, uint32_t(v)), put(first + 2 * slot + 1, uint32_t(v >> 32));
        if (kind == 4 && rng.one_in(16)) put_address(first + 2 * slot);
      }
    }
  }

  enum Who { interpreter, code };
  void one(uint64_t seed, Who who) {
    Rng rng(seed);
    std::vector<Sent> sent;
    std::string text;
    for (unsigned n = 0; n < messages_of_a_program; ++n) {
      const Sent& s = sent.emplace_back(draw(rng));
      text += fmt::format("{}send ({}|M0) {} r{} {:#x} {:#x}\n", s.no_mask ? "(W) " : "", s.exec_size,
                          s.decoded.response() ? fmt::format("r{}", response_at[n]) : "null", payload_at[n], s.sfid,
                          s.desc);
    }
    text += "(W) send (8|M0) null r127 0x27 0x02000010 {EOT}\n";
    const isa::Assembly assembly = isa::assemble(model, text, {.validate = false});
    ASSERT_EQ(assembly.instructions.size(), sent.size() + 1) << text;
    const eu::Program program(model, assembly.code);
    jit::Surroundings around;
    bench.port->install(around.functions);
    around.functions[7] = {[](void*, Thread&, eu::Message&, std::string&) { return eu::Reply::done; }, nullptr};
    around.memory = {bench.host, bench.slm};
    around.carries_messages = true;
    around.short_program = rng.coin() ? 100 : 0, around.in_place = rng.coin() ? 6 : 0;
    Thread begin = jit::random_thread(model, rng);
    const auto compiled = jit::compile(program, options_for(begin, around));
    ASSERT_TRUE(compiled);
    for (int threads = 0; threads < 8; ++threads) {
      begin = jit::random_thread(model, rng);
      begin.cr[0] = 0;
      for (unsigned n = 0; n < sent.size(); ++n) fill(sent[n], begin.grf.data() + payload_at[n] * eu::reg_bytes, rng);
      for (uint32_t at = 0; at < tables; at += 4) bench.set(at, uint32_t(rng()));
      for (std::byte& b : bench.slm) b = std::byte(rng());
      std::vector<std::byte> host = bench.host, slm = bench.slm;
      auto grf = begin.grf;
      for (unsigned n = 0; n < sent.size(); ++n) {
        const Sent& s = sent[n];
        const uint32_t channels = (s.no_mask ? ~0u : begin.active) & uint32_t(ones(int(s.exec_size)));
        const bool slm_message = !s.decoded.scratch && !s.decoded.a64 && (s.desc & 255) == 254;
        jit::reference::run(s.decoded, s.desc, space_of(s, host, slm),
                            s.decoded.scratch || (!s.decoded.a64 && (s.desc & 255) == 255), slm_message, s.exec_size,
                            channels,
                            {grf.data() + payload_at[n] * eu::reg_bytes, grf.data() + response_at[n] * eu::reg_bytes});
      }
      const jit::Twins t = run_twins(program, *compiled, begin, around, 100, 100);
      const auto compare = [&](const jit::Run& r, const char* who) {
        EXPECT_EQ(int(r.status), int(eu::Status::ended)) << who << (r.fault ? r.fault->reason : "") << "\n" << text;
        EXPECT_TRUE(r.memory[0] == host) << who << ": memory, seed " << seed << "\n" << text;
        EXPECT_TRUE(r.memory[1] == slm) << who << ": shared local memory, seed " << seed << "\n" << text;
        for (size_t n = 0; n < grf.size(); ++n)
          if (r.thread.grf[n] != grf[n]) {
            ADD_FAILURE() << who << ": r" << n / 32 << " byte " << n % 32 << ", seed " << seed << "\n" << text;
            break;
          }
      };
      if (who == interpreter) compare(t.interpreted, "the interpreter");
      if (who == code) compare(t.compiled, "compiled code");
      if (who == code) compare(t.again, "compiled code in windows");
      carried += t.again.carried, messages += sent.size();
      if (HasFailure()) return;
    }
  }
  void run(Who who) {
    const char *seconds = std::getenv("VITRO_JIT_SECONDS"), *first = std::getenv("VITRO_JIT_SEED");
    const uint64_t seed = first ? std::strtoull(first, nullptr, 0) : 20'261'116;
    const auto start = std::chrono::steady_clock::now();
    uint64_t n = 0;
    const auto goes_on = [&] {
      const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      return seconds ? passed < std::atof(seconds) : n < 40;
    };
    for (; goes_on() && !HasFailure(); ++n) one(seed + n, who);
    fmt::print("{} programs, {} messages, {} of them carried out by code in windows\n", n, messages, carried);
  }
  uint64_t carried = 0, messages = 0;
};

TEST_F(Opinions, TheInterpreterAgreesWithTheReference) { run(interpreter); }
TEST_F(Opinions, CompiledCodeAgreesWithTheReference) {
  run(code);
  EXPECT_GT(carried, messages / 8);
}

}  // namespace
}  // namespace vitro::shared::test
