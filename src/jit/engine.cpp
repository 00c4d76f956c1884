// Turning intermediate code into machine code, with LLVM: what libvitro_jit.so does. PRM: none. Three passes are
// enough: the variables of registers dissolve into values, common ones are found, the rest is tidied
// (docs/decisions/0008-jit.md has the figures). The code generator may not fuse or reorder floats.
#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/SubtargetFeature.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>

#include "code/image.h"
#include "jit/emit.h"
#include "jit/lane_values.h"

namespace vitro::jit {
namespace {

std::unique_ptr<llvm::TargetMachine> make_machine(llvm::CodeGenOptLevel level) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    // It looks for chains of masks to compute in mask registers: a fifth of the time, for no gain that was measured.
    // MachineCSE finds little that EarlyCSE has left, and the colouring of stack slots saves stack alone.
    const char* const arguments[] = {"vitro", "-disable-x86-domain-reassignment", "-disable-machine-cse",
                                     "-disable-ssc"};
    llvm::cl::ParseCommandLineOptions(int(std::size(arguments)), arguments);
  });
  const std::string triple = llvm::sys::getProcessTriple();
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) return nullptr;
  llvm::SubtargetFeatures features;
  for (const auto& feature : llvm::sys::getHostCPUFeatures()) features.AddFeature(feature.first(), feature.second);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, llvm::sys::getHostCPUName(), features.getString(), options, llvm::Reloc::PIC_,
                                  llvm::CodeModel::Small, level));
}

// A machine has state, and making one takes as long as a small kernel: each host thread keeps its own.
llvm::TargetMachine* host_machine(bool careful) {
  thread_local std::unique_ptr<llvm::TargetMachine> machines[2];
  std::unique_ptr<llvm::TargetMachine>& machine = machines[careful];
  if (!machine) machine = make_machine(careful ? llvm::CodeGenOptLevel::Less : llvm::CodeGenOptLevel::None);
  return machine.get();
}

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

void optimise(llvm::Function& function, llvm::TargetMachine& machine) {
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
  all.run(function, functions);
}

void prepare(llvm::Module& module, const llvm::TargetMachine& machine) {
  module.setDataLayout(machine.createDataLayout());
  module.setTargetTriple(machine.getTargetTriple().str());
}

void set_widths(llvm::Function& function) {
  function.addFnAttr("prefer-vector-width", "256");
  function.addFnAttr("min-legal-vector-width", "256");
}

// At its end a function would clear the upper halves of registers, which its caller wants to keep.
void keep_halves(llvm::Function& function, const llvm::TargetMachine& machine) {
  function.addFnAttr("target-features", (machine.getTargetFeatureString() + ",-vzeroupper").str());
}

CodeCounts count_lowerings(const Analysis& analysis) {
  CodeCounts c;
  for (const Lowered& s : analysis.lowered) {
    ++c.instructions;
    c.emitted += s.lowering == Lowering::emitted || s.lowering == Lowering::jump;
    c.called += s.lowering == Lowering::called || s.lowering == Lowering::message || s.lowering == Lowering::branch;
    c.left += s.lowering == Lowering::left;
  }
  return c;
}

using Text = llvm::SmallVector<char, 0>;
code::Object object(const Text& t) { return std::as_bytes(std::span(t.data(), t.size())); }

bool write(llvm::Module& module, llvm::TargetMachine& machine, llvm::CodeGenFileType kind, Text& to) {
  llvm::raw_svector_ostream out(to);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, out, nullptr, kind)) return false;
  passes.run(module);
  return true;
}

bool add(const Program& program, const Options& options, const SharedTransfer& shared, llvm::Module& module,
         llvm::TargetMachine& machine) {
  llvm::Function* const made = emit(program, options, shared, module);
  if (!made) return false;
  set_widths(*made);
  keep_halves(*made, machine);
  optimise(*made, machine);
  return true;
}

// The machine code of a transfer, made once in a process. Empty: it cannot be made.
std::shared_ptr<const Text> object_of(const Program& program, const Options& options, const SharedTransfer& shared) {
  constexpr size_t most = 4096;  // some kilobytes each; real programs have a few dozen
  static std::mutex lock;
  static std::map<std::string, std::shared_ptr<const Text>> known;
  {
    const std::lock_guard guard(lock);
    if (const auto at = known.find(shared.name); at != known.end()) return at->second;
  }
  llvm::TargetMachine& machine = *host_machine(true);
  llvm::LLVMContext context;
  llvm::Module module("transfer", context);
  prepare(module, machine);
  Text code;
  if (!add(program, options, shared, module, machine) ||
      !write(module, machine, llvm::CodeGenFileType::ObjectFile, code))
    code.clear();
  const auto made = std::make_shared<const Text>(std::move(code));
  const std::lock_guard guard(lock);
  if (known.size() >= most) known.clear();
  known.emplace(shared.name, made);
  return made;
}

// LLVM ends the process for an error that is left in a stream; a full disk is no reason to.
void write_file(const std::string& path, const std::function<void(llvm::raw_ostream&)>& print) {
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (error) return;
  print(file);
  file.close();
  file.clear_error();
}

