// Lines of an error state; see error_state.h.
#include "recording/error_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>

#include "recording/error_text.h"

namespace vitro::recording {
namespace {

struct EngineName {
  std::string_view beginning;
  commands::Engine engine;
};
// As kernels have called them over the years.
constexpr EngineName engine_names[] = {
    {"rcs", commands::Engine::render},          {"bcs", commands::Engine::copy},
    {"vecs", commands::Engine::video_enhance},  {"vcs", commands::Engine::video},
    {"render", commands::Engine::render},       {"blt", commands::Engine::copy},
    {"blitter", commands::Engine::copy},        {"bsd", commands::Engine::video},
    {"vebox", commands::Engine::video_enhance}, {"video enhancement", commands::Engine::video_enhance},
};
std::optional<commands::Engine> engine_of(std::string_view text) {
  for (const EngineName& n : engine_names)
    if (text.starts_with(n.beginning)) return n.engine;
  return std::nullopt;
}

// What a buffer is, by the name between dashes, and which space it is in.
struct BufferName {
  std::string_view name;
  bool in_ggtt, is_batch;
};
constexpr BufferName buffer_names[] = {
    {"batch", false, true},     {"gtt_offset", false, true},   {"user", false, false},
    {"ring", true, false},      {"ringbuffer", true, false},   {"HW context", true, false},
    {"HW Status", true, false}, {"hw status", true, false},    {"WA context", true, false},
    {"WA batch", true, false},  {"NULL context", true, false}, {"semaphores", true, false},
    {"GuC log", true, false},
};
const BufferName* find_buffer(std::string_view name) {
  for (const BufferName& b : buffer_names)
    if (b.name == name) return &b;
  return nullptr;
}

// A hexadecimal number in one or two parts, "0x00000001 00002000" or with '_' between them.
std::optional<uint64_t> parse_address(std::string_view text) {
  if (!text.starts_with("0x")) return std::nullopt;
  text.remove_prefix(2);
  uint64_t value = 0;
  unsigned digits = 0;
  for (const char c : text) {
    if (c == ' ' || c == '_') {
      if (digits == 8) continue;
      break;
    }
    const int d = c >= '0' && c <= '9'   ? c - '0'
                  : c >= 'a' && c <= 'f' ? c - 'a' + 10
                  : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                         : -1;
    if (d < 0 || digits == 16) break;
    value = value << 4 | unsigned(d);
    ++digits;
  }
  if (!digits) return std::nullopt;
  return value;
}

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\r')) s.remove_suffix(1);
  return s;
}

struct Buffer {
  const BufferName* name = nullptr;
  commands::Engine engine = commands::Engine::render;
  uint64_t address = 0, offset = 0;
  std::shared_ptr<std::vector<std::byte>> bytes = std::make_shared<std::vector<std::byte>>();
};

struct EngineState {
  std::optional<uint64_t> active_head{}, batch_head{}, batch_start{};
  std::string note{};
};

class ErrorState : public Reader {
 public:
  Result<void> parse(std::string_view text, uint64_t limit);

  Result<std::optional<Submission>> next() override {
    if (next_ == submissions_.size()) return std::optional<Submission>();
    return std::optional<Submission>(submissions_[next_++]);
  }
  std::optional<std::string> device() const override { return device_; }
  uint64_t position() const override { return bytes_; }
  uint64_t size() const override { return bytes_; }

 private:
  void read_register(std::string_view line);
  Result<void> begin_buffer(std::string_view line, size_t dashes, uint64_t offset);
  bool read_hexadecimal(std::string_view line);
  void finish();

  std::string title_{};
  std::optional<commands::Engine> engine_{};
  std::array<EngineState, commands::engine_count> engines_{};
  std::vector<Buffer> buffers_{};
  bool in_buffer_ = false;
  std::optional<std::string> device_{};
  std::vector<Submission> submissions_{};
  size_t next_ = 0;
  uint64_t bytes_ = 0;
};

void ErrorState::read_register(std::string_view line) {
  EngineState& e = engines_[size_t(*engine_)];
  constexpr size_t longest_note = 16 << 10;
  if (e.note.size() + line.size() < longest_note) e.note += std::string(trimmed(line)) + "\n";
  line = trimmed(line);
  const auto value = [&](std::string_view key) -> std::optional<uint64_t> {
    if (!line.starts_with(key)) return std::nullopt;
    return parse_address(trimmed(line.substr(key.size())));
  };
  if (const auto v = value("ACTHD:")) e.active_head = *v;
  if (const auto v = value("BBADDR:")) e.batch_head = *v & ~uint64_t{7};
  if (const auto v = value("batch: [")) e.batch_start = *v;
}

Result<void> ErrorState::begin_buffer(std::string_view line, size_t dashes, uint64_t offset) {
  const std::string_view rest = line.substr(dashes + 5);
  const size_t equals = rest.find('=');
  const std::optional<commands::Engine> engine = engine_of(line);
  const BufferName* const name = find_buffer(trimmed(rest.substr(0, equals)));
  in_buffer_ = false;
  if (equals == std::string_view::npos || !name || !engine) return {};  // of no use here
  const std::optional<uint64_t> address = parse_address(trimmed(rest.substr(equals + 1)));
  if (!address) return failure("a buffer without an address");
  constexpr size_t most_buffers = 1 << 16;
  if (buffers_.size() == most_buffers) return failure("too many buffers");
  buffers_.push_back({name, *engine, memory::from_canonical(*address), offset});
  in_buffer_ = true;
  return {};
}

// "00000010 :  7a000003", or with brackets around the offset: a dword of the buffer.
bool ErrorState::read_hexadecimal(std::string_view line) {
  unsigned offset = 0, value = 0;
  const std::string text(line.substr(0, 64));
  if (std::sscanf(text.c_str(), "%8x : %8x", &offset, &value) != 2 &&
      std::sscanf(text.c_str(), "[%4x] %8x", &offset, &value) != 2)
    return false;
  std::vector<std::byte>& bytes = *buffers_.back().bytes;
  if (offset != bytes.size()) return false;  // they come in order
  const auto* const b = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), b, b + sizeof value);
  return true;
}

