// Draws random batches with the interpreter and with machine code, by one host thread and by several, in one scene and
// in many, and compares all that they leave: memory, counts of queries, statistics, Faults. NaNs count as equal.
//   draw_fuzz [--seconds N | --batches N] [--seed N] [--device NAME] [--show]
// A seed names a batch and its device; they count upwards. Batches are drawn by a child process: when it dies, the
// parent says by which batch and goes on with the next. Of a batch whose results differ it is said in which draw the
// first difference is, where, and what it is; --show prints the draws and shaders of every batch. Exit status: 0
// nothing was found, 1 something was, 2 wrong usage.
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "../../watched_child.h"
#include "../drawing.h"
#include "batch.h"
#include "device/device.h"
#include "memory/address_space.h"
#include "memory/tiling.h"

using namespace vitro;
using namespace vitro::drawing;
using Clock = std::chrono::steady_clock;
namespace fs = std::filesystem;

namespace {

struct Wanted {
  uint64_t batches = ~uint64_t(0), seed = 1;
  double seconds = 0;
  std::string device{};  // empty: all of them
  bool show = false;
};

// What the child tells its parent, in memory that both see.
struct Progress {
  uint64_t seed = 0;  // of the batch that runs
  uint64_t batches = 0, draws = 0, faulted = 0, differed = 0;
  uint64_t pixels = 0, primitives = 0, threads = 0, compiled = 0, kernels = 0, refused = 0;
  uint64_t fused = 0;  // kernels
};

struct Way {
  const char* name;
  dispatch::Tiering tiering;
  unsigned workers;
  dispatch::Fusing fusing = dispatch::Fusing::never;
  size_t scene_bytes = 0;  // else scenes are so small, and other pixels may be known to be hidden
};
// The first one is what the others are compared with.
constexpr Way ways[] = {
    {"interpreted", dispatch::Tiering::off, 1},
    {"compiled", dispatch::Tiering::on, 1},
    {"compiled, by 2 workers", dispatch::Tiering::on, 2},
    {"fused", dispatch::Tiering::on, 1, dispatch::Fusing::at_once},
    {"fused, by 4 workers", dispatch::Tiering::on, 4, dispatch::Fusing::at_once},
    {"interpreted, by 3 workers", dispatch::Tiering::off, 3},
    {"compiled, by 2 workers, in many scenes", dispatch::Tiering::on, 2, dispatch::Fusing::never, 1}};

using Numbers = std::map<std::string, uint64_t>;

struct Outcome {
  std::optional<Fault> fault{};
  std::vector<std::byte> memory{};
  Numbers counted{}, code{};
};

class Bench {
 public:
  Bench(std::string_view device, const Way& way, const std::string& store)
      : device_(*gen::find_device(device),
                {.workers = way.workers,
                 .statistics = true,
                 .tier = {.tiering = way.tiering, .fusing = way.fusing, .store = store, .exact_nans = true},
                 .scene_bytes = way.scene_bytes,
                 .hang_instructions = 1'000'000}) {}

  Outcome run(std::vector<std::byte> memory) {
    Outcome o{.memory = std::move(memory)};
    const auto table = std::make_shared<memory::Table>(
        std::vector<memory::Range>{{.start = home, .bytes = o.memory.size(), .host = o.memory.data()}});
    const auto context = device_.create_context();
    o.fault = device_.run(*context, {.ppgtt = table, .ggtt = table, .address = home, .timestamp = 1});
    const nlohmann::json all = nlohmann::json::parse(device_.statistics(true)).flatten();
    Numbers now;
    for (const auto& [key, value] : all.items())
      if (value.is_number_unsigned()) now[key] = value;
    for (const auto& [key, value] : now) {
      const auto is = [&, &key = key](std::string_view part) { return key.starts_with(part); };
      if (is("/jit/"))
        o.code[key] = value - before_[key];
      else if (!is("/workers") && !is("/shares") && !is("/opcodes"))
        if (const uint64_t since = value - before_[key]) o.counted[key] = since;
    }
    before_ = std::move(now);
    return o;
  }

