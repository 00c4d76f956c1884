// The loop: fetch a command, find its row, run it. PRM: Gen8 vol 2a; what the streamer does with a command it does not
// know is a hang, here a Fault that says which. Commands are copied before they run, since they may rewrite themselves.
#include "streamer/streamer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <mutex>

#include "decode/language.h"
#include "streamer/handlers.h"

namespace vitro::streamer {

using commands::Engine;

struct CommandSet::Lazy {
  std::once_flag once;
  std::optional<decode::Language> language;
};

CommandSet::CommandSet(std::string_view name, const registers::Table& registers, Traits traits,
                       std::initializer_list<std::span<const Row>> rows, std::span<const commands::Listed> inventory,
                       const decode::Generation& generation)
    : name(name), registers(registers), traits(traits), generation(generation), lazy_(std::make_shared<Lazy>()) {
  for (const std::span<const Row>& part : rows) rows_.insert(rows_.end(), part.begin(), part.end());
  for (const commands::Listed& l : inventory) {
    Row r;
    r.name = l.name;
    r.header = l.header;
    r.mask = commands::header_mask(l.header);
    r.engines = l.engines;
    r.length = l.length;
    r.effect = l.kind == commands::Kind::work ? Effect::unsupported : Effect::keep;
    rows_.push_back(r);
  }
  // Rows that execute come first among those of one header.
  std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) {
    return a.header != b.header ? a.header < b.header : a.effect < b.effect;
  });
}

const decode::Language& CommandSet::language() const {
  std::call_once(lazy_->once, [this] {
    std::vector<decode::Source> sources;
    for (const Row& r : rows_) sources.push_back({r.name, r.header, r.mask, r.engines, r.length, r.description});
    lazy_->language.emplace(generation, registers, sources);
  });
  return *lazy_->language;
}

const Row* CommandSet::find(uint32_t header, Engine engine) const {
  const uint32_t mask = commands::header_mask(header);
  if (!mask) return nullptr;
  const commands::Engines wanted = commands::set_of(engine);
  auto row = std::lower_bound(rows_.begin(), rows_.end(), header & mask,
                              [](const Row& r, uint32_t h) { return r.header < h; });
  for (; row != rows_.end() && row->header == (header & mask); ++row)
    if (row->engines & wanted) return &*row;
  return nullptr;
}

const Row* CommandSet::find_anywhere(uint32_t header) const {
  for (size_t engine = 0; engine < commands::engine_count; ++engine)
    if (const Row* row = find(header, Engine(engine))) return row;
  return nullptr;
}

State::State(const CommandSet& commands, Engine engine)
    : engine(engine), registers(commands.registers, registers::engine_bases[size_t(engine)]) {}

