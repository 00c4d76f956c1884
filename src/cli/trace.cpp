// Reading operands for the trace. They are read from a copy of the thread by the same code that the interpreter uses,
// so that regions, indirect addresses and accumulators are shown as they were used.
#include "cli/trace.h"

#include <fmt/format.h>

#include <cstdio>

#include "cli/register_text.h"
#include "eu/lanes.h"
#include "isa/print.h"

namespace vitro::cli {
namespace {

using Json = nlohmann::ordered_json;
using isa::Type;

// The type an operand was written with: plans move bits as integers where that is the same.
Type written_type(const isa::Operand& o) {
  switch (o.type) {
    case Type::v: return Type::w;
    case Type::uv: return Type::uw;
    case Type::vf: return Type::f;
    default: return o.type;
  }
}

// Lanes outside `mask` are shown as null.
Json lanes_of(const eu::Program& program, const eu::Thread& t, const eu::Plan& p, const eu::SourcePlan& s,
              uint32_t mask) {
  eu::Thread copy = t;
  const eu::SharedFunctions none{};
  eu::Executor x{copy, program, none};
  Json out = Json::array();
  auto collect = [&]<class T>() {
    eu::Lanes<T> v{};
    if (!eu::load(x, p, s, v.v)) return;
    for (int l = 0; l < p.lanes; ++l) out.push_back(mask >> l & 1 ? element(s.type, v.v[l]) : Json(nullptr));
  };
  if (isa::is_float(s.type))
    collect.operator()<double>();
  else
    collect.operator()<int64_t>();
  return out;
}

// The destination, read back.
eu::SourcePlan as_source(const eu::Plan& p) {
  using From = eu::DestinationPlan::Kind;
  using To = eu::SourcePlan::Kind;
  eu::SourcePlan s;
  switch (p.dst.kind) {
    case From::mrf: s.kind = To::mrf; break;
    case From::arf: s.kind = To::arf; break;
    case From::accumulator: s.kind = To::accumulator; break;
    case From::indirect: s.kind = To::indirect; break;
    case From::grf:
    case From::null: s.kind = To::grf; break;
  }
  s.type = written_type(p.instruction.dst);
  s.operand = &p.instruction.dst;
  s.offset = p.dst.offset;
  return s;
}

bool is_message(const eu::Plan& p) {
  return p.row->format == isa::Format::send || p.row->format == isa::Format::split_send;
}

// Registers of a payload or a response, from the one an operand names.
void registers(Json& entry, const char* what, const isa::Model& m, const eu::Thread& t, const isa::Operand& o,
               unsigned count) {
  if (o.file == isa::RegFile::arf || o.indirect) return;
  const bool mrf = o.file == isa::RegFile::mrf;
  for (unsigned n = 0; n < count && o.reg + n < (mrf ? m.mrf_count : m.grf_count); ++n) {
    const std::string name = fmt::format("{}{}", mrf ? 'm' : 'r', o.reg + n);
    entry[fmt::format("{} {}", what, name)] = elements_of(m, t, {o.file, uint8_t(o.reg + n), name, Type::none});
  }
}

uint32_t descriptor(const eu::Thread& t, const isa::Instruction& i) {
  return i.desc.in_register ? uint32_t(t.a0[0]) | uint32_t(t.a0[1]) << 16 : i.desc.imm;
}

}  // namespace

eu::Observer Trace::observer() {
  return {
      [](void* self, const eu::Thread& t, const eu::Plan& p, uint32_t e) {
        static_cast<Trace*>(self)->before(t, p, e);
      },
      [](void* self, const eu::Thread& t, const eu::Plan& p, uint32_t e) { static_cast<Trace*>(self)->after(t, p, e); },
      this};
}

void Trace::before(const eu::Thread& t, const eu::Plan& p, uint32_t enabled) {
  const isa::Model& m = program_.model();
  previous_ = t;
  pending_ = true;
  entry_ = Json::object();
  entry_["thread"] = thread_;
  entry_["ip"] = p.ip;
  entry_["channels"] = enabled;
  if (!p.row) {
    entry_["text"] = "no instruction: " + p.fault;
    return;
  }
  const isa::Instruction& i = p.instruction;
  std::string text;
  isa::print(text, m, i, p.ip, {.messages = false, .columns = false});
  entry_["text"] = text;
  if (!p.fault.empty()) return;
  if (is_message(p)) {
    const eu::Message message{.desc = descriptor(t, i), .ex_desc = i.ex_desc.imm};
    registers(entry_, "payload", m, t, i.src[0], message.mlen());
    if (p.row->format == isa::Format::split_send) registers(entry_, "payload", m, t, i.src[1], message.ex_mlen());
    return;
  }
  for (int n = 0; n < p.sources; ++n) {
    eu::SourcePlan s = p.src[n];
    s.type = written_type(i.src[size_t(n)]);
    entry_[fmt::format("src{}", n)] = lanes_of(program_, t, p, s, p.lane_mask);
  }
}

void Trace::after(const eu::Thread& t, const eu::Plan& p, uint32_t enabled) {
  const isa::Model& m = program_.model();
  if (p.row && p.fault.empty()) {
    const isa::Instruction& i = p.instruction;
    if (is_message(p)) {
      if (!t.ended) registers(entry_, "response", m, t, i.dst, eu::Message{.desc = descriptor(previous_, i)}.rlen());
    } else if (isa::has_destination(p.row->format) && p.dst.kind != eu::DestinationPlan::Kind::null) {
      // sel writes every channel that runs: its predicate chooses
      const uint32_t running = i.no_mask ? ~0u : previous_.active >> p.channel;
      const uint32_t written = p.row->has(isa::attr_reads_flag) ? running & p.lane_mask : enabled;
      entry_["dst"] = lanes_of(program_, t, p, as_source(p), written & p.dst.channel_enable);
    }
    for (size_t f = 0; f < m.flag_regs; ++f)
      if (t.flag[f] != previous_.flag[f]) entry_[fmt::format("f{}", f)] = fmt::format("0x{:08X}", t.flag[f]);
    for (uint8_t a = 0; a < 2; ++a)
      if (t.acc[a] != previous_.acc[a] && p.dst.kind != eu::DestinationPlan::Kind::accumulator)
        entry_[fmt::format("acc{}", a)] =
            elements_of(m, t, {isa::RegFile::arf, isa::arf_reg(isa::Arf::accumulator, a), {}, Type::none});
    if (t.active != previous_.active) entry_["running"] = fmt::format("0x{:X}", t.active);
    if (t.ip != p.next_ip) entry_["next"] = t.ip;
  }
  show();
}

void Trace::finish() {
  if (pending_) show();
}

void Trace::show() {
  pending_ = false;
  if (json_) {
    json_->push_back(std::move(entry_));
    return;
  }
  fmt::print("t{} {:04X} [{:X}]  {}\n", entry_["thread"].get<int>(), entry_["ip"].get<uint32_t>(),
             entry_["channels"].get<uint32_t>(), entry_["text"].get<std::string>());
  for (const auto& [key, value] : entry_.items()) {
    if (key == "thread" || key == "ip" || key == "channels" || key == "text") continue;
    std::string line;
    if (value.is_array()) {
      std::vector<Json> values;
      for (const Json& v : value) values.push_back(v.is_null() ? Json("-") : v);
      line = in_one_line(values);
    } else {
      line = key == "next" ? fmt::format("{:04X}", value.get<uint32_t>()) : value.get<std::string>();
    }
    fmt::print("      {:<8} {}\n", key, line);
  }
}

}  // namespace vitro::cli
