// Decoded batches as one page for a browser. The page gets the dwords as they are, the descriptions of the packets that
// occur, and the code that makes rows of them (html_page.h) when somebody unfolds them: so it stays small, and opens at
// once whatever is in it. Items are a stream of dwords, in the form that `item` below writes and the page reads.
#include <fmt/format.h>

#include <bit>
#include <map>
#include <unordered_map>
#include <vector>

#include "decode/html_page.h"
#include "decode/printer.h"
#include "decode/text.h"

namespace vitro::decode {
namespace {

constexpr size_t piece_dwords = 3 << 16;  // a multiple of three, so that its text ends without padding

void append_base64(std::string& out, std::span<const std::byte> bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t n = 0; n < bytes.size(); n += 3) {
    const size_t left = std::min<size_t>(3, bytes.size() - n);
    uint32_t v = 0;
    for (size_t k = 0; k < 3; ++k) v = v << 8 | (k < left ? uint32_t(bytes[n + k]) : 0);
    for (size_t k = 0; k < 4; ++k) out += k <= left ? digits[v >> (18 - 6 * k) & 63] : '=';
  }
}

// Text that may stand between the tags of a script.
void append_text(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '<' || u < 0x20 || u == 0x7F)
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", unsigned(u));
    else
      out += c;
  }
  out += '"';
}

class HtmlPrinter : public Printer {
 public:
  HtmlPrinter(const Language& language, Output output, std::string_view title)
      : language_(language), output_(std::move(output)) {
    std::string head = "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>";
    for (const char c : title) head += c == '<' ? std::string("&lt;") : c == '&' ? "&amp;" : std::string(1, c);
    head += "</title>\n";
    output_(head);
    output_(page_head);
  }

  void begin(std::string_view title) override { item({.kind = Kind::batch, .text = title, .index = 0}); }

  void item(const Item& i) override {
    enum : uint32_t { has_text = 1, has_role = 2, has_index = 4, has_link = 8, is_hung = 16, is_long = 32 };
    const size_t count = i.kind == Kind::kernel || i.kind == Kind::again ? 0 : i.dwords.size();
    uint32_t flags = 0;
    if (!i.text.empty()) flags |= has_text;
    if (!i.role.empty()) flags |= has_role;
    if (i.index >= 0) flags |= has_index;
    if (i.link) flags |= has_link;
    if (i.hung) flags |= is_hung;
    if (count >= 0xFFFF) flags |= is_long;
    stream_.push_back(uint32_t(i.kind) | uint32_t(i.depth & 15) << 4 | flags << 8 | number_of(i.packet) << 16);
    stream_.push_back(uint32_t(i.address));
    stream_.push_back(uint32_t(i.address >> 32 & 0xFFFF) | uint32_t(std::min<size_t>(count, 0xFFFF)) << 16);
    if (flags & is_long) stream_.push_back(uint32_t(count));
    if (flags & has_text) stream_.push_back(text_number(i.text));
    if (flags & has_role) stream_.push_back(text_number(i.role));
    if (flags & has_index) stream_.push_back(uint32_t(i.index));
    if (flags & has_link) stream_.push_back(uint32_t(*i.link)), stream_.push_back(uint32_t(*i.link >> 32 & 0xFFFF));
    if (i.packet) note_registers(*i.packet, i.dwords.first(count));
    stream_.insert(stream_.end(), i.dwords.begin(), i.dwords.begin() + ptrdiff_t(count));
    if (stream_.size() >= piece_dwords) flush(piece_dwords);
  }

