// A thread's state inside compiled code, and operands as vectors of lanes. Every register is a variable of its own of
// 32 bytes, which the compiler's library dissolves into values; regions are shuffles of whole registers, masks are
// selects. Never is a register seen as memory, save where it is copied to and from the thread's image, in which the
// operands stand that an address names.
// PRM: as lanes.h and results.h, whose host code this mirrors.
#pragma once

#include <llvm/IR/MDBuilder.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "eu/compiled_call.h"
#include "jit/analysis.h"
#include "jit/progressions.h"
#include "jit/values.h"

namespace vitro::jit {

// Where a thread that follows another has registers that are not in the image. Null: they are.
struct NextThread {
  llvm::Value *payload = nullptr, *second = nullptr;
};

struct State {
  Builder& b;
  const Program& program;
  llvm::Value* call = nullptr;
  llvm::Value* thread = nullptr;
  llvm::AllocaInst* variables[register_count] = {};
  llvm::AllocaInst* flags[2] = {};
  llvm::AllocaInst* active = nullptr;
  llvm::AllocaInst* executed = nullptr;
  // Copies of ThreadChain::next and of the group's r0. Loads of what the thread before has just stored would wait until
  // the host knows where that thread's messages store.
  llvm::AllocaInst *next_thread = nullptr, *header = nullptr;
  code::ChainForm chain{};
  std::vector<llvm::Value*> waiting{};  // channels, by label: variables, or places in the call
  const Registers* live = nullptr;      // before the current instruction
  bool counts_carried = true;           // as in Options
  bool host_flushes = false;            // as in Analysis
  struct Kept {                         // as they are in the image
    bool flags[2], active;
  };
  mutable Kept kept{};  // at the current place, since the block was entered
  // Something outside of the image was asked for: a mistake in lowering.cpp or analysis.cpp. The code must not be used.
  mutable bool refused = false;

  llvm::AllocaInst* scratch = nullptr;  // for place()
  // In code for threads that have all their channels from their start to their end: these.
  llvm::Value* all_running = nullptr;
  Progressions* progressions = nullptr;  // and if their words count up, what is known of registers