namespace {

// False if there is no memory behind one of the dwords.
bool fetch(memory::View& view, uint64_t address, std::span<uint32_t> to) {
  if (const std::byte* p = view.at(address, to.size_bytes(), memory::Access::read)) {
    std::memcpy(to.data(), p, to.size_bytes());
    return true;
  }
  if (to.size() == 1) return false;
  for (size_t i = 0; i < to.size(); ++i)
    if (!fetch(view, address + 4 * i, to.subspan(i, 1))) return false;
  return true;
}

// Batches have few commands and many of each. Those of the 3D pipeline, which come between draws, have places of their
// own: opcodes 0 to 3 and 128 subopcodes. MI commands are numbered elsewhere.
Execution::Found& found_at(Execution& e, uint32_t opcode) {
  static_assert(std::tuple_size_v<decltype(Execution::found)> == 256);
  const uint32_t number = opcode >> 29 ? ((opcode >> 16 & 127) | (opcode >> 24 & 1) << 7) ^ (opcode >> 25 & 1) << 6
                                       : 192 | (opcode >> 23 & 63);
  return e.found[number];
}
Execution::Found* find_row(Execution& e, uint32_t header) {
  const uint32_t mask = commands::header_mask(header), opcode = header & mask;
  if (!mask) return nullptr;
  Execution::Found& f = found_at(e, opcode);
  if (!f.row || f.header != opcode) f.header = opcode, f.row = e.commands.find(header, e.state.engine), f.dwords = 0;
  return f.row ? &f : nullptr;
}

// Whether a packet says what the row's last one said; if not, it is the last one now.
bool is_repeated(Execution::Found& f, std::span<const uint32_t> packet) {
  if (packet.size() > f.packet.size()) {
    f.dwords = 0;
    return false;
  }
  if (packet.size() == f.dwords && !std::memcmp(f.packet.data(), packet.data(), packet.size_bytes())) return true;
  f.dwords = uint32_t(packet.size());
  std::memcpy(f.packet.data(), packet.data(), packet.size_bytes());
  return false;
}

// Two rows of dwords, which are few.
bool are_same(const std::byte* a, const uint32_t* b, uint32_t dwords) {
  uint64_t differs = 0;
  for (; dwords >= 2; dwords -= 2, a += 8, b += 2) {
    uint64_t one, other;
    std::memcpy(&one, a, 8), std::memcpy(&other, b, 8);
    differs |= one ^ other;
  }
  if (!dwords) return !differs;
  uint32_t one;
  std::memcpy(&one, a, 4);
  return !(differs | (one ^ *b));
}

// Passes over packets that are the last ones of their rows once more, where nobody wants to see them and none is
// predicated. How many: at most `most`.
uint64_t pass_repeated(Execution& e, uint64_t most) {
  if (e.around.trace || e.state.set_predicate || e.level == Level::ring) return 0;
  Place& place = e.place();
  memory::View& view = place.ggtt ? e.ggtt_commands : e.ppgtt_commands;
  uint64_t passed = 0;
  for (; passed < most; ++passed) {
    const std::byte* at = view.at(place.address, 4, memory::Access::read);
    if (!at) break;
    uint32_t header;
    std::memcpy(&header, at, sizeof header);
    const Execution::Found& f = found_at(e, header & commands::header_mask(header));
    if (!f.dwords || f.packet[0] != header) break;
    at = view.at(place.address, 4 * uint64_t(f.dwords), memory::Access::read);
    if (!at || !are_same(at, f.packet.data(), f.dwords)) break;
    if (!e.executed.empty()) ++e.executed[size_t(f.row - e.commands.rows().data())];
    place.address += 4 * uint64_t(f.dwords);
  }
  return passed;
}

Outcome no_row(const Execution& e, uint32_t header) {
  if (const Row* other = e.commands.find_anywhere(header))
    return failed(
        fmt::format("{} is no command of the {} engine", other->name, commands::engine_names[size_t(e.state.engine)]));
  return failed(fmt::format("invalid command 0x{:08x}", header));
}

// `return {}` would clear the room for a Fault, which takes as long as the rest of a small packet.
Outcome succeeded() {
  Outcome done;
  return done;
}

Outcome execute(Execution& e, std::span<const uint32_t> packet) {
  const Row& row = *e.row;
  if (!e.executed.empty()) ++e.executed[size_t(&row - e.commands.rows().data())];
  if (e.state.set_predicate && !row.unpredicated && predicated_off(e)) return succeeded();
  if (row.effect == Effect::unsupported) return unsupported(row.name);
  if (row.drains)
    if (Outcome done = drain(e, *row.drains); !done) return done;
  if (row.repeatable && is_repeated(*e.found_at, packet)) return succeeded();
  if (row.effect == Effect::execute) {
    e.keeps_memory = false;
    Outcome done = row.run(e, packet);
    if (!e.keeps_memory) {
      if (e.media) e.media->prepared.kernel_is_current = false;
      if (e.draws) e.draws->memory_may_have_changed();
    }
    if (done && e.drain_fault) return tl::unexpected(std::move(*e.drain_fault));
    return done;
  }
  e.state.packets[row.name].assign(packet.begin(), packet.end());
  return {};
}

// In strict mode there must be memory behind every address.
Outcome check_misses(const Execution& e) {
  for (const memory::View* view : {&e.around.ppgtt, &e.around.ggtt})
    if (view->must_fault()) return failed(fmt::format("access to unmapped address 0x{:x}", *view->misses().first));
  return {};
}

// `room` grows as commands need it.
Outcome step(Execution& e, std::vector<uint32_t>& room) {
  Place& place = e.place();
  memory::View& view = place.ggtt ? e.ggtt_commands : e.ppgtt_commands;
  e.command_address = place.address;
  e.row = nullptr;
  if (!fetch(view, place.address, std::span(room).first(1)))
    return failed(fmt::format("hung: the batch goes on at address 0x{:x}, where there is no memory", place.address));
  e.found_at = find_row(e, room[0]);
  if (!e.found_at) return no_row(e, room[0]);
  const Row* row = e.row = e.found_at->row;
  const size_t dwords = row->length.dwords(room[0]);
  if (room.size() < dwords) room.resize(dwords);
  const std::span<uint32_t> packet = std::span(room).first(dwords);
  if (!fetch(view, place.address, packet))
    return failed(fmt::format("truncated: there is no memory behind all of its {} dwords", packet.size()));
  place.address += 4 * packet.size();
  if (e.around.trace) e.around.trace(e.command_address, packet);
  if (Outcome done = execute(e, packet); !done) return done;
  if (e.around.ppgtt.must_fault() || e.around.ggtt.must_fault()) return check_misses(e);
  return succeeded();
}

constexpr uint64_t ask_every = 1024;

Outcome check_limits(const Execution& e, uint64_t executed) {
  if (executed > e.around.command_budget)
    return failed(fmt::format("hung: {} commands without an end", e.around.command_budget));
  if (e.around.stop && e.around.stop()) return tl::unexpected(abandoned_fault());
  return {};
}

// With the command's place, unless it is that of an earlier one, and counted by its name if something is unsupported.
Fault fault_of(const Execution& e, const Place& at, Fault f) {
  if (f.command.empty()) {
    f.address = e.command_address;
    f.batch_offset = e.command_address - at.start;
    f.command = e.row ? std::string(e.row->name) : std::string();
  }
  if (!f.unsupported.empty() && e.around.counts) ++e.around.counts->unsupported[f.unsupported];
  return f;
}

}  // namespace

