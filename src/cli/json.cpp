// The JSON form: only what the instruction's format gives a meaning to.
#include "cli/json.h"

#include <fmt/format.h>

#include "isa/names.h"
#include "isa/print.h"

namespace vitro::cli {
namespace {

using Json = nlohmann::ordered_json;
using namespace isa;

constexpr std::string_view file_names[] = {"arf", "grf", "mrf", "imm"};

Json region_json(const Instruction& i, const OpcodeRow& row, const Operand& o) {
  if (row.format == Format::ternary) return o.replicate ? "scalar" : "vector";
  if (i.access_mode == AccessMode::align16) return {{"VertStride", o.region.vert_stride}};
  Json r;
  if (o.region.vert_stride == Region::vxh)
    r["VertStride"] = "VxH";
  else
    r["VertStride"] = o.region.vert_stride;
  r["Width"] = o.region.width;
  r["HorzStride"] = o.region.horz_stride;
  return r;
}

Json operand_json(const Model& m, const Instruction& i, const OpcodeRow& row, const Operand& o, bool destination) {
  Json j;
  j["RegFile"] = file_names[size_t(o.file)];
  j["Type"] = info(o.type).name;
  if (o.file == RegFile::imm) {
    j["Imm"] = i.imm;
    return j;
  }
  if (o.indirect) {
    j["AddrSubRegNum"] = o.addr_subreg;
    j["AddrImm"] = o.addr_imm;
  } else {
    j["RegNum"] = o.reg;
    if (o.file == RegFile::arf)
      if (const ArfRow* a = find_arf(m.arfs, o.reg)) j["name"] = a->name;
    j["SubRegNum"] = o.subreg;
  }
  const bool align16 = i.access_mode == AccessMode::align16;
  if (destination) {
    j["HorzStride"] = o.region.horz_stride;
    if (align16) j["ChanEn"] = o.chan_en;
  } else {
    j["region"] = region_json(i, row, o);
    if (align16) j["ChanSel"] = o.chan_sel;
    if (o.abs) j["abs"] = true;
    if (o.negate) j["negate"] = true;
  }
  return j;
}

Json descriptor_json(const Descriptor& d, uint32_t low) {
  if (d.in_register) return fmt::format("a0.{}", d.subreg) + (d.imm ? fmt::format("|0x{:08X}", d.imm) : "");
  return d.imm | low;
}

}  // namespace

Json to_json(const Model& m, const Instruction& i, size_t offset, int size) {
  const OpcodeRow& row = *m.row(i.op);
  Json j;
  j["offset"] = offset;
  j["size"] = size;
  j["op"] = row.mnemonic;
  if (row.format == Format::math) j["function"] = info(i.math).name;
  if (row.format != Format::nullary) {
    j["ExecSize"] = i.exec_size;
    j["channel"] = channel_offset(i);
    j["AccessMode"] = i.access_mode == AccessMode::align16 ? "Align16" : "Align1";
    if (i.no_mask) j["NoMask"] = true;
    if (i.pred_ctrl != PredCtrl::none) {
      const auto code = size_t(i.pred_ctrl);
      const std::string_view mode =
          i.access_mode == AccessMode::align16 ? pred_names_align16[code] : pred_names_align1[code];
      j["predicate"] = {
          {"flag", fmt::format("f{}.{}", i.flag_reg, i.flag_subreg)}, {"inverse", i.pred_inv}, {"mode", mode}};
    }
    if (i.cond_modifier != CondModifier::none)
      j["CondModifier"] = {{"flag", fmt::format("f{}.{}", i.flag_reg, i.flag_subreg)},
                           {"condition", cond_names[size_t(i.cond_modifier)]}};
    if (i.saturate) j["Saturate"] = true;
    if (i.branch_ctrl) j["BranchCtrl"] = true;
  }
  Json options = Json::array();
  for (const OptionName& o : option_names)
    if (o.flag ? i.*o.flag : i.thread_ctrl != ThreadCtrl::normal && i.thread_ctrl == o.thread)
      options.push_back(o.name);
  if (!options.empty()) j["options"] = options;

  const int sources = source_count(row, i);
  if (has_destination(row.format)) j["dst"] = operand_json(m, i, row, i.dst, true);
  for (int n = 0; n < sources; ++n) j[fmt::format("src{}", n)] = operand_json(m, i, row, i.src[size_t(n)], false);

  if (row.format == Format::send || row.format == Format::split_send) {
    const uint32_t low = i.sfid | (i.eot ? 0x20u : 0u);
    j["ExDesc"] = descriptor_json(i.ex_desc, low);
    j["Desc"] = descriptor_json(i.desc, 0);
    if (!i.ex_desc.in_register && !i.desc.in_register)
      j["message"] = message_comment(*m.messages, i.sfid, i.ex_desc.imm | low, i.desc.imm);
  }
  const Targets t = branch_targets(m, i, int64_t(offset));
  if (t.count) j["targets"] = std::vector<int64_t>(t.at, t.at + t.count);
  if (i.ignored) j["ignored"] = fmt::format("0x{:016X}{:016X}", i.ignored.hi, i.ignored.lo);
  std::string text;
  print(text, m, i, int64_t(offset), {.messages = false, .columns = false});
  j["text"] = text;
  return j;
}

}  // namespace vitro::cli
