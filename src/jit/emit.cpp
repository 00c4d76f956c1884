// From plans to intermediate code: arithmetic by evaluating the expressions of semantics.def over the compiler's
// values, flow control as parking and waking channels, the rest as calls of the interpreter's handlers. PRM: as
// arithmetic.cpp, results.h, math.cpp, flow.cpp and executor.cpp, instruction by instruction. Instructions are computed
// in parts of eight lanes: wider vectors are split late and badly by the code generator.
#include "jit/emit.h"

#include <llvm/IR/Module.h>

#include <algorithm>
#include <optional>

namespace vitro::jit {
namespace {

using isa::Op;
using llvm::BasicBlock;
using llvm::Value;

class Emitter {
 public:
  Emitter(const Program& program, const Analysis& analysis, const Options& options, Fusion& fusion,
          llvm::Module& module)
      : program_(program),
        analysis_(analysis),
        lowered_(analysis.lowered),
        options_(options),
        fusion_(fusion),
        module_(module),
        context_(module.getContext()),
        b_(context_),
        s_{.b = b_, .program = program, .chain = options.chain, .counts_carried = options.counts_carried},
        shared_(options, module) {}

  std::optional<std::vector<SharedTransfer>> run() {
    find_never_changed();
    s_.host_flushes = analysis_.host_flushes;
    fences_ = std::any_of(program_.plans().begin(), program_.plans().end(),
                          [](const Plan& p) { return p.message.shape.action == isa::MessageAction::memory_fence; });
    if (leaves_payload()) payload_spill_ = payload_spill_function(program_, options_.chain, module_);
    begin();
    if (all_) {
      BasicBlock* some = std::exchange(blocks_[0], all_);
      s_.all_running = i32(analysis_.all_channels);
      instructions();
      if (regular_) regular_instructions();
      s_.all_running = nullptr;
      blocks_[0] = some;
    }
    instructions();
    if (s_.refused) return std::nullopt;
    return std::move(shared_.all());
  }

 private:
  void instructions() {
    const std::span<const Plan> plans = program_.plans();
    for (size_t n = 0; n < plans.size(); ++n) {
      if (lowered_[n].leader) {
        if (open_) {
          count();
          s_.spill(spilled_on_edge(n - 1, n));
          b_.CreateBr(place(n - 1, n));
        }
        b_.SetInsertPoint(blocks_[n]);
        s_.kept = never_changed_;
        open_ = true;
        leader_ = n;
        wake(plans[n]);
      }
      if (!open_) continue;  // nothing leads here
      instruction(n);
    }
    if (open_)
      exit(lowered_.back().modified | lowered_.back().writes, plans.back().next_ip, Left::interpret, uncounted_);
    open_ = false;
    uncounted_ = 0;
  }

  // For threads whose words count up as they should: their other registers are where the chain has them.
  void regular_instructions() {
    Progressions known(b_);
    b_.SetInsertPoint(regular_);
    s_.set_running(s_.all_running);
    for (int r = 0; r < register_count; ++r) {
      if (!lowered_[0].reloaded[size_t(r)]) continue;
      Value* place = s_.place_of(r, following_);
      if (analysis_.words.has(r))
        known.set_words(r, place, analysis_.words.step(r));
      else
        known.set(r, b_.CreateAlignedLoad(s_.register_type(), place, State::image_alignment(r)));
    }
    s_.progressions = &known;
    blocks_[0] = block("");
    b_.CreateBr(blocks_[0]);
    instructions();
    s_.progressions = nullptr;
  }

  BasicBlock* block(const char* name) { return BasicBlock::Create(context_, name, function_); }
  Value* i32(uint32_t v) { return b_.getInt32(v); }

