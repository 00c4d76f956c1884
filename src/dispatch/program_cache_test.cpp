// How far kernels go, found from their start alone, and what the cache keeps: by content, not by address, and bounded.
#include "dispatch/program_cache.h"

#include <gtest/gtest.h>

#include <thread>

#include "dispatch/kernels_test.h"

namespace vitro::dispatch {
namespace {

constexpr uint64_t base = 0x10000;
const std::string nop = "nop\n";

struct Heap {
  const isa::Model& model = gen::gen9();
  std::vector<std::byte> bytes = std::vector<std::byte>(8 * memory::page_bytes, std::byte{0xFF});
  memory::View view{std::make_shared<memory::Table>(
      std::vector<memory::Range>{{.start = base, .bytes = bytes.size(), .host = bytes.data()}})};

  size_t put(size_t at, const std::string& text) {
    const std::vector<std::byte> code = testing::assembled(model, text);
    std::copy(code.begin(), code.end(), bytes.begin() + std::ptrdiff_t(at));
    return code.size();
  }
  Extent extent(const std::string& text) {
    put(0, text);
    return kernel_extent(model, view, base);
  }
};

TEST(KernelExtent, EndsAtTheEndOfTheThread) {
  Heap h;
  EXPECT_EQ(h.extent(nop + nop + testing::end() + nop + nop).bytes, 48u);
}

TEST(KernelExtent, FollowsBranchesBeyondTheFirstEnd) {
  Heap h;
  const Extent e = h.extent("(W&f0.0) jmpi LATER\n" + testing::end() + nop + "LATER:\n" + nop + testing::end() + nop);
  EXPECT_EQ(e.bytes, 80u);
  EXPECT_FALSE(e.waits);
  EXPECT_FALSE(e.indirect);
}

TEST(KernelExtent, AJumpThatIsAlwaysTakenHasOnlyItsTarget) {
  Heap h;
  EXPECT_EQ(h.extent("BACK:\n" + nop + "(W) jmpi BACK\n" + nop + nop).bytes, 32u);
}

TEST(KernelExtent, FollowsStructuredFlowAndCalls) {
  Heap h;
  const Extent e = h.extent(
      "(f0.0) if (8|M0) ELSE END\nnop\nELSE:\nelse (8|M0) END END\nnop\nEND:\nendif (8|M0) DONE\nDONE:\n"
      "call (8|M0) r20 SUB\n" +
      testing::end() + nop + "SUB:\nnop\nret (8|M0) r20\n" + nop);
  EXPECT_EQ(e.bytes, 16u * 10);
}

TEST(KernelExtent, AnIndirectCallMayReachWhateverFollows) {
  Heap h;
  const Extent e = h.extent("call (8|M0) r20 r30.0<0;1,0>:d\n" + testing::end() + nop + nop + testing::end());
  EXPECT_TRUE(e.indirect);
  EXPECT_EQ(e.bytes, 16u * 5);  // up to the first place that is no instruction
}

TEST(KernelExtent, ABranchToNowhereDoesNotReachThere) {
  Heap h;
  EXPECT_EQ(h.extent("(W&f0.0) jmpi 0x4000\n" + testing::end()).bytes, 32u) << "what is there is no instruction";
  EXPECT_EQ(h.extent("(W&f0.0) jmpi 0xF00000\n" + testing::end()).bytes, 32u) << "there is nothing";
}

TEST(KernelExtent, GoesOverIllegalOpcodes) {
  const auto rows_of = [](uint32_t count) {
    std::string text;
    for (uint32_t n = 0; n < count; ++n) text += "illegal\n";
    return text;
  };
  Heap h;
  EXPECT_EQ(h.extent(nop + rows_of(8) + nop + testing::end() + nop).bytes, 16u * 11);
  const uint32_t most = eu::most_illegal_in_a_row;
  EXPECT_EQ(h.extent(rows_of(most) + nop + testing::end()).bytes, 16u * (most + 2));
  EXPECT_EQ(h.extent(rows_of(most + 1) + nop + testing::end()).bytes, 16u * (most + 1)) << "it ends with a Fault";
  // A branch into them leads to what follows.
  const Extent e = h.extent("(W&f0.0) jmpi PADDING\n" + testing::end() + nop + "PADDING:\n" + rows_of(4) + nop +
                            testing::end() + nop);
  EXPECT_EQ(e.bytes, 16u * 9);
  EXPECT_EQ(h.extent("(W&f0.0) jmpi PADDING\n" + testing::end() + nop + "PADDING:\n" + rows_of(most + 1)).bytes, 32u);
}

TEST(KernelExtent, SaysWhoMayWait) {
  Heap h;
  EXPECT_FALSE(h.extent(testing::store(10) + testing::end()).waits);
  EXPECT_TRUE(h.extent("(W) wait n0.0<0;1,0>:ud\n" + testing::end()).waits);
  EXPECT_TRUE(h.extent("(W) send (8|M0) null r12 0x3 0x02000004\n" + testing::end()).waits);
  EXPECT_TRUE(h.extent("(W) send (8|M0) null r12 0x7 0x02000001\n" + testing::end()).waits);
}

TEST(KernelExtent, EndsWhereNothingIsMapped) {
  Heap h;
  const size_t zeros = (eu::most_illegal_in_a_row + 1) * 16;  // the last one is a Fault
  EXPECT_EQ(kernel_extent(h.model, h.view, 0x7000'0000).bytes, zeros);
  const size_t last = h.bytes.size() - 16;
  h.put(last, nop);
  EXPECT_EQ(kernel_extent(h.model, h.view, base + last).bytes, 16 + zeros);
  EXPECT_FALSE(h.view.misses().first);  // looking is not reading
}

TEST(ProgramCache, KeepsKernelsByTheirContent) {
  Heap h;
  ProgramCache cache(h.model);
  h.put(0, nop + testing::end());
  h.put(0x400, nop + testing::end());
  const auto first = cache.find(h.view, base);
  EXPECT_EQ(cache.find(h.view, base), first);
  EXPECT_EQ(cache.find(h.view, base + 0x400), first);
  EXPECT_EQ(cache.kernels(), 1u);
  EXPECT_EQ(first->program.plans().size(), 2u);
}

TEST(ProgramCache, NoticesAChangeAnywhereInTheKernel) {
  Heap h;
  ProgramCache cache(h.model);
  std::string text;
  for (int n = 0; n < 600; ++n) text += nop;  // several pages
  const size_t size = h.put(0, text + testing::end());
  const auto before = cache.find(h.view, base);
  EXPECT_EQ(before->code.size(), size);
  h.put(500 * 16, "(W) mov (8|M0) r1.0<1>:ud 0:uw\n");
  const auto after = cache.find(h.view, base);
  EXPECT_NE(before, after);
  EXPECT_EQ(after->program.at(500 * 16)->instruction.op, isa::Op::mov);
  h.put(500 * 16, nop);
  EXPECT_EQ(cache.find(h.view, base), before);  // the old one is still there
}

TEST(ProgramCache, ForgetsTheOldest) {
  Heap h;
  ProgramCache cache(h.model, 10);
  std::vector<std::shared_ptr<const Kernel>> kernels;
  for (int n = 0; n < 10; ++n) {
    h.put(0, fmt::format("(W) mov (8|M0) r1.0<1>:ud {}:uw\n", n) + testing::end());
    kernels.push_back(cache.find(h.view, base));
  }
  EXPECT_LE(cache.instructions(), 10u);
  EXPECT_EQ(cache.kernels(), 5u);
  EXPECT_EQ(kernels[0]->program.plans().size(), 2u);  // whoever has one keeps it
}

TEST(ProgramCache, AddsTheSystemRoutineWhereExceptionsAreOn) {
  Heap h;
  ProgramCache cache(h.model);
  h.put(0, nop + testing::end());
  h.put(0x800, nop + nop + testing::end());
  EXPECT_EQ(cache.find(h.view, base, base + 0x800)->sip, 0u);
  const auto k = cache.find(h.view, base, base + 0x800, true);
  EXPECT_EQ(k->sip, 32u);
  EXPECT_EQ(k->code.size(), 80u);
  EXPECT_EQ(cache.find(h.view, base, base + 0x800, true), k);
  h.put(0x800, testing::end());
  EXPECT_NE(cache.find(h.view, base, base + 0x800, true), k);
  h.put(0, "(W) mov (1|M0) cr0.1<1>:ud 0x2000:uw\n" + testing::end());
  EXPECT_EQ(cache.find(h.view, base, base + 0x800)->sip, 32u);
}

TEST(ProgramCache, SaysWhoMayUseMemory) {
  const auto uses = [](const std::string& text) {
    Heap h;
    h.put(0, text + testing::end());
    const auto kernel = ProgramCache(h.model).find(h.view, base, 0, false);
    return std::pair(kernel->reads_memory, kernel->writes_memory);
  };
  using Uses = std::pair<bool, bool>;
  EXPECT_EQ(uses(nop), Uses(false, false));
  EXPECT_EQ(uses("send (8|M0) r10 r20 12 0x02106E00\n"), Uses(true, false)) << "reads a surface";
  EXPECT_EQ(uses("send (8|M0) null r20 12 0x04026E00\n"), Uses(true, true)) << "writes one";
  EXPECT_FALSE(uses("send (8|M0) null r20 12 0x04026EFE\n").second) << "writes shared local memory";
  EXPECT_EQ(uses("send (8|M0) r10 r20 12 0x0210B700\n"), Uses(true, true)) << "counts atomically";
  EXPECT_EQ(uses("send (8|M0) r10 r20 2 0x04427000\n"), Uses(true, false)) << "samples";
  EXPECT_EQ(uses("send (8|M0) r10 r20 12 a0.0\n"), Uses(true, true)) << "does what only the register says";
  EXPECT_EQ(uses("send (8|M0) null r20 5 0x0A031000\n"), Uses(false, false)) << "writes a target";
  EXPECT_EQ(uses("send (8|M0) null r20 6 0x0A080007\n"), Uses(false, false)) << "writes the URB";
}

TEST(ProgramCache, ServesManyThreads) {
  Heap h;
  ProgramCache cache(h.model, 40);
  for (size_t n = 0; n < 32; ++n) h.put(n * 64, fmt::format("(W) mov (8|M0) r1.0<1>:ud {}:uw\n", n) + testing::end());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&h, &cache] {
      memory::View view(h.view.table());
      for (size_t n = 0; n < 500; ++n) {
        const auto k = cache.find(view, base + n * 7 % 32 * 64);
        EXPECT_EQ(k->program.at(0)->instruction.imm, n * 7 % 32);
      }
    });
  for (std::thread& t : threads) t.join();
}

}  // namespace
}  // namespace vitro::dispatch
