// Values and commands as text. PRM: command reference. Numbers are decimal while they are small, since sizes and counts
// are what most of them are; addresses, offsets and masks are hexadecimal.
#include "decode/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

namespace vitro::decode {
namespace {

constexpr uint64_t small = 65536;

void append_decimal(std::string& out, uint64_t v) {
  char text[24];
  const auto end = std::to_chars(text, text + sizeof text, v).ptr;
  out.append(text, end);
}
void append_hex(std::string& out, uint64_t v) {
  char text[24] = "0x";
  const auto end = std::to_chars(text + 2, text + sizeof text, v, 16).ptr;
  out.append(text, end);
}
void append_number(std::string& out, uint64_t v) { v < small ? append_decimal(out, v) : append_hex(out, v); }
void append_signed(std::string& out, int64_t v) {
  char text[24];
  const auto end = std::to_chars(text, text + sizeof text, v).ptr;
  out.append(text, end);
}
int64_t sign_extended(const Field& f, uint64_t v) {
  const int up = 64 - f.bits.width() - f.bits.scale;
  return int64_t(v << up) >> up;
}

}  // namespace

bool is_unnamed(const Field& f, uint64_t value) {
  return f.form == Form::named && value && f.values->count() > 1 && f.values->find(value).empty();
}

void append_value(std::string& out, const Language& language, const Field& f, uint64_t v) {
  switch (f.form) {
    case Form::number: append_number(out, v); break;
    case Form::flag: out += v ? "true" : "false"; break;
    case Form::signed_number: append_signed(out, sign_extended(f, v)); break;
    case Form::real: fmt::format_to(std::back_inserter(out), "{}", std::bit_cast<float>(uint32_t(v))); break;
    case Form::address: append_hex(out, v); break;
    case Form::fixed: fmt::format_to(std::back_inserter(out), "{}", std::ldexp(double(v), -f.fraction)); break;
    case Form::signed_fixed:
      fmt::format_to(std::back_inserter(out), "{}", std::ldexp(double(sign_extended(f, v)), -f.fraction));
      break;
    case Form::named: {
      const std::string_view name = f.values->find(v);
      if (name.empty()) {
        append_number(out, v);
        if (is_unnamed(f, v)) out += " (reserved value)";
      } else {
        out += name;
        out += " (";
        append_number(out, v);
        out += ')';
      }
      break;
    }
    case Form::reg: {
      const std::string name = register_name(language.registers(), v);
      out += name;
      out += name.empty() ? "" : " (";
      append_hex(out, v);
      out += name.empty() ? "" : ")";
      break;
    }
  }
}

uint32_t reserved_bits(const Packet& packet, std::span<const uint32_t> dwords, size_t dword) {
  return dword < packet.reserved.size() && dword < dwords.size() ? dwords[dword] & packet.reserved[dword] : 0;
}

size_t rest_of(const Packet& packet, std::span<const uint32_t> dwords) {
  if (packet.list) {
    if (dwords.size() < packet.list_from) return dwords.size();
    return packet.list_from + (dwords.size() - packet.list_from) / packet.list->dwords * packet.list->dwords;
  }
  if (!packet.described) return 1;
  const size_t reach = packet.reserved.size(), own = std::min<size_t>(dwords.size(), packet.dwords);
  const bool empty = own > reach && std::all_of(dwords.begin() + ptrdiff_t(reach), dwords.begin() + ptrdiff_t(own),
                                                [](uint32_t d) { return d == 0; });
  return empty ? own : reach;
}

namespace {

void append_brief(std::string& text, const Language& language, const Packet& p, std::span<const uint32_t> dwords) {
  for_each_value(p, dwords, [&](const Field& f, unsigned n, uint64_t v) {
    if (!v) return;
    text += text.empty() ? "" : ", ";
    text += f.name;
    if (f.count > 1) fmt::format_to(std::back_inserter(text), "[{}]", n);
    if (f.form == Form::flag) return;
    text += " = ";
    append_value(text, language, f, v);
  });
  for (size_t d = 0; d < dwords.size(); ++d)
    if (const uint32_t bits = reserved_bits(p, dwords, d))
      fmt::format_to(std::back_inserter(text), "{}DW{} has reserved bits 0x{:x}", text.empty() ? "" : ", ", d, bits);
}

void append_dwords(std::string& text, std::span<const uint32_t> packet, size_t from) {
  constexpr size_t most = 16;
  if (from >= packet.size()) return;
  if (!text.empty()) text += ", ";
  fmt::format_to(std::back_inserter(text), "DW{}.. =", from);
  for (size_t i = from; i < std::min(packet.size(), from + most); ++i)
    fmt::format_to(std::back_inserter(text), " 0x{:x}", packet[i]);
  if (packet.size() > from + most) text += " ...";
}

}  // namespace

std::string describe(const Language& language, std::span<const uint32_t> packet, commands::Engine engine) {
  if (packet.empty()) return "nothing";
  const Packet* p = language.find(packet[0], engine);
  if (!p) return fmt::format("invalid command 0x{:08x}", packet[0]);
  const size_t dwords = p->length.dwords(packet[0]);
  const auto there = packet.first(std::min(dwords, packet.size()));
  std::string fields;
  append_brief(fields, language, *p, there);
  if (p->list)
    for (size_t at = p->list_from; at + p->list->dwords <= there.size(); at += p->list->dwords) {
      std::string one;
      append_brief(one, language, *p->list, there.subspan(at, p->list->dwords));
      fields += fields.empty() ? "{" : ", {";
      fields += one + "}";
    }
  append_dwords(fields, there, rest_of(*p, there));
  std::string text(p->name);
  if (!fields.empty()) text += ": " + fields;
  if (packet.size() < dwords) text += fmt::format(" [only {} of {} dwords]", packet.size(), dwords);
  return text;
}

}  // namespace vitro::decode