  void begin() {
    llvm::PointerType* pointer = b_.getPtrTy();
    function_ = llvm::Function::Create(llvm::FunctionType::get(b_.getInt32Ty(), {pointer}, false),
                                       llvm::Function::ExternalLinkage, function_name, module_);
    function_->addParamAttr(0, llvm::Attribute::NoAlias);
    function_->addFnAttr(llvm::Attribute::NoUnwind);
    b_.SetInsertPoint(block("start"));
    s_.call = function_->getArg(0);
    for (llvm::AllocaInst*& r : s_.variables) r = b_.CreateAlloca(s_.register_type());
    for (llvm::AllocaInst*& f : s_.flags) f = b_.CreateAlloca(b_.getInt32Ty());
    s_.active = b_.CreateAlloca(b_.getInt32Ty());
    s_.executed = b_.CreateAlloca(b_.getInt64Ty());
    s_.next_thread = b_.CreateAlloca(b_.getInt64Ty());
    s_.header = b_.CreateAlloca(s_.register_type());
    budget_ = b_.CreateAlloca(b_.getInt64Ty());
    ended_at_ = b_.CreateAlloca(b_.getInt32Ty());
    plans_ = b_.CreateLoad(pointer, s_.at(s_.call, offsetof(Call, plans)));
    waiting_ = b_.CreateLoad(pointer, s_.at(s_.call, offsetof(Call, waiting)));
    windows_ = b_.CreateLoad(pointer, s_.at(s_.call, offsetof(Call, windows)));
    waits_in_call_ = std::any_of(lowered_.begin(), lowered_.end(), [](const Lowered& s) { return s.spill_point; });
    for (size_t k = 0; k < analysis_.labels.size(); ++k)
      s_.waiting.push_back(waits_in_call_ ? waiting_in_call(k) : b_.CreateAlloca(b_.getInt32Ty()));
    begin_ = block("begin");
    resume_ = block("resume");
    b_.CreateBr(begin_);
    b_.SetInsertPoint(begin_);
    s_.thread = b_.CreateLoad(pointer, s_.at(s_.call, offsetof(Call, thread)));
    if (!waits_in_call_) nobody_waits();
    begin_count();
    copy_chain(s_);
    b_.CreateBr(resume_);
    b_.SetInsertPoint(resume_);
    reload_channels();
    BasicBlock* nowhere = block("nowhere");
    llvm::SwitchInst* at = b_.CreateSwitch(s_.load(offsetof(Thread, ip)), nowhere);
    blocks_.resize(lowered_.size());
    for (size_t n = 0; n < lowered_.size(); ++n)
      if (lowered_[n].leader) blocks_[n] = block("");
    entries_.resize(lowered_.size());
    for (size_t n = 0; n < lowered_.size(); ++n) {
      if (!lowered_[n].entry && !lowered_[n].spill_point) continue;
      entries_[n] = block("enter");
      if (lowered_[n].entry) at->addCase(b_.getInt32(program_.plans()[n].ip), entries_[n]);
      b_.SetInsertPoint(entries_[n]);
      s_.reload(lowered_[n].reloaded);
      reload_waiting(n);
      enter(n);
    }
    if (all_) {
      b_.SetInsertPoint(all_);
      s_.set_running(i32(analysis_.all_channels));
    }
    b_.SetInsertPoint(nowhere);
    give_back(Left::interpret, 0);
    stopped_ = block("stopped");
    b_.SetInsertPoint(stopped_);
    give_back(Left::stopped, 0);
    emit_thread_end();
  }
  // Registers are as the block at n wants them.
  void enter(size_t n) {
    const uint32_t all = n == 0 ? analysis_.all_channels : 0;
    if (!all) {
      b_.CreateBr(blocks_[n]);
      return;
    }
    if (!all_) all_ = block("all");
    b_.CreateCondBr(b_.CreateICmpEQ(s_.running(), i32(all)), all_, blocks_[n], s_.mostly());
  }
  void enter_regular(const NextThread& following) {
    following_ = following;
    regular_ = block("regular");
    BasicBlock *all = block("all"), *others = block("others");
    b_.CreateCondBr(b_.CreateICmpEQ(s_.running(), i32(analysis_.all_channels)), all, others, s_.mostly());
    b_.SetInsertPoint(all);
    Comparison words(b_);
    for (int r = 0; r < grf_count; ++r)
      if (analysis_.words.has(r)) words.add(s_.place_of(r, following), analysis_.words.step(r));
    b_.CreateCondBr(words.result(), regular_, others, s_.mostly());
    b_.SetInsertPoint(others);
  }
  // Whether chained threads leave their payload where it is, as nobody looks at it in the image but what is called.
  bool leaves_payload() const {
    return loops_over_threads() && !options_.all_registers &&
           std::none_of(lowered_.begin(), lowered_.end(),
                        [](const Lowered& s) { return s.spill_point || s.in_image.any(); });
  }
  void spill_payload() {
    if (payload_spill_) emit_payload_spill(s_, payload_spill_);
  }
  // Flags that no instruction here sets, and channels that are all running all the time, are as the image has them.
  void find_never_changed() {
    never_changed_ = {{true, true}, analysis_.labels.empty()};
    for (const Plan& p : program_.plans()) {
      const isa::Instruction& i = p.instruction;
      if (i.cond_modifier != isa::CondModifier::none) never_changed_.flags[p.flag_reg] = false;
      if (p.dst.kind == DestinationPlan::Kind::arf && i.dst.reg >> 4 == int(isa::Arf::flag))
        never_changed_.flags[i.dst.reg & 1] = false;
    }
  }
  // A thread has ended. If there is another one, it begins in the same call.
  void emit_thread_end() {
    ended_ = block("ended");
    BasicBlock *chained = block("chained"), *next = block("next");
    b_.SetInsertPoint(ended_);
    b_.CreateCondBr(within_budget(), chained, next, s_.mostly());
    b_.SetInsertPoint(chained);
    const NextThread following = emit_next_thread(s_, changes_control(), !payload_spill_, next);
    BasicBlock* const again = loops_over_threads() ? begin_ : block("again");
    nobody_waits();
    if (loops_over_threads()) {
      reload_channels();
      if (payload_spill_) {
        if (analysis_.words.any()) enter_regular(following);
        s_.reload(lowered_[0].reloaded, following);
        enter(0);
      } else {
        b_.CreateBr(entries_[0]);
      }
    } else {
      s_.store(i32(program_.plans()[0].ip), offsetof(Thread, ip));
      tell_count(0);
      b_.CreateBr(again);
      b_.SetInsertPoint(again);
      llvm::CallInst* anew = b_.CreateCall(function_, {s_.call});
      anew->setTailCallKind(llvm::CallInst::TCK_MustTail);
      b_.CreateRet(anew);
    }

    b_.SetInsertPoint(next);
    s_.store(s_.running(), offsetof(Thread, active));
    s_.store(b_.CreateLoad(b_.getInt32Ty(), ended_at_), offsetof(Thread, ip));
    b_.CreateStore(b_.CreateLoad(b_.getInt64Ty(), s_.executed), s_.at(s_.call, offsetof(Call, executed)));
    const auto ask = [&](size_t offset) {
      return b_.CreateCall(function_->getFunctionType(), function(offset), {s_.call});
    };
    Value* what = ask(offsetof(Call, next));
    BasicBlock *none = block("none"), *group = block("group");
    llvm::SwitchInst* to = b_.CreateSwitch(what, none);
    to->addCase(b_.getInt32(uint32_t(Next::thread)), again);
    to->addCase(b_.getInt32(uint32_t(Next::group)), group);
    b_.SetInsertPoint(group);
    begin_count();
    copy_chain(s_);
    b_.CreateBr(chained);
    b_.SetInsertPoint(none);
    b_.CreateRet(i32(uint32_t(Left::stopped)));

    waits_ = block("waits");
    b_.SetInsertPoint(waits_);
    b_.CreateCondBr(b_.CreateICmpNE(ask(offsetof(Call, turn)), i32(0)), again, none);
  }
  // The code generator puts what a loop does not change in front of it. If the loop is a long program, keeping all that
  // takes far more than its share of time: such a program is no loop, its function calls itself at the end.
  bool loops_over_threads() const { return lowered_.size() <= options_.short_program; }
  void begin_count() {
    b_.CreateStore(b_.CreateLoad(b_.getInt64Ty(), s_.at(s_.call, offsetof(Call, budget))), budget_);
    b_.CreateStore(b_.CreateLoad(b_.getInt64Ty(), s_.at(s_.call, offsetof(Call, executed))), s_.executed);
  }
  Value* within_budget() {
    return b_.CreateICmpULT(b_.CreateLoad(b_.getInt64Ty(), s_.executed), b_.CreateLoad(b_.getInt64Ty(), budget_));
  }
  void nobody_waits() {
    for (Value* w : s_.waiting) b_.CreateStore(i32(0), w);
  }
  void reload_channels() {
    s_.set_running(s_.load(offsetof(Thread, active)));
    s_.reload_flags();
  }
  bool changes_control() const {
    const std::span<const Plan> plans = program_.plans();
    return std::any_of(plans.begin(), plans.end(),
                       [&](const Plan& p) { return p.row && changes_only_modes(program_.model(), p); });
  }

