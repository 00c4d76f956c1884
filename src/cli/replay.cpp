// vitro replay: a recording executed without the program that made it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/cli.h"
#include "cli/replay.h"
#include "cli/waiting.h"
#include "code/build.h"
#include "code/private_folder.h"
#include "code/store.h"
#include "device/named_surface.h"
#include "device/picture.h"
#include "device/replay.h"
#include "gen/machine.h"
#include "gen/models.h"
#include "gen/recorded.h"
#include "memory/view.h"
#include "recording/recording.h"

namespace vitro::cli {
namespace {

// Tells which commands change a dword.
struct Watched {
  uint64_t address = 0;
  uint64_t submission = 0;
  uint64_t number = 0;  // of the command, in its submission
  std::optional<uint32_t> value{};
  std::string last{};  // the command that ran before this look

  void look(const recording::Submission& s, const std::string& next) {
    memory::View view(s.memory);
    const uint32_t now = view.load<uint32_t>(address);
    if (value && *value != now) fmt::print("{:#x} {:#x} submission {} {}\n", address, now, submission, last);
    value = now;
    last = next;
  }
};

// ADDRESS:BYTES=FILE
struct Dump {
  uint64_t address = 0, bytes = 0;
  std::string file{};
};
Result<Dump> parse_dump(const std::string& text) {
  const size_t colon = text.find(':'), equals = text.find('=');
  Dump d;
  const auto number = [](const std::string& word, uint64_t& value) {
    char* end = nullptr;
    value = std::strtoull(word.c_str(), &end, 0);
    return !word.empty() && *end == '\0';
  };
  if (colon == std::string::npos || equals == std::string::npos || equals < colon ||
      !number(text.substr(0, colon), d.address) || !number(text.substr(colon + 1, equals - colon - 1), d.bytes) ||
      equals + 1 == text.size())
    return failure(fmt::format("--dump: '{}' is not ADDRESS:BYTES=FILE", text));
  constexpr uint64_t most = uint64_t{4} << 30;
  if (d.bytes > most) return failure("--dump: that is more than 4 GiB");
  d.file = text.substr(equals + 1);
  return d;
}
Result<void> write_dumps(const std::vector<Dump>& dumps, const recording::Submission& last) {
  memory::View view(last.memory);
  for (const Dump& d : dumps) {
    std::string bytes(d.bytes, '\0');
    view.read(d.address, std::as_writable_bytes(std::span(bytes)));
    if (const Result<bool> written = write_file(d.file, bytes); !written) return failure(written.error().message);
  }
  return {};
}

// A surface as a picture, or as bytes: NAME=FILE.
struct Wanted {
  std::string text, file;
  bool picture = false;
  device::NamedSurface surface;
};
Result<std::vector<Wanted>> wanted_surfaces(const ReplayOptions& o) {
  std::vector<Wanted> all;
  for (const auto* list : {&o.pngs, &o.surface_dumps})
    for (const std::string& text : *list) {
      const std::string_view option = list == &o.pngs ? "--png" : "--dump-surface";
      const size_t equals = text.find('=');
      if (equals == std::string::npos || equals + 1 == text.size())
        return failure(fmt::format("{}: '{}' is not NAME=FILE", option, text));
      const auto name = device::parse_surface_name(std::string_view(text).substr(0, equals));
      if (!name) return failure(fmt::format("{}: {}", option, name.error().message));
      all.push_back({text, text.substr(equals + 1), list == &o.pngs, device::NamedSurface(*name)});
    }
  return all;
}
Result<void> write_surface(const Wanted& w, const gen::Device& device, const recording::Submission& last) {
  memory::View view(last.memory);
  const Result<state::Surface> surface = w.surface.find(device, view);
  if (!surface) return failure(fmt::format("{}: {}", w.text, surface.error().message));
  if (w.picture) {
    if (const Result<void> done = device::write_picture(view, *surface, w.file); !done)
      return failure(fmt::format("{}: {}", w.text, done.error().message));
    return {};
  }
  const auto bytes = device::surface_bytes(view, *surface);
  if (!bytes) return failure(fmt::format("{}: {}", w.text, bytes.error().message));
  const auto written = write_file(w.file, {reinterpret_cast<const char*>(bytes->data()), bytes->size()});
  if (!written) return failure(written.error().message);
  return {};
}

struct Session {
  const ReplayOptions& o;
  std::unique_ptr<recording::Reader> reader;
  std::unique_ptr<device::Device> device;
  std::vector<device::Picture> pictures{};
};

Result<Session> open(const ReplayOptions& o) {
  auto reader = recording::Reader::open(o.file, {.check = o.check});
  if (!reader) return failure(fmt::format("{}: {}", o.file, reader.error().message));
  const std::string name = !o.device.empty() ? o.device : (*reader)->device().value_or("");
  if (name.empty()) return failure(fmt::format("{} does not say which device it is for; --device does", o.file));
  const gen::Device* const kind = gen::find_recorded(name);
  if (!kind) return failure(fmt::format("{}: no device here stands for '{}'", o.file, name));
  device::Options options;
  options.workers = o.threads;
  options.strict = o.strict;
  options.statistics = !o.stats.empty();
  options.hang_instructions = o.hang_limit;
  if (!o.jit.empty()) options.tier.tiering = dispatch::parse_tiering(o.jit).value_or(dispatch::default_tiering);
  options.tier.store = o.jit_cache == "off" ? "" : code::default_store_folder();
  const Result<device::Topics> topics = device::parse_topics(o.trace);
  if (!topics) return failure(topics.error().message);
  options.trace = *topics;
  for (const std::string& text : o.png_after) {
    const auto one = device::parse_pictures(text);
    if (!one) return failure("--png-after: " + one.error().message);
    options.pictures.insert(options.pictures.end(), one->begin(), one->end());
  }
  options.remark = [](const std::string& line) { fmt::print(stderr, "vitro: {}\n", line); };
  return Session{o, std::move(*reader), std::make_unique<device::Device>(*kind, options), options.pictures};
}

int replay(const ReplayOptions& o) {
  if (!o.diff.empty()) return replay_twice(o);
  std::vector<Dump> dumps;
  for (const std::string& text : o.dumps) {
    const Result<Dump> d = parse_dump(text);
    if (!d) return complain(exit_usage, d.error().message);
    dumps.push_back(*d);
  }
  Result<std::vector<Wanted>> wanted = wanted_surfaces(o);
  if (!wanted) return complain(exit_usage, wanted.error().message);
  Result<Session> session = open(o);
  if (!session) return complain(exit_bad_input, session.error().message);
  const Interruptible interruptible;
  device::Replay replay(*session->reader, *session->device);
  device::Digest digest;
  Progress progress(*session->reader);
  std::optional<Watched> watched;
  if (o.watch) watched = Watched{.address = *o.watch};
  recording::Submission current;
  replay.before = [&](uint64_t number, const recording::Submission& s) {
    current = s;
    progress.tell(number);
    if (!watched) return;
    watched->submission = number;
    watched->number = 0;
    watched->look(s, "the recording, before its first command");
  };
  const bool looks = std::any_of(wanted->begin(), wanted->end(), [](const Wanted& w) { return w.surface.looks(); });
  device::Device::Observer observer;
  if (watched || looks)
    observer = [&](uint64_t address, std::span<const uint32_t> packet) {
      for (Wanted& w : *wanted)
        w.surface.command(*session->device, replay.context(current), device::Engine(current.engine), address, packet);
      if (!watched) return;
      const streamer::Row* const row = gen::machine(session->device->kind()).commands.find_anywhere(packet[0]);
      watched->look(current, fmt::format("command {} at {:#x}: {}", ++watched->number, address,
                                         row ? std::string(row->name) : fmt::format("{:#010x}", packet[0])));
    };
  uint64_t faults = 0, submissions = 0;
  int result = exit_ok;
  while (!interrupted() && (o.until == 0 || submissions < o.until)) {
    const auto step = replay.step(interrupted, observer);
    if (!step) {
      progress.clear();
      result = complain(exit_bad_input, fmt::format("{}: {}", o.file, step.error().message));
      break;
    }
    if (!*step) break;
    ++submissions;
    const device::Replay::Step& s = **step;
    for (Wanted& w : *wanted) w.surface.end(*session->device, replay.context(s.submission));
    if (watched) watched->look(s.submission, "the recording, before its first command");
    if (s.fault && !interrupted()) {
      progress.clear();
      ++faults;
      result = complain(exit_bad_input, fmt::format("{}: submission {} (offset {:#x}): {}", o.file, s.number,
                                                    s.submission.offset, device::to_text(*s.fault)));
    }
    if (o.digest)
      digest.update(*s.submission.memory,
                    [&](uint64_t address, uint64_t sum) { fmt::print("{} {:#x} {:016x}\n", s.number, address, sum); });
  }
  progress.clear();
  if (interrupted()) {
    complain(exit_bad_input, fmt::format("stopped in submission {}", submissions));
    result = exit_interrupted;
  }
  if (submissions && submissions < o.until && result == exit_ok && !interrupted())
    fmt::print(stderr, "vitro: {}: only {} submissions are in it\n", o.file, submissions);
  if (submissions == 0 && result == exit_ok)
    result = complain(exit_bad_input, fmt::format("{}: nothing is submitted in it", o.file));
  if (submissions && !interrupted()) {
    const auto tell = [&](const Result<void>& written) {
      if (!written) result = complain(exit_file, written.error().message);
    };
    tell(write_dumps(dumps, current));
    for (const Wanted& w : *wanted) tell(write_surface(w, session->device->kind(), current));
    for (const device::Picture& p : session->pictures)
      if (const uint64_t draws = session->device->draws(); p.draw > draws)
        fmt::print(stderr, "vitro: {}: only {} draws are in it: {} is not written\n", o.file, draws, p.file);
  }
  if (!o.stats.empty()) fmt::print(stderr, "{}", session->device->statistics(o.stats == "json"));
  return result;
}

}  // namespace

void add_replay(CLI::App& app, int& result) {
  auto o = std::make_shared<ReplayOptions>();
  CLI::App* sub = app.add_subcommand("replay", "execute a recording: an AUB file, or a capture of vitro run");
  sub->add_option("file", o->file, "AUB file of either form, compressed with zstd or not; - is standard input")
      ->required();
  sub->add_option(
      "-d,--device", o->device,
      "the GPU, where the file does not say it or another is wanted: snb, bdw, kbl, apl; skl and cfl run as "
      "kbl");
  sub->add_option("-t,--threads", o->threads, "host threads that run EU threads (default: one per processor)")
      ->check(CLI::Range(1, 1024));
  sub->add_option("--until", o->until, "stop after this many submissions");
  sub->add_flag("!--no-check", o->check, "pass over records that compare memory or wait for it");
  sub->add_flag("--digest", o->digest,
                "print a line for each page that a submission changed: its number, the address and a checksum");
  sub->add_option("--watch", o->watch, "print each command that changes the dword at this address");
  sub->add_option("--dump", o->dumps,
                  "ADDRESS:BYTES=FILE writes memory as the last submission left it; can be given more than once")
      ->allow_extra_args(false);
  sub->add_option("--png", o->pngs,
                  "NAME=FILE writes a surface as the last submission left it as a PNG file; can be given more than "
                  "once. NAME is surface@ADDRESS of a RENDER_SURFACE_STATE, blit@ADDRESS or blit_source@ADDRESS of a "
                  "blitter command, depth@ADDRESS or stencil@ADDRESS of a command that says where they are")
      ->allow_extra_args(false);
  sub->add_option("--dump-surface", o->surface_dumps, "NAME=FILE: the same as bytes, row after row, without tiles")
      ->allow_extra_args(false);
  sub->add_option("--png-after", o->png_after,
                  "NUMBER=FILE writes the colour target after this draw, as --trace draws counts them, as a PNG file; "
                  "can be given more than once")
      ->allow_extra_args(false);
  sub->add_option("--diff", o->diff,
                  "device=NAME, jit=off|on|auto, threads=N or vitro=PATH: execute a second time that way, and tell the "
                  "first difference in memory and the command that made it");
  sub->add_flag("--strict", o->strict, "accesses to unmapped addresses are faults");
  sub->add_option("--hang-limit", o->hang_limit,
                  "EU instructions of a thread, or commands of a batch, after which it counts as hung");
  sub->add_option("--trace", o->trace,
                  "what to tell on standard error: batches, commands, draws, eu or all, separated by commas");
  sub->add_flag("--stats{text}", o->stats,
                "print at the end what was executed, to standard error; --stats=json for scripts")
      ->check(CLI::IsMember({"text", "json"}));
  sub->add_option("--jit", o->jit, jit_text)->envname("VITRO_DEFAULT_JIT")->check(CLI::IsMember({"off", "on", "auto"}));
  sub->add_option("--jit-cache", o->jit_cache, "off: compiled code is not kept for the next run")
      ->check(CLI::IsMember({"on", "off"}));
  sub->footer(
      "Submissions are counted from 1. For example:\n"
      "  vitro run --capture work.aub -- clpeak && vitro replay work.aub --stats\n"
      "Exit code: 0 all was executed, and every comparison in the file held; 1 a fault, a comparison that does not "
      "hold, "
      "or a bad file; 2 wrong command line; 130 stopped by Ctrl-C.");
  sub->callback([o, &result] { result = replay(*o); });
}

}  // namespace vitro::cli
