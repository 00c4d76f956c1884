// Routines as intermediate code: the templates of fixed functions over the compiler's lanes, and the calls of them.
// PRM: as shared/sampler/sample_lanes.h.
#include "jit/emit.h"

#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/IR/Module.h>

#include "base/host_floats.h"
#include "eu/message.h"
#include "jit/lane_values.h"
#include "shared/dataport/target_lanes.h"
#include "shared/sampler/sample_lanes.h"

namespace vitro::jit {

using llvm::Value;

namespace {
constexpr unsigned input_count = shared::sample_input_count, channel_count = 4, lanes_of_routine = 8;
}

// Facts and inputs to channels, in registers.
llvm::FunctionType* sample_form(llvm::LLVMContext& c) {
  llvm::Type* vector = llvm::FixedVectorType::get(llvm::Type::getInt32Ty(c), lanes_of_routine);
  std::vector<llvm::Type*> in(1 + input_count, vector), out(channel_count, vector);
  in[0] = llvm::PointerType::getUnqual(c);
  return llvm::FunctionType::get(llvm::StructType::get(c, out), in, false);
}

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

namespace {
// Calls f with the key that these bytes are, if they are one.
template <class F>
void with_key(std::span<const std::byte> bytes, F f) {
  const auto give = [&](const auto& key) {
    if (key) f(*key);
  };
  if (bytes.empty()) return;
  switch (code::RoutineKind(bytes[0])) {
    case code::RoutineKind::sample: return give(routine_key<shared::SampleKey>(bytes));
    case code::RoutineKind::target: return give(routine_key<shared::TargetKey>(bytes));
  }
}
}  // namespace

bool keeps_denormals(std::span<const std::byte> bytes) {
  bool keeps = false;
  with_key(bytes, [&](const auto& key) { keeps = key.keeps_denormals(); });
  return keeps;
}

llvm::Function* emit_routine_body(std::span<const std::byte> bytes, llvm::Module& module) {
  llvm::Function* body = nullptr;
  with_key(bytes, [&]<class Key>(const Key& key) {
    constexpr bool samples = std::is_same_v<Key, shared::SampleKey>;
    llvm::FunctionType* form = (samples ? sample_form : target_form)(module.getContext());
    body = llvm::Function::Create(form, llvm::Function::InternalLinkage, "routine", module);
    body->addFnAttr(llvm::Attribute::NoUnwind);
    emit_body(key, *body);
  });
  return body;
}

void emit_body(const shared::SampleKey& key, llvm::Function& body) {
  Builder b(body.getContext());
  b.SetInsertPoint(llvm::BasicBlock::Create(body.getContext(), "", &body));
  const LaneValues d{b, lanes_of_routine};
  const auto input = [&](unsigned n) { return IrInt{&b, body.getArg(1 + n)}; };
  const shared::SampleLanes<LaneValues> lanes{d, key, {body.getArg(0)}};
  const auto out = lanes({input(0), input(1), input(2), input(3), input(4), input(5), input(6), input(7)});
  Value* const channels[] = {out[0].v, out[1].v, out[2].v, out[3].v};
  b.CreateAggregateRet(channels, channel_count);
}

bool emit_sample_routine(std::span<const std::byte> bytes, llvm::Module& module) {
  const std::optional<shared::SampleKey> key = routine_key<shared::SampleKey>(bytes);
  if (!key) return false;
  llvm::LLVMContext& c = module.getContext();
  Builder b(c);
  // The first one in the image, so that it is found.
  auto* vectors = llvm::Function::Create(sample_form(c), llvm::Function::InternalLinkage, "vectors", module);
  llvm::Function* body = vectors;
  if (key->keeps_denormals()) {
    body = llvm::Function::Create(sample_form(c), llvm::Function::InternalLinkage, "body", module);
    body->addFnAttr(llvm::Attribute::NoInline);
    emit_in_plain_modes(vectors, body);
  }
  emit_body(*key, *body);

  llvm::Type* vector = llvm::FixedVectorType::get(b.getInt32Ty(), lanes_of_routine);
  llvm::PointerType* pointer = b.getPtrTy();
  auto* function = llvm::Function::Create(llvm::FunctionType::get(b.getVoidTy(), {pointer, pointer, pointer}, false),
                                          llvm::Function::ExternalLinkage, function_name, module);
  b.SetInsertPoint(llvm::BasicBlock::Create(c, "", function));
  const auto place = [&](unsigned argument, size_t vector) {
    return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), function->getArg(argument), vector * 32);
  };
  std::vector<Value*> in{function->getArg(0)};
  for (size_t n = 0; n < input_count; ++n) in.push_back(b.CreateAlignedLoad(vector, place(1, n), llvm::Align(4)));
  Value* answer = b.CreateCall(body, in);
  for (unsigned n = 0; n < channel_count; ++n)
    b.CreateAlignedStore(b.CreateExtractValue(answer, n), place(2, n), llvm::Align(4));
  b.CreateRetVoid();
  for (llvm::Function* f : {vectors, body, function}) f->addFnAttr(llvm::Attribute::NoUnwind);
  return true;
}

