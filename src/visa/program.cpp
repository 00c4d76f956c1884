// Making an object ready to run: operands become places, instructions the steps of meanings.def. Documents: as
// program.h; the order in which several readings of the documents are decided is told at each place.
#include "visa/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "eu/vector_immediate.h"
#include "visa/machine.h"
#include "visa/names.h"

namespace vitro::visa {
namespace {

// Where the operands of steps stand in the register file: sources of up to 25 registers, which is what 32 channels of
// the widest type, and the pairs of a plane, fit into; the destination behind them.
constexpr uint16_t source_slot_bytes = 25 * register_bytes, destination_slot = 4 * source_slot_bytes;

constexpr isa::Type eu_types[16] = {isa::Type::ud, isa::Type::d,  isa::Type::uw,   isa::Type::w,
                                    isa::Type::ub, isa::Type::b,  isa::Type::df,   isa::Type::f,
                                    isa::Type::v,  isa::Type::vf, isa::Type::none, isa::Type::uq,
                                    isa::Type::uv, isa::Type::q,  isa::Type::hf,   isa::Type::none};
constexpr isa::Type eu_type(Type t) { return eu_types[size_t(t) & 15]; }

constexpr isa::CondModifier conditions[] = {isa::CondModifier::z,  isa::CondModifier::nz, isa::CondModifier::g,
                                            isa::CondModifier::ge, isa::CondModifier::l,  isa::CondModifier::le};

constexpr std::pair<uint32_t, Register> shown_registers[] = {
    {6, register_time}, {13, register_state}, {14, register_control}, {15, register_channels}, {16, register_debug}};

isa::Operand in_slot(uint16_t slot, isa::Type type, bool scalar) {
  isa::Operand o;
  o.file = isa::RegFile::grf;
  o.type = type;
  o.reg = uint8_t(slot / register_bytes);
  o.region = scalar ? isa::Region{0, 1, 0} : isa::Region{1, 1, 0};
  o.chan_sel = isa::swizzle_xyzw;  // of instructions with three sources
  o.replicate = scalar;
  return o;
}

void modify(isa::Operand& o, Modifier m) {
  o.abs = m == Modifier::abs || m == Modifier::negate_abs;
  o.negate = m == Modifier::negate || m == Modifier::negate_abs || m == Modifier::invert;
}

}  // namespace

class ProgramMaker {
 public:
  ProgramMaker(Program& program, RoutineCode& code) : p_(program), code_(code), r_(*code.routine) {}

  void make(std::vector<isa::Instruction>& steps) {
    steps_ = &steps;
    code_.operations.reserve(r_.instructions.size() + 1);
    for (const Instruction& i : r_.instructions) {
      code_.index_of.push_back(uint32_t(code_.operations.size()));
      instruction(i);
    }
    resolve();
  }

 private:
  using Problem = std::string;  // thrown here: what is not supported

  void instruction(const Instruction& i) {
    // the carry stands in an accumulator, which has 16 dwords
    const bool halves = (i.row->op == Op::addc || i.row->op == Op::subb) && i.size() == 32;
    for (uint32_t first = 0; first < (halves ? 32u : 1u); first += 16) one(i, first, halves ? 16 : i.size());
  }

  void one(const Instruction& i, uint32_t first, uint32_t lanes) {
    Operation o;
    o.instruction = &i;
    o.lanes = uint8_t(i.row->has_execution ? lanes : 1);
    o.channel = uint8_t(i.row->has_execution ? i.channel() + first : 0);
    o.no_mask = i.no_mask() || !i.row->has_execution;
    o.lane_mask = uint32_t(ones(o.lanes));
    first_ = first;
    try {
      predicate(i, o);
      operation(i, o);
    } catch (const Problem& problem) {
      p_.refusals_.push_back({i.place, problem});
      o.run = run<&Machine::refuse>;
    }
    code_.operations.push_back(o);
  }

  template <void (Machine::*member)(const Operation&)>
  static void run(Machine& m, const Operation& o) {
    (m.*member)(o);
  }

  void predicate(const Instruction& i, Operation& o) {
    const uint32_t id = i.row->has_predicate ? predicate_id(i.predicate) : 0;
    if (!id) return;
    if (id > r_.predicates.size()) throw fmt::format("predicate {} is not declared", id);
    o.predicate = {.id = uint16_t(id),
                   .combine = uint8_t(predicate_combine(i.predicate)),
                   .inverse = predicate_inverse(i.predicate),
                   .elements = uint8_t(r_.predicates[id - 1].elements)};
  }

