// Render target writes in compiled code: the routines that blend and write eight pixels, and the calls of them, with
// colours in registers. PRM: as shared/dataport/render_target.h. What more than colours is asked of a message (tests,
// masks of samples, pixels of which some samples are lit) the record of the thread knows: then the data port is asked.
#include "jit/emit.h"

#include <llvm/IR/Module.h>

#include <numeric>
#include <utility>

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

// Of eight pixels, by the corners of their subspans.
std::pair<IrInt, IrInt> places_of(const LaneValues& d, Value* subspans) {
  Builder& b = d.b;
  llvm::Type *words = llvm::FixedVectorType::get(b.getInt16Ty(), 4),
             *numbers = llvm::FixedVectorType::get(b.getInt32Ty(), 4);
  Value* corners = b.CreateZExt(b.CreateBitCast(subspans, words), numbers);
  const IrInt x{&b, b.CreateShuffleVector(corners, {0, 0, 0, 0, 2, 2, 2, 2})};
  const IrInt y{&b, b.CreateShuffleVector(corners, {1, 1, 1, 1, 3, 3, 3, 3})};
  return {x + d.by_lane({0, 1, 0, 1, 0, 1, 0, 1}), y + d.by_lane({0, 0, 1, 1, 0, 0, 1, 1})};
}
}  // namespace

// Facts, corners of two subspans, lit lanes, layer; colours and second colours.
llvm::FunctionType* target_form(llvm::LLVMContext& c) {
  llvm::Type *number = llvm::Type::getInt32Ty(c), *vector = llvm::FixedVectorType::get(number, lanes_of_routine);
  std::vector<llvm::Type*> in{llvm::PointerType::getUnqual(c), llvm::Type::getInt64Ty(c), number, number};
  in.insert(in.end(), 8, vector);
  return llvm::FunctionType::get(llvm::Type::getVoidTy(c), in, false);
}

void emit_body(const shared::TargetKey& key, llvm::Function& body) {
  llvm::LLVMContext& c = body.getContext();
  Builder b(c);
  b.SetInsertPoint(llvm::BasicBlock::Create(c, "", &body));
  const LaneValues d{b, lanes_of_routine};
  const auto [x, y] = places_of(d, body.getArg(1));
  const IrTruth lit{&b, b.CreateBitCast(b.CreateTrunc(body.getArg(2), b.getInt8Ty()),
                                        llvm::FixedVectorType::get(b.getInt1Ty(), lanes_of_routine))};
  const IrInt layer{&b, b.CreateVectorSplat(lanes_of_routine, body.getArg(3))};
  const auto colour = [&](unsigned first) -> std::array<IrInt, 4> {
    return {IrInt{&b, body.getArg(first)}, IrInt{&b, body.getArg(first + 1)}, IrInt{&b, body.getArg(first + 2)},
            IrInt{&b, body.getArg(first + 3)}};
  };
  const shared::TargetLanes<LaneValues> lanes{d, key, {body.getArg(0)}};
  lanes(x, y, layer, lit, colour(4), colour(8));
  b.CreateRetVoid();
}

bool emit_target_routine(std::span<const std::byte> bytes, llvm::Module& module) {
  const std::optional<shared::TargetKey> key = routine_key<shared::TargetKey>(bytes);
  if (!key) return false;
  llvm::LLVMContext& c = module.getContext();
  Builder b(c);
  const auto function = [&](llvm::FunctionType* type, const char* name, llvm::Function::LinkageTypes linkage) {
    llvm::Function* f = llvm::Function::Create(type, linkage, name, module);
    f->addFnAttr(llvm::Attribute::NoUnwind);
    return f;
  };
  // The first one in the image, so that it is found.
  llvm::Function *vectors = function(target_form(c), "vectors", llvm::Function::InternalLinkage), *body = vectors;
  if (key->keeps_denormals()) {
    body = function(target_form(c), "body", llvm::Function::InternalLinkage);
    body->addFnAttr(llvm::Attribute::NoInline);
    emit_in_plain_modes(vectors, body);
  }
  emit_body(*key, *body);

  // From memory: corners, lit lanes and layer in the first vector.
  llvm::PointerType* pointer = b.getPtrTy();
  llvm::Function* host = function(llvm::FunctionType::get(b.getVoidTy(), {pointer, pointer, pointer}, false),
                                  function_name, llvm::Function::ExternalLinkage);
  b.SetInsertPoint(llvm::BasicBlock::Create(c, "", host));
  const auto at = [&](llvm::Type* type, size_t byte) {
    return b.CreateAlignedLoad(type, b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), host->getArg(1), byte),
                               llvm::Align(4));
  };
  llvm::Type* vector = llvm::FixedVectorType::get(b.getInt32Ty(), lanes_of_routine);
  std::vector<Value*> in{host->getArg(0), at(b.getInt64Ty(), 0), at(b.getInt32Ty(), 8), at(b.getInt32Ty(), 12)};
  for (size_t n = 0; n < 8; ++n) in.push_back(at(vector, (1 + n) * 32));
  b.CreateCall(vectors, in);
  b.CreateRetVoid();
  return true;
}

