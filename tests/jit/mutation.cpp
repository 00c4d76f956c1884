// Making programs of pieces, and mutating them. PRM: none; fields as isa/instruction.h has them.
#include "mutation.h"

#include <algorithm>
#include <cstring>
#include <fstream>

#include "isa/device_binary.h"
#include "isa/disassemble.h"
#include "jit/programs_test.h"

namespace vitro::fuzz {
namespace {

using isa::Instruction;
using isa::Operand;
using isa::RegFile;
using isa::Type;

Kernel encoded(const isa::Model& m, std::span<const std::byte> code) {
  Kernel k;
  for (const isa::DecodedInstruction& d : isa::decode_program(m, code)) {
    const auto first = code.begin() + std::ptrdiff_t(d.offset);
    const auto size = std::min<std::ptrdiff_t>(d.size, code.end() - first);
    k.push_back({{first, first + size}});
  }
  return k;
}

// --- pieces

// To an instruction, or beside one.
void retarget(const isa::Model& m, Kernel& k, size_t n, Rng& rng) {
  std::vector<std::byte> whole = k[n].bytes;
  whole.resize(16);
  const Result<isa::Fetched> f = isa::fetch(m, whole);
  if (!f || branch_targets(m, f->instruction, 0).count == 0) return;
  Instruction i = f->instruction;
  i.compacted = false;
  const auto distance = [&] {
    int32_t at = 0;
    const size_t to = rng.below(uint32_t(k.size() + 1));
    for (size_t j = std::min(n, to); j < std::max(n, to); ++j) at += int32_t(k[j].bytes.size());
    if (to < n) at = -at;
    if (rng.one_in(8)) at += rng.coin() ? 8 : int32_t(rng()) & ~7;
    return at;
  };
  i.jip = distance(), i.uip = distance();
  if (const Result<isa::Stored> s = isa::store(m, i)) k[n].bytes.assign(s->bytes.begin(), s->bytes.begin() + s->size);
}

// Its branches lead to places of its own, else most threads would be gone at the first.
Kernel piece_of_kernel(const isa::Model& m, const std::vector<Kernel>& kernels, Rng& rng) {
  const Kernel& k = rng.pick(kernels);
  const size_t first = rng.below(uint32_t(k.size())), count = std::min<size_t>(1 + rng.below(14), k.size() - first);
  Kernel piece(k.begin() + std::ptrdiff_t(first), k.begin() + std::ptrdiff_t(first + count));
  for (size_t n = 0; n < piece.size(); ++n)
    if (!rng.one_in(16)) retarget(m, piece, n, rng);
  return piece;
}
Kernel random_piece(const isa::Model& m, Rng& rng) {
  Kernel k;
  for (uint32_t n = 1 + rng.below(10); n > 0; --n)
    if (const Result<isa::Stored> s = isa::store(m, isa::random_instruction(m, rng)))
      k.push_back({{s->bytes.begin(), s->bytes.begin() + s->size}});
  return k;
}
// Legal, with loops and calls that fit together.
Kernel random_flow(const isa::Model& m, Rng& rng) {
  const jit::ProgramOptions options{.statements = 1 + int(rng.below(8))};
  return encoded(m, jit::machine_code(jit::RandomProgram(m, rng, options).run()));
}

// --- fields

constexpr int addresses[] = {-512, -32, -8, -4, -1, 0, 0, 4, 8, 16, 31, 504, 511};
constexpr uint8_t verticals[] = {0, 1, 2, 4, 8, 16, 32, 32, isa::Region::vxh};
constexpr uint8_t widths[] = {1, 1, 2, 4, 8, 16};
constexpr uint8_t horizontals[] = {0, 1, 2, 4};
constexpr Type types[] = {Type::ub, Type::b, Type::uw, Type::w, Type::ud, Type::d,
                          Type::uq, Type::q, Type::hf, Type::f, Type::df};
constexpr Type widest[] = {Type::uq, Type::q, Type::df};
constexpr uint8_t sfids[] = {0, 2, 3, 4, 5, 6, 7, 9, 10, 10, 12, 12, 1, 15};

void edit_place(Operand& o, Rng& rng) {
  switch (rng.below(4)) {
    case 0: o.reg = uint8_t(rng.coin() ? 120 + rng.below(8) : rng()); break;
    case 1: o.subreg = uint8_t(rng.below(32)); break;
    case 2:
      o.file = RegFile(rng.below(3));
      if (o.file == RegFile::arf) o.reg = uint8_t(rng.below(16) << 4 | (rng.coin() ? rng.below(4) : 0));
      break;
    default:
      o.file = RegFile::grf;
      o.indirect = true;
      o.addr_subreg = uint8_t(rng.below(16));
      o.addr_imm = int16_t(rng.pick(addresses));
  }
}
void edit_region(Operand& o, Rng& rng) {
  o.region = {rng.pick(verticals), rng.pick(widths), rng.pick(horizontals)};
  o.chan_sel = uint8_t(rng());
  o.chan_en = uint8_t(rng.below(16));
}
void edit_operand(Operand& o, Rng& rng) {
  if (o.file == RegFile::imm) {
    o.type = rng.pick(types);
    return;
  }
  switch (rng.below(4)) {
    case 0: o.type = rng.pick(types); break;
    case 1: edit_region(o, rng); break;
    case 2: o.abs = rng.coin(), o.negate = rng.coin(); break;
    default: edit_place(o, rng);
  }
}
// As far as operands can reach: all channels, the widest elements, the largest strides. What is named directly has its
// place, so that the rest is looked at.
void stretch(Instruction& i, Rng& rng) {
  i.exec_size = 32;
  i.qtr_ctrl = 0, i.nib_ctrl = false;
  const Type type = rng.pick(widest);
  for (Operand* o : {&i.dst, &i.src[0], &i.src[1], &i.src[2]}) {
    if (o->file == RegFile::imm) continue;
    o->type = type;
    o->file = RegFile::grf;
    o->indirect = rng.coin();
    o->reg = uint8_t(8 * rng.below(12)), o->subreg = 0;
    o->addr_subreg = uint8_t(rng.below(16));
    o->addr_imm = int16_t(o->indirect ? rng.pick(addresses) / 8 * 8 : 0);
    o->region = {4, 4, 1};
    if (o->indirect && !rng.one_in(4)) o->region = {32, uint8_t(rng.coin() ? 1 : 2 << rng.below(2)), 4};
    if (o->region.width == 1) o->region.horz_stride = 0;
  }
  i.dst.region.horz_stride = uint8_t(rng.one_in(4) ? 4 : 1);
}
void edit_message(Instruction& i, Rng& rng) {
  switch (rng.below(6)) {
    case 0: i.desc.imm ^= 1u << rng.below(29); break;
    case 1: i.desc.imm = (i.desc.imm & ~(15u << 25)) | rng.below(16) << 25; break;
    case 2: i.desc.imm = (i.desc.imm & ~(31u << 20)) | rng.below(32) << 20; break;
    case 3: i.sfid = rng.pick(sfids); break;
    case 4: i.desc.imm = (i.desc.imm & ~0xFFu) | (rng.coin() ? rng.below(6) : 250 + rng.below(6)); break;
    default: i.ex_desc.imm = (i.ex_desc.imm & ~0x3C0u) | rng.below(16) << 6;
  }
}
void edit_controls(Instruction& i, Rng& rng) {
  switch (rng.below(7)) {
    case 0: i.exec_size = uint8_t(1 << rng.below(6)); break;
    case 1: i.qtr_ctrl = uint8_t(rng.below(4)), i.nib_ctrl = rng.coin(); break;
    case 2: i.pred_ctrl = isa::PredCtrl(rng.below(14)), i.pred_inv = rng.coin(); break;
    case 3: i.cond_modifier = isa::CondModifier(rng.below(10)); break;
    case 4: i.no_mask = !i.no_mask; break;
    case 5: i.saturate = !i.saturate, i.acc_wr_ctrl = rng.coin(); break;
    default: i.flag_reg = uint8_t(rng.below(2)), i.flag_subreg = uint8_t(rng.below(2));
  }
}
void edit_fields(const isa::Model& m, Instruction& i, Rng& rng) {
  const isa::Format f = m.row(i.op)->format;
  const bool message = f == isa::Format::send || f == isa::Format::split_send;
  for (uint32_t n = 1 + rng.below(3); n > 0; --n) switch (rng.below(message ? 8 : 5)) {
      case 0: edit_controls(i, rng); break;
      case 1: edit_operand(i.dst, rng); break;
      case 2: edit_operand(i.src[rng.below(3)], rng); break;
      case 3:
        if (message)
          i.src[rng.below(2)].reg = uint8_t(112 + rng.below(16));
        else
          stretch(i, rng);
        break;
      case 4: i.imm = rng.interesting(64); break;
      default: edit_message(i, rng);
    }
}

// Operands at addresses, of which real kernels have few.
Kernel addressed_piece(const isa::Model& m, Rng& rng) {
  constexpr isa::Op ops[] = {isa::Op::mov, isa::Op::add, isa::Op::sel, isa::Op::and_, isa::Op::mul, isa::Op::cmp};
  Kernel k;
  for (uint32_t n = 1 + rng.below(4); n > 0; --n) {
    Instruction i = isa::random_instruction(m, *m.row(rng.pick(ops)), rng, {.compacted = false, .ignored = false});
    i.access_mode = isa::AccessMode::align1;
    if (rng.coin()) stretch(i, rng);
    if (rng.one_in(4)) edit_place(rng.coin() ? i.dst : i.src[0], rng);
    if (const Result<isa::Stored> s = isa::store(m, i)) k.push_back({{s->bytes.begin(), s->bytes.begin() + s->size}});
  }
  return k;
}

// --- mutations

void flip_bits(Encoded& e, Rng& rng) {
  for (uint32_t n = 1 + rng.below(4); n > 0; --n)
    e.bytes[rng.below(uint32_t(e.bytes.size()))] ^= std::byte(1 << rng.below(8));
}
void edit(const isa::Model& m, Encoded& e, Rng& rng) {
  std::vector<std::byte> whole = e.bytes;
  whole.resize(16);
  const Result<isa::Fetched> f = isa::fetch(m, whole);
  if (!f) return flip_bits(e, rng);
  Instruction i = f->instruction;
  i.compacted = false;
  edit_fields(m, i, rng);
  if (const Result<isa::Stored> s = isa::store(m, i)) e.bytes.assign(s->bytes.begin(), s->bytes.begin() + s->size);
}
}  // namespace

std::vector<Kernel> read_kernels(const isa::Model& model, const std::filesystem::path& folder) {
  std::vector<Kernel> all;
  std::vector<std::filesystem::path> files;
  std::error_code none;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, none))
    if (entry.path().extension() == ".bin") files.push_back(entry.path());
  std::sort(files.begin(), files.end());  // a seed is to name the same program everywhere
  for (const std::filesystem::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(in), {}};
    const Result<isa::DeviceBinary> binary = isa::read_device_binary(std::as_bytes(std::span(content)));
    if (!binary) continue;
    for (const isa::DeviceKernel& k : binary->kernels)
      if (Kernel e = encoded(model, k.code); !e.empty()) all.push_back(std::move(e));
  }
  return all;
}