  // --- operands
  struct Read {
    OperandPlan plan{};
    isa::Operand operand{};
    std::optional<uint64_t> given{};
  };

  void region(OperandPlan& s, const VariablePlace* v, uint32_t begin, uint32_t lanes, auto element) {
    std::array<uint32_t, max_lanes> at{};
    s.contiguous = s.scalar = true;
    for (uint32_t l = 0; l < lanes; ++l) {
      at[l] = begin + uint32_t(element(l + first_)) * s.size;
      if (v && at[l] + s.size > v->at + v->bytes) {
        s.outside |= 1u << l;
        at[l] = v->root_at;
      }
      s.contiguous = s.contiguous && at[l] == at[0] + l * s.size;
      s.scalar = s.scalar && at[l] == at[0];
    }
    s.at = at[0];
    if (lanes == 1) s.contiguous = true;
    if (s.contiguous || (s.scalar && v)) return;
    s.lanes_at = uint32_t(p_.offsets_.size());
    p_.offsets_.insert(p_.offsets_.end(), at.begin(), at.begin() + lanes);
  }

  static auto elements_of(Region r) {
    const int vs = vertical_stride(r), w = std::max(width(r), 1), hs = std::max(horizontal_stride(r), 0);
    return [=](uint32_t l) { return int(l) / w * std::max(vs, 0) + int(l) % w * hs; };
  }

  const VariablePlace& place_of(uint32_t id) const {
    if (!code_.storage.knows(id)) throw fmt::format("variable {} is not declared", id);
    return code_.storage[id];
  }
  Type type_of(uint32_t id) const {
    return id < predefined_variables ? (id < std::size(predefined) ? predefined[id].type : Type::ud)
                                     : r_.variables[id - predefined_variables].type;
  }

  void general(const Operand& o, OperandPlan& s) {
    const VariablePlace& v = place_of(o.id);
    s.variable = o.id;
    s.access = v.null ? Access::none : Access::variable;
    s.shared = v.shared, s.root = v.root;
    s.type = eu_type(type_of(o.id));
    if (s.type == isa::Type::none) throw fmt::format("type {} is that of later GPUs", row(type_of(o.id)).name);
    s.size = uint8_t(isa::size_of(s.type));
    for (const auto& [id, r] : shown_registers)
      if (v.root == id) s.registers = r;
  }
  uint32_t begin_of(const Operand& o, const OperandPlan& s) const {
    return code_.storage[o.id].at + o.row * register_bytes + o.column * s.size;
  }

