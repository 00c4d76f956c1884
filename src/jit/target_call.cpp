// Render target writes in compiled code: the routines that blend and write eight pixels, and the calls of them, with
// colours in registers. PRM: as shared/dataport/render_target.h. What more than colours is asked of a message (tests,
// masks of samples, pixels of which some samples are lit) the record of the thread knows: then the data port is asked.
#include "jit/emit.h"

#include <llvm/IR/Module.h>

#include <cstring>

#include "eu/message.h"
#include "jit/lane_values.h"
#include "shared/dataport/colour_payload.h"
#include "shared/dataport/target_lanes.h"
#include "shared/dataport/target_site.h"
#include "shared/pixel_context.h"

namespace vitro::jit {

using llvm::Value;
using shared::PixelThread;

namespace {
constexpr unsigned lanes_of_routine = 8;
}

// Facts, corners of two subspans, lit lanes, layer; colours and second colours.
llvm::FunctionType* target_form(llvm::LLVMContext& c) {
  llvm::Type *number = llvm::Type::getInt32Ty(c), *vector = llvm::FixedVectorType::get(number, lanes_of_routine);
  std::vector<llvm::Type*> in{llvm::PointerType::getUnqual(c), llvm::Type::getInt64Ty(c), number, number};
  in.insert(in.end(), 8, vector);
  return llvm::FunctionType::get(llvm::Type::getVoidTy(c), in, false);
}

bool emit_target_routine(std::span<const std::byte> bytes, llvm::Module& module) {
  shared::TargetKey key;
  static_assert(std::has_unique_object_representations_v<shared::TargetKey>);
  if (bytes.size() != sizeof key) return false;
  std::memcpy(static_cast<void*>(&key), bytes.data(), sizeof key);
  llvm::LLVMContext& c = module.getContext();
  Builder b(c);
  const auto function = [&](llvm::FunctionType* type, const char* name, llvm::Function::LinkageTypes linkage) {
    llvm::Function* f = llvm::Function::Create(type, linkage, name, module);
    f->addFnAttr(llvm::Attribute::NoUnwind);
    return f;
  };
  // The first one in the image, so that it is found.
  llvm::Function *vectors = function(target_form(c), "vectors", llvm::Function::InternalLinkage), *body = vectors;
  if (key.keeps_denormals()) {
    body = function(target_form(c), "body", llvm::Function::InternalLinkage);
    body->addFnAttr(llvm::Attribute::NoInline);
    emit_in_plain_modes(vectors, body);
  }
  b.SetInsertPoint(llvm::BasicBlock::Create(c, "", body));
  const LaneValues d{b, lanes_of_routine};
  llvm::Type *words = llvm::FixedVectorType::get(b.getInt16Ty(), 4),
             *numbers = llvm::FixedVectorType::get(b.getInt32Ty(), 4);
  Value* corners = b.CreateZExt(b.CreateBitCast(body->getArg(1), words), numbers);
  const IrInt x{&b, b.CreateShuffleVector(corners, {0, 0, 0, 0, 2, 2, 2, 2})};
  const IrInt y{&b, b.CreateShuffleVector(corners, {1, 1, 1, 1, 3, 3, 3, 3})};
  const IrTruth lit{&b, b.CreateBitCast(b.CreateTrunc(body->getArg(2), b.getInt8Ty()),
                                        llvm::FixedVectorType::get(b.getInt1Ty(), lanes_of_routine))};
  const IrInt layer{&b, b.CreateVectorSplat(lanes_of_routine, body->getArg(3))};
  const auto colour = [&](unsigned first) -> std::array<IrInt, 4> {
    return {IrInt{&b, body->getArg(first)}, IrInt{&b, body->getArg(first + 1)}, IrInt{&b, body->getArg(first + 2)},
            IrInt{&b, body->getArg(first + 3)}};
  };
  const shared::TargetLanes<LaneValues> lanes{d, key, {body->getArg(0)}};
  lanes(x + d.by_lane({0, 1, 0, 1, 0, 1, 0, 1}), y + d.by_lane({0, 0, 1, 1, 0, 0, 1, 1}), layer, lit, colour(4),
        colour(8));
  b.CreateRetVoid();

  // From memory: corners, lit lanes and layer in the first vector.
  llvm::PointerType* pointer = b.getPtrTy();
  llvm::Function* host = function(llvm::FunctionType::get(b.getVoidTy(), {pointer, pointer, pointer}, false),
                                  function_name, llvm::Function::ExternalLinkage);
  b.SetInsertPoint(llvm::BasicBlock::Create(c, "", host));
  const auto at = [&](llvm::Type* type, size_t byte) {
    return b.CreateAlignedLoad(type, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), host->getArg(1), byte),
                               llvm::Align(4));
  };
  std::vector<Value*> in{host->getArg(0), at(b.getInt64Ty(), 0), at(b.getInt32Ty(), 8), at(b.getInt32Ty(), 12)};
  for (size_t n = 0; n < 8; ++n) in.push_back(at(d.ints(), (1 + n) * 32));
  b.CreateCall(vectors, in);
  b.CreateRetVoid();
  return true;
}