 private:
  device::Device device_;
  Numbers before_{};
};

// --- comparing

bool is_nan(uint32_t bits) { return (bits & 0x7FFFFFFF) > 0x7F800000; }

bool same_element(const formats::Format* f, const std::byte* a, const std::byte* b) {
  formats::Rgba x{}, y{};
  if (f && f->decode && !f->integer()) {
    f->decode(a, 0, 0, x), f->decode(b, 0, 0, y);
  } else {
    if (f) return false;
    std::memcpy(x.data(), a, 4), std::memcpy(y.data(), b, 4);
  }
  for (size_t c = 0; c < 4; ++c)
    if (x[c] != y[c] && !(is_nan(x[c]) && is_nan(y[c]))) return false;
  return x != y;  // else the bytes differ in what is not decoded
}

std::string hex(const std::byte* at, size_t bytes) {
  std::string s;
  for (size_t n = bytes; n-- > 0;) s += fmt::format("{:02x}", unsigned(at[n]));
  return s;
}

std::string place_in(const Stretch& s, uint32_t offset, uint32_t bytes) {
  if (!s.format) return fmt::format("byte {:#x}", offset);
  static constexpr memory::Tiling tilings[] = {memory::Tiling::linear, memory::Tiling::w, memory::Tiling::x,
                                               memory::Tiling::y};
  for (uint32_t y = 0; y < s.rows; ++y)
    for (uint32_t x = 0; x < s.width; ++x)
      if (memory::tiled_offset(tilings[s.tile_mode], x * bytes, y, s.pitch) == offset)
        return fmt::format("({}, {})", x, y);
  return fmt::format("byte {:#x}, in no row", offset);
}

// Where the first difference in memory is; empty: there is none.
std::string memory_difference(const RandomBatch& b, const std::vector<std::byte>& one,
                              const std::vector<std::byte>& other) {
  if (one == other) return {};
  uint64_t count = 0;
  std::string first;
  for (size_t at = 0; at < one.size();) {
    if (one[at] == other[at]) {
      ++at;
      continue;
    }
    const Stretch* in = nullptr;
    for (const Stretch& s : b.stretches)
      if (at >= s.at && at < s.at + s.bytes) in = &s;
    const uint32_t bytes = in && in->format ? in->format->bytes() : 4;
    const uint32_t start = in ? in->at : 0, element = start + (uint32_t(at) - start) / bytes * bytes;
    at = element + bytes;
    if (same_element(in ? in->format : nullptr, &one[element], &other[element])) continue;
    if (!count++)
      first = fmt::format("{} at {}: {} against {}", in ? in->name : "memory that nobody should write",
                          in ? place_in(*in, element - start, bytes) : fmt::format("{:#x}", element),
                          hex(&one[element], bytes), hex(&other[element], bytes));
  }
  return count ? fmt::format("{} ({} elements differ)", first, count) : "";
}

std::string fault_text(const Outcome& o) {
  return o.fault ? fmt::format("{} (at {:#x})", o.fault->reason, o.fault->batch_offset) : "no Fault";
}

std::string difference(const RandomBatch& b, const Outcome& one, const Outcome& other, bool counts) {
  if (fault_text(one) != fault_text(other)) return fmt::format("{} against {}", fault_text(one), fault_text(other));
  if (one.fault) return {};
  if (std::string m = memory_difference(b, one.memory, other.memory); !m.empty()) return m;
  if (!counts) return {};
  Numbers all = one.counted;
  all.insert(other.counted.begin(), other.counted.end());
  for (const auto& [key, value] : all) {
    const auto count = [&, &key = key](const Outcome& o) { return o.counted.contains(key) ? o.counted.at(key) : 0; };
    if (count(one) != count(other)) return fmt::format("{}: {} against {}", key, count(one), count(other));
  }
  return {};
}

// --- running

class Runner {
 public:
  Runner(const Wanted& wanted, Progress& progress, std::string store)
      : wanted_(wanted), progress_(progress), store_(std::move(store)) {}

  void run(uint64_t seed) {
    progress_.seed = seed;
    const RandomBatch b = random_batch(seed, wanted_.device);
    if (wanted_.show) {
      fmt::print("--- seed {}, {}\n", seed, b.device);
      for (size_t n = 0; n < b.draws.size(); ++n) fmt::print("draw {}: {}\n", n, b.draws[n].text);
      for (const std::string& k : b.kernels) fmt::print("{}", k);
      std::fflush(stdout);
    }
    constexpr uint64_t most = 300;  // code and what is known of it grow
    if (++drawn_ % most == 0) benches_.clear();
    const Outcome reference = bench(b.device, 0).run(b.memory);
    ++progress_.batches, progress_.draws += b.draws.size();
    progress_.faulted += bool(reference.fault);
    if (wanted_.show) fmt::print("{}\n", fault_text(reference));
    if (reference.fault) ++reasons_[reference.fault->reason];
    const auto count = [](const Numbers& n, const char* key) { return n.contains(key) ? n.at(key) : 0; };
    progress_.pixels += count(reference.counted, "/pixels");
    progress_.primitives += count(reference.counted, "/primitives/rasterised");
    for (size_t way = 1; way < std::size(ways); ++way) {
      const Outcome o = bench(b.device, way).run(b.memory);
      progress_.threads += count(o.counted, "/threads"), progress_.compiled += count(o.code, "/jit/compiled_threads");
      progress_.kernels += count(o.code, "/jit/compiled");
      progress_.fused += count(o.code, "/jit/fused");
      if (const uint64_t failed = count(o.code, "/jit/failed") + count(o.code, "/jit/given_up")) {
        progress_.refused += failed;
        fmt::print("seed {} on {}: {} kernels were not compiled\n", seed, b.device, failed);
      }
      const std::string differs = difference(b, reference, o, !ways[way].scene_bytes);
      if (differs.empty()) continue;
      ++progress_.differed;
      report(seed, b, way, differs);
      benches_.clear();
      break;
    }
  }
  void tell() const {
    for (const auto& [reason, times] : reasons_) fmt::print("{} batches: {}\n", times, reason);
  }

