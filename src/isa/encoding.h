// The walk over an instruction's encoding: one function template names each field of each format once, and is
// instantiated for a layout and a codec. The Decoder reads, the Encoder writes; both see the same description.
// Included only by the encoding_*.cpp files, which instantiate it for their layout.
#pragma once

#include <fmt/format.h>

#include "isa/layout.h"
#include "isa/model.h"

namespace vitro::isa {

enum class CodecError : uint8_t { none, reserved_value, does_not_fit, not_encodable, must_be_zero };

// What went wrong first, kept raw so that the good path builds no strings.
struct CodecFault {
  CodecError kind = CodecError::none;
  std::string_view field;
  uint64_t value = 0;
};
std::string describe(const CodecFault& fault);

class Decoder {
 public:
  static constexpr bool decoding = true;
  explicit Decoder(const Word128& word) : word_(word) {}

  template <class T>
  void value(const Field& f, T& v) {
    v = T(extract(word_, f));
    seen_ |= mask(f);
  }
  template <class T>
  void coded(const Field& f, T& v, const CodeTable& t) {
    const uint64_t code = extract(word_, f);
    seen_ |= mask(f);
    if (t[code & 15] == reserved_code)
      fail(CodecError::reserved_value, f.name, code);  // the walk goes on with the default
    else
      v = T(t[code & 15]);
  }
  void zero(const Field& f) {
    if (const uint64_t v = extract(word_, f)) fail(CodecError::must_be_zero, f.name, v);
    seen_ |= mask(f);
  }
  // A field whose value follows from others; a deviation is remembered, not an error.
  void derived(const Field& f, uint64_t canonical, Word128& ignored) {
    deposit(ignored, f, extract(word_, f) ^ (canonical & ones(f.width())));
    seen_ |= mask(f);
  }
  void fail(CodecError kind, std::string_view field, uint64_t value) {
    if (fault_.kind == CodecError::none) fault_ = {kind, field, value};
  }
  void finish(const Layout&, Format, Word128 canonical, Word128 ignorable, Word128& ignored) {
    const Word128 rest = (word_ ^ canonical) & ~seen_;
    if (const Word128 bad = rest & ~ignorable) {
      const int lo = bad.lo ? __builtin_ctzll(bad.lo) : 64 + __builtin_ctzll(bad.hi);
      static constexpr std::string_view dwords[] = {"reserved bits of DW0", "reserved bits of DW1",
                                                    "reserved bits of DW2", "reserved bits of DW3"};
      fail(CodecError::must_be_zero, dwords[lo / 32], (lo < 64 ? bad.lo : bad.hi) >> (lo / 32 % 2 * 32) & 0xFFFFFFFF);
    }
    ignored |= rest;
  }
  const CodecFault& fault() const { return fault_; }
  const Word128& seen() const { return seen_; }

 private:
  Word128 word_, seen_;
  CodecFault fault_;
};

class Encoder {
 public:
  static constexpr bool decoding = false;

  template <class T>
  void value(const Field& f, const T& v) {
    const uint64_t u = uint64_t(v);
    if (!f.present()) {
      if (u) fail(CodecError::not_encodable, f.name, u);
      return;
    }
    const int w = f.width() + f.shift;
    const bool fits = f.is_signed ? uint64_t(sign_extend(u, w)) == u : (u & ~ones(w)) == 0;
    if (!fits || (u & ones(f.shift))) fail(CodecError::does_not_fit, f.name, u);
    deposit(word_, f, u);
    seen_ |= mask(f);
  }
  template <class T>
  void coded(const Field& f, const T& v, const CodeTable& t) {
    for (uint64_t code = 0; code < t.size(); ++code)
      if (t[code] == uint8_t(v) && t[code] != reserved_code) {
        if (f.present() ? code > ones(f.width()) : code != 0) break;
        deposit(word_, f, code);
        seen_ |= mask(f);
        return;
      }
    fail(CodecError::not_encodable, f.name, uint64_t(v));
  }
  void zero(const Field& f) { seen_ |= mask(f); }
  void derived(const Field& f, uint64_t canonical, const Word128& ignored) {
    deposit(word_, f, canonical ^ extract(ignored, f));
    seen_ |= mask(f);
  }
  void fail(CodecError kind, std::string_view field, uint64_t value) {
    if (fault_.kind == CodecError::none) fault_ = {kind, field, value};
  }
  void finish(const Layout&, Format, Word128 canonical, Word128 ignorable, const Word128& ignored) {
    word_ |= ((canonical ^ ignored) & ignorable) & ~seen_;
  }
  const CodecFault& fault() const { return fault_; }
  const Word128& seen() const { return seen_; }
  const Word128& word() const { return word_; }

