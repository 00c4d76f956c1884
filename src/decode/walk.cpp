// The walk through batches. PRM: Gen8 vol 2a MI_BATCH_BUFFER_START: a batch of the first level that starts another does
// not come back, one of the second level does. A batch that starts itself again is read once; so is one of the second
// level that is called again and again, after some times.
#include "decode/walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>

#include "decode/text.h"
#include "dispatch/program_cache.h"
#include "isa/disassemble.h"

namespace vitro::decode {
namespace {

constexpr unsigned most_calls = 4;      // of one batch of the second level that are shown
constexpr uint64_t most_unknown = 64;   // dwords in a row, after which it is no batch
constexpr uint64_t most_objects = 256;  // behind one pointer
constexpr uint64_t most_guessed = 32;   // entries of a binding table of which nobody said how long it is
constexpr size_t most_code = 1 << 20;   // bytes of a kernel that are shown
constexpr unsigned most_ahead = 256;    // commands behind a pointer that are asked for its count
constexpr int most_depth = 12;

bool matches(std::string_view name, const std::vector<std::string>& words) {
  const auto same = [](unsigned char a, unsigned char b) { return std::toupper(a) == std::toupper(b); };
  return words.empty() || std::any_of(words.begin(), words.end(), [&](const std::string& w) {
           return std::search(name.begin(), name.end(), w.begin(), w.end(), same) != name.end();
         });
}

// A dword that begins no command: how many dwords it may have had.
size_t guessed_dwords(uint32_t header) {
  constexpr uint32_t long_mi = 0x10;  // opcodes from here on have a length
  const uint32_t type = header >> 29;
  if (type == 0) return (header >> 23 & 0x3F) < long_mi ? 1 : (header & 0x3F) + 2;
  if (type == 2 || type == 3) return (header & 0xFF) + 2;
  return 1;
}

// Names of the packets' fields; the documents call them so in all generations.
constexpr std::string_view base_fields[] = {"General State Base Address", "Surface State Base Address",
                                            "Dynamic State Base Address", "Indirect Object Base Address",
                                            "Instruction Base Address",   "Bindless Surface State Base Address"};
constexpr std::string_view modify = " Modify Enable";

bool is_zero(std::span<const uint32_t> dwords) {
  return std::all_of(dwords.begin(), dwords.end(), [](uint32_t v) { return !v; });
}

// Whether it is what somebody wrote as such an object, and not whatever was there.
bool is_proper(const Packet& p, std::span<const uint32_t> dwords) {
  for (size_t d = 0; d < dwords.size(); ++d)
    if (reserved_bits(p, dwords, d)) return false;
  bool named = true;
  for_each_value(p, dwords, [&](const Field& f, unsigned, uint64_t v) { named = named && !is_unnamed(f, v); });
  return named;
}

uint64_t field_value(const Packet& p, std::string_view name, std::span<const uint32_t> dwords) {
  const int f = p.find(name);
  return f < 0 ? 0 : value_of(p.fields[size_t(f)], dwords).value_or(0);
}

}  // namespace

Walker::Walker(const Language& language, const isa::Model& model, Options options, Sink sink)
    : language_(language), model_(model), options_(std::move(options)), sink_(std::move(sink)) {}

Summary Walker::walk(memory::View& memory, memory::View& ring_memory, Context& context, const Start& start) {
  memory_ = &memory;
  context_ = &context;
  context.remembered.resize(language_.remembered());
  ahead_.assign(language_.remembered(), std::nullopt);
  hung_ = start.hung;
  if (engine_ != start.engine) found_ = {};
  engine_ = start.engine;
  open_.clear();
  calls_.clear();
  summary_ = {};
  batch(start.ring ? ring_memory : memory,
        {start.address, start.bytes ? start.address + start.bytes : ~uint64_t{0}, 0, start.ring, false});
  return summary_;
}

const Packet* Walker::find(uint32_t header) {
  const uint32_t mask = commands::header_mask(header), opcode = header & mask;
  if (!mask) return nullptr;
  Found& f = found_[(opcode >> 16 ^ opcode >> 23) % found_.size()];
  if (!f.packet || f.header != opcode) f = {opcode, language_.find(header, engine_)};
  return f.packet;
}

bool Walker::wanted(const Packet& packet) {
  if (options_.filter.empty()) return true;
  const auto [at, fresh] = wanted_.emplace(&packet, false);
  if (fresh) at->second = matches(packet.name, options_.filter);
  return at->second;
}

std::optional<std::span<const uint32_t>> Walker::fetch(memory::View& memory, uint64_t address, size_t dwords,
                                                       std::vector<uint32_t>& copy) {
  const uint64_t bytes = 4 * dwords;
  if (const std::byte* p = memory.at(address, bytes, memory::Access::read)) {
    if (reinterpret_cast<uintptr_t>(p) % alignof(uint32_t) == 0)
      return std::span(reinterpret_cast<const uint32_t*>(p), dwords);
    copy.resize(dwords);
    std::memcpy(copy.data(), p, bytes);
    return copy;
  }
  copy.resize(dwords);
  for (size_t n = 0; n < dwords; ++n) {
    const std::byte* p = memory.at(address + 4 * n, 4, memory::Access::read);
    if (!p) return std::nullopt;
    std::memcpy(&copy[n], p, 4);
  }
  return copy;
}

void Walker::note(int depth, uint64_t address, std::string_view text, bool hung) {
  sink_({.kind = Kind::note, .depth = depth, .address = address, .text = text, .hung = hung});
}

// Dwords point into memory, so a sink sees them only while it is called.
void Walker::batch(memory::View& memory, Place at) {
  std::vector<std::pair<uint64_t, bool>> opened;
  const auto open = [&](uint64_t address) {
    const bool fresh = open_.emplace(address, at.second).second;
    if (fresh) opened.emplace_back(address, at.second);
    return fresh;
  };
  open(at.address);
  std::vector<uint32_t> copy;
  uint64_t unknown = 0;
  while (at.address < at.end) {
    if (summary_.commands >= options_.most_commands) {
      note(at.depth, at.address, "too many commands: the rest is not shown");
      break;
    }
    if (options_.stop && options_.stop()) break;
    auto first = fetch(memory, at.address, 1, copy);
    if (!first) {
      note(at.depth, at.address, "the batch goes on where there is no memory", hung_ == at.address);
      break;
    }
    const uint32_t header = (*first)[0];
    const Packet* p = find(header);
    if (!p) {
      ++summary_.unknown;
      sink_({.kind = Kind::unknown,
             .depth = at.depth,
             .address = at.address,
             .dwords = *first,
             .hung = hung_ == at.address});
      if (++unknown == most_unknown) {
        note(at.depth, at.address, "this is no batch: the rest is not shown");
        break;
      }
      at.address += 4 * std::min<uint64_t>(guessed_dwords(header), 256);
      continue;
    }
    unknown = 0;
    const size_t dwords = p->length.dwords(header);
    // Hardware may stand anywhere in a command.
    const bool hung = hung_ && *hung_ >= at.address && *hung_ < at.address + 4 * dwords;
    auto packet = fetch(memory, at.address, dwords, copy);
    if (!packet || at.address + 4 * dwords > at.end) {
      // What there is of it is shown.
      size_t there = 1;
      std::vector<uint32_t> one;
      while (there < dwords && at.address + 4 * there < at.end && fetch(memory, at.address + 4 * there, 1, one))
        ++there;
      packet = fetch(memory, at.address, there, copy);
      sink_({.kind = Kind::command,
             .depth = at.depth,
             .address = at.address,
             .packet = p,
             .dwords = *packet,
             .hung = hung});
      summary_.truncated = at.address;
      note(at.depth + 1, at.address, fmt::format("truncated: there are only {} of its {} dwords", there, dwords));
      break;
    }
    ++summary_.commands;
    summary_.dwords += dwords;
    const bool starts = p->action == Action::start_batch;
    const uint64_t target = starts ? field_value(*p, "Batch Buffer Start Address", *packet) : 0;
    const bool show = wanted(*p);
    if (show)
      sink_({.kind = Kind::command,
             .depth = at.depth,
             .address = at.address,
             .packet = p,
             .dwords = *packet,
             .link = starts ? std::optional(target) : std::nullopt,
             .hung = hung});
    at.address += 4 * dwords;
    if (p->action == Action::set_bases) set_bases(*p, *packet);
    if (!p->remembers.empty()) remember(*p, *packet);
    if (p->action == Action::end_batch) break;
    if (show && options_.follow && (!p->pointers.empty() || p->list)) {
      if (p->counted_elsewhere) look_ahead(memory, at, *p);
      follow(*p, *packet, at.depth + 1);
    }
    if (!starts) continue;

    const bool second = field_value(*p, "Second Level Batch Buffer", *packet);
    const bool predicated = field_value(*p, "Predication Enable", *packet);
    const bool returns = at.ring || (second && !at.second) || predicated;
    const int depth = returns ? at.depth + 1 : at.depth;
    if (open_.count({target, second || at.second}) || depth > most_depth) {
      note(at.depth + 1, target, "goes back to a batch that is being shown");
      if (returns) continue;
      break;
    }
    if (second && !at.second && ++calls_[target] > most_calls) {
      sink_({.kind = Kind::again, .depth = at.depth + 1, .address = target, .text = "batch", .link = target});
      continue;
    }
    sink_({.kind = Kind::batch,
           .depth = depth,
           .address = target,
           .text = returns ? (at.ring  ? "batch"
                              : second ? "second level batch"
                                       : "batch, if its predicate holds")
                           : "the batch goes on"});
    if (returns) {
      const bool global = at.ring && !field_value(*p, "Address Space Indicator", *packet);
      batch(global ? memory : *memory_, {target, ~uint64_t{0}, depth, false, second || at.second});
      continue;
    }
    open(target);
    at.address = target;
    at.end = ~uint64_t{0};
  }
  for (const auto& o : opened) open_.erase(o);
}

void Walker::set_bases(const Packet& p, std::span<const uint32_t> dwords) {
  for (size_t n = 0; n < std::size(base_fields); ++n)
    if (field_value(p, std::string(base_fields[n]).append(modify), dwords))
      context_->bases[n] = field_value(p, base_fields[n], dwords);
}

void Walker::remember(const Packet& p, std::span<const uint32_t> dwords) {
  for (const auto& [field, number] : p.remembers) context_->remembered[number] = value_of(p.fields[field], dwords);
}

// Drivers write pointers before the shaders that use them. What is not said again up to the draw holds as it is.
void Walker::look_ahead(memory::View& memory, Place at, const Packet& p) {
  const auto each_count = [&](auto&& visit) {
    for (const Pointer& to : p.pointers)
      if (to.count.remembered >= 0) visit(uint16_t(to.count.remembered));
  };
  each_count([&](uint16_t number) { ahead_[number].reset(); });
  std::vector<uint32_t> copy;
  bool all = false;
  for (unsigned n = 0; n < most_ahead && !all && at.address < at.end; ++n) {
    const auto header = fetch(memory, at.address, 1, copy);
    const Packet* const next = header ? find((*header)[0]) : nullptr;
    if (!next || next->action == Action::draw || next->action == Action::end_batch ||
        next->action == Action::start_batch)
      return;
    const size_t dwords = next->length.dwords((*header)[0]);
    if (!next->remembers.empty()) {
      const auto packet = fetch(memory, at.address, dwords, copy);
      if (!packet) return;
      all = true;
      each_count([&](uint16_t number) {
        for (const auto& [field, said] : next->remembers)
          if (said == number && !ahead_[number]) ahead_[number] = value_of(next->fields[field], *packet);
        all = all && ahead_[number];
      });
    }
    at.address += 4 * dwords;
  }
}

uint64_t Walker::count_of(const Count& c, const Packet& p, std::span<const uint32_t> dwords) const {
  std::optional<uint64_t> v;
  if (c.remembered >= 0) {
    const auto& ahead = ahead_[size_t(c.remembered)];
    v = ahead ? ahead : context_->remembered[size_t(c.remembered)];
  }
  if (c.field >= 0) v = value_of(p.fields[size_t(c.field)], dwords);
  return std::min(v.value_or(0) * c.factor / c.divisor + c.more, most_objects);
}

bool Walker::seen(std::string_view what, uint64_t address, std::span<const std::byte> content) {
  const size_t hash = std::hash<std::string_view>{}({reinterpret_cast<const char*>(content.data()), content.size()});
  const auto [at, fresh] = shown_.emplace(std::pair(address, what), hash);
  if (fresh) return false;
  if (at->second == hash) return true;
  at->second = hash;
  return false;
}

void Walker::follow(const Packet& p, std::span<const uint32_t> dwords, int depth) {
  if (depth > most_depth) return;
  for (const Pointer& to : p.pointers) follow(p, to, dwords, depth);
}

uint64_t Walker::pointed_to(const Pointer& to, uint64_t offset) const {
  return offset + (to.base == Base::none ? 0 : context_->bases[size_t(to.base)]);
}

void Walker::follow(const Packet& p, const Pointer& to, std::span<const uint32_t> dwords, int depth) {
  const Field& f = p.fields[to.field];
  const auto offset = value_of(f, dwords);
  if (!offset || (to.when >= 0 && !value_of(p.fields[size_t(to.when)], dwords).value_or(0))) return;
  const uint64_t address = pointed_to(to, *offset);
  const uint64_t count = count_of(to.count, p, dwords);
  // A pointer that nobody set is zero; so is one to what stands at the base, if something says that it is used.
  const bool counted = to.count.field >= 0 && count > 0;
  if (*offset == 0 && to.when < 0 && !counted && !(to.target == Target::kernel && !p.mask)) return;
  switch (to.target) {
    case Target::kernel: show_kernel(f.name, address, depth); break;
    case Target::binding_table:
      if (to.object) show_table(f.name, *to.object, address, count, depth);
      break;
    case Target::object:
      if (to.object)
        show_objects(*to.object, f.name, address, std::max<uint64_t>(count, 1), to.count.factor > 1, depth);
      break;
  }
}

// Whether there is memory behind the pointers of what may be an object, or may be anything.
bool Walker::leads_to_memory(const Packet& object, std::span<const uint32_t> dwords) const {
  return std::all_of(object.pointers.begin(), object.pointers.end(), [&](const Pointer& to) {
    const uint64_t offset = value_of(object.fields[to.field], dwords).value_or(0);
    return !offset || memory_->at(pointed_to(to, offset), 4, memory::Access::read);
  });
}

void Walker::show_objects(const Packet& object, std::string_view role, uint64_t address, uint64_t count, bool groups,
                          int depth) {
  for (uint64_t n = 0; n < count; ++n) {
    const uint64_t at = address + n * 4 * object.dwords;
    std::vector<uint32_t> copy;
    if (groups && n > 0) {
      const auto content = fetch(*memory_, at, object.dwords, copy);
      if (!content || !is_proper(object, *content) || !leads_to_memory(object, *content)) return;
    }
    show_object(object, role, at, count > 1 ? int(n) : -1, depth);
  }
}

void Walker::show_object(const Packet& object, std::string_view role, uint64_t address, int index, int depth) {
  // One with a list behind has as many entries as there can be of render targets.
  constexpr size_t most_entries = 8;
  std::vector<uint32_t> copy;
  size_t dwords = object.dwords;
  if (object.list) dwords = object.list_from + most_entries * object.list->dwords;
  auto content = fetch(*memory_, address, dwords, copy);
  if (!content) {
    note(depth, address, fmt::format("{}: there is no memory for {}", role, object.name));
    return;
  }
  // Counts are what there may be at most: what nobody wrote is left out.
  if (index > 0 && is_zero(*content)) return;
  if (object.list) {
    const size_t one = object.list->dwords;
    size_t proper = object.list_from + one;
    while (proper < dwords && is_proper(*object.list, content->subspan(proper, one))) proper += one;
    for (dwords = proper; dwords > object.list_from + one && is_zero(content->first(dwords).last(one));) dwords -= one;
  }
  // A copy: what it points to may be fetched into the same place.
  const std::vector<uint32_t> kept(content->begin(), content->begin() + ptrdiff_t(dwords));
  const bool again = seen(object.name, address, std::as_bytes(std::span(kept)));
  sink_({.kind = again ? Kind::again : Kind::object,
         .depth = depth,
         .address = address,
         .packet = &object,
         .dwords = kept,
         .text = object.name,
         .role = role,
         .index = index,
         .link = again ? std::optional(address) : std::nullopt});
  if (!again) follow(object, kept, depth + 1);
}

void Walker::show_table(std::string_view role, const Packet& surface, uint64_t table, uint64_t count, int depth) {
  const bool guessed = count == 0;
  const uint64_t base = context_->bases[size_t(Base::surface)];
  const uint64_t most = guessed ? most_guessed : count;
  constexpr uint64_t alignment = 32;
  for (uint64_t n = 0; n < most; ++n) {
    std::vector<uint32_t> copy;
    const auto entry = fetch(*memory_, table + 4 * n, 1, copy);
    if (!entry) {
      if (!guessed || n == 0) note(depth, table + 4 * n, fmt::format("{}: there is no memory", role));
      return;
    }
    const uint32_t offset = (*entry)[0];
    const uint64_t address = base + offset / alignment * alignment;
    // An entry of a table nobody uses in full may be anything.
    const bool plausible = offset && offset % alignment == 0 && memory_->at(address, 4, memory::Access::read);
    if (guessed && !plausible) return;
    sink_({.kind = Kind::entry,
           .depth = depth,
           .address = table + 4 * n,
           .dwords = *entry,
           .role = role,
           .index = int(n),
           .link = address});
    if (plausible) show_object(surface, "Surface State Pointer", address, -1, depth + 1);
  }
}

void Walker::show_kernel(std::string_view role, uint64_t address, int depth) {
  if (!memory_->at(address, 16, memory::Access::read)) {
    note(depth, address, fmt::format("{}: there is no memory", role));
    return;
  }
  const size_t bytes = dispatch::kernel_extent(model_, *memory_, address).bytes;
  std::vector<std::byte> code(std::clamp<size_t>(bytes, 16, most_code));
  memory_->read(address, code);
  const bool again = seen("kernel", address, code);
  std::string text;
  if (!again) {
    isa::DisassembleOptions o;
    o.offsets = true;
    text = isa::disassemble(model_, code, o);
  }
  sink_({.kind = again ? Kind::again : Kind::kernel,
         .depth = depth,
         .address = address,
         .dwords = {reinterpret_cast<const uint32_t*>(code.data()), code.size() / 4},
         .text = again ? std::string_view("kernel") : std::string_view(text),
         .role = role,
         .link = again ? std::optional(address) : std::nullopt});
  if (bytes > most_code) note(depth, address + most_code, "the kernel goes on; the rest is not shown");
}

}  // namespace vitro::decode
