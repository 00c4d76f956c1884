// Routines as intermediate code: the templates of fixed functions over the compiler's lanes, and the calls of them.
// PRM: as shared/sampler/sample_lanes.h.
#include "jit/emit.h"

#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

#include <cstring>

#include "base/host_floats.h"
#include "eu/message.h"
#include "jit/lane_values.h"
#include "shared/sampler/sample_lanes.h"

namespace vitro::jit {

using llvm::Value;

namespace {

constexpr unsigned input_count = shared::sample_input_count, channel_count = 4, lanes_of_routine = 8;

// Facts and inputs to channels, in registers.
llvm::FunctionType* form(llvm::LLVMContext& c) {
  llvm::Type* vector = llvm::FixedVectorType::get(llvm::Type::getInt32Ty(c), lanes_of_routine);
  std::vector<llvm::Type*> in(1 + input_count, vector), out(channel_count, vector);
  in[0] = llvm::PointerType::getUnqual(c);
  return llvm::FunctionType::get(llvm::StructType::get(c, out), in, false);
}

}  // namespace

// Compiled code may run with denormals flushed by the host; routines whose results depend on it do not. Their
// arithmetic stays a function of its own, as nothing of it may pass a change of modes.
void emit_in_plain_modes(llvm::Function* vectors, llvm::Function* body) {
  llvm::LLVMContext& c = vectors->getContext();
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(c, "", vectors));
  std::vector<Value*> all;
  for (llvm::Argument& a : vectors->args()) all.push_back(&a);
  auto *as_is = llvm::BasicBlock::Create(c, "as_is", vectors), *changed = llvm::BasicBlock::Create(c, "", vectors);
  Value *before = b.CreateAlloca(b.getInt32Ty()), *plain = b.CreateAlloca(b.getInt32Ty());
  b.CreateIntrinsic(llvm::Intrinsic::x86_sse_stmxcsr, {}, {before});
  Value* modes = b.CreateLoad(b.getInt32Ty(), before);
  b.CreateCondBr(b.CreateIsNull(b.CreateAnd(modes, HostFloats::flush)), as_is, changed);
  const auto give = [&](llvm::CallInst* answer) {
    answer->getType()->isVoidTy() ? b.CreateRetVoid() : b.CreateRet(answer);
  };
  b.SetInsertPoint(as_is);
  give(b.CreateCall(body, all));
  b.SetInsertPoint(changed);
  b.CreateStore(b.CreateAnd(modes, b.getInt32(~HostFloats::flush)), plain);
  b.CreateIntrinsic(llvm::Intrinsic::x86_sse_ldmxcsr, {}, {plain});
  llvm::CallInst* answer = b.CreateCall(body, all);
  b.CreateIntrinsic(llvm::Intrinsic::x86_sse_ldmxcsr, {}, {before});
  give(answer);
}

bool emit_routine(std::span<const std::byte> key, llvm::Module& module) {
  if (key.empty()) return false;
  switch (code::RoutineKind(key[0])) {
    case code::RoutineKind::sample: return emit_sample_routine(key, module);
    case code::RoutineKind::target: return emit_target_routine(key, module);
  }
  return false;
}