  // Instructions since the last count are added where control leaves a block.
  void count() {
    if (uncounted_ == 0) return;
    b_.CreateStore(b_.CreateAdd(b_.CreateLoad(b_.getInt64Ty(), s_.executed), b_.getInt64(uint64_t(uncounted_))),
                   s_.executed);
    uncounted_ = 0;
  }

  // Puts into the image and the call what must be there when other code runs. No ip: the image has it already.
  void leave(const Registers& stored, std::optional<uint32_t> ip, int uncounted) {
    spill_payload();
    s_.spill(stored);
    s_.spill_channels();
    spill_waiting();
    if (ip) s_.store(i32(*ip), offsetof(Thread, ip));
    tell_count(uncounted);
  }
  void tell_count(int uncounted) {
    Value* executed = b_.CreateAdd(b_.CreateLoad(b_.getInt64Ty(), s_.executed), b_.getInt64(uint64_t(uncounted)));
    b_.CreateStore(executed, s_.at(s_.call, offsetof(Call, executed)));
  }
  // Returns from the function: when all is in the image, and when it is not.
  void give_back(Left why, int uncounted) {
    tell_count(uncounted);
    b_.CreateRet(i32(uint32_t(why)));
  }
  void exit(const Registers& stored, std::optional<uint32_t> ip, Left why, int uncounted) {
    leave(stored, ip, uncounted);
    b_.CreateRet(i32(uint32_t(why)));
  }

