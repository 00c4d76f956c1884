// Decoded batches as lines of JSON: one object for each command, and inside it the state it points to, as deep as that
// goes. Numbers are numbers if every reader of JSON can hold them, and text in hexadecimal if not.
#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "decode/printer.h"
#include "decode/text.h"

namespace vitro::decode {
namespace {

constexpr size_t piece = 1 << 16;
constexpr uint64_t address_bits = (uint64_t(1) << 48) - 1;  // as text has them
constexpr uint64_t most_exact = uint64_t(1) << 53;

void append_string(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", unsigned(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

// Stays open until an item comes that does not belong to it.
class JsonPrinter : public Printer {
 public:
  JsonPrinter(const Language& language, Output output) : language_(language), output_(std::move(output)) {}

  void begin(std::string_view title) override {
    close(0);
    out_ += "{\"submission\":";
    append_string(out_, title);
    out_ += "}\n";
  }

  void item(const Item& i) override {
    // Commands are objects of their own, whatever batch they are in.
    const bool top = i.kind == Kind::command || i.kind == Kind::batch || i.kind == Kind::unknown;
    const int depth = top ? 0 : i.depth - command_depth_;
    close(size_t(std::max(depth, 0)));
    if (!open_.empty()) {
      out_ += open_.back() ? "," : ",\"state\":[";
      open_.back() = true;
    }
    if (top) command_depth_ = i.depth;
    fmt::format_to(std::back_inserter(out_), "{{\"address\":\"0x{:x}\"", i.address & address_bits);
    if (top && i.depth) fmt::format_to(std::back_inserter(out_), ",\"depth\":{}", i.depth);
    if (!i.role.empty()) text("role", i.role);
    if (i.index >= 0) fmt::format_to(std::back_inserter(out_), ",\"index\":{}", i.index);
    switch (i.kind) {
      case Kind::batch: text("batch", i.text); break;
      case Kind::command:
        text("command", i.packet->name);
        packet(*i.packet, i.dwords);
        break;
      case Kind::object:
        text("object", i.packet->name);
        packet(*i.packet, i.dwords);
        break;
      case Kind::entry: fmt::format_to(std::back_inserter(out_), ",\"entry\":\"0x{:x}\"", i.dwords[0]); break;
      case Kind::kernel: text("kernel", i.text); break;
      case Kind::again: text("again", i.text); break;
      case Kind::note: text("note", i.text); break;
      case Kind::unknown: fmt::format_to(std::back_inserter(out_), ",\"unknown\":\"0x{:08x}\"", i.dwords[0]); break;
    }
    if (i.link) fmt::format_to(std::back_inserter(out_), ",\"link\":\"0x{:x}\"", *i.link & address_bits);
    if (i.hung) out_ += ",\"hung\":true";
    open_.push_back(false);
    if (out_.size() > piece) flush();
  }

  void finish() override {
    close(0);
    flush();
  }

 private:
  void flush() {
    output_(out_);
    out_.clear();
  }
  void close(size_t depth) {
    while (open_.size() > depth) {
      if (open_.back()) out_ += ']';
      open_.pop_back();
      out_ += '}';
      if (open_.empty()) out_ += '\n';
    }
  }
  void text(std::string_view key, std::string_view value) {
    out_ += ",\"";
    out_ += key;
    out_ += "\":";
    append_string(out_, value);
  }
  void value(const Field& f, uint64_t v) {
    std::string shown;
    append_value(shown, language_, f, v);
    const bool number = f.form == Form::number || f.form == Form::signed_number || f.form == Form::flag ||
                        f.form == Form::fixed || f.form == Form::signed_fixed;
    if (f.form == Form::number && v < most_exact) shown = std::to_string(v);
    const bool finite = f.form == Form::real && std::isfinite(std::bit_cast<float>(uint32_t(v)));
    if ((number && v < most_exact) || finite)
      out_ += shown;
    else
      append_string(out_, shown);
  }
  void fields(const Packet& p, std::span<const uint32_t> dwords) {
    out_ += '{';
    bool any = false;
    const Field* several = nullptr;
    for_each_value(p, dwords, [&](const Field& f, unsigned n, uint64_t v) {
      if (several && &f != several) out_ += ']', several = nullptr;
      if (any) out_ += ',';
      any = true;
      if (n == 0) {
        append_string(out_, f.name);
        out_ += ':';
        if (f.count > 1) out_ += '[', several = &f;
      }
      value(f, v);
    });
    if (several) out_ += ']';
    out_ += '}';
  }
  void packet(const Packet& p, std::span<const uint32_t> dwords) {
    out_ += ",\"fields\":";
    fields(p, dwords);
    std::string reserved;
    for (size_t d = 0; d < dwords.size() && d < p.reserved.size(); ++d)
      if (const uint32_t bits = reserved_bits(p, dwords, d))
        fmt::format_to(std::back_inserter(reserved), "{}\"DW{}\":\"0x{:x}\"", reserved.empty() ? "" : ",", d, bits);
    if (!reserved.empty()) out_ += ",\"reserved bits\":{" + reserved + "}";
    if (p.list) {
      out_ += ",\"list\":[";
      for (size_t at = p.list_from; at + p.list->dwords <= dwords.size(); at += p.list->dwords) {
        if (at > p.list_from) out_ += ',';
        fields(*p.list, dwords.subspan(at, p.list->dwords));
      }
      out_ += ']';
    }
    const size_t rest = rest_of(p, dwords);
    if (rest >= dwords.size()) return;
    fmt::format_to(std::back_inserter(out_), ",\"DW{}\":[", rest);
    for (size_t d = rest; d < dwords.size(); ++d)
      fmt::format_to(std::back_inserter(out_), "{}{}", d > rest ? "," : "", dwords[d]);
    out_ += ']';
  }

  const Language& language_;
  Output output_;
  std::string out_;
  std::vector<bool> open_;  // objects that are not closed, and whether they have state
  int command_depth_ = 0;
};

}  // namespace

std::unique_ptr<Printer> json_printer(const Language& language, Output output) {
  return std::make_unique<JsonPrinter>(language, std::move(output));
}

}  // namespace vitro::decode