void emit_routine_call(State& s, const Transfer& c, llvm::BasicBlock* otherwise, llvm::BasicBlock* done) {
  Builder& b = s.b;
  const auto block = [&](const char* name) {
    return llvm::BasicBlock::Create(b.getContext(), name, b.GetInsertBlock()->getParent());
  };
  const bool colours = c.plan.message.shape.colours();
  const auto emit_calls = colours ? emit_target_call : emit_sample_call;
  const std::span<const std::byte> key = c.fusion ? c.fusion->key(c.instruction) : std::span<const std::byte>();
  const auto target = colours ? routine_key<shared::TargetKey>(key) : std::nullopt;
  const bool squares = target && target->has_squares() && !target->log2_samples;
  llvm::Function* function = nullptr;
  if (!key.empty() && !squares) function = c.fusion->function(c.instruction, c.plan.message.shape.slots / 8);
  if (squares || function) {
    c.fusion->note(c.instruction);
    llvm::BasicBlock *here = block("fused"), *others = block("others");
    Value* fused = b.CreateLoad(b.getInt32Ty(), s.at(c.window, offsetof(Window, fused)));
    b.CreateCondBr(b.CreateIsNotNull(fused), here, others, s.often());
    b.SetInsertPoint(here);
    if (squares)
      emit_target_squares(s, c, *target, others, otherwise, done);
    else
      emit_calls(s, c, function, otherwise, done);
    b.SetInsertPoint(others);
  }
  llvm::BasicBlock* there = block("routine");
  Value* routine = b.CreateLoad(b.getPtrTy(), s.at(c.window, offsetof(Window, routine)));
  b.CreateCondBr(b.CreateIsNotNull(routine), there, otherwise, s.often());
  b.SetInsertPoint(there);
  llvm::FunctionType* form = colours ? target_form(b.getContext()) : sample_form(b.getContext());
  emit_calls(s, c, {form, routine}, otherwise, done);
}

void emit_sample_call(State& s, const Transfer& c, llvm::FunctionCallee routine, llvm::BasicBlock* otherwise,
                      llvm::BasicBlock* done) {
  Builder& b = s.b;
  const isa::Instruction& i = c.plan.instruction;
  const isa::MessageRow& row = *c.plan.message.row;
  const isa::MessageShape& shape = c.plan.message.shape;
  const unsigned given = payload_count(c.plan), eights = shape.row_registers();
  const unsigned channels = std::min(4u, isa::rlen(i.desc.imm) / eights);
  const auto payload = [&](unsigned n) { return s.register_value(int(eu::payload_register(i, n))); };
  if (shape.header) {
    Value* says = b.CreateExtractElement(b.CreateBitCast(payload(0), s.lanes_of(64, 4)), uint64_t(1));
    Value* start = b.CreateLoad(b.getInt64Ty(), s.at(c.window, offsetof(Window, start)));
    auto* calls = llvm::BasicBlock::Create(b.getContext(), "calls", b.GetInsertBlock()->getParent());
    b.CreateCondBr(b.CreateICmpEQ(says, start), calls, otherwise, s.often());
    b.SetInsertPoint(calls);
  }
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
    Value* answer = b.CreateCall(routine, in[g]);
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