 private:
  Word128 word_, seen_;
  CodecFault fault_;
};

// All formats of a layout. `C` is a codec; `I` is Instruction or const Instruction.
template <const Layout& L>
struct Walk {
  template <class C, class I>
  static void controls(C& c, I& i, const OpcodeRow& row) {
    c.coded(L.access_mode, i.access_mode, booleans);
    c.value(L.mask_ctrl, i.no_mask);
    c.value(L.no_dd_clr, i.no_dd_clr);
    c.value(L.no_dd_chk, i.no_dd_chk);
    c.value(L.nib_ctrl, i.nib_ctrl);
    c.value(L.qtr_ctrl, i.qtr_ctrl);
    c.coded(L.thread_ctrl, i.thread_ctrl, thread_ctrls);
    c.coded(L.pred_ctrl, i.pred_ctrl, i.access_mode == AccessMode::align1 ? L.pred_ctrls_align1 : L.pred_ctrls_align16);
    if (i.pred_ctrl != PredCtrl::none) c.value(L.pred_inv, i.pred_inv);
    c.coded(L.exec_size, i.exec_size, exec_sizes);
    c.value(L.saturate, i.saturate);
    if (row.has(attr_accwr)) c.value(L.acc_wr_ctrl, i.acc_wr_ctrl);
    if (row.has(attr_branchctrl)) c.value(L.acc_wr_ctrl, i.branch_ctrl);
  }

  template <class C, class I>
  static void condition(C& c, I& i) {
    c.coded(L.cond_modifier, i.cond_modifier, cond_modifiers);
  }

  // The flag is named once for predicate and condition; without either its bits mean nothing. The macro functions of
  // math write their early out to it, always.
  template <class C, class I>
  static void flag(C& c, I& i, const Field& subreg, const Field& reg) {
    if (i.pred_ctrl == PredCtrl::none && i.cond_modifier == CondModifier::none && info(i.math).kind != MathKind::macro)
      return;
    c.value(subreg, i.flag_subreg);
    c.value(reg, i.flag_reg);
  }

  template <class C, class I>
  static void destination(C& c, I& i) {
    auto& d = i.dst;
    c.coded(L.dst_file, d.file, L.reg_files);
    if (d.file == RegFile::imm) c.fail(CodecError::reserved_value, L.dst_file.name, 3);
    c.coded(L.dst_type, d.type, L.register_types);
    destination_place(c, i);
  }

  // Everything but file and type.
  template <class C, class I>
  static void destination_place(C& c, I& i) {
    auto& d = i.dst;
    c.value(L.dst_addr_mode, d.indirect);
    c.coded(L.dst_horz_stride, d.region.horz_stride, horz_strides);
    const bool align16 = i.access_mode == AccessMode::align16;
    if (align16) c.value(L.dst_chan_en, d.chan_en);
    if (d.indirect) {
      c.value(L.dst_addr_subreg, d.addr_subreg);
      if (align16)
        c.value(L.dst_addr_imm16, d.addr_imm);
      else
        c.value(L.dst_addr_imm, d.addr_imm);
    } else {
      c.value(L.dst_reg, d.reg);
      if (align16)
        c.value(L.dst_subreg16, d.subreg);
      else
        c.value(L.dst_subreg, d.subreg);
    }
  }