bool emit_sample_routine(std::span<const std::byte> bytes, llvm::Module& module) {
  using shared::SampleFacts;
  shared::SampleKey key;
  static_assert(std::has_unique_object_representations_v<shared::SampleKey>);
  if (bytes.size() != sizeof key) return false;
  std::memcpy(static_cast<void*>(&key), bytes.data(), sizeof key);
  llvm::LLVMContext& c = module.getContext();
  Builder b(c);
  // The first one in the image, so that it is found.
  auto* vectors = llvm::Function::Create(form(c), llvm::Function::InternalLinkage, "vectors", module);
  llvm::Function* body = vectors;
  if (key.keeps_denormals()) {
    body = llvm::Function::Create(form(c), llvm::Function::InternalLinkage, "body", module);
    body->addFnAttr(llvm::Attribute::NoInline);
    emit_in_plain_modes(vectors, body);
  }
  b.SetInsertPoint(llvm::BasicBlock::Create(c, "", body));
  const LaneValues d{b, lanes_of_routine};
  const auto input = [&](unsigned n) { return IrInt{&b, body->getArg(1 + n)}; };
  const shared::SampleLanes<LaneValues> lanes{d, key, {body->getArg(0)}};
  const auto out = lanes({input(0), input(1), input(2), input(3), input(4), input(5), input(6), input(7)});
  Value* const channels[] = {out[0].v, out[1].v, out[2].v, out[3].v};
  b.CreateAggregateRet(channels, channel_count);

  llvm::PointerType* pointer = b.getPtrTy();
  auto* function = llvm::Function::Create(llvm::FunctionType::get(b.getVoidTy(), {pointer, pointer, pointer}, false),
                                          llvm::Function::ExternalLinkage, function_name, module);
  b.SetInsertPoint(llvm::BasicBlock::Create(c, "", function));
  const auto place = [&](unsigned argument, size_t vector) {
    return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), function->getArg(argument), vector * 32);
  };
  std::vector<Value*> in{function->getArg(0)};
  for (size_t n = 0; n < input_count; ++n) in.push_back(b.CreateAlignedLoad(d.ints(), place(1, n), llvm::Align(4)));
  Value* answer = b.CreateCall(body, in);
  for (unsigned n = 0; n < channel_count; ++n)
    b.CreateAlignedStore(b.CreateExtractValue(answer, n), place(2, n), llvm::Align(4));
  b.CreateRetVoid();
  for (llvm::Function* f : {vectors, body, function}) f->addFnAttr(llvm::Attribute::NoUnwind);
  return true;
}

void emit_routine_call(State& s, const Transfer& c, llvm::BasicBlock* otherwise, llvm::BasicBlock* done) {
  Builder& b = s.b;
  const isa::Instruction& i = c.plan.instruction;
  const isa::MessageRow& row = *c.plan.message.row;
  const isa::MessageShape& shape = c.plan.message.shape;
  const unsigned given = payload_count(c.plan), eights = shape.row_registers();
  const unsigned channels = std::min(4u, isa::rlen(i.desc.imm) / eights);
  const auto payload = [&](unsigned n) { return s.register_value(int(eu::payload_register(i, n))); };
  Value* routine = b.CreateLoad(b.getPtrTy(), s.at(c.window, offsetof(Window, routine)));
  Value* fits = b.CreateIsNotNull(routine);
  if (shape.header) {
    Value* says = b.CreateExtractElement(b.CreateBitCast(payload(0), s.lanes_of(64, 4)), uint64_t(1));
    Value* start = b.CreateLoad(b.getInt64Ty(), s.at(c.window, offsetof(Window, start)));
    fits = b.CreateAnd(fits, b.CreateICmpEQ(says, start));
  }
  auto* calls = llvm::BasicBlock::Create(b.getContext(), "calls", b.GetInsertBlock()->getParent());
  b.CreateCondBr(fits, calls, otherwise, s.often());
  b.SetInsertPoint(calls);
  Value* facts = b.CreateLoad(b.getPtrTy(), s.at(c.window, offsetof(Window, host)));
  // All of the payload at first: the response may be where it stands.
  std::vector<std::vector<Value*>> in(eights, {facts});
  for (const isa::Parameter p : shared::sample_inputs(row.sampler)) {
    const int position = row.sampler.position(p);
    const unsigned at = position < 0 ? 0 : shape.parameter_register(unsigned(position));
    for (unsigned g = 0; g < eights; ++g)
      in[g].push_back(position >= 0 && at + eights <= given ? payload(at + g)
                                                            : llvm::Constant::getNullValue(s.register_type()));
  }
  for (unsigned g = 0; g < eights; ++g) {
    Value* answer = b.CreateCall(form(b.getContext()), routine, in[g]);
    Value* enabled = s.expand(c.channels, int(g * lanes_of_routine), int(lanes_of_routine));
    for (unsigned n = 0; n < channels; ++n) {
      const int to = int(i.dst.reg + n * eights + g);
      b.CreateStore(b.CreateSelect(enabled, b.CreateExtractValue(answer, n), s.before(to)), s.variable(to));
    }
  }
  emit_carried(s, c.window);
  b.CreateBr(done);
}

}  // namespace vitro::jit