Result<void> ErrorState::parse(std::string_view text, uint64_t limit) {
  bytes_ = text.size();
  uint64_t kept = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    const auto fail = [&](const std::string& message) { return failure(fmt::format("offset {:#x}: {}", at, message)); };
    if (title_.empty()) title_ = line.substr(0, 1024);
    if (line.starts_with(":") || line.starts_with("~")) {
      if (in_buffer_) {
        auto bytes = memory_of_error_text(line, limit - kept);
        if (!bytes) return fail(bytes.error().message);
        kept += bytes->size();
        *buffers_.back().bytes = std::move(*bytes);
        in_buffer_ = false;
      }
    } else if (const size_t dashes = line.find(" --- "); dashes != std::string_view::npos) {
      if (const Result<void> begun = begin_buffer(line, dashes, at); !begun) return fail(begun.error().message);
    } else if (in_buffer_ && read_hexadecimal(line)) {
      if ((kept += 4) > limit) return fail(fmt::format("more than {} bytes of memory", limit));
    } else if (line.find(" command stream:") != std::string_view::npos) {
      engine_ = engine_of(line);
      in_buffer_ = false;
    } else if (line.starts_with("PCI ID: ")) {
      device_ = trimmed(line.substr(8)).substr(0, 16);
    } else if (engine_ && line.starts_with("  ")) {
      read_register(line);
    } else if (!line.starts_with("gtt_page_sizes")) {
      in_buffer_ = false;
    }
    at = end + 1;
  }
  finish();
  return {};
}

void ErrorState::finish() {
  std::array<memory::AddressSpace, commands::engine_count> spaces, ggtts;
  for (const Buffer& b : buffers_) {
    if (b.bytes->empty()) continue;
    const memory::Range range{b.address, b.bytes->size(), b.bytes->data(), false, b.bytes};
    (b.name->in_ggtt ? ggtts : spaces)[size_t(b.engine)].bind({&range, 1});
  }
  for (const Buffer& b : buffers_) {
    if (!b.name->is_batch || b.bytes->empty()) continue;
    const EngineState& e = engines_[size_t(b.engine)];
    Submission s;
    s.engine = b.engine;
    s.memory = spaces[size_t(b.engine)].table();
    s.ggtt = ggtts[size_t(b.engine)].table();
    s.address = b.address;
    s.offset = b.offset;
    s.note = title_ + "\n" + e.note;
    const auto is_inside = [&](const std::optional<uint64_t>& address) {
      return address && s.memory->find(memory::from_canonical(*address));
    };
    if (e.batch_start && *e.batch_start - b.address < b.bytes->size()) s.address = *e.batch_start;
    // An engine that looks for commands where there is no memory stands outside of all buffers.
    const std::optional<uint64_t>& head =
        !is_inside(e.active_head) && is_inside(e.batch_head) ? e.batch_head : e.active_head;
    if (head) s.active_head = memory::from_canonical(*head);
    submissions_.push_back(std::move(s));
  }
}

}  // namespace

bool is_error_state(std::string_view beginning) {
  if (beginning.find('\0') != std::string_view::npos) return false;
  for (const std::string_view mark : {"GPU HANG", "PCI ID: 0x", " command stream:", "EIR: 0x"})
    if (beginning.find(mark) != std::string_view::npos) return true;
  return false;
}

Result<std::unique_ptr<Reader>> read_error_state(std::unique_ptr<Source> source, const Options& options) {
  std::string text;
  for (;;) {
    const auto piece = source->look(Source::largest_piece);
    if (!piece) return failure(piece.error().message);
    if (piece->empty()) break;
    if (text.size() + piece->size() > options.memory_limit)
      return failure(fmt::format("offset {:#x}: the text is longer than {} bytes", text.size(), options.memory_limit));
    text.append(reinterpret_cast<const char*>(piece->data()), piece->size());
    source->skip(piece->size());
  }
  auto state = std::make_unique<ErrorState>();
  if (const Result<void> parsed = state->parse(text, options.memory_limit); !parsed)
    return failure(parsed.error().message);
  return state;
}

}  // namespace vitro::recording