void emit_target_call(State& s, const Transfer& c, llvm::BasicBlock* otherwise, llvm::BasicBlock* done) {
  Builder& b = s.b;
  const isa::Instruction& i = c.plan.instruction;
  const shared::ColourPayload parts(c.plan.message.shape);
  const auto payload = [&](unsigned n) { return s.register_value(int(eu::payload_register(i, n))); };
  const auto dword = [&](unsigned n, unsigned k) { return b.CreateExtractElement(payload(n), uint64_t(k)); };
  const auto block = [&](const char* name) {
    return llvm::BasicBlock::Create(b.getContext(), name, b.GetInsertBlock()->getParent());
  };
  llvm::Type *number = b.getInt32Ty(), *pointer = b.getPtrTy();

  llvm::BasicBlock *there = block("routine"), *calls = block("calls");
  Value* routine = b.CreateLoad(pointer, s.at(c.window, offsetof(Window, routine)));
  b.CreateCondBr(b.CreateIsNotNull(routine), there, otherwise, s.often());
  b.SetInsertPoint(there);
  Value* record = b.CreateLoad(pointer, b.CreateLoad(pointer, s.at(c.window, offsetof(Window, context))));
  const auto of_record = [&](llvm::Type* type, size_t offset) { return b.CreateLoad(type, s.at(record, offset)); };
  Value* fits = b.CreateICmpNE(of_record(number, offsetof(PixelThread, only_colours)), b.getInt32(0));
  Value* layer = of_record(number, offsetof(PixelThread, layer));
  Value* lanes = c.channels;
  if (const unsigned first = parts.first_channel(unsigned(c.plan.lanes))) lanes = b.CreateLShr(lanes, first);
  if (parts.body) {
    using shared::ColourPayload;
    constexpr uint32_t more = ColourPayload::header_alpha | ColourPayload::header_omask | ColourPayload::header_depth |
                              ColourPayload::header_stencil;
    Value* start = b.CreateTrunc(b.CreateLoad(b.getInt64Ty(), s.at(c.window, offsetof(Window, start))), number);
    fits = b.CreateAnd(fits, b.CreateICmpEQ(dword(0, 2), start));
    fits = b.CreateAnd(fits, b.CreateIsNull(b.CreateAnd(dword(0, 0), more)));
    layer = b.CreateAnd(b.CreateLShr(dword(0, 0), 16), 0x7FF);
    lanes = b.CreateAnd(lanes, b.CreateLShr(b.CreateAnd(dword(1, 7), 0xFFFF), parts.first & 15));
  }
  b.CreateCondBr(fits, calls, otherwise, s.often());

  b.SetInsertPoint(calls);
  Value* facts = b.CreateLoad(pointer, s.at(c.window, offsetof(Window, host)));
  Value* lit = b.CreateAnd(b.CreateLShr(of_record(number, offsetof(PixelThread, lit)), parts.first), lanes);
  const auto component = [&](unsigned at, unsigned n, unsigned g) -> Value* {
    if (parts.replicated) return b.CreateVectorSplat(lanes_of_routine, dword(at, n));
    return payload(at + n * parts.row + g);
  };
  // A blend factor may ask for a second colour that the message has not: as by other means, it is zero.
  Value* const none = llvm::Constant::getNullValue(s.register_type());
  for (unsigned g = 0; g < parts.lanes / lanes_of_routine; ++g) {
    Value* some = b.CreateAnd(g ? b.CreateLShr(lit, lanes_of_routine * g) : lit, 0xFF);
    llvm::BasicBlock *writes = block("writes"), *written = block("written");
    b.CreateCondBr(b.CreateIsNotNull(some), writes, written, s.often());
    b.SetInsertPoint(writes);
    const size_t corner =
        offsetof(PixelThread, subspans) +
        sizeof(PixelThread::Subspan) * ((parts.first + lanes_of_routine * g) / shared::lanes_of_subspan);
    std::vector<Value*> in{facts, of_record(b.getInt64Ty(), corner), some, layer};
    for (unsigned n = 0; n < 4; ++n) in.push_back(component(parts.colour_at(), n, g));
    for (unsigned n = 0; n < 4; ++n) in.push_back(parts.dual ? component(parts.second_at(), n, g) : none);
    b.CreateCall(target_form(b.getContext()), routine, in);
    b.CreateBr(written);
    b.SetInsertPoint(written);
  }
  emit_carried(s, c.window);
  b.CreateBr(done);
}

}  // namespace vitro::jit