  // Where a register source stands: everything but file and type.
  template <class C, class I, class O>
  static void source_register(C& c, I& i, O& s, const SourceLayout& l) {
    if (i.access_mode == AccessMode::align16) {
      c.coded(l.vert_stride, s.region.vert_stride, vert_strides_align16);
      c.value(l.chan_sel, s.chan_sel);
    } else {
      c.coded(l.vert_stride, s.region.vert_stride, vert_strides);
      c.coded(l.width, s.region.width, widths);
      c.coded(l.horz_stride, s.region.horz_stride, horz_strides);
    }
    source_place(c, i, s, l);
  }
  template <class C, class I, class O>
  static void source_place(C& c, I& i, O& s, const SourceLayout& l) {
    const bool align16 = i.access_mode == AccessMode::align16;
    c.value(l.abs, s.abs);
    c.value(l.negate, s.negate);
    c.value(l.addr_mode, s.indirect);
    if (s.indirect) {
      c.value(l.addr_subreg, s.addr_subreg);
      if (align16)
        c.value(l.addr_imm16, s.addr_imm);
      else
        c.value(l.addr_imm, s.addr_imm);
    } else {
      c.value(l.reg, s.reg);
      if (align16)
        c.value(l.subreg16, s.subreg);
      else
        c.value(l.subreg, s.subreg);
    }
  }

  // An immediate of 16 bits is to be written in both halves of its dword; only the low half is read. A compacted
  // instruction carries 13 bits and extends their sign instead (IMM-01, CP-02).
  template <class C, class I>
  static void immediate(C& c, I& i, Type type) {
    if (size_of(type) == 8) {
      c.value(L.imm64, i.imm);
    } else if (size_of(type) == 2 && !info(type).is_vector_imm) {
      constexpr int lo = L.imm32.part[0].lo;
      c.value(field("Imm[15:0]", lo + 15, lo), i.imm);
      const uint64_t half = i.compacted ? uint64_t(sign_extend(i.imm, 13)) >> 16 : uint64_t(i.imm);
      c.derived(field("Imm[31:16]", lo + 31, lo + 16), half & 0xFFFF, i.ignored);
    } else {
      c.value(L.imm32, i.imm);
    }
  }

  template <int n, class C, class I>
  static void source(C& c, I& i, bool may_be_immediate) {
    auto& s = i.src[n];
    constexpr const SourceLayout& l = L.src[n];
    c.coded(l.file, s.file, L.reg_files);
    if (s.file == RegFile::imm && may_be_immediate) {
      c.coded(l.type, s.type, L.immediate_types);
      // 64 bits reach down into src0's place, so only a lone source has room for them
      if (n > 0 && size_of(s.type) == 8) c.fail(CodecError::reserved_value, l.type.name, uint64_t(s.type));
      immediate(c, i, s.type);
    } else {
      if (s.file == RegFile::imm) c.fail(CodecError::reserved_value, l.file.name, 3);
      c.coded(l.type, s.type, L.register_types);
      source_register(c, i, s, l);
    }
  }

  // Where call leaves the return address and the mask of channels, and where ret finds them: two dwords in a row. A
  // layout that lists type and region among the ignored fields has them that way whatever the bits say.
  template <class C, class I>
  static void return_address_to(C& c, I& i) {
    if constexpr (!is_ignored(L, Format::call, L.dst_type)) return destination(c, i);
    c.coded(L.dst_file, i.dst.file, L.reg_files);
    if (i.dst.file == RegFile::imm) c.fail(CodecError::reserved_value, L.dst_file.name, 3);
    if constexpr (C::decoding) settle_return_address(L, Format::call, i);
    destination_place(c, i);
  }
  template <class C, class I>
  static void return_address_from(C& c, I& i) {
    auto& s = i.src[0];
    constexpr const SourceLayout& l = L.src[0];
    if constexpr (!is_ignored(L, Format::ret, L.src[0].type)) return source<0>(c, i, false);
    c.coded(l.file, s.file, L.reg_files);
    if (s.file == RegFile::imm) c.fail(CodecError::reserved_value, l.file.name, 3);
    if constexpr (C::decoding) settle_return_address(L, Format::ret, i);
    if (i.access_mode == AccessMode::align16)
      source_register(c, i, s, l);
    else
      source_place(c, i, s, l);
  }