  OperandPlan source_plan(const Operation& op, const Operand& o, uint32_t number) {
    OperandPlan s;
    s.operand = &o;
    s.slot = uint16_t(number * source_slot_bytes);
    switch (o.kind) {
      case OperandClass::general:
        general(o, s);
        if (s.access == Access::variable)
          region(s, &code_.storage[o.id], begin_of(o, s), op.lanes, elements_of(o.region));
        break;
      case OperandClass::indirect: {
        indirect(o, s);
        s.per_row = vertical_stride(o.region) < 0;
        s.width = uint8_t(std::max(width(o.region), 1));
        const int w = s.width, hs = std::max(horizontal_stride(o.region), 0);
        if (s.per_row)
          region(s, nullptr, 0, op.lanes, [=](uint32_t l) { return int(l) % w * hs; });
        else
          region(s, nullptr, 0, op.lanes, elements_of(o.region));
        s.scalar = s.scalar && !s.per_row;
        break;
      }
      case OperandClass::immediate:
        s.access = Access::constant, s.scalar = true;
        s.type = eu_type(o.type), s.size = uint8_t(isa::size_of(s.type)), s.constant = o.value;
        if (s.type == isa::Type::none) throw fmt::format("type {} is that of later GPUs", row(o.type).name);
        vector(op, s);
        break;
      case OperandClass::predicate:
        s.access = Access::predicate, s.scalar = true, s.id = uint16_t(o.id);
        if (!s.id || s.id > r_.predicates.size()) throw fmt::format("predicate {} is not declared", s.id);
        break;
      case OperandClass::address:
        address(o, s);
        s.replicated = uint16_t(std::min<uint32_t>(1u << (o.column & 7), op.lanes));
        s.type = isa::Type::uw, s.size = 2;
        break;
      case OperandClass::address_of: {
        const VariablePlace& v = place_of(o.id);
        s.access = Access::address_of, s.shared = v.shared, s.variable = o.id, s.root = v.root;
        s.at = v.at + uint32_t(o.value);
        break;
      }
      case OperandClass::state:
        s.access = Access::state, s.sampler = o.column, s.id = uint16_t(o.id), s.first = o.row;
        break;
      default: throw Problem("an operand of this class is not executed");
    }
    return s;
  }
  // A vector gives each channel an element, in turn. (The EU gives it the element that stands where its result goes;
  // the finalizer makes up for that.)
  void vector(const Operation& op, OperandPlan& s) {
    const eu::VectorElements e = eu::vector_elements(s.type, s.constant);
    if (e.type == isa::Type::none) return;
    s.type = e.type, s.size = uint8_t(isa::size_of(e.type));
    s.scalar = false, s.contiguous = true;
    s.lanes_at = uint32_t(p_.offsets_.size());
    std::array<uint32_t, max_lanes> packed{};
    for (uint32_t l = 0; l < op.lanes; ++l) {
      const uint64_t bits = e.bits[(l + first_) % e.count];
      std::memcpy(reinterpret_cast<std::byte*>(packed.data()) + l * s.size, &bits, s.size);
    }
    p_.offsets_.insert(p_.offsets_.end(), packed.begin(), packed.end());
  }
  void indirect(const Operand& o, OperandPlan& s) {
    s.access = Access::indirect;
    if (o.id >= r_.addresses.size()) throw fmt::format("address variable {} is not declared", o.id);
    s.id = uint16_t(o.id), s.first = o.row, s.offset = o.offset;
    s.type = eu_type(o.type);
    if (s.type == isa::Type::none) throw fmt::format("type {} is that of later GPUs", row(o.type).name);
    s.size = uint8_t(isa::size_of(s.type));
  }
  void address(const Operand& o, OperandPlan& s) {
    s.access = Access::address;
    if (o.id >= r_.addresses.size()) throw fmt::format("address variable {} is not declared", o.id);
    s.id = uint16_t(o.id), s.first = o.row;
  }

  OperandPlan destination_plan(const Operation& op, const Operand& o) {
    OperandPlan d;
    d.operand = &o;
    d.slot = destination_slot;
    const int hs = std::max(horizontal_stride(o.region), 1);
    const auto element = [hs](uint32_t l) { return int(l) * hs; };
    switch (o.kind) {
      case OperandClass::general:
        general(o, d);
        if (d.access == Access::variable) region(d, &code_.storage[o.id], begin_of(o, d), op.lanes, element);
        break;
      case OperandClass::indirect:
        indirect(o, d);
        region(d, nullptr, 0, op.lanes, element);
        break;
      case OperandClass::predicate:
        d.access = Access::predicate, d.id = uint16_t(o.id);
        if (!d.id || d.id > r_.predicates.size()) throw fmt::format("predicate {} is not declared", d.id);
        break;
      case OperandClass::address:
        address(o, d);
        d.type = isa::Type::uw, d.size = 2;
        break;
      case OperandClass::state:
        d.access = Access::state, d.sampler = o.column, d.id = uint16_t(o.id), d.first = o.row;
        break;
      default: throw Problem("a destination of this class is not executed");
    }
    return d;
  }

  // --- operations
  const Operand* operand(const Instruction& i, uint32_t field) const {
    return r_.operands_of(i) + i.row->fields[field].operand;
  }

  // Vector operands in their order: destinations, then sources.
  void vectors(const Instruction& i, Operation& o, std::vector<const Operand*>& written) {
    for (const Field& f : i.row->fields) {
      if (f.kind != FieldKind::vector) continue;
      const Operand& v = r_.operands_of(i)[f.operand];
      if (v.kind == OperandClass::none) continue;
      if (f.written) {
        (written.empty() ? o.dst : o.second) = destination_plan(o, v);
        written.push_back(&v);
      } else {
        if (o.sources == std::size(o.src)) throw Problem("too many sources");
        o.src[o.sources] = source_plan(o, v, o.sources);
        ++o.sources;
      }
    }
  }

  uint32_t number_named(const Instruction& i, std::string_view name) const {
    for (const Field& f : i.row->fields)
      if (f.name == name) return uint32_t(r_.operands_of(i)[f.operand].value);
    return 0;
  }

