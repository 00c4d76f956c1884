// The models: which tables, layouts and abilities make up a generation.
#include "gen/models.h"

namespace vitro::gen {
namespace {

using enum isa::Type;
constexpr isa::TypeSet types_gen6 = isa::types(ub, b, uw, w, ud, d, f);
constexpr isa::TypeSet types_gen8 = isa::types(ub, b, uw, w, ud, d, uq, q, hf, f, df);

}  // namespace

const isa::Model& gen6() {
  static const isa::Model m = isa::with_opcodes({
      .name = "gen6",
      .generation = isa::Generation::gen6,
      .encoding = &isa::encoding_gen6,
      .compaction = &isa::compaction_gen6,
      .messages = &isa::messages_gen6,
      .arfs = isa::arfs_gen6,
      .types = types_gen6,
      .mrf_count = 24,
      .address_subregs = 8,
      .flag_regs = 1,
      .logic_negate_is_not = false,
      .has_nib_ctrl = false,
      .has_64bit_immediates = false,
      .ternary_has_types = false,
      .compacts_send = false,
      .narrow_address_subregs = true,
      .jump_unit = 8,
      .dword_multiply_is_partial = true,
      .controls_denormals = false,
      .controls_rounding = false,
  });
  return m;
}

const isa::Model& gen8() {
  static const isa::Model m = isa::with_opcodes({
      .name = "gen8",
      .generation = isa::Generation::gen8,
      .encoding = &isa::encoding_gen8,
      .compaction = &isa::compaction_gen8,
      .messages = &isa::messages_gen8,
      .arfs = isa::arfs_gen8,
      .types = types_gen8,
      .mrf_count = 0,
      .address_subregs = 16,
      .flag_regs = 2,
      .logic_negate_is_not = true,
      .has_nib_ctrl = true,
      .has_64bit_immediates = true,
      .ternary_has_types = true,
      .compacts_send = true,
      .register_descriptor_bits = 0x7FFFFFFF,
  });
  return m;
}

const isa::Model& gen9() {
  static const isa::Model m = [] {
    isa::Model n = gen8();
    n.name = "gen9";
    n.generation = isa::Generation::gen9;
    n.encoding = &isa::encoding_gen9;
    n.compaction = &isa::compaction_gen9;
    n.messages = &isa::messages_gen9;
    n.compacts_send = false;
    n.register_descriptor_bits = 0x1FFFFFFF;
    n.by_code = {};
    n.by_op = {};
    n.three_source = {};
    return isa::with_opcodes(n);
  }();
  return m;
}

const isa::Model& gen9_lp() {
  static const isa::Model m = [] {
    isa::Model n = gen9();
    n.restricts_64bit_regions = true;
    return n;
  }();
  return m;
}

std::span<const Device> devices() {
  static constexpr Device all[] = {
      {"snb", "Sandy Bridge (Gen6)", gen6},
      {"bdw", "Broadwell (Gen8)", gen8},
      {"kbl", "Kaby Lake (Gen9)", gen9},
      {"apl", "Apollo Lake (Gen9 LP)", gen9_lp},
  };
  return all;
}

const Device* find_device(std::string_view name) {
  for (const Device& d : devices())
    if (d.name == name) return &d;
  return nullptr;
}

}  // namespace vitro::gen
