// Transfers as functions, each for all messages that differ only in their registers, their window and the distance in
// their descriptor. A transfer in place is fast, but it is a dozen blocks for the code generator: a program with a
// thousand messages would take it a minute. A function works on the thread's image, as the shared function does that it
// asks when a place lies outside of the window; it is the same in all programs, and compiled once. PRM: as
// transfers.cpp.
#include "jit/emit.h"

#include <fmt/format.h>
#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <span>

#include "eu/message.h"

namespace vitro::jit {
namespace {

using llvm::BasicBlock;
using llvm::Value;

// Registers of the function's own plan: the payload in a row, and the response.
constexpr int payload_register = 0, response_register = 64;

// Arguments of the function.
enum Argument : unsigned { of_call, of_plan, of_site, of_registers, of_channels, of_distance };
// Where the numbers of a message's first registers stand in of_registers.
enum Number : unsigned { first_payload = 0, second_payload = 8, response = 16 };

// Asks Call::transfer, whatever the message: a function of its own, as it must save all registers.
constexpr const char* asking_name = "transfer.asks";
enum class Takes { all, site };  // arguments: all of them, or those up to of_site

llvm::Function& declare(const std::string& name, Takes takes, llvm::Module& module) {
  if (llvm::Function* f = module.getFunction(name)) return *f;
  llvm::LLVMContext& c = module.getContext();
  llvm::Type *pointer = llvm::PointerType::getUnqual(c), *number = llvm::Type::getInt32Ty(c);
  std::vector<llvm::Type*> arguments{pointer, pointer, number};
  if (takes == Takes::all) arguments.insert(arguments.end(), {number, number, llvm::Type::getInt64Ty(c)});
  llvm::Function* f = llvm::Function::Create(llvm::FunctionType::get(number, arguments, false),
                                             llvm::Function::ExternalLinkage, name, module);
  f->addFnAttr(llvm::Attribute::NoUnwind);
  f->addFnAttr(llvm::Attribute::NoInline);
  f->setCallingConv(llvm::CallingConv::PreserveAll);
  return *f;
}

void emit_asking(const Program& program, llvm::Function& f) {
  Builder b(f.getContext());
  const State s{.b = b, .program = program};
  b.SetInsertPoint(BasicBlock::Create(f.getContext(), "start", &f));
  // the host's library computes in halves of registers, slowly while there is anything in the other halves
  if (__builtin_cpu_supports("avx")) b.CreateIntrinsic(b.getVoidTy(), llvm::Intrinsic::x86_avx_vzeroupper, {});
  Value* function = b.CreateLoad(b.getPtrTy(), s.at(f.getArg(of_call), offsetof(Call, transfer)));
  b.CreateRet(b.CreateCall(f.getFunctionType(), function, {f.getArg(of_call), f.getArg(of_plan), f.getArg(of_site)}));
}

// False: it would reach outside of the thread's image.
bool emit_shared(const Program& program, const Options& options, llvm::Function* f, const Plan& p) {
  const isa::MessageShape& t = p.message.shape;
  const int first = int(Message{.desc = p.instruction.desc.imm}.mlen());
  Plan own = p;
  own.instruction.src[0].reg = payload_register;
  own.instruction.src[1].reg = uint8_t(payload_register + first);
  own.instruction.dst.reg = response_register;
  Builder b(f->getContext());
  State s{.b = b, .program = program, .counts_carried = options.counts_carried};
  const auto block = [&](const char* name) { return BasicBlock::Create(f->getContext(), name, f); };
  // A register of the message in the image: where its number begins in the argument, and how many further on.
  const auto in_image = [&](Number bit, int n) {
    Value* number = b.CreateAnd(b.CreateLShr(f->getArg(of_registers), bit), b.getInt32(0xFF));
    return s.image_at(b.CreateMul(number, b.getInt32(reg_bytes)), n * reg_bytes, reg_bytes);
  };
  const auto take = [&](int r, Value* from) {
    s.variables[r] = b.CreateAlloca(s.register_type());
    b.CreateStore(b.CreateAlignedLoad(s.register_type(), from, llvm::Align(reg_bytes)), s.variable(r));
  };
  b.SetInsertPoint(block("start"));
  s.call = f->getArg(of_call);
  s.thread = b.CreateLoad(b.getPtrTy(), s.at(s.call, offsetof(Call, thread)));
  Value* windows = b.CreateLoad(b.getPtrTy(), s.at(s.call, offsetof(Call, windows)));
  Value* place = b.CreateMul(b.CreateZExt(f->getArg(of_site), b.getInt64Ty()), b.getInt64(sizeof(Window)));
  Value* window = b.CreateGEP(b.getInt8Ty(), windows, place);
  for (int n = 0; n < int(t.payload_registers()); ++n)
    take(payload_register + n, n < first ? in_image(first_payload, n) : in_image(second_payload, n - first));
  for (int n = 0; n < int(t.response_registers()); ++n) take(response_register + n, in_image(response, n));
  BasicBlock *otherwise = block("otherwise"), *done = block("done");
  emit_transfer(s, {own, window, f->getArg(of_channels), f->getArg(of_distance)}, otherwise, done);
  b.SetInsertPoint(done);
  s.mark_dirty();
  for (int n = 0; n < int(t.response_registers()); ++n)
    b.CreateAlignedStore(s.register_value(response_register + n), in_image(response, n), llvm::Align(reg_bytes));
  b.CreateRet(b.getInt32(0));
  b.SetInsertPoint(otherwise);
  llvm::Function& asking = declare(asking_name, Takes::site, *f->getParent());
  llvm::CallInst* asked = b.CreateCall(&asking, {f->getArg(of_call), f->getArg(of_plan), f->getArg(of_site)});
  asked->setCallingConv(asking.getCallingConv());
  b.CreateRet(asked);
  return !s.refused;
}

std::string name_of(const Plan& p, const Options& options) {
  std::string name = fmt::format("transfer.{:x}.{}.{}.", p.lane_mask, Message{.desc = p.instruction.desc.imm}.mlen(),
                                 int(options.counts_carried));
  for (const std::byte b : std::as_bytes(std::span(&p.message.shape, 1))) name += fmt::format("{:02x}", unsigned(b));
  return name;
}

}  // namespace

llvm::Function* emit(const Program& program, const Options& options, const SharedTransfer& shared,
                     llvm::Module& module) {
  const bool asks = shared.name == asking_name;
  llvm::Function& f = declare(shared.name, asks ? Takes::site : Takes::all, module);
  if (asks)
    emit_asking(program, f);
  else if (!emit_shared(program, options, &f, shared.plan))
    return nullptr;
  return &f;
}

void SharedTransfers::want(const SharedTransfer& wanted) {
  if (std::none_of(all_.begin(), all_.end(), [&](const SharedTransfer& s) { return s.name == wanted.name; }))
    all_.push_back(wanted);
}

llvm::FunctionCallee SharedTransfers::asking() {
  want({asking_name, {}});
  return &declare(asking_name, Takes::site, module_);
}

llvm::FunctionCallee SharedTransfers::function(const Plan& p) {
  Plan one = p;
  one.message.shape.distance = 0;  // is an argument
  asking();
  const std::string name = name_of(one, options_);
  want({name, one});
  return &declare(name, Takes::all, module_);
}

std::vector<Value*> SharedTransfers::arguments(State& s, const Plan& p, int site) {
  const isa::Instruction& i = p.instruction;
  const uint32_t registers = uint32_t(i.src[0].reg) << first_payload | uint32_t(i.src[1].reg) << second_payload |
                             uint32_t(i.dst.reg) << response;
  return {s.b.getInt32(uint32_t(site)), s.b.getInt32(registers), s.write_enable(p),
          s.b.getInt64(p.message.shape.distance)};
}

}  // namespace vitro::jit