  void operation(const Instruction& i, Operation& o) {
    if (i.row->traits & media) throw fmt::format("{}: its fixed function is not there", i.row->mnemonic);
    std::vector<const Operand*> written;
    vectors(i, o, written);
    if (flow_or_other(i, o)) return;
    const bool to_float = !written.empty() && isa::is_float(o.dst.type);
    const std::span<const Step> steps = steps_of(i.row->op, to_float && o.dst.access != Access::predicate);
    if (!steps.empty()) return arithmetic(i, o, steps, written);
    if (is_message(i)) return message(i, o);
    throw fmt::format("{} is not executed", i.row->mnemonic);
  }

  void arithmetic(const Instruction& i, Operation& o, std::span<const Step> steps,
                  const std::vector<const Operand*>& written) {
    const bool logic = i.row->modifiers == SourceModifiers::logic;
    if (logic && o.dst.access == Access::predicate) {
      o.run = run<&Machine::predicate_logic>;
      o.target = uint32_t(steps.front().op);
      return;
    }
    for (int n = 0; n < o.sources; ++n)
      if (o.src[n].access == Access::predicate) {  // its bits, as a number
        if (o.lanes != 1) throw Problem("a predicate is moved by one channel");
        o.src[n].type = isa::Type::ud;
      }
    o.run = i.row->op == Op::cmp ? run<&Machine::compare> : run<&Machine::arithmetic>;
    o.selects = i.row->op == Op::sel;
    if (i.row->op == Op::cmp) compares_itself(o);
    planes(i, o);
    choose_immediate(o);
    o.first_step = uint32_t(steps_->size());
    o.steps = uint8_t(steps.size());
    isa::Type intermediate = isa::Type::ud;
    for (const Step& s : steps) {
      const bool last = &s == &steps.back();
      isa::Instruction e;
      e.op = s.op, e.math = s.math;
      e.exec_size = o.lanes;
      e.cond_modifier = s.own_condition ? conditions[std::min<size_t>(number_named(i, "op"), 5)] : s.condition;
      e.saturate = (last || s.result == Step::Result::destination) && written[0]->modifier == Modifier::saturate;
      if (o.selects && o.predicate.id) e.pred_ctrl = isa::PredCtrl::sequential;
      for (size_t n = 0; n < s.operands.size(); ++n) step_source(o, s.operands[n], intermediate, e, n);
      step_destination(i, o, s, intermediate, e);
      steps_->push_back(e);
    }
    raw_move(i, o, written);
  }

  // What stands in a whole number does not matter where it is compared with itself: IGC asks so which channels run.
  static void compares_itself(Operation& o) {
    OperandPlan &a = o.src[0], &b = o.src[1];
    if (a.access != Access::variable || b.access != Access::variable || isa::is_float(a.type)) return;
    a.any_value = b.any_value = a.variable == b.variable && a.at == b.at && a.lanes_at == b.lanes_at &&
                                a.operand->region == b.operand->region && a.operand->modifier == b.operand->modifier;
  }

  // A move of bits needs no step.
  void raw_move(const Instruction& i, Operation& o, const std::vector<const Operand*>& written) const {
    const OperandPlan& s = o.src[0];
    if (i.row->op != Op::mov || s.access != Access::variable || o.dst.access != Access::variable) return;
    if (s.type != o.dst.type || s.operand->modifier != Modifier::none || written[0]->modifier != Modifier::none) return;
    if (s.registers || o.dst.registers) return;
    o.src[0].slot = o.dst.slot;
    if (s.scalar && o.lanes > 1) return void(o.src[0].slot = 0);
    o.run = run<&Machine::move_raw>;
  }

  // Planes are a tuple of four floats and pairs of registers, whatever their regions say.
  void planes(const Instruction& i, Operation& o) {
    const bool plane = i.row->op == Op::plane;
    if (!plane && i.row->op != Op::line) return;
    const auto whole = [&](OperandPlan& s, unsigned elements) {
      if (s.access != Access::variable) throw Problem("a plane that is not a variable");
      const VariablePlace& v = code_.storage[s.variable];
      s.at = begin_of(*s.operand, s);
      s.contiguous = true, s.scalar = false, s.elements = uint8_t(elements);
      s.outside = s.at + elements * s.size > v.at + v.bytes ? ~0u : 0;
      if (s.outside) s.at = v.root_at;
    };
    whole(o.src[0], 4);
    if (plane) whole(o.src[1], 2 * std::max<unsigned>(o.lanes, 8));
  }

