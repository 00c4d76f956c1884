// The compiler's lane domain against the host's: all operations in one function, for several numbers of lanes, made
// with and without care, and run. PRM: none.
#include "jit/lane_values.h"

#include <gtest/gtest.h>
#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/SubtargetFeature.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>

#include <optional>

#include "code/image.h"
#include "code/pages.h"
#include "jit/emit.h"
#include "lanes/eight.h"
#include "lanes/one.h"
#include "lanes/operations_test.h"

namespace vitro::jit {
namespace {

constexpr size_t most_lanes = 16, operation_count = std::tuple_size_v<decltype(lanes::operations)>;
constexpr size_t across_count = std::tuple_size_v<decltype(lanes::operations_across)>;

using Row = std::array<uint32_t, most_lanes>;
// What the function is given: three operands, a mask in the fourth row, memory; and where the results go.
struct Block {
  std::array<Row, 4> in;
  std::array<uint32_t, 64> memory;
  lanes::SomeRecord record;
  std::array<Row, operation_count + across_count + 5> out;
};
using Function = void (*)(Block*);

// For tables of functions: what std::apply does, with the place of each.
template <class Table, class F>
void each(const Table& table, F f) {
  size_t n = 0;
  std::apply([&](const auto&... x) { (f(n++, x), ...); }, table);
}

void emit(llvm::Module& module, unsigned lanes) {
  Builder b(module.getContext());
  auto* type = llvm::FunctionType::get(b.getVoidTy(), {b.getPtrTy()}, false);
  auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, function_name, module);
  function->addFnAttr("prefer-vector-width", "256");
  const bool wide_registers = lanes == 16 && LaneValues::host_has_sixteen();
  function->addFnAttr("min-legal-vector-width", wide_registers ? "512" : "256");
  b.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", function));
  const LaneValues d{b, lanes, wide_registers};
  const auto place = [&](size_t bytes) { return b.CreateConstGEP1_64(b.getInt8Ty(), function->getArg(0), bytes); };
  const auto operand = [&](size_t n) {
    return IrInt{&b, b.CreateAlignedLoad(d.ints(), place(offsetof(Block, in) + n * sizeof(Row)), llvm::Align(4))};
  };
  const IrInt x = operand(0), y = operand(1), z = operand(2);
  size_t row = 0;
  const auto give = [&](IrInt r) {
    b.CreateAlignedStore(r.v, place(offsetof(Block, out) + row++ * sizeof(Row)), llvm::Align(4));
  };
  each(lanes::operations, [&](size_t, const auto& operation) { give(operation.of(d, x, y, z)); });
  each(lanes::operations_across, [&](size_t, const auto& operation) { give(operation.of(d, x, y, z)); });
  const IrTruth mask = operand(3) != 0;
  // offsets on both sides of the middle
  const IrInt at = (z & 127) - 64;
  llvm::Value* memory = place(offsetof(Block, memory) + 128);
  d.scatter(memory, at, x, mask);
  give(d.gather(memory, at, mask));
  give({&b, b.CreateVectorSplat(lanes, b.CreateOr(b.CreateZExt(d.any(mask), b.getInt32Ty()),
                                                  b.CreateShl(b.CreateZExt(d.all(mask), b.getInt32Ty()), 1)))});
  const LaneValues::Record<lanes::SomeRecord> record{place(offsetof(Block, record))};
  for (const int bytes : {1, 2, 4}) {
    d.scatter_low(memory, at, y, mask, bytes);
    give(facts_and_bytes(d, record, at, bytes));
  }
  b.CreateRetVoid();
}

// As engine.cpp does it.
class Native {
 public:
  Native(unsigned lanes, bool careful) {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    const std::string triple = llvm::sys::getProcessTriple();
    std::string error;
    llvm::SubtargetFeatures features;
    for (const auto& feature : llvm::sys::getHostCPUFeatures()) features.AddFeature(feature.first(), feature.second);
    llvm::TargetOptions options;
    options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
    const std::unique_ptr<llvm::TargetMachine> machine(
        llvm::TargetRegistry::lookupTarget(triple, error)
            ->createTargetMachine(triple, llvm::sys::getHostCPUName(), features.getString(), options, llvm::Reloc::PIC_,
                                  llvm::CodeModel::Small,
                                  careful ? llvm::CodeGenOptLevel::Less : llvm::CodeGenOptLevel::None));
    llvm::LLVMContext context;
    llvm::Module module("lanes", context);
    module.setDataLayout(machine->createDataLayout());
    module.setTargetTriple(triple);
    emit(module, lanes);
    EXPECT_FALSE(llvm::verifyModule(module, &llvm::errs()));
    optimise(*module.getFunction(function_name), *machine);
    llvm::SmallVector<char, 0> made;
    llvm::raw_svector_ostream out(made);
    llvm::legacy::PassManager passes;
    machine->addPassesToEmitFile(passes, out, nullptr, llvm::CodeGenFileType::ObjectFile);
    passes.run(module);
    const code::Object object = std::as_bytes(std::span(made.data(), made.size()));
    code::Image image;
    if (!code::link(std::span(&object, 1), image)) return;
    pages_.emplace(image.code);
    start_ = image.start;
  }
  bool made() const { return pages_ && pages_->at(); }
  void operator()(Block& block) const {
    reinterpret_cast<Function>(reinterpret_cast<uintptr_t>(pages_->at()) + start_)(&block);
  }