  // Returns after a handler has said so, which left all in the image.
  void stop() {
    spill_waiting();
    Value* executed = b_.CreateLoad(b_.getInt64Ty(), s_.executed);
    b_.CreateStore(b_.CreateAdd(executed, b_.getInt64(uint64_t(uncounted_))), s_.executed);
    b_.CreateBr(stopped_);
  }

  void end(const Registers& stored, uint32_t ip) {
    s_.spill(stored);
    if (options_.all_registers) {
      s_.spill_channels();
      spill_waiting();
    }
    count();
    b_.CreateStore(i32(ip), ended_at_);
    b_.CreateBr(ended_);
  }

  // Lets f emit what happens when `condition` holds, which is seldom and leaves the function.
  template <class F>
  void if_unlikely(Value* condition, F f) {
    BasicBlock *yes = block("unlikely"), *no = block("");
    b_.CreateCondBr(condition, yes, no, s_.rarely());
    b_.SetInsertPoint(yes);
    f();
    b_.SetInsertPoint(no);
  }

  // Where a jump from instruction n to an ip goes: back, when the budget allows.
  BasicBlock* edge(size_t n, uint32_t ip) {
    const int to = plan_index(program_, ip);
    const bool back = to <= int(n);
    if (!back && !spills(lowered_, n, size_t(to))) return blocks_[size_t(to)];
    const auto before = b_.saveIP();
    BasicBlock* check = block("");
    b_.SetInsertPoint(check);
    if (to < 0) {
      exit(left_behind(n), ip, Left::interpret, 0);
    } else {
      s_.spill(spilled_on_edge(n, size_t(to)));
      if (back)
        if_unlikely(b_.CreateNot(within_budget()), [&] { exit(left_behind(size_t(to)), ip, Left::stopped, 0); });
      b_.CreateBr(place(n, size_t(to)));
    }
    b_.restoreIP(before);
    return check;
  }

  BasicBlock* place(size_t from, size_t to) const { return (spills(lowered_, from, to) ? entries_ : blocks_)[to]; }

  // --- channels -------------------------------------------------------------------------------------------------

