// A thread's state inside compiled code, and operands as vectors of lanes. Every register is a variable of its own of
// 32 bytes, which the compiler's library dissolves into values; regions are shuffles of whole registers, masks are
// selects. Never is a register seen as memory, save where it is copied to and from the thread's image.
// PRM: as lanes.h and results.h, whose host code this mirrors.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "eu/jit/analysis.h"
#include "eu/jit/runtime.h"
#include "eu/jit/values.h"

namespace vitro::eu::jit {

struct State {
  Builder& b;
  const Program& program;
  llvm::Value* call = nullptr;
  llvm::Value* thread = nullptr;
  llvm::Value* dispatched = nullptr;
  llvm::AllocaInst* registers[register_count] = {};
  llvm::AllocaInst* flags[2] = {};
  llvm::AllocaInst* active = nullptr;
  llvm::AllocaInst* executed = nullptr;
  std::vector<llvm::AllocaInst*> waiting{};  // channels, by label

  llvm::Type* register_type() const { return llvm::FixedVectorType::get(b.getInt32Ty(), 8); }
  llvm::FixedVectorType* lanes_of(int bits, int n) const {
    return llvm::FixedVectorType::get(b.getIntNTy(unsigned(bits)), unsigned(n));
  }
  llvm::Value* at(llvm::Value* base, size_t offset) const {
    return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), base, offset);
  }
  llvm::Value* load(size_t offset) const { return b.CreateLoad(b.getInt32Ty(), at(thread, offset)); }
  void store(llvm::Value* v, size_t offset) const { b.CreateStore(v, at(thread, offset)); }

  static size_t image_offset(int r) {
    return r == address_register ? offsetof(Thread, a0) : offsetof(Thread, grf) + size_t(r) * reg_bytes;
  }
  llvm::Value* whole(int r) const { return b.CreateLoad(register_type(), registers[r]); }
  void fetch(const Registers& which) const {
    for (int r = 0; r < register_count; ++r)
      if (which[size_t(r)])
        b.CreateStore(b.CreateAlignedLoad(register_type(), at(thread, image_offset(r)), image_alignment(r)),
                      registers[r]);
  }
  void spill(const Registers& which) const {
    for (int r = 0; r < register_count; ++r)
      if (which[size_t(r)]) b.CreateAlignedStore(whole(r), at(thread, image_offset(r)), image_alignment(r));
  }
  static llvm::Align image_alignment(int r) { return llvm::Align(r == address_register ? 4 : 32); }
  void fetch_flags() const {
    for (size_t n = 0; n < 2; ++n) b.CreateStore(load(offsetof(Thread, flag) + 4 * n), flags[n]);
  }
  void spill_flags() const {
    for (size_t n = 0; n < 2; ++n) store(flag(int(n)), offsetof(Thread, flag) + 4 * n);
  }
  llvm::Value* flag(int n) const { return b.CreateLoad(b.getInt32Ty(), flags[n]); }
  llvm::Value* running() const { return b.CreateLoad(b.getInt32Ty(), active); }

  // One bit per lane, from `first` on, as truths.
  llvm::Value* expand(llvm::Value* mask, int first, int n) const {
    std::vector<llvm::Constant*> places;
    for (int l = 0; l < n; ++l) places.push_back(b.getInt32(1u << (first + l)));
    llvm::Value* all = b.CreateVectorSplat(unsigned(n), mask);
    return b.CreateICmpNE(b.CreateAnd(all, llvm::ConstantVector::get(places)),
                          llvm::Constant::getNullValue(all->getType()));
  }
  // And back, at `first`.
  llvm::Value* collect(llvm::Value* truths, int first) const {
    const unsigned n = llvm::cast<llvm::FixedVectorType>(truths->getType())->getNumElements();
    return b.CreateShl(b.CreateZExt(b.CreateBitCast(truths, b.getIntNTy(n)), b.getInt32Ty()),
                       b.getInt32(uint32_t(first)));
  }

  // A vector of elements picked out of others. An element without a vector may be anything.
  struct Pick {
    llvm::Value* from = nullptr;
    int index = 0;
  };
  llvm::Value* assemble(llvm::Type* element, const std::vector<Pick>& wanted) const {
    const int n = int(wanted.size());
    llvm::Value* result = nullptr;
    std::vector<bool> done(wanted.size());
    for (;;) {
      std::vector<llvm::Value*> from;  // two at a time
      for (size_t k = 0; k < wanted.size() && from.size() < 2; ++k)
        if (wanted[k].from && !done[k] && (from.empty() || from[0] != wanted[k].from)) from.push_back(wanted[k].from);
      if (from.empty()) break;
      const int width = int(llvm::cast<llvm::FixedVectorType>(from[0]->getType())->getNumElements());
      std::vector<int> pick(wanted.size(), -1), blend(wanted.size());
      for (int k = 0; k < n; ++k) {
        blend[size_t(k)] = k;
        const Pick& w = wanted[size_t(k)];
        if (!w.from || done[size_t(k)]) continue;
        for (size_t f = 0; f < from.size(); ++f)
          if (w.from == from[f])
            pick[size_t(k)] = int(f) * width + w.index, done[size_t(k)] = true, blend[size_t(k)] = n + k;
      }
      llvm::Value* part =
          from.size() == 2 ? b.CreateShuffleVector(from[0], from[1], pick) : b.CreateShuffleVector(from[0], pick);
      result = result ? b.CreateShuffleVector(result, part, blend) : part;
    }
    return result ? result : llvm::PoisonValue::get(llvm::FixedVectorType::get(element, unsigned(n)));
  }

  // The flag registers from f(n) on as a register's bytes.
  llvm::Value* flags_as_register(int n) const {
    llvm::Value* v = llvm::Constant::getNullValue(register_type());
    for (int f = n; f < 2; ++f) v = b.CreateInsertElement(v, flag(f), uint64_t(f - n));
    return v;
  }

  // Bits of a source's elements, lanes `first` to `first + n`.
  llvm::Value* elements(const SourcePlan& s, int first, int n) const {
    const int size = isa::size_of(s.type);
    llvm::IntegerType* element = b.getIntNTy(unsigned(8 * size));
    if (s.kind == SourcePlan::Kind::immediate) {
      std::vector<llvm::Constant*> values;
      for (int l = first; l < first + n; ++l)
        values.push_back(llvm::ConstantInt::get(element, s.imm[size_t(l) % s.imm_count] & ones(8 * size)));
      return llvm::ConstantVector::get(values);
    }
    llvm::Value* views[register_count] = {};
    std::vector<Pick> wanted;
    for (int l = first; l < first + n; ++l) {
      const int offset = s.offset[size_t(l)];
      int r = offset / reg_bytes;
      if (s.kind == SourcePlan::Kind::arf) r = address_register;
      if (!views[r]) {
        const bool is_flag = s.kind == SourcePlan::Kind::arf && s.operand->reg >> 4 == int(isa::Arf::flag);
        views[r] = b.CreateBitCast(is_flag ? flags_as_register(s.operand->reg & 1) : whole(r),
                                   lanes_of(8 * size, reg_bytes / size));
      }
      wanted.push_back({views[r], offset % reg_bytes / size});
    }
    return assemble(element, wanted);
  }

  // Puts elements into a register under a mask; `lane_at[position]` is the lane, or -1.
  llvm::Value* merged(llvm::Value* old, const std::vector<llvm::Value*>& parts, int part_lanes, int size,
                      const std::vector<int>& lane_at, llvm::Value* mask, uint32_t lane_mask) const {
    const int positions = reg_bytes / size;
    llvm::FixedVectorType* type = lanes_of(8 * size, positions);
    std::vector<Pick> wanted(static_cast<size_t>(positions));
    for (int k = 0; k < positions; ++k)
      if (const int l = lane_at[size_t(k)]; l >= 0) wanted[size_t(k)] = {parts[size_t(l / part_lanes)], l % part_lanes};
    const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(mask);
    const bool all = constant && (constant->getZExtValue() & lane_mask) == lane_mask;
    bool covered = true;
    for (int l : lane_at) covered = covered && l >= 0;
    llvm::Value* before = nullptr;
    if (!all || !covered) before = b.CreateBitCast(old, type);
    if (all) {
      for (int k = 0; k < positions; ++k)
        if (lane_at[size_t(k)] < 0) wanted[size_t(k)] = {before, k};
      if (covered) return b.CreateBitCast(assemble(type->getElementType(), wanted), register_type());
      // new elements first, so that the shuffles pair vectors of one type
      std::vector<Pick> fresh = wanted;
      std::vector<int> blend;
      for (int k = 0; k < positions; ++k) {
        if (lane_at[size_t(k)] < 0) fresh[size_t(k)] = {};
        blend.push_back(lane_at[size_t(k)] < 0 ? k : positions + k);
      }
      return b.CreateBitCast(b.CreateShuffleVector(before, assemble(type->getElementType(), fresh), blend),
                             register_type());
    }
    llvm::Value* fresh = assemble(type->getElementType(), wanted);
    return b.CreateBitCast(b.CreateSelect(positions_enabled(mask, lane_at), fresh, before), register_type());
  }
  // Truth per position: whether its lane's bit is set. Up to eight positions are tested side by side in dwords.
  llvm::Value* positions_enabled(llvm::Value* mask, const std::vector<int>& lane_at) const {
    const unsigned n = unsigned(lane_at.size());
    int first = max_channels, last = 0;
    for (int l : lane_at)
      if (l >= 0) first = std::min(first, l), last = std::max(last, l);
    const unsigned bits = n <= 4 ? 64 : n == 8 ? 32 : n == 16 && last - first < 16 ? 16 : 32;
    llvm::Value* shifted = b.CreateZExtOrTrunc(b.CreateLShr(mask, b.getInt32(uint32_t(first))), b.getIntNTy(bits));
    std::vector<llvm::Constant*> places;
    for (int l : lane_at)
      places.push_back(llvm::ConstantInt::get(b.getIntNTy(bits), l >= 0 ? uint64_t(1) << (l - first) : 0));
    llvm::Value* tested = b.CreateAnd(b.CreateVectorSplat(n, shifted), llvm::ConstantVector::get(places));
    return b.CreateICmpNE(tested, llvm::Constant::getNullValue(tested->getType()));
  }

  // Writes the elements, in parts of `part_lanes` lanes, to where the destination says.
  void write(const Plan& p, const std::vector<llvm::Value*>& parts, int part_lanes, llvm::Value* mask) const {
    const DestinationPlan& d = p.dst;
    const int size = isa::size_of(d.type);
    if (d.kind == DestinationPlan::Kind::null) return;
    if (d.kind == DestinationPlan::Kind::arf && p.instruction.dst.reg >> 4 == int(isa::Arf::notification))
      return store(b.CreateExtractElement(parts[0], uint64_t(0)), offsetof(Thread, notify) + d.offset[0]);
    const bool is_arf = d.kind == DestinationPlan::Kind::arf;
    const bool is_flag = is_arf && p.instruction.dst.reg >> 4 == int(isa::Arf::flag);
    const int which = p.instruction.dst.reg & 1;
    std::vector<std::pair<int, std::vector<int>>> touched;  // registers and the lanes of their positions
    for (int l = 0; l < p.lanes; ++l) {
      if (!(d.channel_enable >> l & 1)) continue;
      const int r = is_arf ? address_register : d.offset[size_t(l)] / reg_bytes;
      if (touched.empty() || touched.back().first != r)
        touched.emplace_back(r, std::vector<int>(size_t(reg_bytes / size), -1));
      touched.back().second[size_t(d.offset[size_t(l)] % reg_bytes / size)] = l;
    }
    const uint32_t lane_mask = p.lane_mask & d.channel_enable;
    for (auto& [r, lane_at] : touched) {
      llvm::Value* v =
          merged(is_flag ? flags_as_register(which) : whole(r), parts, part_lanes, size, lane_at, mask, lane_mask);
      if (is_flag)
        b.CreateStore(b.CreateExtractElement(v, uint64_t(0)), flags[which]);
      else
        b.CreateStore(v, registers[r]);
    }
  }

  void set_flags(const Plan& p, llvm::Value* bits, llvm::Value* mask) const {
    llvm::Value* m = b.CreateShl(mask, b.getInt32(p.flag_shift));
    llvm::Value* shifted = b.CreateShl(bits, b.getInt32(p.flag_shift));
    b.CreateStore(b.CreateOr(b.CreateAnd(flag(p.flag_reg), b.CreateNot(m)), b.CreateAnd(shifted, m)),
                  flags[p.flag_reg]);
  }

  // The predicate alone, from bit 0.
  llvm::Value* predicate(const Plan& p) const {
    using isa::PredCtrl;
    if (p.predicate == Plan::Predicate::none) return b.getInt32(~0u);
    llvm::Value* shift = b.getInt32(p.flag_shift);
    llvm::Value* f = flag(p.flag_reg);
    llvm::Value* m = nullptr;
    const PredCtrl c = p.instruction.pred_ctrl;
    if (p.predicate == Plan::Predicate::plain) {
      m = b.CreateLShr(f, shift);
    } else if (c == PredCtrl::any_v || c == PredCtrl::all_v) {
      llvm::Value* other = p.two_flags ? b.CreateLShr(flag(p.flag_reg ^ 1), shift)
                                       : b.CreateLShr(f, b.getInt32((p.flag_shift + 16u) % 32));
      llvm::Value* own = b.CreateLShr(f, shift);
      m = c == PredCtrl::any_v ? b.CreateOr(own, other) : b.CreateAnd(own, other);
    } else {  // one channel asks for its group of the flag
      const int code = int(c) - int(PredCtrl::any2h), width = 2 << code / 2;
      const uint32_t group = uint32_t(ones(width)) << (p.flag_shift / width * width);
      llvm::Value* bits = b.CreateAnd(f, b.getInt32(group));
      m = b.CreateZExt(code % 2 ? b.CreateICmpEQ(bits, b.getInt32(group)) : b.CreateICmpNE(bits, b.getInt32(0)),
                       b.getInt32Ty());
    }
    return p.flag_flip ? b.CreateNot(m) : m;
  }
  // Channels that run, from bit 0, before the predicate.
  llvm::Value* channels(const Plan& p) const {
    llvm::Value* all = p.instruction.no_mask ? static_cast<llvm::Value*>(b.getInt32(~0u))
                                             : b.CreateLShr(running(), b.getInt32(uint32_t(p.channel)));
    return b.CreateAnd(all, b.getInt32(p.lane_mask));
  }
  llvm::Value* write_enable(const Plan& p) const { return b.CreateAnd(channels(p), predicate(p)); }
};

}  // namespace vitro::eu::jit