  template <class C, class I>
  static void ternary(C& c, I& i) {
    if (i.access_mode != AccessMode::align16) c.fail(CodecError::reserved_value, L.access_mode.name, 0);
    condition(c, i);
    flag(c, i, L.ternary_flag_subreg, L.ternary_flag_reg);
    auto& d = i.dst;
    c.coded(L.ternary_dst_file, d.file, L.ternary_files);
    c.coded(L.ternary_dst_type, d.type, L.ternary_types);
    c.value(L.ternary_dst_reg, d.reg);
    c.value(L.ternary_dst_subreg, d.subreg);
    c.value(L.ternary_dst_chan_en, d.chan_en);
    if constexpr (C::decoding) d.region.horz_stride = 1;

    c.coded(L.ternary_src_type, i.src[0].type, L.ternary_types);
    // SrcType is src0's; where halves and floats may mix, src1 and src2 have a bit of their own.
    const bool mixes = L.ternary_src1_half.present() && (i.src[0].type == Type::f || i.src[0].type == Type::hf);
    for (int n = 0; n < 3; ++n) {
      auto& s = i.src[n];
      if (n > 0) {
        const Field& half = n == 1 ? L.ternary_src1_half : L.ternary_src2_half;
        if (mixes) {
          bool is_half = s.type == Type::hf;
          c.value(half, is_half);
          if constexpr (C::decoding) s.type = is_half ? Type::hf : Type::f;
        } else if constexpr (C::decoding) {
          s.type = i.src[0].type;
        }
      }
      const TernarySourceLayout& l = L.ternary_src[n];
      if constexpr (C::decoding) s.file = RegFile::grf;
      c.value(l.abs, s.abs);
      c.value(l.negate, s.negate);
      c.value(l.replicate, s.replicate);
      c.value(l.chan_sel, s.chan_sel);
      c.value(l.subreg, s.subreg);
      c.value(l.reg, s.reg);
    }
  }

  // src1's place holds the descriptor: an immediate, or a0.0.
  template <class C, class I>
  static void send(C& c, I& i) {
    c.value(L.sfid, i.sfid);
    c.value(L.eot, i.eot);
    destination(c, i);
    auto& s = i.src[0];
    const SourceLayout& l = L.src[0];
    c.coded(l.file, s.file, L.reg_files);
    if (s.file == RegFile::imm) c.fail(CodecError::reserved_value, l.file.name, 3);
    c.coded(l.type, s.type, L.register_types);
    c.value(l.addr_mode, s.indirect);
    if (s.indirect) {
      c.value(l.addr_subreg, s.addr_subreg);
      c.value(l.addr_imm, s.addr_imm);
    } else {
      c.value(l.reg, s.reg);
      c.value(i.access_mode == AccessMode::align16 ? l.subreg16 : L.send_src0_subreg, s.subreg);
      c.value(L.send_ex_desc, i.ex_desc.imm);
    }
    RegFile desc_file = i.desc.in_register ? RegFile::arf : RegFile::imm;
    c.coded(L.src[1].file, desc_file, L.reg_files);
    if constexpr (C::decoding) i.desc.in_register = desc_file != RegFile::imm;
    if (i.desc.in_register) {
      if (desc_file != RegFile::arf) c.fail(CodecError::reserved_value, L.src[1].file.name, uint64_t(desc_file));
      uint8_t a0 = 0x10;
      c.value(L.src[1].reg, a0);
      if (a0 != 0x10) c.fail(CodecError::reserved_value, L.src[1].reg.name, a0);
      c.value(L.desc_beside_register, i.desc.imm);
    } else {
      c.value(L.desc, i.desc.imm);
    }
  }