 private:
  Bench& bench(std::string_view device, size_t way) {
    std::unique_ptr<Bench>& b = benches_[{device, way}];
    if (!b) b = std::make_unique<Bench>(device, ways[way], ways[way].tiering == dispatch::Tiering::on ? store_ : "");
    return *b;
  }
  // In which draw the difference begins.
  void report(uint64_t seed, const RandomBatch& b, size_t way, const std::string& whole) {
    fmt::print("seed {} on {}, {}: {}\n", seed, b.device, ways[way].name, whole);
    for (size_t draws = 1; draws <= b.draws.size(); ++draws) {
      const std::vector<std::byte> memory = cut_off(b, draws);
      const std::string differs =
          difference(b, bench(b.device, 0).run(memory), bench(b.device, way).run(memory), !ways[way].scene_bytes);
      if (differs.empty()) continue;
      fmt::print("  first in draw {} of {}: {}\n  {}\n{}", draws - 1, b.draws.size(), differs, b.draws[draws - 1].text,
                 random_batch(seed, wanted_.device, true).draws[draws - 1].state);
      break;
    }
    std::fflush(stdout);
  }

  const Wanted& wanted_;
  Progress& progress_;
  std::string store_;
  std::map<std::pair<std::string_view, size_t>, std::unique_ptr<Bench>> benches_;
  std::map<std::string, uint64_t> reasons_;
  uint64_t drawn_ = 0;
};

bool parse(int argc, char** argv, Wanted& w) {
  for (int n = 1; n < argc; ++n) {
    const std::string_view a = argv[n];
    const bool more = n + 1 < argc;
    if (a == "--show")
      w.show = true;
    else if (a == "--seconds" && more)
      w.seconds = std::strtod(argv[++n], nullptr);
    else if (a == "--batches" && more)
      w.batches = std::strtoull(argv[++n], nullptr, 0);
    else if (a == "--seed" && more)
      w.seed = std::strtoull(argv[++n], nullptr, 0);
    else if (a == "--device" && more)
      w.device = argv[++n];
    else
      return false;
  }
  const bool known = w.device.empty() || std::any_of(std::begin(faults::dialects), std::end(faults::dialects),
                                                     [&](const auto& d) { return d.device == w.device; });
  return known && (w.seconds > 0 || w.batches != ~uint64_t(0));
}

}  // namespace

int main(int argc, char** argv) {
  Wanted wanted;
  if (!parse(argc, argv, wanted)) {
    fmt::print(stderr, "usage: draw_fuzz [--seconds N | --batches N] [--seed N] [--device NAME] [--show]\n");
    return 2;
  }
  void* shared = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  std::string store = (fs::temp_directory_path() / "draw_fuzz.XXXXXX").string();
  if (shared == MAP_FAILED || !mkdtemp(store.data())) return 2;
  Progress& progress = *new (shared) Progress;
  const Clock::time_point until = wanted.seconds > 0
                                      ? Clock::now() + std::chrono::milliseconds(int64_t(wanted.seconds * 1000))
                                      : Clock::time_point::max();
  const uint64_t end = wanted.batches == ~uint64_t(0) ? wanted.batches : wanted.seed + wanted.batches;
  uint64_t seed = wanted.seed, deaths = 0;
  while (seed < end && Clock::now() < until) {
    const std::string death = test::in_child(progress.seed, [&] {
      Runner runner(wanted, progress, store);
      for (; seed < end && Clock::now() < until; ++seed) runner.run(seed);
      runner.tell();
    });
    if (death.empty()) break;
    ++deaths;
    fmt::print("seed {}: {}\n", progress.seed, death);
    seed = progress.seed + 1;
  }
  // Images of the store that are none of a kernel are routines.
  std::error_code ignored;
  uint64_t images = 0;
  for (const auto& entry : fs::recursive_directory_iterator(store, ignored)) images += entry.is_regular_file();
  const uint64_t routines = images - std::min(images, progress.kernels + progress.fused);
  fs::remove_all(store, ignored);
  fmt::print(
      "{} batches of {} draws from seed {} on: {} primitives, {} pixels; {} threads were run again, {} of them as "
      "machine "
      "code, with {} routines and {} fused kernels; {} batches faulted; {} differed, {} kernels were refused, {} "
      "died\n",
      progress.batches, progress.draws, wanted.seed, progress.primitives, progress.pixels, progress.threads,
      progress.compiled, routines, progress.fused, progress.faulted, progress.differed, progress.refused, deaths);
  const bool tried =
      progress.batches < 20 || (progress.compiled > progress.threads / 4 && routines > 0 && progress.fused > 0 &&
                                progress.faulted < progress.batches / 2 && progress.pixels > 0);
  return !tried || deaths || progress.differed || progress.refused;
}
