// Reading and printing register values. A register's name is looked up in the model's tables, so that each generation
// knows its own; floats are printed with as few digits as read back to the same element.
#include "cli/register_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

#include "cli/cli.h"
#include "cli/code_input.h"
#include "eu/arf.h"
#include "eu/lanes.h"

namespace vitro::cli {
namespace {

using isa::Type;
using Json = nlohmann::ordered_json;

Type find_type(std::string_view name) {
  for (int t = 0; t < isa::type_count; ++t)
    if (!isa::info(Type(t)).is_vector_imm && isa::info(Type(t)).name == name) return Type(t);
  return Type::none;
}

// Cuts ":TYPE" off the end. False: there is one, and it is no type.
bool take_type(std::string_view& text, Type& type) {
  const size_t colon = text.rfind(':');
  if (colon == text.npos) return true;
  type = find_type(text.substr(colon + 1));
  text = text.substr(0, colon);
  return type != Type::none;
}

bool parse_int(std::string_view text, int64_t& out) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const bool hex = text.starts_with("0x") || text.starts_with("0X");
  if (hex) text.remove_prefix(2);
  uint64_t u = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), u, hex ? 16 : 10);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return false;
  out = int64_t(negative ? ~u + 1 : u);
  return true;
}

bool parse_float(std::string_view text, double& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return !text.empty() && error == std::errc{} && end == text.data() + text.size();
}

// One value in a type's bytes. Floats may be given by their bits, in hexadecimal.
bool append_value(std::string_view text, Type type, std::vector<std::byte>& out) {
  uint64_t bits = 0;
  int64_t n = 0;
  double d = 0;
  if (isa::is_integer(type) || text.starts_with("0x")) {
    if (!parse_int(text, n)) return false;
    bits = uint64_t(n);
    const int width = 8 * isa::size_of(type);
    if (width < 64 && n >= 0 ? bits >> width != 0 : width < 64 && n < -(int64_t{1} << (width - 1))) return false;
  } else {
    if (!parse_float(text, d)) return false;
    switch (type) {
      case Type::hf: bits = double_to_half(d); break;
      case Type::f: bits = std::bit_cast<uint32_t>(float(d)); break;
      default: bits = std::bit_cast<uint64_t>(d); break;
    }
  }
  for (int b = 0; b < isa::size_of(type); ++b) out.push_back(std::byte(bits >> 8 * b));
  return true;
}

bool take_number(std::string_view& text, int& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc{}) return false;
  text.remove_prefix(size_t(end - text.data()));
  return true;
}

// The name of a register, such as r10, m3, acc0, a0, f1, sr0 or ip.
bool parse_register(const isa::Model& m, std::string_view text, ShownRegister& out) {
  std::string_view rest = text;
  int n = 0;
  out.name = text;
  if (text.starts_with('r') || text.starts_with('m')) {
    const bool mrf = text[0] == 'm';
    rest.remove_prefix(1);
    if (take_number(rest, n) && rest.empty()) {
      if (n < 0 || n >= (mrf ? m.mrf_count : m.grf_count)) return false;
      out.file = mrf ? isa::RegFile::mrf : isa::RegFile::grf;
      out.reg = uint8_t(n);
      return true;
    }
  }
  for (const isa::ArfRow& a : m.arfs) {
    if (a.kind == isa::Arf::null || !text.starts_with(a.name)) continue;
    rest = text.substr(a.name.size());
    n = 0;
    if (a.numbered && !take_number(rest, n)) continue;
    if (!rest.empty() || n < 0 || n >= a.count) continue;
    out.file = isa::RegFile::arf;
    out.reg = isa::arf_reg(a.kind, a.first + n);
    return true;
  }
  return false;
}

Json element_at(const std::byte* at, Type type) {
  Json out;
  eu::with_element<double>(type, [&]<class E>() {
    E e;
    std::memcpy(&e, at, sizeof e);
    if constexpr (std::is_same_v<E, eu::Half> || std::is_floating_point_v<E>)
      out = element(type, eu::widen<double>(e));
    else
      out = element(type, int64_t(e));
  });
  return out;
}

// Populated bytes of an architecture register: what it makes sense to show.
int shown_bytes(const isa::Model& m, uint8_t reg) {
  switch (isa::Arf(reg >> 4)) {
    case isa::Arf::address: return 2 * m.address_subregs;
    case isa::Arf::accumulator: return eu::reg_bytes;
    case isa::Arf::state:
    case isa::Arf::control:
    case isa::Arf::timestamp: return 16;
    case isa::Arf::notification: return 12;
    case isa::Arf::thread_dependency:
    case isa::Arf::stack_pointer: return 16;
    case isa::Arf::debug: return 8;
    default: return 4;
  }
}

}  // namespace

Json element(Type type, double d) {
  if (!std::isfinite(d)) return std::isnan(d) ? "nan" : d < 0 ? "-inf" : "inf";
  // 0.1 of a float is not 0.1 of a double: the number printed is the shortest that reads back to the same element
  if (type != Type::df) parse_float(fmt::format("{}", float(d)), d);
  return d;
}
Json element(Type type, int64_t n) {
  if (type == Type::uq) return uint64_t(n);
  return n;
}