  Value* waiting_in_call(size_t label) { return s_.at(waiting_, 4 * label); }
  // Those that may wait somewhere when block n begins.
  void reload_waiting(size_t n) {
    if (waits_in_call_) return;
    each_label(analysis_.waited_at[n], [&](size_t k) {
      b_.CreateStore(b_.CreateLoad(b_.getInt32Ty(), waiting_in_call(k)), s_.waiting[k]);
      b_.CreateStore(i32(0), waiting_in_call(k));  // they may be elsewhere when the function returns
    });
  }
  // In the current block, at its end if it is a jump's. Those that cannot wait anywhere are zero in the call already.
  void spill_waiting() {
    if (waits_in_call_) return;
    each_waited([&](size_t k) { b_.CreateStore(b_.CreateLoad(b_.getInt32Ty(), s_.waiting[k]), waiting_in_call(k)); });
  }
  template <class F>
  void each_label(const Labels& labels, F f) {
    if (!labels.all)
      for (uint32_t k : labels.some) f(k);
    else
      for (size_t k = 0; k < s_.waiting.size(); ++k) f(k);
  }
  // Labels at which channels may wait in the current block.
  template <class F>
  void each_waited(F f) {
    Labels now = analysis_.waited_at[leader_];
    if (parked_ >= 0) now.add({.some = {uint32_t(parked_)}});
    each_label(now, f);
  }
  Value* waiting_at(uint32_t ip) {
    const int k = label_index(analysis_.labels, ip);
    return k < 0 ? i32(0) : b_.CreateLoad(b_.getInt32Ty(), s_.waiting[size_t(k)]);
  }
  void wake(const Plan& p) {
    parked_ = -1;
    const int k = label_index(analysis_.labels, p.ip);
    if (k < 0 || !p.wakes || !analysis_.waited_at[leader_].has(size_t(k))) return;
    s_.set_running(b_.CreateOr(s_.running(), waiting_at(p.ip)));
    b_.CreateStore(i32(0), s_.waiting[size_t(k)]);
  }
  void park(Value* channels, uint32_t ip) {
    parked_ = label_index(analysis_.labels, ip);
    b_.CreateStore(b_.CreateOr(waiting_at(ip), channels), s_.waiting[size_t(parked_)]);
    s_.set_running(b_.CreateAnd(s_.running(), b_.CreateNot(channels)));
  }

  void go(Value* condition, size_t n, uint32_t then, uint32_t otherwise) {
    count();
    b_.CreateCondBr(condition, edge(n, then), edge(n, otherwise));
    open_ = false;
  }
  void go(size_t n, uint32_t ip) {
    count();
    b_.CreateBr(edge(n, ip));
    open_ = false;
  }
  void proceed(size_t n, uint32_t otherwise) {
    const uint32_t next = program_.plans()[n].next_ip;
    if (otherwise == next) return go(n, next);
    count();
    BasicBlock* nobody = block("");
    b_.CreateCondBr(b_.CreateICmpNE(s_.running(), i32(0)), edge(n, next), nobody);
    b_.SetInsertPoint(nobody);
    go(b_.CreateICmpNE(waiting_at(next), i32(0)), n, next, otherwise);
  }

  void jump(size_t n) {
    const Plan& p = program_.plans()[n];
    const isa::Instruction& i = p.instruction;
    const uint32_t jip = p.ip + uint32_t(i.jip), uip = p.ip + uint32_t(i.uip), next = p.next_ip;
    ++uncounted_;
    if (i.op == Op::jmpi) {
      const uint32_t to = next + uint32_t(i.jip);
      if (i.pred_ctrl == isa::PredCtrl::none) return go(n, to);
      return go(b_.CreateTrunc(s_.predicate(p), b_.getInt1Ty()), n, to, next);
    }
    Value* running = s_.running();
    Value* yes = b_.CreateAnd(b_.CreateShl(s_.write_enable(p), i32(uint32_t(p.channel))), running);
    Value* no = b_.CreateAnd(running, b_.CreateNot(yes));
    switch (i.op) {
      case Op::if_: park(no, *p.park_ip); return proceed(n, jip);
      case Op::else_: park(running, *p.park_ip); return proceed(n, jip);
      case Op::endif:
      case Op::join: return go(b_.CreateICmpNE(running, i32(0)), n, next, jip);
      case Op::while_: {
        BasicBlock* again = block("");
        count();
        b_.CreateCondBr(b_.CreateICmpNE(yes, i32(0)), again, edge(n, next));
        b_.SetInsertPoint(again);
        park(no, *p.park_ip);
        return go(n, jip);
      }
      case Op::break_:
      case Op::cont:
      case Op::halt: park(yes, *p.park_ip); return proceed(n, jip);
      default: break;
    }
    // goto
    park(no, *p.park_ip);
    BasicBlock* nobody = block("");
    count();
    b_.CreateCondBr(b_.CreateICmpNE(yes, i32(0)), edge(n, i.branch_ctrl ? uip : next), nobody);
    b_.SetInsertPoint(nobody);
    proceed(n, jip);
  }