namespace {

// The parts of a message that are the same whatever routine carries it out.
class Colours {
 public:
  // Control goes to `otherwise` if more than colours is asked of it.
  Colours(State& s, const Transfer& c, llvm::BasicBlock* otherwise)
      : parts(c.plan.message.shape), s_(s), b_(s.b), send_(c.plan.instruction) {
    llvm::Type *number = b_.getInt32Ty(), *pointer = b_.getPtrTy();
    record_ = b_.CreateLoad(pointer, b_.CreateLoad(pointer, s.at(c.window, offsetof(Window, context))));
    Value* fits = b_.CreateICmpNE(of_record(number, offsetof(PixelThread, only_colours)), b_.getInt32(0));
    layer = of_record(number, offsetof(PixelThread, layer));
    Value* lanes = c.channels;
    if (const unsigned first = parts.first_channel(unsigned(c.plan.lanes))) lanes = b_.CreateLShr(lanes, first);
    if (parts.body) {
      using shared::ColourPayload;
      constexpr uint32_t more = ColourPayload::header_alpha | ColourPayload::header_omask |
                                ColourPayload::header_depth | ColourPayload::header_stencil;
      Value* start = b_.CreateTrunc(b_.CreateLoad(b_.getInt64Ty(), s.at(c.window, offsetof(Window, start))), number);
      fits = b_.CreateAnd(fits, b_.CreateICmpEQ(dword(0, 2), start));
      fits = b_.CreateAnd(fits, b_.CreateIsNull(b_.CreateAnd(dword(0, 0), more)));
      layer = b_.CreateAnd(b_.CreateLShr(dword(0, 0), 16), 0x7FF);
      lanes = b_.CreateAnd(lanes, b_.CreateLShr(b_.CreateAnd(dword(1, 7), 0xFFFF), parts.first & 15));
    }
    llvm::BasicBlock* colours = block("colours");
    b_.CreateCondBr(fits, colours, otherwise, s.often());
    b_.SetInsertPoint(colours);
    facts = b_.CreateLoad(pointer, s.at(c.window, offsetof(Window, host)));
    lit = b_.CreateAnd(b_.CreateLShr(of_record(number, offsetof(PixelThread, lit)), parts.first), lanes);
  }

  const shared::ColourPayload parts;
  Value *facts = nullptr, *lit = nullptr, *layer = nullptr;

  unsigned eights() const { return parts.lanes / lanes_of_routine; }
  // Component n of eight pixels, and of their second colour. A blend factor may ask for one that the message has not:
  // as by other means, it is zero.
  Value* first(unsigned n, unsigned eight) const { return component(parts.colour_at(), n, eight); }
  Value* second(unsigned n, unsigned eight) const {
    return parts.dual ? component(parts.second_at(), n, eight) : llvm::Constant::getNullValue(s_.register_type());
  }
  // Of two subspans.
  Value* corners(unsigned eight) const {
    return of_record(b_.getInt64Ty(), offsetof(PixelThread, subspans) +
                                          sizeof(PixelThread::Subspan) *
                                              ((parts.first + lanes_of_routine * eight) / shared::lanes_of_subspan));
  }
  llvm::BasicBlock* block(const char* name) const {
    return llvm::BasicBlock::Create(b_.getContext(), name, b_.GetInsertBlock()->getParent());
  }

 private:
  Value* of_record(llvm::Type* type, size_t offset) const { return b_.CreateLoad(type, s_.at(record_, offset)); }
  Value* payload(unsigned n) const { return s_.register_value(int(eu::payload_register(send_, n))); }
  Value* dword(unsigned n, unsigned k) const { return b_.CreateExtractElement(payload(n), uint64_t(k)); }
  Value* component(unsigned at, unsigned n, unsigned eight) const {
    if (parts.replicated) return b_.CreateVectorSplat(lanes_of_routine, dword(at, n));
    return payload(at + n * parts.row + eight);
  }