Result<RegisterValues> parse_register_values(const isa::Model& m, std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == text.npos) return failure(fmt::format("{}: expected REG=VALUES, such as r2=1,2,3:d", text));
  std::string_view name = text.substr(0, equals), values = text.substr(equals + 1);
  RegisterValues out;
  int sub = 0;
  if (const size_t dot = name.find('.'); dot != name.npos) {
    std::string_view number = name.substr(dot + 1);
    if (!take_number(number, sub) || !number.empty() || sub < 0)
      return failure(fmt::format("{}: expected a sub-register's number after the dot", name));
    name = name.substr(0, dot);
  }
  ShownRegister reg;
  if (!parse_register(m, name, reg) || reg.file == isa::RegFile::arf)
    return failure(fmt::format("{}: no such register; values go to general registers{}", name,
                               m.mrf_count ? " and message registers" : ""));
  Type type = Type::ud;
  if (values.starts_with('@')) {
    const Result<std::string> file = read_file(std::string(values.substr(1)));
    if (!file) return tl::unexpected(file.error());
    Result<std::vector<std::byte>> bytes = parse_hex(*file);
    if (!bytes) return failure(fmt::format("{}: {}", values.substr(1), bytes.error().message));
    out.bytes = std::move(*bytes);
  } else {
    if (!take_type(values, type)) return failure(fmt::format("{}: the part after the colon is no type", text));
    while (true) {
      const size_t comma = values.find(',');
      const std::string_view one = values.substr(0, comma);
      if (!append_value(one, type, out.bytes))
        return failure(fmt::format("{}: '{}' is no value of type {}", text, one, isa::info(type).name));
      if (comma == values.npos) break;
      values.remove_prefix(comma + 1);
    }
  }
  out.mrf = reg.file == isa::RegFile::mrf;
  out.offset = reg.reg * eu::reg_bytes + sub * isa::size_of(type);
  const int limit = (out.mrf ? m.mrf_count : m.grf_count) * eu::reg_bytes;
  if (int64_t(sub) * isa::size_of(type) >= limit || size_t(out.offset) + out.bytes.size() > size_t(limit))
    return failure(fmt::format("{}: the values reach past the last register", text.substr(0, equals)));
  return out;
}

void apply(const RegisterValues& v, eu::Thread& t) {
  std::byte* base = v.mrf ? t.mrf.data() : t.grf.data();
  std::copy(v.bytes.begin(), v.bytes.end(), base + v.offset);
}

Result<std::vector<ShownRegister>> parse_shown_registers(const isa::Model& m, std::string_view text) {
  std::vector<ShownRegister> out;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    std::string_view one = text.substr(0, comma);
    text = comma == text.npos ? std::string_view{} : text.substr(comma + 1);
    ShownRegister first, last;
    Type type = Type::none;
    const std::string_view whole = one;
    if (!take_type(one, type)) return failure(fmt::format("{}: the part after the colon is no type", whole));
    const size_t dash = one.find('-');
    const std::string_view names[2] = {one.substr(0, dash), dash == one.npos ? one : one.substr(dash + 1)};
    if (!parse_register(m, names[0], first)) return failure(fmt::format("{}: no such register", names[0]));
    if (!parse_register(m, names[1], last)) return failure(fmt::format("{}: no such register", names[1]));
    if (dash != one.npos && (first.file != last.file || first.file == isa::RegFile::arf || first.reg > last.reg))
      return failure(fmt::format("{}: a range goes from a register up to a later one", one));
    for (int n = first.reg; n <= last.reg; ++n) {
      out.push_back({first.file, uint8_t(n), first.name, type});
      if (dash != one.npos) out.back().name = fmt::format("{}{}", first.name[0], n);
    }
  }
  return out;
}

std::vector<Json> elements_of(const isa::Model& m, const eu::Thread& t, const ShownRegister& s) {
  std::vector<Json> out;
  const Type type = s.type == Type::none ? Type::ud : s.type;
  const int size = isa::size_of(type);
  const bool arf = s.file == isa::RegFile::arf;
  if (arf && s.reg >> 4 == int(isa::Arf::accumulator) && (s.reg & 15) < 2) {
    for (int n = 0; n < eu::slots_per_register(type); ++n) {
      const int64_t slot = t.acc[s.reg & 1][size_t(n)];
      if (s.type == Type::none)
        out.push_back(fmt::format("0x{:016X}", uint64_t(slot)));
      else if (isa::is_float(type))
        out.push_back(element(type, eu::from_slot<double>(slot, type)));
      else
        out.push_back(slot);
    }
    return out;
  }
  eu::ArfImage image;
  const std::byte* at = image.data();
  int bytes = eu::reg_bytes;
  if (arf) {
    eu::read_arf(t, m, s.reg, image);
    bytes = shown_bytes(m, s.reg);
  } else {
    at = (s.file == isa::RegFile::mrf ? t.mrf.data() : t.grf.data()) + s.reg * eu::reg_bytes;
  }
  const bool address = arf && s.reg >> 4 == int(isa::Arf::address);
  const int step = s.type == Type::none && address ? 2 : size;
  for (int n = 0; n + step <= bytes; n += step) {
    uint32_t bits = 0;
    std::memcpy(&bits, at + n, std::min(size_t(step), sizeof bits));
    if (s.type == Type::none)
      out.push_back(fmt::format("0x{:0{}X}", bits, 2 * step));
    else
      out.push_back(element_at(at + n, type));
  }
  return out;
}

std::string in_one_line(const std::vector<Json>& values) {
  std::string out;
  for (const Json& v : values) {
    if (!out.empty()) out += ' ';
    out += v.is_string() ? v.get<std::string>() : v.dump();
  }
  return out;
}

}  // namespace vitro::cli