  // --- calls ----------------------------------------------------------------------------------------------------

  Value* function(size_t offset) { return b_.CreateLoad(b_.getPtrTy(), s_.at(s_.call, offset)); }
  // The handler works on the image: what it may look at is put there, what it may change is taken back.
  Value* handler(size_t n, size_t function_offset = offsetof(Call, handle), std::vector<Value*> arguments = {}) {
    std::vector<llvm::Type*> types{b_.getPtrTy(), b_.getPtrTy()};
    for (Value* v : arguments) types.push_back(v->getType());
    return handler(n, {llvm::FunctionType::get(b_.getInt32Ty(), types, false), function(function_offset)}, arguments);
  }
  Value* handler(size_t n, llvm::FunctionCallee callee, const std::vector<Value*>& arguments) {
    const Lowered& s = lowered_[n];
    spill_payload();
    s_.put(s.reads & s.modified);  // the functions that are called mark_dirty() the image
    s_.spill_channels();
    s_.kept = {{true, true}, true};
    std::vector<Value*> given{s_.call, s_.at(plans_, n * sizeof(Plan))};
    given.insert(given.end(), arguments.begin(), arguments.end());
    llvm::CallInst* stopped = b_.CreateCall(callee, given);
    if (const auto* f = llvm::dyn_cast<llvm::Function>(callee.getCallee()))
      stopped->setCallingConv(f->getCallingConv());
    if (s.lowering != Lowering::branch) {
      if (!stays_in_image(n)) s_.reload(n + 1 == lowered_.size() ? s.writes : s.writes & lowered_[n + 1].live);
      if (s.lowering != Lowering::message) s_.reload_flags();
    }
    return b_.CreateICmpNE(stopped, i32(0));
  }
  void control(const Plan& p, uint32_t value) {
    Value *old = s_.load(offsetof(Thread, cr)), *with = i32(value);
    const Op op = p.instruction.op;
    s_.store(op == Op::or_    ? b_.CreateOr(old, with)
             : op == Op::and_ ? b_.CreateAnd(old, with)
                              : b_.CreateXor(old, with),
             offsetof(Thread, cr));
    ++uncounted_;
  }
  void called(size_t n) {
    const Plan& p = program_.plans()[n];
    if (const auto value = changes_only_modes(program_.model(), p)) return control(p, *value);
    Value* stopped = handler(n);
    ++uncounted_;
    if_unlikely(stopped, [&] { stop(); });
  }
  // One notification is taken; without one the thread waits.
  void wait(size_t n) {
    const Plan& p = program_.plans()[n];
    const size_t at = offsetof(Thread, notify) + p.instruction.src[0].subreg / 4 * 4;
    Value* count = s_.load(at);
    ++uncounted_;
    BasicBlock *none = block("none"), *some = block("");
    b_.CreateCondBr(b_.CreateICmpEQ(count, i32(0)), none, some);
    b_.SetInsertPoint(none);
    leave(left_behind(n), p.ip, uncounted_);
    b_.CreateBr(waits_);
    b_.SetInsertPoint(some);
    s_.store(b_.CreateSub(count, i32(1)), at);
  }
  // What must be in the image when the function returns at instruction n, to come back to it.
  Registers left_behind(size_t n) const {
    const Lowered& s = lowered_[n];
    return options_.all_registers ? s.modified : s.modified & s.live;
  }
  // What a handler has changed there need not be loaded when registers are spilled behind it.
  bool stays_in_image(size_t n) const {
    return lowered_[n].lowering == Lowering::called && n + 1 < lowered_.size() && spills(lowered_, n, n + 1);
  }
  // What is spilled on the edge from instruction n to another.
  Registers spilled_on_edge(size_t n, size_t to) const {
    if (!spills(lowered_, n, to)) return {};
    const Lowered& s = lowered_[n];
    const Registers changed = stays_in_image(n) ? s.modified & ~s.writes : (s.modified & ~s.in_image) | s.writes;
    // a back edge may be an exit, where somebody may want to see what nobody needs any more
    return options_.all_registers ? changed : changed & lowered_[to].live;
  }
  void message(size_t n) {
    const Lowered& s = lowered_[n];
    if (fences_ && may_write_for_others(program_.plans()[n])) mark_unfenced(s_);
    if (s.shared == Shared::all) return shared_transfer(n);
    if (s.site >= 0) return transfer(n);
    if (names_notification(program_.plans()[n])) return wait(n);
    Value* stopped = handler(n, s.plain ? offsetof(Call, plain) : offsetof(Call, handle));
    ++uncounted_;
    if (program_.plans()[n].instruction.eot) {
      exit(options_.all_registers ? s.modified & ~s.writes : Registers{}, std::nullopt, Left::stopped, uncounted_);
      uncounted_ = 0;
      open_ = false;
      return;
    }
    const Registers stored = s.may_exit ? left_behind(n) & ~s.writes : Registers{};
    if_unlikely(stopped, [&] { exit(stored, std::nullopt, Left::stopped, uncounted_); });
  }
  void shared_transfer(size_t n) {
    ++uncounted_;
    if_unlikely(ask_shared(n), [&] { stop(); });
  }
  Value* ask_shared(size_t n) {
    const Plan& p = program_.plans()[n];
    const int site = lowered_[n].site;
    return handler(n, shared_.function(p), SharedTransfers::arguments(s_, p, site));
  }
  Value* ask(size_t n) {
    const std::vector<Value*> site{i32(uint32_t(lowered_[n].site))};
    // who arrives last asks as a rule: then saving all registers is too much
    const bool rare = !program_.plans()[n].message.shape.only_counts;
    return rare ? handler(n, shared_.asking(), site) : handler(n, offsetof(Call, transfer), site);
  }
  void transfer(size_t n) {
    const Lowered& s = lowered_[n];
    const Plan& p = program_.plans()[n];
    const isa::MessageShape& t = p.message.shape;
    Value* window = s_.at(windows_, size_t(s.site) * sizeof(Window));
    BasicBlock *otherwise = block("otherwise"), *done = block("");
    const bool rest = s.shared == Shared::rest;
    ++uncounted_;
    if (t.holds_anyway) {
      Value* limit = b_.CreateLoad(b_.getInt64Ty(), s_.at(window, offsetof(Window, limit)));
      BasicBlock* carried = block("carried");
      b_.CreateCondBr(b_.CreateICmpEQ(limit, b_.getInt64(0)), otherwise, carried, s_.rarely());
      b_.SetInsertPoint(carried);
      emit_carried(s_, window);
      b_.CreateBr(done);
    } else {
      emit_transfer(s_, {p, window, s_.write_enable(p), b_.getInt64(t.distance), rest, &fusion_, n}, otherwise, done);
    }
    const Registers last = options_.all_registers ? s.modified & ~s.writes : Registers{};
    b_.SetInsertPoint(otherwise);
    const auto kept = s_.kept;
    Value* stopped = rest ? ask_shared(n) : ask(n);
    if (p.instruction.eot) {
      exit(last, std::nullopt, Left::stopped, uncounted_);
    } else {
      if_unlikely(stopped, [&] { stop(); });
      // A block of its own, lest loads here and those of the transfer become one load from either place.
      BasicBlock* asked = block("asked");
      b_.CreateBr(asked);
      b_.SetInsertPoint(asked);
      b_.CreateBr(done);
    }
    b_.SetInsertPoint(done);
    s_.kept = kept;
    if (p.instruction.eot) {
      end(last, p.next_ip);
      open_ = false;
    } else if (t.holds_anyway) {
      emit_fence(s_);
    }
  }
  // The handler finds all in the image and leaves all there, so it goes on as if the function were entered.
  void branch(size_t n) {
    s_.spill(left_behind(n) & ~lowered_[n].reads);
    Value* stopped = handler(n, offsetof(Call, branch));
    ++uncounted_;
    count();
    if_unlikely(b_.CreateOr(stopped, b_.CreateNot(within_budget())), [&] { give_back(Left::stopped, 0); });
    b_.CreateBr(resume_);
    open_ = false;
  }