std::vector<std::byte> mutated_program(const isa::Model& m, const std::vector<Kernel>& kernels, Rng& rng) {
  Kernel k;
  for (uint32_t pieces = 1 + rng.below(3); pieces > 0; --pieces) {
    const uint32_t which = rng.below(10);
    const Kernel piece = which < 5 && !kernels.empty() ? piece_of_kernel(m, kernels, rng)
                         : which < 7                   ? random_piece(m, rng)
                         : which < 9                   ? addressed_piece(m, rng)
                                                       : random_flow(m, rng);
    k.insert(k.end(), piece.begin(), piece.end());
  }
  for (uint32_t n = k.empty() ? 0 : rng.below(9); n > 0; --n) {
    const size_t at = rng.below(uint32_t(k.size()));
    switch (rng.below(8)) {
      case 0:
      case 1: flip_bits(k[at], rng); break;
      case 2: k.insert(k.begin() + std::ptrdiff_t(rng.below(uint32_t(k.size()))), Encoded(k[at])); break;
      case 3: retarget(m, k, at, rng); break;
      default: edit(m, k[at], rng);
    }
  }
  std::vector<std::byte> code;
  for (const Encoded& e : k) code.insert(code.end(), e.bytes.begin(), e.bytes.end());
  return code;
}

}  // namespace vitro::fuzz