void dump(const Program& program, const Options& options, const std::vector<SharedTransfer>& shared,
          const llvm::Module& module, llvm::TargetMachine& machine) {
  const std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);  // generating code changes it
  for (const SharedTransfer& s : shared) add(program, options, s, *copy, machine);
  write_file(options.dump_path + ".ll", [&](llvm::raw_ostream& file) { copy->print(file, nullptr); });
  Text text;
  if (!write(*copy, machine, llvm::CodeGenFileType::AssemblyFile, text)) return;
  write_file(options.dump_path + ".s", [&](llvm::raw_ostream& file) { file.write(text.data(), text.size()); });
}

std::optional<code::Image> make_image(const Program& program, Options options) {
  const auto start = std::chrono::steady_clock::now();
  llvm::TargetMachine* const machine = host_machine(program.plans().size() <= options.careful);
  if (!machine) return std::nullopt;
  options.fused_halves = options.fused_halves && machine->getMCSubtargetInfo()->checkFeatures("+avx512fp16");
  const Analysis analysis = analyse(program, options);
  llvm::LLVMContext context;
  llvm::Module module("eu", context);
  prepare(module, *machine);
  Fusion fusion(options, analysis, module, [&](llvm::Function& f) { optimise(f, *machine); });
  const std::optional<std::vector<SharedTransfer>> shared = emit(program, analysis, options, fusion, module);
  if (!shared) return std::nullopt;
  fusion.place();
  llvm::Function& function = *module.getFunction(function_name);
  for (llvm::Function& f : module) {
    if (f.isDeclaration()) continue;
    set_widths(f);
    if (&f != &function) keep_halves(f, *machine);
  }
  if (!fusion.placed().empty() && LaneValues::host_has_sixteen()) function.addFnAttr("min-legal-vector-width", "512");
  if (!options.name.empty()) function.setName(options.name);
  CodeCounts counts = count_lowerings(analysis);
  counts.emit_milliseconds = milliseconds_since(start);
  if (analysis.host_flushes) function.addFnAttr("denormal-fp-math", "preserve-sign,preserve-sign");
  assert(!llvm::verifyModule(module, &llvm::errs()));
  optimise(function, *machine);
  counts.optimise_milliseconds = milliseconds_since(start) - counts.emit_milliseconds;
  if (!options.dump_path.empty()) dump(program, options, *shared, module, *machine);

  Text code;
  if (!write(module, *machine, llvm::CodeGenFileType::ObjectFile, code)) return std::nullopt;
  std::vector<std::shared_ptr<const Text>> transfers;
  for (const SharedTransfer& s : *shared) transfers.push_back(object_of(program, options, s));
  std::vector<code::Object> objects{object(code)};
  for (const std::shared_ptr<const Text>& t : transfers) objects.push_back(object(*t));
  code::Image image;
  if (!code::link(objects, image)) return std::nullopt;
  counts.milliseconds = milliseconds_since(start);
  CodeFacts facts{.mode_mask = mode_bits(program.model()),
                  .host_flushes = analysis.host_flushes,
                  .chain = options.chain,
                  .labels = analysis.labels,
                  .sites = analysis.sites,
                  .fused = fusion.placed(),
                  .counts = counts};
  const bool any = options.all_registers || std::any_of(analysis.lowered.begin(), analysis.lowered.end(),
                                                        [](const Lowered& s) { return s.in_image.any(); });
  for (size_t r = 0; r < grf_count; ++r)
    if (any || (!analysis.lowered.empty() && analysis.lowered[0].live[r]))
      facts.needed[r / 64] |= uint64_t(1) << r % 64;
  for (size_t n = 0; n < analysis.lowered.size(); ++n)
    if (analysis.lowered[n].entry && analysis.lowered[n].lowering != Lowering::left)
      facts.entries.push_back({program.plans()[n].ip, analysis.lowered[n].mode});
  image.facts = to_bytes(facts);
  return image;
}

std::optional<code::Image> make_routine_image(std::span<const std::byte> key) {
  llvm::TargetMachine* const machine = host_machine(true);
  if (!machine) return std::nullopt;
  llvm::LLVMContext context;
  llvm::Module module("routine", context);
  prepare(module, *machine);
  if (!emit_routine(key, module)) return std::nullopt;
  assert(!llvm::verifyModule(module, &llvm::errs()));
  for (llvm::Function& f : module) {
    if (f.isDeclaration()) continue;
    set_widths(f);
    optimise(f, *machine);
  }
  Text text;
  if (!write(module, *machine, llvm::CodeGenFileType::ObjectFile, text)) return std::nullopt;
  const code::Object made = object(text);
  code::Image image;
  if (!code::link(std::span(&made, 1), image)) return std::nullopt;
  return image;
}

}  // namespace

std::vector<std::byte> generate_routine(std::span<const std::byte> key) {
  const std::optional<code::Image> image = make_routine_image(key);
  return image ? code::to_bytes(*image) : std::vector<std::byte>();
}

std::vector<std::byte> generate(const Program& program, const Options& options) {
  const std::optional<code::Image> image = program.plans().empty() ? std::nullopt : make_image(program, options);
  return image ? code::to_bytes(*image) : std::vector<std::byte>();
}

}  // namespace vitro::jit