  // Operands that addresses name are in the image. What is wrong with an address, the interpreter says.
  void indirect(size_t n) {
    const Lowered& s = lowered_[n];
    const Plan& p = program_.plans()[n];
    s_.spill(s.in_image & s.modified);
    if_unlikely(s_.bad_address(p), [&] { exit(left_behind(n) & ~s.in_image, p.ip, Left::interpret, uncounted_); });
    emit_arithmetic(s_, options_, p, s);
    ++uncounted_;
    if (p.dst.kind == DestinationPlan::Kind::indirect && n + 1 < lowered_.size() && !spills(lowered_, n, n + 1))
      s_.reload(s.in_image & lowered_[n + 1].live);
  }

  void instruction(size_t n) {
    one_instruction(n);
    if (s_.progressions && lowered_[n].lowering != Lowering::emitted) s_.progressions->forget(lowered_[n].writes);
  }
  void one_instruction(size_t n) {
    const Plan& p = program_.plans()[n];
    s_.live = &lowered_[n].live;
    switch (lowered_[n].lowering) {
      case Lowering::emitted:
        if (lowered_[n].in_image.any()) return indirect(n);
        if (p.row->format != isa::Format::nullary) emit_arithmetic(s_, options_, p, lowered_[n]);
        ++uncounted_;
        return;
      case Lowering::called: return called(n);
      case Lowering::message: return message(n);
      case Lowering::jump: return jump(n);
      case Lowering::branch: return branch(n);
      case Lowering::left:
        exit(left_behind(n), p.ip, Left::interpret, uncounted_);
        uncounted_ = 0;
        open_ = false;
        return;
    }
  }

