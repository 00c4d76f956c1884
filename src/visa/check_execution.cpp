// Rules of channels: execution size and mask, predicates and what combines them, flow, and which devices have an
// instruction. Documents: vISA "Operands", section predication, and the instruction pages.
#include <fmt/format.h>

#include <algorithm>

#include "visa/check_context.h"

namespace vitro::visa {
namespace {

using enum Verdict;
using C = OperandClass;

constexpr uint32_t most_channels = 32;

void size_of_row(const CheckContext& c, Report& report) {
  if (!((c.row.sizes | c.row.besides_sizes) & c.size))
    report(fmt::format("{} has no execution size {}", c.row.mnemonic, c.size));
}
void size_besides(const CheckContext& c, Report& report) {
  if (!(c.row.sizes & c.size) && (c.row.besides_sizes & c.size))
    report(fmt::format("{} has no execution size {}", c.row.mnemonic, c.size));
}

void mask_end(const CheckContext& c, Report& report) {
  const Instruction& i = c.instruction;
  if (i.channel() + c.size > most_channels)
    report(fmt::format("{} and {} channels: the last is {}", mask_names[i.mask()], c.size, i.channel() + c.size - 1));
}
void mask_begin(const CheckContext& c, Report& report) {
  const Instruction& i = c.instruction;
  if (i.channel() % c.size)
    report(fmt::format("{} begins with channel {}, no multiple of {}", mask_names[i.mask()], i.channel(), c.size));
}

void dispatched(const CheckContext& c, Report& report) {
  const Instruction& i = c.instruction;
  if (i.no_mask() || !c.of.simd_size || c.size == 1) return;
  if (i.channel() + c.size > c.of.simd_size)
    report(
        fmt::format("channels {} to {}, and the kernel has {}", i.channel(), i.channel() + c.size - 1, c.of.simd_size));
}

void combined(const CheckContext& c, Report& report) {
  const uint16_t p = c.instruction.predicate;
  if (!predicate_combine(p)) return;
  const uint32_t elements = c.of.predicate_elements(predicate_id(p));
  if (elements != c.size)
    report(fmt::format("the documents combine {} elements of {}, the finalizer all {}", c.size,
                       c.of.predicate_name(predicate_id(p)), elements));
}

void predicate_elements(const CheckContext& c, Report& report) {
  const uint16_t p = c.instruction.predicate;
  const uint32_t elements = c.of.predicate_elements(predicate_id(p)), end = c.instruction.channel() + c.size;
  // Predicates of fewer channels than the mask has before them are those of a part of the kernel.
  if (elements < c.size || (elements < end && elements % c.size))
    report(fmt::format("{} has {} elements, for {} channels", c.of.predicate_name(predicate_id(p)), elements, c.size));
}

void select_by_nothing(const CheckContext& c, Report& report) {
  if (c.row.op == Op::sel && !c.instruction.predicate) report("nothing selects");
}

void mask_of_setp(const CheckContext& c, Report& report) {
  if (c.row.op != Op::setp) return;
  const uint32_t from = c.instruction.channel();
  if (from != 0 && from != 16) report(fmt::format("setp begins with channel 0 or 16, not {}", from));
}

void label_kind(const CheckContext& c, Report& report) {
  for (const Field& f : c.row.fields) {
    if (f.kind != FieldKind::label || c.row.op == Op::label || c.row.op == Op::subroutine) continue;
    const LabelKind kind = c.of.routine.labels[c.all[f.operand].id].kind;
    if ((c.row.op == Op::call) != (kind != LabelKind::block))
      report(c.all[f.operand], c.row.op == Op::call ? "a block is not called" : "branches lead to blocks");
  }
}

void device_of_row(const CheckContext& c, Report& report) {
  if (!(c.row.devices & c.of.device)) report(fmt::format("this device has no {}", c.row.mnemonic));
}

void stack_registers(const CheckContext& c, Report& report) {
  constexpr struct {
    std::string_view field;
    std::string_view variable;
  } sizes[] = {{"args", "%arg"}, {"returns", "%retval"}};
  for (const auto& s : sizes) {
    const Operand* o = c.field(s.field);
    if (!o) return;
    const auto p = std::ranges::find(predefined, s.variable, &PredefinedVariable::name);
    const uint32_t registers = p->elements * row(p->type).bytes / register_bytes;
    if (o->value > registers) report(*o, fmt::format("{} has {} registers, not {}", s.variable, registers, o->value));
  }
}

constexpr Rule table[] = {
    {"VE-02", error, "an instruction has one of the execution sizes of its page", f_execution, size_of_row},
    {"VE-03", differs, "an instruction has one of the execution sizes of its page: the finalizer takes others, too",
     f_execution, size_besides},
    {"VE-04", error, "the last channel of a mask is at most 31", f_execution, mask_end},
    {"VE-05", error, "a mask begins with a multiple of the execution size", f_execution, mask_begin},
    {"VE-06", undefined, "channels under a mask are those of the kernel's SimdSize", f_execution, dispatched},
    {"VI-307", differs,
     "any and all combine as many elements as there are channels: the finalizer combines the whole variable",
     f_predicated, combined},
    {"VE-07", undefined, "a predicate has an element for each channel", f_predicated, predicate_elements},
    {"VE-08", differs, "sel has a predicate: the finalizer takes none, too", f_computes, select_by_nothing},
    {"VE-09", error, "setp begins with channel 0 or 16", f_flag, mask_of_setp},
    {"VF-02", error, "jmp and goto lead to blocks, call to subroutines", 0, label_kind},
    {"VF-03", error, "calls pass no more registers than %arg and %retval have", 0, stack_registers},
    {"VE-10", error, "the device has the instruction", 0, device_of_row},
};

}  // namespace

std::span<const Rule> execution_rules() { return table; }

}  // namespace vitro::visa
