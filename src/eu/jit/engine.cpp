// Turning intermediate code into machine code that can be called, with LLVM's ORC.
// PRM: none. Three passes are enough: the variables of registers dissolve into values, common ones are found, the rest
// is tidied (docs/decisions/0008-jit.md has the figures). The code generator may not fuse or reorder floats.
#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <cassert>
#include <chrono>
#include <mutex>

#include "eu/jit/emit.h"
#include "eu/jit/runtime.h"

namespace vitro::eu::jit {
namespace {

namespace orc = llvm::orc;

// The process's linker and the host it makes code for. Null members: the host is unknown to the library.
struct Engine {
  std::unique_ptr<orc::LLJIT> linker;
  std::optional<orc::JITTargetMachineBuilder> host;
  std::mutex lock;
  uint64_t programs = 0;
};

void forget(llvm::Error error) { llvm::consumeError(std::move(error)); }

Engine& engine() {
  static Engine& e = *[] {
    auto* made = new Engine;  // never destroyed: code may run until the process ends
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    auto host = orc::JITTargetMachineBuilder::detectHost();
    if (!host) {
      forget(host.takeError());
      return made;
    }
    host->setCodeGenOptLevel(llvm::CodeGenOptLevel::Less);
    host->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
    made->host = *host;
    auto linker = orc::LLJITBuilder().setJITTargetMachineBuilder(*host).create();
    if (linker)
      made->linker = std::move(*linker);
    else
      forget(linker.takeError());
    return made;
  }();
  return e;
}

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

void optimise(llvm::Module& module, llvm::TargetMachine& machine) {
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
  all.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  all.addPass(llvm::EarlyCSEPass());
  all.addPass(llvm::InstCombinePass(llvm::InstCombineOptions().setMaxIterations(1)));
  all.addPass(llvm::SimplifyCFGPass());
  for (llvm::Function& f : module)
    if (!f.isDeclaration()) all.run(f, functions);
}

class Native : public Compiled {
 public:
  Native(Tandem tandem, Counts counts, orc::JITDylib* library)
      : tandem_(std::move(tandem)), counts_(counts), library_(library) {}
  ~Native() override {
    const std::lock_guard hold(engine().lock);
    forget(engine().linker->getExecutionSession().removeJITDylib(*library_));
  }
  Native(const Native&) = delete;
  Native& operator=(const Native&) = delete;
  Status run(Executor& x, uint64_t budget) const override { return tandem_.run(x, budget); }
  const Counts& counts() const override { return counts_; }
  size_t windows() const override { return tandem_.sites.size(); }

 private:
  Tandem tandem_;
  Counts counts_;
  orc::JITDylib* library_;
};

Counts count_ways(const Analysis& analysis) {
  Counts c;
  for (const Shape& s : analysis.shapes) {
    ++c.instructions;
    c.emitted += s.way == Way::emitted || s.way == Way::jump;
    c.called += s.way == Way::called || s.way == Way::message || s.way == Way::branch;
    c.left += s.way == Way::left;
  }
  return c;
}

void dump(const llvm::Module& module, const std::string& path) {
  std::error_code error;
  llvm::raw_fd_ostream out(path, error);
  if (!error) module.print(out, nullptr);
}

}  // namespace

std::shared_ptr<const Compiled> compile(const Program& program, const Options& options) {
  Engine& e = engine();
  if (!e.linker || program.plans().empty()) return nullptr;
  const auto start = std::chrono::steady_clock::now();
  auto machine = orc::JITTargetMachineBuilder(*e.host).createTargetMachine();
  if (!machine) {
    forget(machine.takeError());
    return nullptr;
  }
  const Analysis analysis = analyse(program, options);
  llvm::LLVMContext context;
  llvm::Module module("eu", context);
  module.setDataLayout((*machine)->createDataLayout());
  module.setTargetTriple((*machine)->getTargetTriple().str());
  emit(program, analysis, options, module);
  for (llvm::Function& f : module) {
    f.addFnAttr("prefer-vector-width", "256");
    f.addFnAttr("min-legal-vector-width", "256");
  }
  Counts counts = count_ways(analysis);
  counts.emit_milliseconds = milliseconds_since(start);
  assert(!llvm::verifyModule(module, &llvm::errs()));
  optimise(module, **machine);
  counts.optimise_milliseconds = milliseconds_since(start) - counts.emit_milliseconds;
  if (!options.dump_path.empty()) dump(module, options.dump_path);

  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream out(object);
  llvm::legacy::PassManager generate;
  if ((*machine)->addPassesToEmitFile(generate, out, nullptr, llvm::CodeGenFileType::ObjectFile)) return nullptr;
  generate.run(module);
  counts.code_bytes = object.size();

  const std::lock_guard hold(e.lock);
  auto library = e.linker->createJITDylib("program" + std::to_string(e.programs++));
  if (!library) {
    forget(library.takeError());
    return nullptr;
  }
  if (auto error =
          e.linker->addObjectFile(*library, std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(object)))) {
    forget(std::move(error));
    return nullptr;
  }
  auto address = e.linker->lookup(*library, function_name);
  if (!address) {
    forget(address.takeError());
    return nullptr;
  }
  counts.milliseconds = milliseconds_since(start);

  const size_t places = program.size() / 8 + 1;
  Tandem tandem{.program = program,
                .code = address->toPtr<Code>(),
                .entries = std::vector<bool>(places),
                .modes = std::vector<Mode>(places),
                .mode_mask = mode_bits(program.model()) | cr_master_exception,
                .labels = analysis.labels,
                .sites = analysis.sites};
  for (size_t n = 0; n < analysis.shapes.size(); ++n)
    if (analysis.shapes[n].entered && analysis.shapes[n].way != Way::left) {
      const size_t at = program.plans()[n].ip / 8;
      tandem.entries[at] = true;
      tandem.modes[at] = analysis.shapes[n].mode;
    }
  return std::make_shared<Native>(std::move(tandem), counts, &*library);
}

}  // namespace vitro::eu::jit