  template <class C, class I>
  static void split_send(C& c, I& i) {
    c.value(L.eot, i.eot);
    auto& d = i.dst;
    auto& s0 = i.src[0];
    auto& s1 = i.src[1];
    c.coded(L.split_dst_file, d.file, booleans);
    c.coded(L.dst_type, d.type, L.register_types);
    c.value(L.dst_addr_mode, d.indirect);
    if (d.indirect) {
      c.value(L.dst_addr_subreg, d.addr_subreg);
      c.value(L.split_dst_addr_imm, d.addr_imm);
    } else {
      c.value(L.dst_reg, d.reg);
      c.value(L.split_dst_subreg16, d.subreg);
    }
    if constexpr (C::decoding) d.region.horz_stride = 1, s0.file = RegFile::grf;
    c.value(L.src[0].addr_mode, s0.indirect);
    if (s0.indirect) {
      c.value(L.src[0].addr_subreg, s0.addr_subreg);
      c.value(L.split_src0_addr_imm, s0.addr_imm);
    } else {
      c.value(L.src[0].reg, s0.reg);
      c.value(L.split_src0_subreg16, s0.subreg);
    }
    c.coded(L.split_src1_file, s1.file, booleans);
    c.value(L.split_src1_reg, s1.reg);

    c.value(L.split_desc_in_register, i.desc.in_register);
    c.value(i.desc.in_register ? L.desc_beside_register : L.desc, i.desc.imm);
    c.value(L.split_ex_desc_in_register, i.ex_desc.in_register);
    if (i.ex_desc.in_register) {
      c.value(L.split_ex_desc_subreg, i.ex_desc.subreg);
    } else {
      // ex_desc[9:6] is the second payload's length, [31:16] belongs to the shared function
      c.value(L.sfid, i.sfid);
      uint32_t mlen = i.ex_desc.imm & 0x3C0, high = i.ex_desc.imm & 0xFFFF0000;
      if (i.ex_desc.imm & 0xFC3F) c.fail(CodecError::does_not_fit, "ExDesc", i.ex_desc.imm);
      c.value(L.split_ex_desc_mlen, mlen);
      c.value(L.split_ex_desc_high, high);
      if constexpr (C::decoding) i.ex_desc.imm = mlen | high;
    }
  }

  // Distances are bytes in the instruction and units of the generation in the word.
  template <class C, class T>
  static void distance(C& c, const Field& f, T& bytes) {
    if constexpr (C::decoding) {
      int32_t units = 0;
      c.value(f, units);
      const int64_t distance = sign_extend(uint32_t(units), f.width()) * L.jump_unit;
      if (distance != int32_t(distance)) c.fail(CodecError::does_not_fit, f.name, uint64_t(distance));
      bytes = int32_t(distance);
    } else {
      if (bytes % L.jump_unit) c.fail(CodecError::does_not_fit, f.name, uint64_t(int64_t(bytes)));
      const int32_t units = bytes / L.jump_unit;
      if (sign_extend(uint64_t(int64_t(units)), f.width()) != units)
        c.fail(CodecError::does_not_fit, f.name, uint64_t(int64_t(bytes)));
      else
        c.value(f, uint64_t(int64_t(units)) & ones(f.width()));
    }
  }

  // A target that is an immediate or a register, in source `n`; i.src[0] is the register.
  template <int n, class C, class I>
  static bool target_is_immediate(C& c, I& i) {
    auto& s = i.src[0];
    c.coded(L.src[n].file, s.file, L.reg_files);
    if (s.file == RegFile::imm) {
      if constexpr (C::decoding) s.type = Type::d;
      return true;
    }
    c.coded(L.src[n].type, s.type, L.register_types);
    source_register(c, i, s, L.src[n]);
    return false;
  }

