// Comparing what vISA and EU code store. Each message that changes memory is noted with its place in the program; what
// a byte becomes, one value after the other, must be the same on both sides. Stores need not have the same order, and
// one side may need more messages: only bytes that differ count.
#include "cli/visa_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "cli/cli.h"
#include "cli/code_thread.h"

namespace vitro::cli {
namespace {

// A byte of memory, or of a group's local memory.
struct Where {
  bool local = false;
  uint64_t space = 0, at = 0;  // of local memory: the group
  auto operator<=>(const Where&) const = default;
};
std::string text_of(const Where& w) {
  return w.local ? fmt::format("byte {:#x} of group {}'s local memory", w.at, w.space)
                 : fmt::format("address {:#x}", w.at);
}

struct Change {
  Where where{};
  std::byte value{};
  uint32_t place = 0;  // line or IP
  unsigned thread = 0;
};

// What has changed since it was last looked at.
class Memory {
 public:
  void look(const Surroundings& surroundings, uint32_t place, unsigned thread) {
    constexpr size_t page = 4096;
    const std::vector<Surroundings::Writable> all = surroundings.writable();
    copies_.resize(all.size());
    for (size_t n = 0; n < all.size(); ++n) {
      const std::span<const std::byte> now = all[n].bytes;
      std::vector<std::byte>& before = copies_[n];
      if (before.size() != now.size()) {
        before.assign(now.begin(), now.end());
        continue;
      }
      for (size_t at = 0; at < now.size(); at += page) {
        const size_t bytes = std::min(page, now.size() - at);
        if (!std::memcmp(before.data() + at, now.data() + at, bytes)) continue;
        for (size_t b = at; b < at + bytes; ++b)
          if (before[b] != now[b])
            changes.push_back({{all[n].local, all[n].local ? all[n].address : 0, all[n].local ? b : all[n].address + b},
                               before[b] = now[b],
                               place,
                               thread});
      }
    }
  }
  std::vector<Change> changes{};

 private:
  std::vector<std::vector<std::byte>> copies_{};
};

using Places = std::map<Where, std::vector<const Change*>>;
Places by_place(const std::vector<Change>& changes) {
  Places places;
  for (const Change& c : changes) places[c.where].push_back(&c);
  return places;
}

// The first change of one side that the other has not.
const Change* first_alone(const std::vector<Change>& changes, const Places& other, const Change*& instead) {
  std::map<Where, size_t> nth;
  for (const Change& c : changes) {
    const size_t n = nth[c.where]++;
    const auto found = other.find(c.where);
    instead = found != other.end() && n < found->second.size() ? found->second[n] : nullptr;
    if (!instead || instead->value != c.value) return &c;
  }
  return nullptr;
}

}  // namespace

int compare_visa(const VisaInput& input, const std::string& name, const std::string& code_name,
                 const VisaExecOptions& o) {
  const gen::Device* device = gen::find_device(o.device);
  if (!device) return complain(exit_usage, "unknown device " + o.device);
  Code code;
  if (const int problem = read_program(code_name, {}, false, device->model(), code)) return problem;
  const eu::Program program(device->model(), code.bytes);

  Execution from_code(o.execution, *device);
  if (const int problem = from_code.prepare()) return problem;
  Memory in_code, in_visa;
  const auto number_of = [](const Execution& e, const eu::Thread& sender) {
    unsigned n = 0;
    while (n < e.threads().size() && &e.threads()[n]->thread != &sender) ++n;
    return n;
  };
  from_code.watch([&](const eu::Thread& sender) {
    in_code.look(from_code.surroundings(), sender.ip, number_of(from_code, sender));
  });
  from_code.run([&](int n) {
    if (n == 0) in_code.look(from_code.surroundings(), 0, 0);
    return std::make_unique<CodeThread>(program, nullptr, from_code.functions(), 0,
                                        std::make_unique<Trace>(program, n, nullptr), false,
                                        std::span<const ShownRegister>{});
  });
  if (const int problem = from_code.report(code_name, nullptr)) return problem;

  const int problem = run_visa(input, name, o, [&](Execution& e, const VisaPlace& place) {
    e.watch([&, place](const eu::Thread& sender) {
      const unsigned n = number_of(e, sender);
      in_visa.look(e.surroundings(), place(n), n);
    });
    in_visa.look(e.surroundings(), 0, 0);
  });
  if (problem) return problem;

  const Places code_places = by_place(in_code.changes), visa_places = by_place(in_visa.changes);
  const Change* instead = nullptr;
  if (const Change* c = first_alone(in_visa.changes, code_places, instead)) {
    int line = int(c->place);
    if (input.object.from_text) static_cast<void>(input.source.file_of(line));
    return complain(exit_bad_input, fmt::format("{}: line {}: thread {}: {} becomes {:#04x}; {}", name, line, c->thread,
                                                text_of(c->where), unsigned(c->value),
                                                instead ? fmt::format("the code makes it {:#04x}, at {:04X}: {}",
                                                                      unsigned(instead->value), instead->place,
                                                                      program.text_at(instead->place))
                                                        : "the code does not change it"));
  }
  if (const Change* c = first_alone(in_code.changes, visa_places, instead))
    return complain(exit_bad_input,
                    fmt::format("{}: at {:04X}: {}: thread {}: {} becomes {:#04x}; vISA does not change it", code_name,
                                c->place, program.text_at(c->place), c->thread, text_of(c->where), unsigned(c->value)));
  fmt::print("the same: {} bytes changed\n", code_places.size());
  return exit_ok;
}

}  // namespace vitro::cli