  State& s_;
  Builder& b_;
  const isa::Instruction& send_;
  Value* record_ = nullptr;
};

}  // namespace

void emit_target_call(State& s, const Transfer& c, llvm::FunctionCallee routine, llvm::BasicBlock* otherwise,
                      llvm::BasicBlock* done) {
  Builder& b = s.b;
  const Colours colours(s, c, otherwise);
  for (unsigned g = 0; g < colours.eights(); ++g) {
    Value* some = b.CreateAnd(g ? b.CreateLShr(colours.lit, lanes_of_routine * g) : colours.lit, 0xFF);
    llvm::BasicBlock *writes = colours.block("writes"), *written = colours.block("written");
    b.CreateCondBr(b.CreateIsNotNull(some), writes, written, s.often());
    b.SetInsertPoint(writes);
    std::vector<Value*> in{colours.facts, colours.corners(g), some, colours.layer};
    for (unsigned n = 0; n < 4; ++n) in.push_back(colours.first(n, g));
    for (unsigned n = 0; n < 4; ++n) in.push_back(colours.second(n, g));
    b.CreateCall(routine, in);
    b.CreateBr(written);
    b.SetInsertPoint(written);
  }
  emit_carried(s, c.window);
  b.CreateBr(done);
}

void emit_target_squares(State& s, const Transfer& c, const shared::TargetKey& key, llvm::BasicBlock* others,
                         llvm::BasicBlock* otherwise, llvm::BasicBlock* done) {
  using Lanes = shared::TargetLanes<LaneValues>;
  Builder& b = s.b;
  const bool host_flushes = std::exchange(b.host_flushes, false);
  const Colours colours(s, c, otherwise);
  const unsigned eights = colours.eights();
  const LaneValues d{b, lanes_of_routine};
  const Lanes lanes{d, key, {colours.facts}};
  const IrInt slice = lanes.slice_of({&b, b.CreateVectorSplat(lanes_of_routine, colours.layer)});
  const auto every = uint32_t(ones(int(lanes_of_routine * eights)));
  Value* whole = b.CreateICmpEQ(b.CreateAnd(colours.lit, every), b.getInt32(every));
  std::vector<IrInt> at;
  for (unsigned g = 0; g < eights; ++g) {
    const auto [x, y] = places_of(d, colours.corners(g));
    const Lanes::Square q = lanes.square_at(x, y, slice);
    whole = b.CreateAnd(whole, q.whole);
    at.push_back(d.splat(q.at));
  }
  llvm::BasicBlock* squares = colours.block("squares");
  b.CreateCondBr(whole, squares, others, s.often());
  b.SetInsertPoint(squares);
  const IrInt row = lanes.row_distance();
  const bool sixteen = LaneValues::host_has_sixteen() && eights == 2;
  const unsigned at_once = sixteen ? 2 : 1;
  for (unsigned begin = 0; begin < eights; begin += at_once) {
    const LaneValues all{b, lanes_of_routine * at_once, sixteen};
    std::vector<int> lanes_of_all(all.lanes);
    std::iota(lanes_of_all.begin(), lanes_of_all.end(), 0);
    const auto joined = [&](const auto& part) -> IrInt {
      return {&b, at_once == 1 ? part(begin) : b.CreateShuffleVector(part(begin), part(begin + 1), lanes_of_all)};
    };
    Lanes::Components first, second;
    Lanes::Dwords before{all.i(0), all.i(0), all.i(0), all.i(0)};
    for (unsigned n = 0; n < 4; ++n) {
      first[n] = joined([&](unsigned g) { return colours.first(n, g); });
      second[n] = joined([&](unsigned g) { return colours.second(n, g); });
    }
    if (key.reads()) before[0] = joined([&](unsigned g) { return d.gather_square(lanes.host(), at[g], row).v; });
    const IrInt after = Lanes{all, key, {colours.facts}}.result(first, second, before)[0];
    for (unsigned g = 0; g < at_once; ++g) {
      const llvm::ArrayRef<int> own = llvm::ArrayRef(lanes_of_all).slice(g * lanes_of_routine, lanes_of_routine);
      d.scatter_square(lanes.host(), at[begin + g], row, {&b, b.CreateShuffleVector(after.v, own)});
    }
  }
  emit_carried(s, c.window);
  b.CreateBr(done);
  b.host_flushes = host_flushes;
}

}  // namespace vitro::jit