 private:
  static void optimise(llvm::Function& function, llvm::TargetMachine& machine) {
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager graph;
    llvm::ModuleAnalysisManager modules;
    llvm::PassBuilder passes(&machine);
    passes.registerModuleAnalyses(modules);
    passes.registerCGSCCAnalyses(graph);
    passes.registerFunctionAnalyses(functions);
    passes.registerLoopAnalyses(loops);
    passes.crossRegisterProxies(loops, functions, graph, modules);
    llvm::FunctionPassManager all;
    all.addPass(llvm::EarlyCSEPass());
    all.addPass(llvm::InstCombinePass(llvm::InstCombineOptions().setMaxIterations(1)));
    all.run(function, functions);
  }
  std::optional<code::Pages> pages_{};
  size_t start_ = 0;
};

void compare(unsigned count, bool careful) {
  const Native native(count, careful);
  ASSERT_TRUE(native.made()) << count;
  Rng rng(count);
  const std::vector<uint32_t> special = lanes::special_dwords();
  for (int n = 0; n < 3000; ++n) {
    Block block{};
    for (size_t l = 0; l < count; ++l) {
      for (size_t k = 0; k < 3; ++k) block.in[k][l] = lanes::some_dword(rng, special);
      if (n % 2) block.in[2][l] = rng.below(65);
      block.in[3][l] = n % 4 == 0 ? 1 : n % 4 == 1 ? 0 : rng.below(2);
    }
    for (uint32_t& w : block.memory) w = uint32_t(rng());
    block.record = lanes::some_record(reinterpret_cast<std::byte*>(block.memory.data()) + 128);
    const Block before = block;
    native(block);
    each(lanes::operations, [&](size_t k, const auto& operation) {
      for (size_t l = 0; l < count; ++l) {
        const auto operand = [&](size_t which) { return lanes::OneInt::of(before.in[which][l]); };
        const uint32_t want = operation.of(lanes::One{}, operand(0), operand(1), operand(2)).v;
        EXPECT_TRUE(lanes::agree(operation.gives_float, block.out[k][l], want))
            << operation.name << std::hex << " " << before.in[0][l] << " " << before.in[1][l] << " " << before.in[2][l]
            << ": " << block.out[k][l] << ", not " << want;
      }
    });
    // where lanes meet there must be as many
    if (count == lanes::eight) {
      using D = lanes::Eight<lanes::PlainEight>;
      const auto operand = [&](size_t k) {
        D::I x;
        std::memcpy(&x.v, before.in[k].data(), sizeof x.v);
        return x;
      };
      each(lanes::operations_across, [&](size_t k, const auto& operation) {
        const D::I want = operation.of(D{}, operand(0), operand(1), operand(2));
        EXPECT_EQ(std::memcmp(&want.v, block.out[operation_count + k].data(), sizeof want.v), 0) << operation.name;
      });
    }
    std::array<uint32_t, 64> memory = before.memory;
    std::byte* const middle = reinterpret_cast<std::byte*>(memory.data()) + 128;
    const auto at = [&](size_t l) { return lanes::OneInt::of((before.in[2][l] & 127) - 64); };
    const auto takes_part = [&](size_t l) { return lanes::OneMask{before.in[3][l] != 0}; };
    bool any = false, all = true;
    for (size_t l = 0; l < count; ++l) {
      lanes::One::scatter(middle, at(l), lanes::OneInt::of(before.in[0][l]), takes_part(l));
      any = any || takes_part(l).v, all = all && takes_part(l).v;
    }
    constexpr size_t gathered = operation_count + across_count;
    for (size_t l = 0; l < count; ++l) {
      EXPECT_EQ(block.out[gathered][l], lanes::One::gather(middle, at(l), takes_part(l)).v);
      EXPECT_EQ(block.out[gathered + 1][l], uint32_t(any) + 2 * uint32_t(all));
    }
    const lanes::SomeRecord record = lanes::some_record(middle);
    for (size_t k = 0; k < 3; ++k) {
      const int bytes = 1 << k;
      for (size_t l = 0; l < count; ++l)
        lanes::One::scatter_low(middle, at(l), lanes::OneInt::of(before.in[1][l]), takes_part(l), bytes);
      for (size_t l = 0; l < count; ++l)
        EXPECT_EQ(block.out[gathered + 2 + k][l], facts_and_bytes(lanes::One{}, &record, at(l), bytes).v);
    }
    EXPECT_EQ(block.memory, memory);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(LaneValues, GiveWhatTheHostsLanesGive) {
  for (unsigned count : {1u, 3u, 4u, 8u, 11u, 16u})
    for (bool careful : {true, false}) {
      SCOPED_TRACE(testing::Message() << count << " lanes, careful: " << careful);
      compare(count, careful);
    }
}

}  // namespace
}  // namespace vitro::jit