std::optional<Fault> run(const CommandSet& commands, State& state, Surroundings& around, const Start& start) {
  Execution e{commands, state, around};
  e.level = start.level;
  e.from_ring = start.level == Level::ring;
  e.place() = {start.address, start.address, start.ggtt, false};
  e.began = timestamp(e);
  if (around.stop) around.run.stop = &around.stop;
  if (around.counts) {
    ++around.counts->batches;
    e.executed.resize(commands.rows().size());
  }
  std::optional<Fault> fault;
  std::vector<uint32_t> packet(64);
  for (uint64_t executed = 1; !e.ended && !fault; ++executed) {
    if (e.level == Level::ring && e.place().address >= start.address + start.bytes) break;
    executed += pass_repeated(e, std::min(ask_every - 1 - executed % ask_every,
                                          around.command_budget - std::min(around.command_budget, executed)));
    const Place at = e.place();
    if (executed % ask_every == 0 || executed > around.command_budget)
      if (Outcome within = check_limits(e, executed); !within) {
        fault = fault_of(e, at, std::move(within.error()));
        break;
      }
    if (Outcome done = step(e, packet); !done) fault = fault_of(e, at, std::move(done.error()));
  }
  // Also what was drawn before a Fault happens; a Fault of its own comes before the other.
  if (Outcome done = drain(e, pipeline::DrainReason::batch_end); !done)
    fault = fault_of(e, e.place(), std::move(done.error()));
  if (!fault) {
    if (Outcome done = finish_media(e); !done) fault = fault_of(e, e.place(), std::move(done.error()));
  }
  for (size_t n = 0; n < e.executed.size(); ++n)
    if (e.executed[n]) around.counts->commands[commands.rows()[n].name] += e.executed[n];
  state.ran_ticks += timestamp(e) - e.began;
  return fault;
}

}  // namespace vitro::streamer