  // One immediate can stand in the step itself: the last one.
  static void choose_immediate(Operation& o) {
    for (int n = o.sources; n-- > 0;)
      if (o.src[n].access == Access::constant && o.src[n].scalar) {
        o.src[n].access = Access::given;
        return;
      }
  }

  void step_source(const Operation& o, const StepOperand& s, isa::Type intermediate, isa::Instruction& e, size_t n) {
    isa::Operand& x = e.src[n];
    switch (s.kind) {
      case StepOperand::Kind::source: {
        const OperandPlan& plan = o.src[s.source];
        if (plan.access == Access::given) {
          x.file = isa::RegFile::imm, x.type = plan.type;
          e.imm = plan.constant;
        } else {
          x = in_slot(plan.slot, plan.type, plan.scalar && plan.elements == 1);
          if (plan.elements == 4) x.region = {0, 1, 0};
        }
        modify(x, plan.operand->modifier);
        break;
      }
      case StepOperand::Kind::intermediate: x = in_slot(destination_slot, intermediate, false); break;
      case StepOperand::Kind::upper:
        x = in_slot(destination_slot, o.dst.type, false);
        x.subreg = 4, x.region = {2, 1, 0};
        break;
      case StepOperand::Kind::accumulator:
        x.file = isa::RegFile::arf, x.type = isa::Type::ud, x.reg = isa::arf_reg(isa::Arf::accumulator);
        x.region = {1, 1, 0};
        break;
    }
  }

  void step_destination(const Instruction& i, Operation& o, const Step& s, isa::Type& intermediate,
                        isa::Instruction& e) {
    uint16_t slot = destination_slot;
    isa::Type type = o.dst.type;
    switch (s.result) {
      case Step::Result::destination: break;
      case Step::Result::second: slot = o.second.slot = 2 * source_slot_bytes, type = o.second.type; break;
      case Step::Result::intermediate: intermediate = type; break;
      case Step::Result::dword: intermediate = type = isa::Type::ud; break;
      case Step::Result::qword: intermediate = type = isa::Type::uq; break;
    }
    e.dst = in_slot(slot, type, false);
    e.dst.region.horz_stride = 1;
    e.dst.chan_en = 15;
    if (i.row->op == Op::cmp && o.dst.access == Access::predicate) {
      e.dst = {};
      e.dst.type = e.src[0].type, e.dst.reg = isa::arf_reg(isa::Arf::null);
      e.dst.region.horz_stride = 1;
    }
  }

  void message(const Instruction& i, Operation& o) {
    const Op op = i.row->op;
    if (i.row->opcode == row(Op::raw_send).opcode || i.row->opcode == row(Op::raw_sends).opcode) {
      o.run = run<&Machine::raw_message>;
      return;
    }
    Result<Lowered> lowered = lower({*p_.model_->messages, r_, code_.storage}, i);
    if (!lowered) throw lowered.error().message;
    o.run = run<&Machine::message>;
    o.message = uint32_t(p_.messages_.size());
    o.steps = uint8_t(lowered->messages.size());
    for (LoweredMessage& m : lowered->messages) {
      // counters of the gather and scatter that say their channels themselves
      if (op == Op::gather || op == Op::scatter) old_channels(i, o);
      p_.messages_.push_back(std::move(m));
    }
  }
  void old_channels(const Instruction& i, Operation& o) const {
    const uint32_t code = number_named(i, "count");
    o.lanes = scatter_counts[std::min<size_t>(code & 3, std::size(scatter_counts) - 1)];
    o.lane_mask = uint32_t(ones(o.lanes));
    o.channel = uint8_t((code >> 4 & 7) * 4);
    o.no_mask = code & 0x80;
  }

