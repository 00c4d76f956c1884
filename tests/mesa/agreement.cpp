// The comparison of Mesa's text with a decoded instruction. Each helper states one field twice: as Mesa printed it and
// as it follows from our struct. Mesa 22.3 is the reference for its own conventions.
#include "agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "isa/message.h"

namespace vitro::mesa {
namespace {

using isa::AccessMode;
using isa::Format;
using isa::RegFile;

bool is_message(const isa::OpcodeRow& row) { return row.format == Format::send || row.format == Format::split_send; }

constexpr Exception exception_table[] = {
    {"src0.region", [](const isa::OpcodeRow& r, const isa::Instruction&) { return r.format == Format::send; },
     "a send reads whole registers: the region bits of its payload mean nothing, Mesa prints them"},
    {"src0.channels", [](const isa::OpcodeRow& r, const isa::Instruction&) { return r.format == Format::send; },
     "a send reads whole registers: in Align16 the swizzle bits of its payload mean nothing either"},
    {"src1", [](const isa::OpcodeRow& r, const isa::Instruction&) { return r.format == Format::math; },
     "a math function of one operand has no src1: Mesa prints the null register that stands there"},
    {"desc", [](const isa::OpcodeRow&, const isa::Instruction& i) { return i.desc.in_register; },
     "the descriptor is in a0: Mesa prints the dword that names a0"},
};

struct ArfName {
  std::string_view name;
  isa::Arf kind;
};
constexpr ArfName arf_names[] = {
    {"null", isa::Arf::null},
    {"a", isa::Arf::address},
    {"acc", isa::Arf::accumulator},
    {"f", isa::Arf::flag},
    {"mask", isa::Arf::channel_enable},
    {"ms", isa::Arf::message_control},
    {"msd", isa::Arf::stack_pointer},
    {"sr", isa::Arf::state},
    {"cr", isa::Arf::control},
    {"n", isa::Arf::notification},
    {"ip", isa::Arf::ip},
    {"tdr", isa::Arf::thread_dependency},
    {"tm", isa::Arf::timestamp},
};

struct MathName {
  std::string_view name;
  isa::MathFunction function;
};
constexpr MathName math_names[] = {
    {"inv", isa::MathFunction::inv},        {"log", isa::MathFunction::log},      {"exp", isa::MathFunction::exp},
    {"sqrt", isa::MathFunction::sqt},       {"rsq", isa::MathFunction::rsqt},     {"sin", isa::MathFunction::sin},
    {"cos", isa::MathFunction::cos},        {"fdiv", isa::MathFunction::fdiv},    {"pow", isa::MathFunction::pow},
    {"intdivmod", isa::MathFunction::idiv}, {"intdiv", isa::MathFunction::iqot},  {"intmod", isa::MathFunction::irem},
    {"invm", isa::MathFunction::invm},      {"rsqrtm", isa::MathFunction::rsqtm},
};

constexpr std::string_view conditions[] = {"", "z", "nz", "g", "ge", "l", "le", "r", "o", "u"};
constexpr std::string_view predicates_align1[] = {"",        "",        ".anyv",   ".allv",  ".any2h",
                                                  ".all2h",  ".any4h",  ".all4h",  ".any8h", ".all8h",
                                                  ".any16h", ".all16h", ".any32h", ".all32h"};
constexpr std::string_view predicates_align16[] = {"", "", ".x", ".y", ".z", ".w", ".any4h", ".all4h"};
constexpr std::string_view shared_functions[] = {"null",   "math",         "sampler",        "gateway", "dp_sampler",
                                                 "render", "urb",          "thread_spawner", "vme",     "const",
                                                 "data",   "pixel interp", "dp data 1",      "cre"};

std::string upper(std::string_view s) {
  std::string out(s);
  std::ranges::transform(out, out.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
  return out;
}

std::string file_name(const isa::Operand& o) {
  switch (o.file) {
    case RegFile::grf: return "g";
    case RegFile::mrf: return "m";
    case RegFile::imm: return "imm";
    case RegFile::arf: break;
  }
  for (const ArfName& a : arf_names)
    if (uint8_t(a.kind) == o.reg >> 4) return std::string(a.name);
  return fmt::format("ARF{}", o.reg);
}

// "xyzw" is printed as nothing, one component for all channels as one letter.
std::string swizzle(uint8_t chan_sel) {
  if (chan_sel == isa::swizzle_xyzw) return "";
  std::string out = ".";
  for (int n = 0; n < 4; n++) out += "xyzw"[chan_sel >> 2 * n & 3];
  return out.find_first_not_of(out[1], 2) == std::string::npos ? out.substr(0, 2) : out;
}

std::string write_mask(uint8_t chan_en) {
  if (chan_en == 15) return "";
  std::string out = ".";
  for (int n = 0; n < 4; n++)
    if (chan_en >> n & 1) out += "xyzw"[n];
  return out;
}

std::string stride(uint8_t s) { return s == isa::Region::vxh ? "VxH" : std::to_string(s); }

// The channel group: nibbles below eight channels or where NibCtrl says so, then quarters, then halves; 32 channels
// have no group.
std::string channel_group(const isa::Instruction& i) {
  if (i.exec_size < 8 || i.nib_ctrl) return fmt::format("{}N", i.qtr_ctrl * 2 + i.nib_ctrl + 1);
  if (i.exec_size == 8) return fmt::format("{}Q", i.qtr_ctrl + 1);
  if (i.exec_size == 16) return i.qtr_ctrl < 2 ? "1H" : "2H";
  return "";
}

struct Comparison {
  const isa::OpcodeRow& row;
  const isa::Instruction& ours;
  ExceptionUse& used;
  std::vector<Mismatch> out;

  bool excepted(std::string_view field) {
    for (size_t n = 0; n < std::size(exception_table); n++) {
      const Exception& e = exception_table[n];
      if (e.field != field || !e.applies(row, ours)) continue;
      used[n]++;
      return true;
    }
    return false;
  }
  void field(std::string_view name, std::string_view mesa, std::string_view expected) {
    if (mesa != expected && !excepted(name))
      out.push_back({std::string(name), std::string(mesa), std::string(expected)});
  }
  void number(std::string_view name, int64_t mesa, int64_t expected) {
    if (mesa != expected) field(name, std::to_string(mesa), std::to_string(expected));
  }
  void hex(std::string_view name, uint64_t mesa, uint64_t expected) {
    if (mesa != expected) field(name, fmt::format("0x{:x}", mesa), fmt::format("0x{:x}", expected));
  }
  void flag(std::string_view name, bool mesa, bool expected) {
    if (mesa != expected) field(name, mesa ? "set" : "clear", expected ? "set" : "clear");
  }
};

enum class Role { destination, source };

void compare_operand(Comparison& c, const std::string& name, Role role, const Operand& mesa, const isa::Operand& ours) {
  c.field(name + ".file", mesa.file, file_name(ours));
  // A split send's operands are printed as UD whatever their type bits say.
  const isa::Type printed = c.row.format == Format::split_send ? isa::Type::ud : ours.type;
  c.field(name + ".type", mesa.type, upper(info(printed).name));
  if (ours.file == RegFile::imm) {
    const int bits = info(ours.type).is_vector_imm ? 32 : 8 * size_of(ours.type);
    c.hex(name + ".imm", mesa.imm & ones(bits), c.ours.imm & ones(bits));
    return;
  }
  c.flag(name + ".indirect", mesa.indirect, ours.indirect);
  if (ours.indirect) {
    // Of a destination Mesa divides the number of the address sub-register by the size of an element.
    const int divisor = role == Role::destination ? size_of(printed) : 1;
    c.number(name + ".addr_subreg", mesa.addr_subreg, ours.addr_subreg / divisor);
    c.number(name + ".addr_imm", mesa.addr_imm, ours.addr_imm);
  } else {
    const int kind = ours.file == RegFile::arf ? ours.reg & 0xF0 : 0;
    if (mesa.file != "null") c.number(name + ".reg", mesa.reg, ours.reg - kind);
    // Mesa counts elements of the type; a part of an element would be lost in its text and is never emitted.
    c.number(name + ".subreg", mesa.subreg * size_of(printed), ours.subreg);
  }
  if (c.row.format == Format::split_send) return;  // no regions, no modifiers

  const bool align16 = c.ours.access_mode == AccessMode::align16;
  if (role == Role::destination) {
    c.field(name + ".stride", mesa.region, std::to_string(ours.region.horz_stride));
    c.field(name + ".channels", mesa.channels, align16 ? write_mask(ours.chan_en) : "");
    return;
  }
  const isa::Region& r = ours.region;
  std::string region = fmt::format("{},{},{}", stride(r.vert_stride), r.width, r.horz_stride);
  std::string channels = align16 ? swizzle(ours.chan_sel) : "";
  if (c.row.format == Format::ternary) {
    region = ours.replicate ? "0,1,0" : "4,4,1";
    if (ours.replicate) channels.clear();
  } else if (align16) {
    region = stride(r.vert_stride);
  }
  c.field(name + ".region", mesa.region, region);
  c.field(name + ".channels", mesa.channels, channels);
  c.flag(name + ".abs", mesa.abs, ours.abs);
}

// Negation has two spellings: "~" where it complements.
void compare_negation(Comparison& c, const isa::Model& model, const std::string& name, const Operand& mesa,
                      const isa::Operand& ours) {
  if (ours.file == RegFile::imm || c.row.format == Format::split_send) return;
  const bool complements = model.logic_negate_is_not && c.row.has(isa::attr_logic);
  c.flag(name + ".negate", mesa.negate, ours.negate && !complements);
  c.flag(name + ".not", mesa.bit_not, ours.negate && complements);
}

// Mesa's operands in the order it prints them: those our format has, and null where it prints one we do not have.
void compare_operands(Comparison& c, const isa::Model& model, const Instruction& mesa) {
  const isa::Instruction& i = c.ours;
  struct Slot {
    std::string name;
    Role role;
    const isa::Operand* ours;
  };
  std::vector<Slot> slots;
  const auto source = [&](int n) { slots.push_back({fmt::format("src{}", n), Role::source, &i.src[n]}); };
  switch (c.row.format) {
    case Format::unary: slots.push_back({"dst", Role::destination, &i.dst}), source(0); break;
    case Format::binary:
    case Format::split_send: slots.push_back({"dst", Role::destination, &i.dst}), source(0), source(1); break;
    case Format::ternary: slots.push_back({"dst", Role::destination, &i.dst}), source(0), source(1), source(2); break;
    case Format::send: slots.push_back({"dst", Role::destination, &i.dst}), source(0); break;
    case Format::math:
      slots.push_back({"dst", Role::destination, &i.dst}), source(0);
      if (info(i.math).sources == 2)
        source(1);
      else
        slots.push_back({"src1", Role::source, nullptr});
      break;
    // wait names one register, as source in our struct; Mesa prints the destination, which must repeat it.
    case Format::wait: slots.push_back({"dst", Role::source, &i.src[0]}); break;
    default: break;
  }
  c.number("operands", int64_t(mesa.operands.size()), int64_t(slots.size()));
  for (size_t n = 0; n < std::min(slots.size(), mesa.operands.size()); n++) {
    const Slot& s = slots[n];
    const Operand& o = mesa.operands[n];
    if (!s.ours) {
      c.field(s.name, o.file, "");
    } else if (c.row.format == Format::wait) {
      c.field("dst.file", o.file, file_name(*s.ours));
      c.number("dst.reg", o.reg, s.ours->reg & 15);
      c.number("dst.subreg", o.subreg * size_of(s.ours->type), s.ours->subreg);
    } else {
      compare_operand(c, s.name, s.role, o, *s.ours);
      if (s.role == Role::source) compare_negation(c, model, s.name, o, *s.ours);
    }
  }
}

void compare_message(Comparison& c, const isa::Model& model, const Message& mesa) {
  const isa::Instruction& i = c.ours;
  c.field("sfid", mesa.shared_function, i.sfid < std::size(shared_functions) ? shared_functions[i.sfid] : "?");
  // A send is printed with its last dword, whose top bit is EOT; a split send with the descriptor alone.
  const bool split = c.row.format == Format::split_send;
  const uint32_t eot = !split && i.eot ? 1u << 31 : 0;
  if (mesa.desc) c.hex("desc", *mesa.desc, i.desc.imm | eot);
  c.flag("desc.in_register", !mesa.mlen, i.desc.in_register);
  if (split) {
    c.flag("ex_desc.in_register", !mesa.ex_desc, i.ex_desc.in_register);
    if (mesa.ex_desc) c.hex("ex_desc", *mesa.ex_desc, i.ex_desc.imm);
  }
  const isa::MessageInfo message = describe_message(*model.messages, i.sfid, i.ex_desc.imm, i.desc.imm);
  if (mesa.mlen) c.number("mlen", *mesa.mlen, message.mlen);
  if (mesa.rlen) c.number("rlen", *mesa.rlen, message.rlen);
  if (mesa.ex_mlen) c.number("ex_mlen", *mesa.ex_mlen, message.ex_mlen);
}

void compare_branch(Comparison& c, const Program& program, const Line& line, const std::string& name,
                    const std::string& label, int32_t ours) {
  if (label.empty()) return;
  const auto target = program.labels.find(label);
  if (target == program.labels.end())
    c.field(name, label + " (not in the listing)", fmt::format("{:+}", ours));
  else
    c.number(name, target->second - line.offset, ours);
}

void compare_head(Comparison& c, const Instruction& mesa) {
  const isa::Instruction& i = c.ours;
  c.field("opcode", mesa.opcode, c.row.mnemonic);
  if (mesa.exec_size) c.number("exec_size", mesa.exec_size, i.exec_size);
  const std::string flag = fmt::format("f{}.{}", i.flag_reg, i.flag_subreg);
  const bool predicated = i.pred_ctrl != isa::PredCtrl::none;
  c.field("predicate.flag", mesa.predicate_flag, predicated ? flag : "");
  const auto modes = i.access_mode == AccessMode::align1 ? std::span<const std::string_view>(predicates_align1)
                                                         : std::span<const std::string_view>(predicates_align16);
  c.field("predicate.mode", mesa.predicate_mode, size_t(i.pred_ctrl) < modes.size() ? modes[size_t(i.pred_ctrl)] : "?");
  c.flag("predicate.inverse", mesa.predicate_inverse, i.pred_inv);
  c.flag("saturate", mesa.saturate, i.saturate);
  c.flag("debug", mesa.breakpoint, i.debug_ctrl);
  c.field("condition", mesa.condition, conditions[size_t(i.cond_modifier)]);
  // sel and the comparing branches of Gen6 choose by the condition and write no flag.
  if (i.cond_modifier != isa::CondModifier::none && !c.row.has(isa::attr_reads_flag))
    c.field("condition.flag", mesa.condition_flag, flag);
  if (c.row.format == Format::math) {
    const auto* m = std::ranges::find(math_names, i.math, &MathName::function);
    c.field("math", mesa.math, m != std::end(math_names) ? m->name : "?");
  }
}

void compare_options(Comparison& c, const Instruction& mesa) {
  const isa::Instruction& i = c.ours;
  const auto option = [&](std::string_view word, bool expected) { c.flag(word, mesa.has_option(word), expected); };
  option("align16", i.access_mode == AccessMode::align16);
  option("align1", i.access_mode == AccessMode::align1);
  option("WE_all", i.no_mask);
  option("NoDDClr", i.no_dd_clr);
  option("NoDDChk", i.no_dd_chk);
  option("compacted", i.compacted);
  option("atomic", i.thread_ctrl == isa::ThreadCtrl::atomic);
  option("switch", i.thread_ctrl == isa::ThreadCtrl::switch_);
  option("BranchCtrl", i.branch_ctrl);
  // The same bit is NoSrcDepSet in a Gen9 send.
  option("AccWrEnable", i.acc_wr_ctrl || i.no_src_dep_set);
  option("EOT", i.eot);
  const auto is_group = [](const std::string& w) { return w.size() == 2 && w[0] >= '1' && w[0] <= '8'; };
  const auto group = std::ranges::find_if(mesa.options, is_group);
  c.field("channel group", group != mesa.options.end() ? *group : "", channel_group(i));
}

}  // namespace

std::span<const Exception> exceptions() { return exception_table; }

std::vector<Mismatch> disagreements(const isa::Model& model, const Program& program, const Line& line,
                                    const Instruction& mesa, const isa::Instruction& ours, ExceptionUse& used) {
  const isa::OpcodeRow& row = *model.row(ours.op);
  Comparison c{row, ours, used, {}};
  compare_head(c, mesa);
  if (row.format == Format::nullary) return c.out;  // nop: Mesa prints the name and nothing else
  compare_operands(c, model, mesa);
  compare_branch(c, program, line, "jip", mesa.jip, ours.jip);
  compare_branch(c, program, line, "uip", mesa.uip, ours.uip);
  c.flag("message", mesa.message.has_value(), is_message(row));
  if (mesa.message && is_message(row)) compare_message(c, model, *mesa.message);
  compare_options(c, mesa);
  return c.out;
}

}  // namespace vitro::mesa