  llvm::Type* register_type() const { return llvm::FixedVectorType::get(b.getInt32Ty(), 8); }
  llvm::FixedVectorType* lanes_of(int bits, int n) const {
    return llvm::FixedVectorType::get(b.getIntNTy(unsigned(bits)), unsigned(n));
  }
  llvm::Value* at(llvm::Value* base, size_t offset) const {
    return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), base, offset);
  }

  // --- the only ways to a place in the thread's image and to a register: none leads outside

  bool holds(bool within) const {
    refused = refused || !within;
    return within;
  }
  llvm::Value* image(size_t offset, size_t bytes) const {
    return at(thread, holds(offset <= sizeof(Thread) && bytes <= sizeof(Thread) - offset) ? offset : 0);
  }
  // So many bytes of a register file's bytes from an address on, which counts from the offset. Whoever asks has seen
  // that the address is one (bad_address()); any other leads to the last place that has so many bytes.
  llvm::Value* image_at(llvm::Value* address, int offset, int bytes) const {
    const int most = file_bytes - offset - bytes;
    llvm::Value* last = b.getInt32(uint32_t(holds(offset >= 0 && most >= 0) ? most : 0));
    llvm::Value* within = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, address, last);
    return b.CreateGEP(b.getInt8Ty(), image(offsetof(Thread, grf) + size_t(offset), size_t(bytes)),
                       b.CreateZExt(within, b.getInt64Ty()));
  }
  int named(int r) const { return holds(r >= 0 && r < register_count) ? r : 0; }
  llvm::AllocaInst* variable(int r) const {
    llvm::AllocaInst* v = variables[named(r)];
    return holds(v) ? v : b.CreateAlloca(register_type());
  }

  llvm::Value* load(size_t offset) const { return b.CreateLoad(b.getInt32Ty(), image(offset, 4)); }
  void store(llvm::Value* v, size_t offset) const { b.CreateStore(v, image(offset, 4)); }

  static size_t image_offset(int r) {
    if (r >= message_register) return offsetof(Thread, mrf) + size_t(r - message_register) * reg_bytes;
    if (r >= accumulator_register) return offsetof(Thread, acc) + size_t(r - accumulator_register) * reg_bytes;
    return r == address_register ? offsetof(Thread, a0) : offsetof(Thread, grf) + size_t(r) * reg_bytes;
  }
  static_assert(offsetof(Thread, mrf) % 32 == 0 && offsetof(Thread, acc) % 32 == 0);
  llvm::Value* register_value(int r) const {
    llvm::Value* known = progressions ? progressions->value(named(r)) : nullptr;
    return known ? known : b.CreateLoad(register_type(), variable(r));
  }
  // By an instruction that stands in the program's own line, not on one of several ways.
  void set_register(int r, llvm::Value* v) const {
    if (progressions)
      progressions->set(named(r), v);
    else
      b.CreateStore(v, variable(r));
  }
  // Its value before the instruction, of which a part may stay: anything, if nobody will look at that part.
  llvm::Value* before(int r) const {
    return !live || (*live)[size_t(named(r))] ? register_value(r) : llvm::PoisonValue::get(register_type());
  }
  // From the image; of a thread of a chain from where it has them (code::ChainForm), and r0 from the group's.
  void reload(const Registers& which, const NextThread& next = {}) const {
    for (int r = 0; r < register_count; ++r)
      if (which[size_t(r)])
        b.CreateStore(b.CreateAlignedLoad(register_type(), place_of(r, next), image_alignment(r)), variable(r));
  }
  llvm::Value* place_of(int r, const NextThread& next) const {
    const auto own = [&] { return at(next.payload, size_t(r) * reg_bytes); };
    if (next.second) {
      if (r < chain.own) return own();
      if (r >= chain.second && r < grf_count) return at(next.second, size_t(r - chain.second) * reg_bytes);
    } else if (next.payload && r < int(ThreadChain::most_payload)) {
      return r == 0 ? header : own();
    }
    return image(image_offset(r), reg_bytes);
  }
  void spill(const Registers& which) const {
    if (which.none()) return;
    mark_dirty();
    put(which);
  }
  void put(const Registers& which) const {
    for (int r = 0; r < register_count; ++r)
      if (which[size_t(r)])
        b.CreateAlignedStore(register_value(r), image(image_offset(r), reg_bytes), image_alignment(r));
  }
  // The image is no longer what the thread was started with.
  void mark_dirty() const { b.CreateStore(b.getInt32(1), at(call, offsetof(Call, dirty))); }
  static llvm::Align image_alignment(int r) { return llvm::Align(r == address_register ? 4 : 32); }
  void reload_flags() const {
    for (size_t n = 0; n < 2; ++n) b.CreateStore(load(offsetof(Thread, flag) + 4 * n), flags[n]);
    kept.flags[0] = kept.flags[1] = true;
  }
  // Flags and the channels that are running.
  void spill_channels() const {
    for (size_t n = 0; n < 2; ++n)
      if (!kept.flags[n]) store(flag(int(n)), offsetof(Thread, flag) + 4 * n);
    if (!kept.active) store(running(), offsetof(Thread, active));
  }
  void set_flag(size_t n, llvm::Value* v) const {
    b.CreateStore(v, flags[n]);
    kept.flags[n] = false;
  }
  void set_running(llvm::Value* v) const {
    b.CreateStore(v, active);
    kept.active = false;
  }
  llvm::Value* flag(int n) const { return b.CreateLoad(b.getInt32Ty(), flags[n]); }
  llvm::Value* running() const { return all_running ? all_running : b.CreateLoad(b.getInt32Ty(), active); }

  // For branches, how often the first edge is taken: as a rule, nearly always, hardly ever.
  llvm::MDNode* mostly() const { return weights(16, 1); }
  llvm::MDNode* often() const { return weights(1 << 20, 1); }
  llvm::MDNode* rarely() const { return weights(1, 1 << 20); }
  llvm::MDNode* weights(uint32_t yes, uint32_t no) const {
    return llvm::MDBuilder(b.getContext()).createBranchWeights(yes, no);
  }

  // One bit per lane, from `first` on, as truths.
  llvm::Value* expand(llvm::Value* mask, int first, int n) const {
    return truths(b.CreateLShr(mask, b.getInt32(uint32_t(first))), n);
  }
  // The lowest bits as truths. Never fewer than eight at a time: LLVM 19 does not come to an end with some selects by
  // four bits of a number on hosts with AVX-512.
  llvm::Value* truths(llvm::Value* bits, int n) const {
    const int whole = std::max(n, 8);
    llvm::Value* all = b.CreateBitCast(b.CreateTrunc(bits, b.getIntNTy(unsigned(whole))), lanes_of(1, whole));
    if (whole == n) return all;
    std::vector<int> lowest(static_cast<size_t>(n));
    std::iota(lowest.begin(), lowest.end(), 0);
    return b.CreateShuffleVector(all, lowest);
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

  // One of four places of 64 bytes in the host's memory, for what is needed there for a moment.
  static constexpr int place_bytes = 64, places = 4;
  llvm::Value* place(size_t n) {
    if (!scratch) {
      llvm::BasicBlock& entry = b.GetInsertBlock()->getParent()->getEntryBlock();
      scratch = Builder(&entry, entry.begin()).CreateAlloca(llvm::ArrayType::get(lanes_of(64, 8), places));
    }
    return at(scratch, holds(n < places) ? place_bytes * n : 0);
  }

  // An architecture register as a register's bytes.
  llvm::Value* architecture_register(uint8_t reg) const {
    llvm::Value* v = llvm::Constant::getNullValue(register_type());
    switch (isa::Arf(reg >> 4)) {
      case isa::Arf::flag: return flags_as_register(reg & 1);
      case isa::Arf::channel_enable: return b.CreateInsertElement(v, running(), uint64_t(0));
      case isa::Arf::state:  // what dispatch or the program put there; four dwords
        for (uint64_t n = 0; n < 4; ++n)
          v = b.CreateInsertElement(v, load(offsetof(Thread, sr) + (reg & 15 ? 16 : 0) + 4 * n), n);
        return v;
      default: return register_value(address_register);
    }
  }

  // Elements of so many bytes from the start of slots of the accumulators.
  llvm::Value* slots(const std::vector<int>& which, int size) const {
    llvm::Value* views[register_count] = {};
    std::vector<Pick> wanted;
    for (int slot : which) {
      const int r = accumulator_register + slot / 4;
      if (!views[r]) views[r] = b.CreateBitCast(register_value(r), lanes_of(8 * size, reg_bytes / size));
      wanted.push_back({views[r], slot % 4 * (8 / size)});
    }
    return assemble(b.getIntNTy(unsigned(8 * size)), wanted);
  }
  // Writes slots, 64 bits to each lane, in parts of `part_lanes` lanes.
  void write_slots(const std::vector<int>& which, const std::vector<llvm::Value*>& parts, int part_lanes,
                   llvm::Value* mask, uint32_t lane_mask) const {
    for (int r = accumulator_register; r < message_register; ++r) {
      std::vector<int> lane_at(4, -1);
      bool any = false;
      for (size_t l = 0; l < which.size(); ++l)
        if (accumulator_register + which[l] / 4 == r && lane_mask >> l & 1)
          lane_at[size_t(which[l] % 4)] = int(l), any = true;
      if (any) set_register(r, merged(register_value(r), parts, part_lanes, 8, lane_at, mask, lane_mask));
    }
  }

  // Bits of a source's elements, lanes `first` to `first + n`. Of an integer accumulator whole slots.
  llvm::Value* elements(const SourcePlan& s, int first, int n) const {
    const int size = isa::size_of(s.type);
    llvm::IntegerType* element = b.getIntNTy(unsigned(8 * size));
    if (s.kind == SourcePlan::Kind::immediate) {
      std::vector<llvm::Constant*> values;
      for (int l = first; l < first + n; ++l)
        values.push_back(llvm::ConstantInt::get(element, s.imm[size_t(l) % s.imm_count] & ones(8 * size)));
      return llvm::ConstantVector::get(values);
    }
    if (s.kind == SourcePlan::Kind::accumulator) {
      std::vector<int> which;
      for (int l = first; l < first + n; ++l) which.push_back(source_slot(s, l));
      return slots(which, isa::is_float(s.type) ? size : 8);
    }
    if (s.kind == SourcePlan::Kind::indirect) return image_elements(s, first, n);
    llvm::Value* views[register_count] = {};
    std::vector<Pick> wanted;
    const bool is_arf = s.kind == SourcePlan::Kind::arf;
    for (int l = first; l < first + n; ++l) {
      const int offset = s.offset[size_t(l)];
      const int r = is_arf ? address_register : named(offset / reg_bytes);
      if (!views[r])
        views[r] = b.CreateBitCast(is_arf ? architecture_register(s.operand->reg) : register_value(r),
                                   lanes_of(8 * size, reg_bytes / size));
      wanted.push_back({views[r], offset % reg_bytes / size});
    }
    return assemble(element, wanted);
  }

  // --- operands that an address in a0 names: in the thread's image

  static bool has_rows(const isa::Operand& o) { return o.region.vert_stride == isa::Region::vxh; }
  // Addresses of lanes from `first` on, each its own.
  llvm::Value* row_addresses(const isa::Operand& o, int first, int n) const {
    std::vector<int> which;
    for (int l = first; l < first + n; ++l) which.push_back(o.addr_subreg + l);
    llvm::Value* a = b.CreateShuffleVector(b.CreateBitCast(register_value(address_register), lanes_of(16, 16)), which);
    return b.CreateAdd(b.CreateZExt(a, lanes_of(32, n)), splat_of(lanes_of(32, n), uint32_t(o.addr_imm)));
  }
  // The address for all lanes.
  llvm::Value* address(const isa::Operand& o) const {
    llvm::Value* a = b.CreateExtractElement(b.CreateBitCast(register_value(address_register), lanes_of(16, 16)),
                                            uint64_t(o.addr_subreg));
    return b.CreateAdd(b.CreateZExt(a, b.getInt32Ty()), b.getInt32(uint32_t(o.addr_imm)));
  }
  static bool in_a_row(const std::array<uint16_t, max_channels>& offset, int first, int n, int size) {
    for (int l = first; l < first + n; ++l)
      if (offset[size_t(l)] != offset[size_t(first)] + (l - first) * size) return false;
    return true;
  }
  llvm::Value* image_elements(const SourcePlan& s, int first, int n) const {
    const int size = isa::size_of(s.type);
    const llvm::Align alignment(static_cast<uint64_t>(size));
    llvm::FixedVectorType* type = lanes_of(8 * size, n);
    const bool rows = has_rows(*s.operand);
    llvm::Value* from = rows ? row_addresses(*s.operand, first, n) : address(*s.operand);
    if (!rows && in_a_row(s.offset, first, n, size))
      return b.CreateAlignedLoad(type, image_at(from, s.offset[size_t(first)], n * size), alignment);
    llvm::Value* v = llvm::PoisonValue::get(type);
    // lanes that take no part may have any address: they look at where there is something
    if (rows) from = b.CreateAnd(from, splat_of(from->getType(), uint64_t(file_bytes - size)));
    for (int l = 0; l < n; ++l) {
      llvm::Value* place =
          image_at(rows ? b.CreateExtractElement(from, uint64_t(l)) : from, s.offset[size_t(first + l)], size);
      v = b.CreateInsertElement(v, b.CreateAlignedLoad(type->getElementType(), place, alignment), uint64_t(l));
    }
    return v;
  }
  void write_image(const Plan& p, const std::vector<llvm::Value*>& parts, int part_lanes, llvm::Value* mask) const {
    const DestinationPlan& d = p.dst;
    const int size = isa::size_of(d.type);
    const llvm::Align alignment(static_cast<uint64_t>(size));
    llvm::Value* to = address(p.instruction.dst);
    mark_dirty();
    const auto put = [&](llvm::Value* v, llvm::Value* place, llvm::Value* which) {
      llvm::Value* old = b.CreateAlignedLoad(v->getType(), place, alignment);
      b.CreateAlignedStore(b.CreateSelect(which, v, old), place, alignment);
    };
    for (int first = 0; first < p.lanes; first += part_lanes) {
      llvm::Value* v = parts[size_t(first / part_lanes)];
      llvm::Value* which = expand(mask, first, part_lanes);
      if (in_a_row(d.offset, first, part_lanes, size)) {
        put(v, image_at(to, d.offset[size_t(first)], part_lanes * size), which);
        continue;
      }
      for (int l = 0; l < part_lanes; ++l)
        put(b.CreateExtractElement(v, uint64_t(l)), image_at(to, d.offset[size_t(first + l)], size),
            b.CreateExtractElement(which, uint64_t(l)));
    }
  }
  // Whether an address that counts is none of an element in the register file.
  llvm::Value* bad_address(const Plan& p) const {
    llvm::Value* any = b.getFalse();
    const auto check = [&](const isa::Operand& o, const std::array<uint16_t, max_channels>& offset, int size) {
      const auto bad = [&](llvm::Value* a, int reach) {
        const int last = holds(reach <= file_bytes) ? file_bytes - reach : 0;
        llvm::Value* outside = b.CreateICmpUGT(a, llvm::ConstantInt::get(a->getType(), uint64_t(last)));
        llvm::Value* misaligned = b.CreateAnd(a, llvm::ConstantInt::get(a->getType(), uint64_t(size - 1)));
        return b.CreateOr(outside, b.CreateICmpNE(misaligned, llvm::Constant::getNullValue(a->getType())));
      };
      if (!has_rows(o)) {
        any = b.CreateOr(any, bad(address(o), reach_of(offset, p.lanes, size)));
        return;
      }
      llvm::Value* counting = p.row->has(isa::attr_selects) ? channels(p) : write_enable(p);
      llvm::Value* lanes = collect(bad(row_addresses(o, 0, p.lanes), size), 0);
      any = b.CreateOr(any, b.CreateICmpNE(b.CreateAnd(lanes, counting), b.getInt32(0)));
    };
    for (int n = 0; n < p.sources; ++n)
      if (p.src[n].kind == SourcePlan::Kind::indirect)
        check(*p.src[n].operand, p.src[n].offset, isa::size_of(p.src[n].type));
    if (p.dst.kind == DestinationPlan::Kind::indirect) check(p.instruction.dst, p.dst.offset, isa::size_of(p.dst.type));
    return any;
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
  // Truth per position: whether its lane's bit is set. Lanes that stand in a row are the mask's bits as they are.
  llvm::Value* positions_enabled(llvm::Value* mask, const std::vector<int>& lane_at) const {
    const int n = int(lane_at.size());
    int first = max_channels, last = 0;
    for (int l : lane_at)
      if (l >= 0) first = std::min(first, l), last = std::max(last, l);
    // the lane of position 0 if all had one each
    for (int k = 0; k < n; ++k)
      if (lane_at[size_t(k)] == first) {
        bool in_a_row = true;
        for (int j = 0; j < n; ++j)
          in_a_row = in_a_row && (lane_at[size_t(j)] < 0 || lane_at[size_t(j)] - first == j - k);
        if (!in_a_row) break;
        uint32_t present = 0;
        for (int j = 0; j < n; ++j) present |= uint32_t(lane_at[size_t(j)] >= 0) << j;
        llvm::Value* bits = first >= k ? b.CreateLShr(mask, b.getInt32(uint32_t(first - k)))
                                       : b.CreateShl(mask, b.getInt32(uint32_t(k - first)));
        if (present != uint32_t(ones(n))) bits = b.CreateAnd(bits, b.getInt32(present));
        return truths(bits, n);
      }
    const int lanes = last - first + 1;
    std::vector<int> pick;
    for (int l : lane_at) pick.push_back(l < 0 ? lanes : l - first);
    llvm::Value* truths = expand(mask, first, lanes);
    return b.CreateShuffleVector(truths, llvm::Constant::getNullValue(truths->getType()), pick);
  }

  // Writes the elements, in parts of `part_lanes` lanes, to where the destination says.
  void write(const Plan& p, const std::vector<llvm::Value*>& parts, int part_lanes, llvm::Value* mask) const {
    const DestinationPlan& d = p.dst;
    const int size = isa::size_of(d.type);
    if (d.kind == DestinationPlan::Kind::null || d.kind == DestinationPlan::Kind::accumulator) return;
    if (d.kind == DestinationPlan::Kind::arf && p.instruction.dst.reg >> 4 == int(isa::Arf::notification))
      return store(b.CreateExtractElement(parts[0], uint64_t(0)), offsetof(Thread, notify) + d.offset[0]);
    const bool is_arf = d.kind == DestinationPlan::Kind::arf;
    const bool is_flag = is_arf && p.instruction.dst.reg >> 4 == int(isa::Arf::flag);
    const int which = p.instruction.dst.reg & 1;
    if (d.kind == DestinationPlan::Kind::indirect) return write_image(p, parts, part_lanes, mask);
    const int base = d.kind == DestinationPlan::Kind::mrf ? message_register : 0;
    std::vector<std::pair<int, std::vector<int>>> written;  // registers and the lanes of their positions
    for (int l = 0; l < p.lanes; ++l) {
      if (!(d.channel_enable >> l & 1)) continue;
      const int r = is_arf ? address_register : base + d.offset[size_t(l)] / reg_bytes;
      if (written.empty() || written.back().first != r)
        written.emplace_back(r, std::vector<int>(size_t(reg_bytes / size), -1));
      written.back().second[size_t(d.offset[size_t(l)] % reg_bytes / size)] = l;
    }
    const uint32_t lane_mask = p.lane_mask & d.channel_enable;
    for (auto& [r, lane_at] : written) {
      llvm::Value* v =
          merged(is_flag ? flags_as_register(which) : before(r), parts, part_lanes, size, lane_at, mask, lane_mask);
      if (is_flag)
        set_flag(size_t(which), b.CreateExtractElement(v, uint64_t(0)));
      else
        set_register(r, v);
    }
  }

  void set_flags(const Plan& p, llvm::Value* bits, llvm::Value* mask) const {
    llvm::Value* m = b.CreateShl(mask, b.getInt32(p.flag_shift));
    llvm::Value* shifted = b.CreateShl(bits, b.getInt32(p.flag_shift));
    set_flag(p.flag_reg, b.CreateOr(b.CreateAnd(flag(p.flag_reg), b.CreateNot(m)), b.CreateAnd(shifted, m)));
  }

  // The predicate alone, from bit 0.
  llvm::Value* predicate(const Plan& p) const {
    if (p.predicate == Plan::Predicate::none) return b.getInt32(~0u);
    const auto bits = [&](int n) { return IrInt{&b, flag(n), true}; };
    const IrInt own = bits(p.flag_reg);
    const IrInt m = p.predicate == Plan::Predicate::plain ? shift_right(own, constant(own, p.flag_shift))
                                                          : combined_predicate(p, bits);
    return p.flag_flip ? b.CreateNot(m.v) : m.v;
  }
  // Channels that run, from bit 0, before the predicate.
  llvm::Value* channels(const Plan& p) const {
    llvm::Value* all = p.instruction.no_mask ? static_cast<llvm::Value*>(b.getInt32(~0u))
                                             : b.CreateLShr(running(), b.getInt32(uint32_t(p.channel)));
    return b.CreateAnd(all, b.getInt32(p.lane_mask));
  }
  llvm::Value* write_enable(const Plan& p) const { return b.CreateAnd(channels(p), predicate(p)); }
};

}  // namespace vitro::jit