  struct Handler {
    Op op;
    Run run;
  };
  bool flow_or_other(const Instruction& i, Operation& o) {
    static constexpr Handler handlers[] = {
        {Op::addr_add, run<&Machine::add_address>},
        {Op::setp, run<&Machine::set_predicate>},
        {Op::movs, run<&Machine::move_state>},
        {Op::faddr, run<&Machine::function_address>},
        {Op::jmp, run<&Machine::jump>},
        {Op::goto_, run<&Machine::jump_by_channels>},
        {Op::switchjmp, run<&Machine::switch_jump>},
        {Op::call, run<&Machine::call>},
        {Op::fcall, run<&Machine::call_function>},
        {Op::ifcall, run<&Machine::call_function>},
        {Op::ret, run<&Machine::leave>},
        {Op::fret, run<&Machine::leave>},
        {Op::barrier, run<&Machine::barrier>},
        {Op::sbarrier_signal, run<&Machine::signal>},
        {Op::sbarrier_wait, run<&Machine::wait>},
        {Op::wait, run<&Machine::wait>},
        {Op::fence_global, run<&Machine::fence>},
        {Op::fence_local, run<&Machine::fence>},
    };
    static constexpr Op nothing[] = {Op::subroutine,
                                     Op::label,
                                     Op::file,
                                     Op::loc,
                                     Op::yield,
                                     Op::fence_sw,
                                     Op::lifetime_start,
                                     Op::lifetime_end,
                                     Op::sampler_cache_flush};
    if (std::find(std::begin(nothing), std::end(nothing), i.row->op) != std::end(nothing)) {
      o.run = [](Machine&, const Operation&) {};
      o.wakes = i.row->op == Op::label || i.row->op == Op::subroutine;
      return true;
    }
    for (const Handler& h : handlers)
      if (h.op == i.row->op) {
        o.run = h.run;
        return true;
      }
    return false;
  }

  // Labels, names of functions.
  void resolve() {
    std::vector<uint32_t> label_at(r_.labels.size(), ~0u);
    for (Operation& o : code_.operations)
      if (o.instruction->row->op == Op::label || o.instruction->row->op == Op::subroutine) {
        const uint32_t id = r_.operands_of(*o.instruction)[0].id;
        if (id < label_at.size()) label_at[id] = uint32_t(&o - code_.operations.data());
      }
    for (Operation& o : code_.operations) {
      const Instruction& i = *o.instruction;
      if (o.run == run<&Machine::refuse> || i.row->op == Op::label || i.row->op == Op::subroutine) continue;
      for (const Field& f : i.row->fields) {
        if (f.kind == FieldKind::label) set_target(o, label_at, r_.operands_of(i)[f.operand].id);
        if (f.kind == FieldKind::label_list) {
          o.target = uint32_t(p_.offsets_.size());
          for (uint32_t n = i.row->operands; n < i.count; ++n) {
            const uint32_t id = r_.operands_of(i)[n].id;
            p_.offsets_.push_back(id < label_at.size() ? label_at[id] : ~0u);
          }
        }
        if (f.kind == FieldKind::string) o.target = uint32_t(r_.operands_of(i)[f.operand].value);
      }
    }
    // whoever waits behind a branch backward is woken there
    for (size_t n = 0; n + 1 < code_.operations.size(); ++n)
      if (code_.operations[n].instruction->row->op == Op::goto_) code_.operations[n + 1].wakes = true;
  }
  void set_target(Operation& o, const std::vector<uint32_t>& label_at, uint32_t id) {
    if (id < label_at.size() && label_at[id] != ~0u) {
      o.target = label_at[id];
      return;
    }
    p_.refusals_.push_back({o.instruction->place, fmt::format("label {} is not defined", id)});
    o.run = run<&Machine::refuse>;
  }

  Program& p_;
  RoutineCode& code_;
  const Routine& r_;
  std::vector<isa::Instruction>* steps_ = nullptr;
  uint32_t first_ = 0;
};

Program::Program(const isa::Model& model, const Object& object, uint32_t kernel, const ProgramFacts& facts)
    : model_(&model), object_(&object), facts_(facts), kernel_(kernel) {
  std::vector<isa::Instruction> steps;
  for (const Routine& r : object.routines) routines_.emplace_back(r);
  for (RoutineCode& r : routines_) ProgramMaker(*this, r).make(steps);
  steps_ = std::make_unique<eu::Program>(model, std::span<const isa::Instruction>(steps));
}

const Refusal* Program::refusal_of(const Instruction& i) const {
  const auto found =
      std::find_if(refusals_.begin(), refusals_.end(), [&](const Refusal& r) { return r.line == i.place; });
  return found == refusals_.end() ? nullptr : &*found;
}

int Program::routine_named(std::string_view name) const {
  for (size_t n = 0; n < routines_.size(); ++n)
    if (routines_[n].routine->text(routines_[n].routine->name) == name) return int(n);
  return -1;
}

std::vector<std::string_view> Program::symbols() const {
  std::vector<std::string_view> all;
  for (const RoutineCode& r : routines_)
    for (const Operation& o : r.operations)
      if (o.instruction->row->op == Op::faddr) {
        const std::string_view name = r.routine->text(o.target);
        if (routine_named(name) < 0) all.push_back(name);
      }
  return all;
}

}  // namespace vitro::visa
