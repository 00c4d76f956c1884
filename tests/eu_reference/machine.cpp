// Making a program of one instruction: sources at r10, r20 and r30, the destination at r40, eight channels.
#include "machine.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "isa/print.h"

namespace vitro::reference {
namespace {

constexpr int first_source = 10, source_step = 10, destination = 40;

isa::Instruction instruction_of(const Trial& s) {
  isa::Instruction i;
  i.op = s.op;
  i.math = s.math;
  i.exec_size = lanes;
  i.no_mask = true;
  i.saturate = s.saturate;
  i.cond_modifier = s.cond;
  i.acc_wr_ctrl = s.acc_wr_ctrl;
  if (s.predicated) i.pred_ctrl = isa::PredCtrl::sequential;
  const isa::OpcodeRow& row = *s.model->row(s.op);
  const bool ternary = row.format == isa::Format::ternary;
  const bool macro = isa::is_math_macro(i);
  if (ternary || macro) i.access_mode = isa::AccessMode::align16;
  i.dst = {.file = isa::RegFile::grf, .type = s.dst, .reg = destination, .region = {0, 1, 1}};
  if (ternary) i.dst.region = {};
  if (ternary || macro) i.dst.chan_en = macro ? isa::no_mme : 15;
  for (int n = 0; n < isa::source_count(row, i); ++n) {
    isa::Operand& o = i.src[size_t(n)];
    o = {.file = isa::RegFile::grf, .type = s.src[size_t(n)], .reg = uint8_t(first_source + n * source_step)};
    if (ternary || macro) {
      o.chan_sel = macro ? isa::no_mme : isa::swizzle_xyzw;
      o.region.vert_stride = 4;
    } else {
      o.region = {8, 8, 1};
    }
    o.abs = s.abs[size_t(n)];
    o.negate = s.negate[size_t(n)];
  }
  return i;
}

eu::Program program_of(const Trial& s) {
  const isa::Instruction i = instruction_of(s);
  const Result<isa::Stored> stored = isa::store(*s.model, i);
  if (!stored) throw std::runtime_error(describe(s) + ": " + stored.error().message);
  return eu::Program(*s.model, std::span(stored->bytes).first(size_t(stored->size)));
}

}  // namespace

bool is_compiled_tier() {
  static const char* const tier = std::getenv("VITRO_REFERENCE_TIER");
  return tier && std::string_view(tier) == "compiled";
}

std::string describe(const Trial& s) {
  std::string text = fmt::format("{} {}", s.model->name,
                                 isa::to_text(*s.model, instruction_of(s), {.messages = false, .columns = false}));
  return text + fmt::format(" rounding {}{}{}", s.rounding, s.keep_denormals ? " denormals" : "", s.alt ? " ALT" : "");
}

bool can_encode(const Trial& s) {
  const Result<isa::Stored> stored = isa::store(*s.model, instruction_of(s));
  if (!stored) return false;
  const Result<isa::Fetched> f = isa::fetch(*s.model, stored->bytes);
  if (!f || f->instruction.dst.type != s.dst) return false;
  for (int n = 0; n < isa::source_count(*s.model->row(s.op), f->instruction); ++n)
    if (f->instruction.src[size_t(n)].type != s.src[size_t(n)]) return false;
  return true;
}

Machine::Machine(const Trial& s) : setup(s), program(program_of(s)) {
  thread.dispatched = thread.active = 0xFF;
  thread.cr[0] = uint32_t(s.rounding) << eu::cr_rounding_shift;
  if (s.alt) thread.cr[0] |= eu::cr_alt_mode;
  if (s.keep_denormals)
    thread.cr[0] |= eu::cr_keep_double_denorms | eu::cr_keep_float_denorms | eu::cr_keep_half_denorms;
  if (is_compiled_tier() && compile_program) code = compile_program(program, s.keep_denormals);
}

Row Machine::run(const std::array<Row, 3>& sources) {
  static const eu::SharedFunctions none{};
  for (size_t n = 0; n < 3; ++n) {
    const int size = isa::size_of(setup.src[n]);
    for (size_t l = 0; l < lanes; ++l)
      std::memcpy(thread.grf.data() + (first_source + int(n) * source_step) * eu::reg_bytes + int(l) * size,
                  &sources[n][l], size_t(size));
  }
  thread.ip = 0;
  eu::Executor x{thread, program, none};
  if (code)
    code->run(x, 1);
  else
    x.run(1);
  fault = x.fault ? x.fault->reason : "";
  Row out{};
  const int size = isa::size_of(setup.dst);
  for (size_t l = 0; l < lanes; ++l)
    std::memcpy(&out[l], thread.grf.data() + destination * eu::reg_bytes + int(l) * size, size_t(size));
  return out;
}

}  // namespace vitro::reference
