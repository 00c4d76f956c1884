// vitro decode: batches and recordings of them as text, JSON or a page for a browser. A raw batch is a file of dwords,
// or the same in hexadecimal; where it stands in memory is for the caller to say, as its jumps and pointers need it.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>

#include "cli/choice.h"
#include "cli/cli.h"
#include "cli/code_input.h"
#include "cli/waiting.h"
#include "decode/printer.h"
#include "gen/machine.h"
#include "gen/recorded.h"
#include "memory/view.h"
#include "recording/recording.h"

namespace vitro::cli {
namespace {

using commands::Engine;

constexpr std::string_view default_device = "kbl";

enum class Colour { automatic, always, never };

struct Options {
  std::string device, input, output = "-";
  Engine engine = Engine::render;
  uint64_t address = 0;
  Colour colour = Colour::automatic;
  std::vector<std::string> filter;
  bool json = false, html = false, brief = false, no_follow = false;
};

// Pieces go to the file as they come; what is lost is said once, at the end.
class OutputFile {
 public:
  static Result<std::unique_ptr<OutputFile>> open(const std::string& path) {
    auto file = std::make_unique<OutputFile>();
    file->path_ = path;
    file->file_ = path == "-" ? stdout : std::fopen(path.c_str(), "wb");
    if (!file->file_) return failure(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
    return file;
  }
  ~OutputFile() {
    if (file_ && file_ != stdout) std::fclose(file_);
  }
  void write(std::string_view text) {
    if (!failed_ && std::fwrite(text.data(), 1, text.size(), file_) != text.size()) failed_ = true;
  }
  Result<bool> close() {
    if (std::fflush(file_) != 0) failed_ = true;
    if (failed_) return failure(fmt::format("cannot write {}", path_ == "-" ? "to standard output" : path_));
    return true;
  }

 private:
  std::string path_;
  std::FILE* file_ = nullptr;
  bool failed_ = false;
};

struct Totals {
  uint64_t commands = 0, unknown = 0;
};
void operator+=(Totals& t, const decode::Summary& s) { t.commands += s.commands, t.unknown += s.unknown; }

Result<std::vector<std::byte>> raw_batch(std::string_view file) {
  Result<std::vector<std::byte>> bytes =
      looks_like_hex(file) ? parse_hex(file)
                           : std::vector<std::byte>(reinterpret_cast<const std::byte*>(file.data()),
                                                    reinterpret_cast<const std::byte*>(file.data()) + file.size());
  if (!bytes) return bytes;
  if (bytes->empty()) return failure("there is nothing in it");
  if (bytes->size() % 4)
    return failure(fmt::format("{} bytes are no batch: 0x{:x} begins a dword that is not whole", bytes->size(),
                               bytes->size() / 4 * 4));
  return bytes;
}

// What all submissions of a file are decoded with.
struct Decoding {
  const Options& options;
  const gen::Machine& machine;
  decode::Printer& printer;
  decode::Walker walker{
      machine.commands.language(), machine.model,
      decode::Options{.follow = !options.no_follow && !options.brief, .filter = options.filter, .stop = interrupted},
      [this](const decode::Item& i) {
        any = any || i.kind == decode::Kind::command;
        printer.item(i);
      }};
  Totals totals{};
  bool any = false;  // command was shown
};

Result<bool> decode_raw(Decoding& d, std::vector<std::byte>& batch) {
  const Options& o = d.options;
  memory::View view(std::make_shared<memory::Table>(std::vector<memory::Range>{
      {.start = o.address, .bytes = batch.size(), .host = batch.data(), .read_only = true}}));
  decode::Context context;
  const decode::Summary s =
      d.walker.walk(view, view, context, {.engine = o.engine, .address = o.address, .bytes = batch.size()});
  d.totals += s;
  if (s.truncated)
    return failure(fmt::format("offset {:#x}: the file ends inside this command", *s.truncated - o.address));
  return true;
}

Result<bool> decode_recording(Decoding& d, recording::Reader& reader) {
  std::map<std::pair<uint32_t, Engine>, decode::Context> contexts;
  Progress progress(reader, !(d.options.output == "-" && isatty(STDOUT_FILENO)));
  for (uint64_t number = 1; !interrupted(); ++number) {
    progress.tell(number);
    Result<std::optional<recording::Submission>> next = reader.next();
    if (!next) return tl::unexpected(next.error());
    if (!*next) return true;
    const recording::Submission& s = **next;
    d.printer.begin(fmt::format("submission {}: {} engine, context {}{}{}", number,
                                commands::engine_names[size_t(s.engine)], s.context, s.note.empty() ? "" : ", ",
                                s.note));
    memory::View view(s.memory), global(s.ggtt ? s.ggtt : s.memory);
    decode::Start start{.engine = s.engine, .address = s.address, .bytes = s.bytes, .hung = s.active_head};
    if (s.ring) start.address = s.ring->address, start.bytes = s.ring->bytes, start.ring = true;
    d.totals += d.walker.walk(view, global, contexts[{s.context, s.engine}], start);
  }
  return true;
}

int run(const Options& o) {
  Result<std::string> file = read_file(o.input);
  if (!file) return complain(exit_file, file.error().message);
  std::unique_ptr<recording::Reader> reader;
  std::vector<std::byte> raw;
  if (recording::is_recording(*file)) {
    auto opened = recording::Reader::from_bytes(std::move(*file));
    if (!opened) return complain(exit_bad_input, fmt::format("{}: {}", o.input, opened.error().message));
    reader = std::move(*opened);
  } else {
    Result<std::vector<std::byte>> batch = raw_batch(*file);
    if (!batch) return complain(exit_bad_input, fmt::format("{}: {}", o.input, batch.error().message));
    raw = std::move(*batch);
  }
  const std::string recorded = reader ? reader->device().value_or("") : "";
  const gen::Device* device = !o.device.empty()  ? gen::find_recorded(o.device)
                              : recorded.empty() ? gen::find_device(default_device)
                                                 : gen::find_recorded(recorded);
  if (!device && !o.device.empty()) return complain(exit_usage, "unknown device " + o.device);
  if (!device)
    return complain(exit_bad_input,
                    fmt::format("{}: is of device {}, which is none of ours: --device says what to take "
                                "it for",
                                o.input, recorded));
  auto output = OutputFile::open(o.output);
  if (!output) return complain(exit_file, output.error().message);

  const gen::Machine& machine = gen::machine(*device);
  const decode::Language& language = machine.commands.language();
  const auto write = [&](std::string_view text) { (*output)->write(text); };
  const bool colour =
      o.colour == Colour::always || (o.colour == Colour::automatic && o.output == "-" && colour_on(STDOUT_FILENO));
  const auto printer = o.json   ? decode::json_printer(language, write)
                       : o.html ? decode::html_printer(language, write, o.input)
                                : decode::text_printer(language, write, colour, o.brief);
  Decoding decoding{o, machine, *printer};
  const Interruptible interruptible;
  Result<bool> done = true;
  if (reader)
    done = decode_recording(decoding, *reader);
  else
    done = decode_raw(decoding, raw);
  printer->finish();
  if (interrupted()) {
    complain(exit_bad_input, fmt::format("stopped after {} commands", decoding.totals.commands));
    return exit_interrupted;
  }
  if (const Result<bool> w = (*output)->close(); !w) return complain(exit_file, w.error().message);
  if (!done) return complain(exit_bad_input, fmt::format("{}: {}", o.input, done.error().message));
  if (!o.filter.empty() && !decoding.any)
    fmt::print(stderr, "vitro: {}: no command's name has '{}' in it\n", o.input, fmt::join(o.filter, "', '"));
  if (decoding.totals.unknown)
    return complain(exit_bad_input, fmt::format("{}: {} dwords begin no command of this device and engine", o.input,
                                                decoding.totals.unknown));
  return exit_ok;
}

}  // namespace

void add_decode(CLI::App& app, int& result) {
  auto o = std::make_shared<Options>();
  CLI::App* sub = app.add_subcommand("decode", "show what is in a batch of commands, and the state it points to");
  sub->add_option("input", o->input, "a raw batch, its dwords as hexadecimal text, or a recording")->required();
  sub->add_option("-g,--device", o->device, "device: snb, bdw, kbl or apl; as the recording says, or kbl");
  sub->add_option("-o,--output", o->output, "standard output by default");
  add_choice<Engine>(*sub, "--engine", o->engine,
                     {{"render", Engine::render},
                      {"blitter", Engine::copy},
                      {"video", Engine::video},
                      {"vebox", Engine::video_enhance}},
                     "engine of a raw batch (render)");
  sub->add_option("--address", o->address, "where a raw batch stands in memory (0)");
  auto* json = sub->add_flag("--json", o->json, "one JSON object for each command, on a line of its own");
  auto* html = sub->add_flag("--html", o->html, "one page for a browser, with everything in it")->excludes(json);
  sub->add_flag("--brief", o->brief, "one line for each command, with the fields that are not zero")
      ->excludes(json)
      ->excludes(html);
  sub->add_option("--filter", o->filter, "only commands whose names have one of these words in them")->delimiter(',');
  sub->add_flag("--no-follow", o->no_follow, "leave out the state and kernels that commands point to");
  add_choice<Colour>(*sub, "--color", o->colour,
                     {{"auto", Colour::automatic}, {"always", Colour::always}, {"never", Colour::never}},
                     "auto: if a person looks (auto)");
  sub->footer(
      "Every field has its name of Intel's documents; values that have names are shown with them, reserved bits that "
      "are\n"
      "set are flagged. Batches that are started are followed, and pointers to state, binding tables and kernels.\n"
      "  vitro decode -g bdw batch.bin --filter 3DSTATE_PS,PRIMITIVE\n"
      "Exit code: 0 all decoded, 1 bad input, 2 wrong command line, 3 a file could not be read or written, 130 stopped "
      "by Ctrl-C.");
  sub->callback([o, &result] { result = run(*o); });
}

}  // namespace vitro::cli