  const Program& program_;
  const Analysis& analysis_;
  const std::vector<Lowered>& lowered_;
  const Options& options_;
  Fusion& fusion_;
  llvm::Module& module_;
  llvm::LLVMContext& context_;
  Builder b_;
  State s_;
  SharedTransfers shared_;
  llvm::Function *function_ = nullptr, *payload_spill_ = nullptr;
  BasicBlock *begin_ = nullptr, *waits_ = nullptr, *ended_ = nullptr;  // of a thread's turn
  BasicBlock* stopped_ = nullptr;                                      // all is in the image, and counted: returns
  BasicBlock* resume_ = nullptr;                                       // all is in the image: goes on where that says
  BasicBlock* all_ = nullptr;      // for threads that start with all their channels, if that is of use
  BasicBlock* regular_ = nullptr;  // and whose words are as the program takes them, following others
  NextThread following_{};
  llvm::AllocaInst *budget_ = nullptr, *ended_at_ = nullptr;
  Value *plans_ = nullptr, *waiting_ = nullptr, *windows_ = nullptr;
  std::vector<BasicBlock*> blocks_, entries_;  // by instruction; entries take registers from the image
  bool fences_ = false;                        // it has messages that do
  bool waits_in_call_ = false;                 // channels that wait are never variables
  int uncounted_ = 0;
  bool open_ = false;  // the current block has no end yet
  size_t leader_ = 0;  // the instruction the current block begins with
  int parked_ = -1;    // the label its jump has parked channels at
  State::Kept never_changed_{};
};

}  // namespace

std::optional<std::vector<SharedTransfer>> emit(const Program& program, const Analysis& analysis,
                                                const Options& options, Fusion& fusion, llvm::Module& module) {
  return Emitter(program, analysis, options, fusion, module).run();
}

}  // namespace vitro::jit