  template <class C, class I>
  static void operands(C& c, I& i, const OpcodeRow& row) {
    switch (row.format) {
      case Format::nullary: return;
      case Format::unary:
        condition(c, i);
        flag(c, i, L.flag_subreg, L.flag_reg);
        destination(c, i);
        source<0>(c, i, true);
        return;
      case Format::binary:
        condition(c, i);
        flag(c, i, L.flag_subreg, L.flag_reg);
        destination(c, i);
        source<0>(c, i, false);
        source<1>(c, i, true);
        return;
      case Format::ternary: ternary(c, i); return;
      case Format::math:
        c.value(L.cond_modifier, i.math);
        if (info(i.math).name.empty()) c.fail(CodecError::reserved_value, "FC", uint64_t(i.math));
        flag(c, i, L.flag_subreg, L.flag_reg);
        destination(c, i);
        source<0>(c, i, info(i.math).sources == 1);
        if (info(i.math).sources == 2) source<1>(c, i, true);
        return;
      case Format::send:
        flag(c, i, L.flag_subreg, L.flag_reg);
        c.value(L.no_src_dep_set, i.no_src_dep_set);
        send(c, i);
        return;
      case Format::split_send:
        flag(c, i, L.flag_subreg, L.flag_reg);
        c.value(L.no_src_dep_set, i.no_src_dep_set);
        split_send(c, i);
        return;
      case Format::wait:
        c.zero(L.cond_modifier);
        source<0>(c, i, false);
        c.derived(L.dst_reg, i.src[0].reg, i.ignored);
        c.derived(L.dst_subreg, i.src[0].subreg, i.ignored);
        c.derived(L.dst_horz_stride, 1, i.ignored);
        return;
      case Format::branch:
        c.zero(L.cond_modifier);
        flag(c, i, L.flag_subreg, L.flag_reg);
        distance(c, L.jip_branch, i.jip);
        return;
      case Format::branch_compare:
        condition(c, i);
        flag(c, i, L.flag_subreg, L.flag_reg);
        distance(c, L.jip_branch, i.jip);
        if (i.cond_modifier != CondModifier::none) {
          source<0>(c, i, false);
          source<1>(c, i, true);
        }
        return;
      case Format::branch_uip:
        c.zero(L.cond_modifier);
        flag(c, i, L.flag_subreg, L.flag_reg);
        distance(c, L.jip, i.jip);
        distance(c, L.uip, i.uip);
        return;
      case Format::branch_reg:
        c.zero(L.cond_modifier);
        flag(c, i, L.flag_subreg, L.flag_reg);
        if (target_is_immediate<0>(c, i)) distance(c, L.jip, i.jip);
        return;
      case Format::branch_reg_uip:
        c.zero(L.cond_modifier);
        flag(c, i, L.flag_subreg, L.flag_reg);
        if (target_is_immediate<0>(c, i)) {
          distance(c, L.jip, i.jip);
          distance(c, L.uip, i.uip);
        }
        return;
      case Format::jump:
        c.zero(L.cond_modifier);
        flag(c, i, L.flag_subreg, L.flag_reg);
        if (target_is_immediate<1>(c, i)) distance(c, L.jip_imm, i.jip);
        return;
      case Format::call:
      case Format::call_absolute:
        c.zero(L.cond_modifier);
        flag(c, i, L.flag_subreg, L.flag_reg);
        return_address_to(c, i);
        if (target_is_immediate<1>(c, i)) distance(c, L.jip_imm, i.jip);
        return;
      case Format::ret:
        c.zero(L.cond_modifier);
        flag(c, i, L.flag_subreg, L.flag_reg);
        return_address_from(c, i);
        return;
      case Format::fork:
        c.zero(L.cond_modifier);
        flag(c, i, L.flag_subreg, L.flag_reg);
        distance(c, L.jip_branch, i.jip);
        source<0>(c, i, false);
        return;
    }
  }

  template <class C, class I>
  static void instruction(C& c, I& i, const OpcodeRow& row) {
    static constexpr auto canonical = per_format(canonical_bits);
    static constexpr auto ignorable = per_format(ignorable_bits);
    uint8_t code = row.code;
    c.value(L.opcode, code);
    c.value(L.cmpt_ctrl, i.compacted);
    c.value(L.debug_ctrl, i.debug_ctrl);
    if (row.format != Format::nullary) controls(c, i, row);
    operands(c, i, row);
    c.finish(L, row.format, canonical[int(row.format)], ignorable[int(row.format)], i.ignored);
  }

  static constexpr auto per_format(Word128 (*f)(const Layout&, Format)) {
    std::array<Word128, int(Format::fork) + 1> t{};
    for (size_t n = 0; n < t.size(); ++n) t[n] = f(L, Format(n));
    return t;
  }

  // Flattened, so that every field of the layout becomes a constant shift and mask.
  [[gnu::flatten]] static CodecFault decode(const OpcodeRow& row, const Word128& word, Instruction& i) {
    Decoder c(word);
    i.op = row.op;
    instruction(c, i, row);
    return c.fault();
  }
  static CodecFault encode(const OpcodeRow& row, const Instruction& i, Word128& word) {
    Encoder c;
    instruction(c, i, row);
    word = c.word();
    return c.fault();
  }
  // The bits that mean nothing in this very instruction: what no field of its walk covers.
  static Word128 meaningless(const OpcodeRow& row, const Instruction& i) {
    Encoder c;
    instruction(c, i, row);
    Word128 m = ~c.seen() & ignorable_bits(L, row.format);
    return m;
  }
};

template <const Layout& L>
constexpr Encoding encoding_of() {
  return {&L, &Walk<L>::decode, &Walk<L>::encode, &Walk<L>::meaningless};
}

}  // namespace vitro::isa
