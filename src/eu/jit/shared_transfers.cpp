// Transfers as functions, each for all messages that differ only in their registers, their window and the distance in
// their descriptor. A transfer in place is fast, but it is a dozen blocks for the code generator: a program with a
// thousand messages would take it a minute. A function works on the thread's image, as the shared function does that it
// asks when a place lies outside of the window; it is the same in all programs, and compiled once. PRM: as
// transfers.cpp.
#include "eu/jit/shared_transfers.h"

#include <fmt/format.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <span>

#include "eu/message.h"

namespace vitro::eu::jit {
namespace {

using llvm::BasicBlock;
using llvm::Value;

// Registers of the function's own plan: the payload in a row, and the response.
constexpr int payload_register = 0, response_register = 64;

// Arguments of the function.
enum Argument : unsigned { of_call, of_plan, of_site, of_registers, of_channels, of_distance };
// Where the numbers of a message's first registers stand in of_registers.
enum Number : unsigned { first_payload = 0, second_payload = 8, response = 16 };

class SharedEmission {
 public:
  SharedEmission(const Program& program, const Options& options, llvm::Function* f, const Plan& p, const Transfer& t)
      : b_(f->getContext()),
        s_{.b = b_, .program = program, .counts_carried = options.counts_carried},
        f_(f),
        own_(p),
        t_(t) {
    first_ = int(Message{.desc = p.instruction.desc.imm}.mlen());
    own_.instruction.src[0].reg = payload_register;
    own_.instruction.src[1].reg = uint8_t(payload_register + first_);
    own_.instruction.dst.reg = response_register;
  }

  void run() {
    b_.SetInsertPoint(block("start"));
    s_.call = f_->getArg(of_call);
    s_.thread = b_.CreateLoad(b_.getPtrTy(), s_.at(s_.call, offsetof(Call, thread)));
    Value* windows = b_.CreateLoad(b_.getPtrTy(), s_.at(s_.call, offsetof(Call, windows)));
    Value* place = b_.CreateMul(b_.CreateZExt(f_->getArg(of_site), b_.getInt64Ty()), b_.getInt64(sizeof(Window)));
    Value* window = b_.CreateGEP(b_.getInt8Ty(), windows, place);
    for (int n = 0; n < int(t_.payload_registers()); ++n)
      take(payload_register + n, n < first_ ? in_image(first_payload, n) : in_image(second_payload, n - first_));
    for (int n = 0; n < int(t_.response_registers()); ++n) take(response_register + n, in_image(response, n));
    BasicBlock *otherwise = block("otherwise"), *done = block("done");
    emit_transfer(s_, {own_, t_, window, f_->getArg(of_channels), f_->getArg(of_distance)}, otherwise, done);
    b_.SetInsertPoint(done);
    s_.touch();
    for (int n = 0; n < int(t_.response_registers()); ++n)
      b_.CreateAlignedStore(s_.whole(response_register + n), in_image(response, n), llvm::Align(reg_bytes));
    b_.CreateRet(b_.getInt32(0));
    b_.SetInsertPoint(otherwise);
    llvm::FunctionType* type =
        llvm::FunctionType::get(b_.getInt32Ty(), {b_.getPtrTy(), b_.getPtrTy(), b_.getInt32Ty()}, false);
    Value* function = b_.CreateLoad(b_.getPtrTy(), s_.at(s_.call, offsetof(Call, transfer)));
    b_.CreateRet(b_.CreateCall(type, function, {f_->getArg(of_call), f_->getArg(of_plan), f_->getArg(of_site)}));
  }

 private:
  BasicBlock* block(const char* name) { return BasicBlock::Create(f_->getContext(), name, f_); }
  // A register of the message in the image: where its number begins in the argument, and how many further on.
  Value* in_image(Number bit, int n) {
    Value* number = b_.CreateAnd(b_.CreateLShr(f_->getArg(of_registers), bit), b_.getInt32(0xFF));
    Value* offset = b_.CreateMul(b_.CreateZExt(number, b_.getInt64Ty()), b_.getInt64(reg_bytes));
    Value* first = b_.CreateGEP(b_.getInt8Ty(), s_.at(s_.thread, offsetof(Thread, grf)), offset);
    return s_.at(first, size_t(n) * reg_bytes);
  }
  void take(int r, Value* from) {
    s_.registers[r] = b_.CreateAlloca(s_.register_type());
    b_.CreateStore(b_.CreateAlignedLoad(s_.register_type(), from, llvm::Align(reg_bytes)), s_.registers[r]);
  }

  Builder b_;
  State s_;
  llvm::Function* f_;
  Plan own_;
  const Transfer& t_;
  int first_ = 0;
};

std::string name_of(const Plan& p, const Transfer& kind, const Options& options) {
  std::string name = fmt::format("transfer.{:x}.{}.{}.", p.lane_mask, Message{.desc = p.instruction.desc.imm}.mlen(),
                                 int(options.counts_carried));
  for (const std::byte b : std::as_bytes(std::span(&kind, 1))) name += fmt::format("{:02x}", unsigned(b));
  return name;
}

llvm::Function& declare(const std::string& name, llvm::Module& module) {
  if (llvm::Function* f = module.getFunction(name)) return *f;
  llvm::LLVMContext& c = module.getContext();
  llvm::Type *pointer = llvm::PointerType::getUnqual(c), *number = llvm::Type::getInt32Ty(c);
  llvm::FunctionType* type =
      llvm::FunctionType::get(number, {pointer, pointer, number, number, number, llvm::Type::getInt64Ty(c)}, false);
  llvm::Function* f = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
  f->addFnAttr(llvm::Attribute::NoUnwind);
  f->addFnAttr(llvm::Attribute::NoInline);
  return *f;
}

}  // namespace

llvm::Function& emit(const Program& program, const Options& options, const SharedTransfer& shared,
                     llvm::Module& module) {
  llvm::Function& f = declare(shared.name, module);
  SharedEmission(program, options, &f, shared.plan, shared.transfer).run();
  return f;
}

llvm::FunctionCallee SharedTransfers::function(const Plan& p, const Transfer& t) {
  Transfer kind = t;  // without what is an argument, or the shared function's business
  kind.desc = kind.distance = 0, kind.sfid = 0;
  const std::string name = name_of(p, kind, options_);
  if (std::none_of(all_.begin(), all_.end(), [&](const SharedTransfer& s) { return s.name == name; }))
    all_.push_back({name, p, kind});
  return &declare(name, module_);
}

std::vector<Value*> SharedTransfers::arguments(State& s, const Plan& p, const Transfer& t, int site) {
  const isa::Instruction& i = p.instruction;
  const uint32_t registers = uint32_t(i.src[0].reg) << first_payload | uint32_t(i.src[1].reg) << second_payload |
                             uint32_t(i.dst.reg) << response;
  return {s.b.getInt32(uint32_t(site)), s.b.getInt32(registers), s.write_enable(p), s.b.getInt64(t.distance)};
}

}  // namespace vitro::eu::jit