  void finish() override {
    flush(stream_.size());
    std::string out = "<script>\nconst packets=[";
    for (size_t n = 0; n < packets_.size(); ++n) {  // which grows by the lists that are met
      if (n) out += ",\n";
      packet(out, *packets_[n]);
    }
    out += "];\nconst values=[";
    for (size_t n = 0; n < values_.size(); ++n) {
      out += n ? ",\n{" : "{";
      bool any = false;
      for (const auto& [value, name] : values_[n]->all()) {
        fmt::format_to(std::back_inserter(out), "{}{}:", any ? "," : "", value);
        append_text(out, name);
        any = true;
      }
      out += '}';
    }
    out += "];\nconst registers={";
    bool any = false;
    for (const auto& [mmio, name] : registers_) {
      fmt::format_to(std::back_inserter(out), "{}{}:", any ? "," : "", mmio);
      append_text(out, name);
      any = true;
    }
    out += "};\nconst texts=[";
    for (size_t n = 0; n < texts_.size(); ++n) {
      if (n) out += ",\n";
      append_text(out, texts_[n]);
    }
    out += "];\nstart();\n</script>\n</html>\n";
    output_(out);
  }

 private:
  void flush(size_t dwords) {
    for (size_t from = 0; from < dwords; from += piece_dwords) {
      const auto part = std::span(stream_).subspan(from, std::min(piece_dwords, dwords - from));
      std::string out = "<script>add(\"";
      append_base64(out, std::as_bytes(part));
      out += "\")</script>\n";
      output_(out);
    }
    stream_.erase(stream_.begin(), stream_.begin() + ptrdiff_t(dwords));
  }
  // From 1 on; 0 is none.
  uint32_t number_of(const Packet* p) {
    if (!p) return 0;
    const auto [at, fresh] = numbers_.emplace(p, uint32_t(packets_.size() + 1));
    if (fresh) packets_.push_back(p);
    return at->second;
  }
  uint32_t values_number(const Values* v) {
    const auto [at, fresh] = values_numbers_.emplace(v, uint32_t(values_.size()));
    if (fresh) values_.push_back(v);
    return at->second;
  }
  uint32_t text_number(std::string_view text) {
    const auto [at, fresh] = text_numbers_.emplace(std::string(text), uint32_t(texts_.size()));
    if (fresh) texts_.push_back(at->first);
    return at->second;
  }
  void note_registers(const Packet& p, std::span<const uint32_t> dwords) {
    if (p.list)
      for (size_t at = p.list_from; at + p.list->dwords <= dwords.size(); at += p.list->dwords)
        note_registers(*p.list, dwords.subspan(at, p.list->dwords));
    for (const Field& f : p.fields) {
      if (f.form != Form::reg) continue;
      const auto v = value_of(f, dwords);
      if (!v || registers_.count(*v)) continue;
      if (std::string name = register_name(language_.registers(), *v); !name.empty()) registers_[*v] = std::move(name);
    }
  }
  void packet(std::string& out, const Packet& p) {
    out += "{n:";
    append_text(out, p.name);
    if (p.list) fmt::format_to(std::back_inserter(out), ",l:{},a:{}", number_of(p.list), p.list_from);
    fmt::format_to(std::back_inserter(out), ",d:{},r:[{}],f:[", p.dwords, fmt::join(p.reserved, ","));
    for (size_t n = 0; n < p.fields.size(); ++n) {
      const Field& f = p.fields[n];
      out += n ? ",[" : "[";
      append_text(out, f.name);
      fmt::format_to(std::back_inserter(out), ",{},{},{},{},{},{},{},{}]", f.bits.lo, f.bits.hi, f.bits.scale, f.count,
                     f.stride, int(f.form), f.fraction, f.values ? int(values_number(f.values)) : -1);
    }
    out += "]}";
  }

  const Language& language_;
  Output output_;
  std::vector<uint32_t> stream_;
  std::vector<const Packet*> packets_;
  std::unordered_map<const Packet*, uint32_t> numbers_;
  std::vector<const Values*> values_;
  std::unordered_map<const Values*, uint32_t> values_numbers_;
  std::map<std::string, uint32_t> text_numbers_;  // whose keys stay where they are
  std::vector<std::string_view> texts_;
  std::map<uint64_t, std::string> registers_;
};

}  // namespace

std::unique_ptr<Printer> html_printer(const Language& language, Output output, std::string_view title) {
  return std::make_unique<HtmlPrinter>(language, std::move(output), title);
}

}  // namespace vitro::decode
