// Decoded batches as text. The form is for people: an address, a name, and below it a line for each field.
#include <fmt/format.h>

#include "decode/printer.h"
#include "decode/text.h"

namespace vitro::decode {
namespace {

constexpr size_t piece = 1 << 16;  // of output
constexpr size_t in_a_row = 8;     // dwords without names

struct Colours {
  std::string_view command, object, address, kernel, wrong, off;
};
constexpr Colours plain{};
constexpr Colours coloured{"\033[1;36m", "\033[1;33m", "\033[2m", "\033[32m", "\033[1;31m", "\033[0m"};

class TextPrinter : public Printer {
 public:
  TextPrinter(const Language& language, Output output, bool colour, bool brief)
      : language_(language), output_(std::move(output)), c_(colour ? coloured : plain), brief_(brief) {}

  void begin(std::string_view title) override {
    if (any_) out_ += '\n';
    any_ = true;
    paint(c_.object, title);
    out_ += '\n';
  }

  void item(const Item& i) override {
    const int indent = 4 * i.depth;
    switch (i.kind) {
      case Kind::batch:
        line(indent, i.address);
        paint(c_.object, i.text);
        out_ += '\n';
        break;
      case Kind::command: command(i); break;
      case Kind::object:
        line(indent, i.address);
        role(i);
        paint(c_.object, i.packet->name);
        out_ += '\n';
        fields(*i.packet, i.dwords, indent + 4);
        break;
      case Kind::entry:
        line(indent, i.address);
        role(i);
        fmt::format_to(std::back_inserter(out_), "0x{:08x}\n", i.dwords[0]);
        break;
      case Kind::again:
        line(indent, i.address);
        role(i);
        out_ += i.text;
        out_ += ", shown above\n";
        break;
      case Kind::kernel: kernel(i); break;
      case Kind::note:
        line(indent, i.address);
        paint(c_.wrong, i.text);
        hung(i);
        out_ += '\n';
        break;
      case Kind::unknown:
        line(indent, i.address);
        out_ += c_.wrong;
        fmt::format_to(std::back_inserter(out_), "unknown command 0x{:08x}", i.dwords[0]);
        out_ += c_.off;
        hung(i);
        out_ += '\n';
        break;
    }
    if (out_.size() > piece) flush();
  }

  void finish() override { flush(); }

 private:
  void flush() {
    output_(out_);
    out_.clear();
  }
  void paint(std::string_view colour, std::string_view text) {
    out_ += colour;
    out_ += text;
    out_ += c_.off;
  }
  void line(int indent, uint64_t address) {
    static constexpr char digits[] = "0123456789abcdef";
    out_.append(size_t(indent), ' ');
    out_ += c_.address;
    char text[] = "0x000000000000  ";
    for (int n = 13; n >= 2; --n, address >>= 4) text[n] = digits[address & 15];
    out_ += text;
    out_ += c_.off;
  }
  void role(const Item& i) {
    out_ += i.role;
    if (i.index >= 0) fmt::format_to(std::back_inserter(out_), "[{}]", i.index);
    out_ += ": ";
  }
  void hung(const Item& i) {
    if (i.hung) paint(c_.wrong, "  <== the engine hung here");
  }

  void command(const Item& i) {
    line(4 * i.depth, i.address);
    if (brief_) {
      const std::string text = describe(language_, i.dwords, engine_of(*i.packet));
      out_ += c_.command;
      out_ += i.packet->name;
      out_ += c_.off;
      out_ += std::string_view(text).substr(i.packet->name.size());
      hung(i);
      out_ += '\n';
      return;
    }
    paint(c_.command, i.packet->name);
    hung(i);
    out_ += '\n';
    fields(*i.packet, i.dwords, 4 * i.depth + 4);
  }
  static commands::Engine engine_of(const Packet& p) {
    for (size_t e = 0; e < commands::engine_count; ++e)
      if (p.engines & commands::set_of(commands::Engine(e))) return commands::Engine(e);
    return commands::Engine::render;
  }

  void fields(const Packet& p, std::span<const uint32_t> dwords, int indent) {
    for_each_value(p, dwords, [&](const Field& f, unsigned n, uint64_t v) {
      out_.append(size_t(indent), ' ');
      out_ += f.name;
      if (f.count > 1) {
        out_ += '[';
        out_ += std::to_string(n);
        out_ += ']';
      }
      out_ += ": ";
      const bool wrong = is_unnamed(f, v);
      if (wrong) out_ += c_.wrong;
      append_value(out_, language_, f, v);
      if (wrong) out_ += c_.off;
      out_ += '\n';
    });
    for (size_t d = 0; d < dwords.size() && d < p.reserved.size(); ++d)
      if (const uint32_t bits = reserved_bits(p, dwords, d)) {
        out_.append(size_t(indent), ' ');
        out_ += c_.wrong;
        fmt::format_to(std::back_inserter(out_), "DW{}: reserved bits 0x{:08x} are set", d, bits);
        out_ += c_.off;
        out_ += '\n';
      }
    if (p.list) {
      size_t number = 0;
      for (size_t at = p.list_from; at + p.list->dwords <= dwords.size(); at += p.list->dwords) {
        out_.append(size_t(indent), ' ');
        out_ += c_.object;
        out_ += p.list->name;
        out_ += c_.off;
        fmt::format_to(std::back_inserter(out_), "[{}]\n", number++);
        fields(*p.list, dwords.subspan(at, p.list->dwords), indent + 4);
      }
    }
    for (size_t at = rest_of(p, dwords); at < dwords.size(); at += in_a_row) {
      out_.append(size_t(indent), ' ');
      fmt::format_to(std::back_inserter(out_), "DW{}:", at);
      for (size_t d = at; d < std::min(dwords.size(), at + in_a_row); ++d)
        fmt::format_to(std::back_inserter(out_), " 0x{:08x}", dwords[d]);
      out_ += '\n';
    }
  }

  void kernel(const Item& i) {
    const int indent = 4 * i.depth;
    line(indent, i.address);
    role(i);
    paint(c_.object, "kernel");
    out_ += '\n';
    for (std::string_view rest = i.text; !rest.empty();) {
      const std::string_view one = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), one.size() + 1));
      out_.append(size_t(indent) + 4, ' ');
      paint(c_.kernel, one);
      out_ += '\n';
    }
  }

  const Language& language_;
  Output output_;
  const Colours c_;
  bool brief_, any_ = false;
  std::string out_;
};

}  // namespace

std::unique_ptr<Printer> text_printer(const Language& language, Output output, bool colour, bool brief) {
  return std::make_unique<TextPrinter>(language, std::move(output), colour, brief);
}

}  // namespace vitro::decode
