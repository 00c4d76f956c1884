// vitro replay --diff: two executions of one recording compared. Each is a vitro of its own, which may be another
// build, and tells by lines what its submissions change (--digest); once they differ, both are asked which commands
// change the first dword that is not the same (--watch).
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

#include "cli/cli.h"
#include "cli/replay.h"
#include "cli/run.h"
#include "cli/waiting.h"

namespace vitro::cli {
namespace {

using Words = std::vector<std::string>;

// A program whose standard output is read line by line.
class Lines {
 public:
  // `quiet`: what it says on standard error was said before.
  explicit Lines(const Words& words, bool quiet = false) {
    int ends[2];
    if (pipe(ends) != 0) return;
    pid_ = fork();
    if (pid_ == 0) {
      dup2(ends[1], STDOUT_FILENO);
      if (const int null = quiet ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1; null >= 0) dup2(null, STDERR_FILENO);
      close(ends[0]);
      close(ends[1]);
      std::vector<char*> arguments;
      for (const std::string& w : words) arguments.push_back(const_cast<char*>(w.c_str()));
      arguments.push_back(nullptr);
      execvp(arguments[0], arguments.data());
      fmt::print(stderr, "vitro: cannot run {}: {}\n", words[0], std::strerror(errno));
      _exit(exit_cannot_run);
    }
    close(ends[1]);
    file_ = fdopen(ends[0], "r");
  }
  ~Lines() {
    if (pid_ > 0) kill(pid_, SIGTERM);
    finish();
  }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  std::optional<std::string> next() {
    std::array<char, 4096> line;
    if (!file_ || !std::fgets(line.data(), int(line.size()), file_)) return std::nullopt;
    std::string text(line.data());
    if (!text.empty() && text.back() == '\n') text.pop_back();
    any_ = true;
    return text;
  }
  bool any() const { return any_; }  // whether there was a line
  // Waits for its end. Its exit code, as a shell has it.
  int finish() {
    if (file_) std::fclose(file_);
    file_ = nullptr;
    int status = 0;
    if (pid_ > 0) {
      while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
      }
      pid_ = -1;
      code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    return code_;
  }

 private:
  pid_t pid_ = -1;
  FILE* file_ = nullptr;
  bool any_ = false;
  int code_ = exit_cannot_run;
};

// The command lines of both, without what they are to tell.
std::optional<std::array<Words, 2>> commands_of(const ReplayOptions& o) {
  const size_t equals = o.diff.find('=');
  const std::string key = o.diff.substr(0, equals),
                    value = equals == std::string::npos ? "" : o.diff.substr(equals + 1);
  if (value.empty() || (key != "device" && key != "jit" && key != "vitro" && key != "threads")) return std::nullopt;
  std::array<Words, 2> both;
  for (size_t n = 0; n < 2; ++n) {
    const auto choose = [&](const char* name, const std::string& first) {
      return n == 1 && key == name ? value : first;
    };
    Words& w = both[n];
    w = {choose("vitro", own_path()), "replay", o.file, "--no-check"};
    const auto add = [&](const char* option, const std::string& text) {
      if (!text.empty()) w.insert(w.end(), {option, text});
    };
    add("--device", choose("device", o.device));
    add("--jit", choose("jit", o.jit));
    add("--threads", choose("threads", o.threads ? std::to_string(o.threads) : ""));
    add("--hang-limit", o.hang_limit ? std::to_string(o.hang_limit) : "");
    add("--jit-cache", o.jit_cache);
    if (o.strict) w.emplace_back("--strict");
  }
  return both;
}

// "SUBMISSION ADDRESS CHECKSUM"
struct Page {
  unsigned long long submission = 0, address = 0;
};
Page page_of(const std::string& line) {
  Page p;
  std::sscanf(line.c_str(), "%llu %llx", &p.submission, &p.address);
  return p;
}

// How both went: the first page that is not the same, and their exit codes if they came to their ends.
struct Comparison {
  std::optional<Page> page{};
  std::array<int, 2> codes{};
};
Result<Comparison> compare(const std::array<Words, 2>& commands, uint64_t until, const Words& names) {
  std::array<Words, 2> asked = commands;
  for (Words& w : asked) w.insert(w.end(), {"--digest", "--until", std::to_string(until)});
  std::array<Lines, 2> both{Lines(asked[0]), Lines(asked[1])};
  std::optional<std::string> a, b;
  do a = both[0].next(), b = both[1].next();
  while (a && a == b);
  // One that tells nothing executed nothing, and said why.
  for (size_t n = 0; n < 2; ++n)
    if (!both[n].any() && !interrupted())
      if (const int code = both[n].finish(); code != exit_ok)
        return failure(fmt::format("{}: nothing was executed (exit code {})", names[n], code));
  Comparison c;
  if (!a && !b) {
    c.codes = {both[0].finish(), both[1].finish()};
  } else if (!a || !b) {
    // Where one changed a page and the other did not, it is the page that comes first.
    c.page = page_of(a ? *a : *b);
  } else {
    const Page x = page_of(*a), y = page_of(*b);
    c.page = std::pair(x.submission, x.address) <= std::pair(y.submission, y.address) ? x : y;
  }
  return c;
}

// The page as one of them leaves it.
Result<std::string> content(Words command, const Page& page) {
  constexpr size_t page_bytes = 4096;
  std::string name = std::filesystem::temp_directory_path() / "vitro-diff-XXXXXX";
  const int fd = mkstemp(name.data());
  if (fd < 0) return failure(fmt::format("cannot write {}: {}", name, std::strerror(errno)));
  close(fd);
  command.insert(command.end(), {"--until", std::to_string(page.submission), "--dump",
                                 fmt::format("{:#x}:{}={}", page.address, page_bytes, name)});
  Lines lines(command, true);
  while (lines.next()) {
  }
  const int code = lines.finish();
  Result<std::string> bytes = read_file(name);
  unlink(name.c_str());
  if (bytes && bytes->size() != page_bytes)
    return failure(fmt::format("the page at {:#x} could not be read (exit code {})", page.address, code));
  return bytes;
}

Words changes(Words command, const Page& page, uint64_t address) {
  command.insert(command.end(), {"--until", std::to_string(page.submission), "--watch", fmt::format("{:#x}", address)});
  Lines lines(command, true);
  Words out;
  while (const auto line = lines.next()) out.push_back(*line);
  return out;
}

}  // namespace

int replay_twice(const ReplayOptions& o) {
  const auto commands = commands_of(o);
  if (!commands)
    return complain(exit_usage,
                    fmt::format("--diff: '{}' is not device=NAME, jit=MODE, threads=N or vitro=PATH", o.diff));
  if (o.file == "-") return complain(exit_usage, "--diff reads the recording more than once: - cannot be");
  const Interruptible interruptible;
  const Words names{"as it is", o.diff};
  const Result<Comparison> compared = compare(*commands, o.until, names);
  if (interrupted()) return exit_interrupted;
  if (!compared) return complain(exit_bad_input, compared.error().message);
  const std::optional<Page>& page = compared->page;
  const auto [first_code, second_code] = compared->codes;
  if (!page && first_code == second_code) {
    fmt::print("no difference\n");
    return first_code;
  }
  if (!page) {
    fmt::print("no difference in memory, but exit codes: {} and {}\n", first_code, second_code);
    return exit_bad_input;
  }
  std::array<std::string, 2> pages;
  for (size_t n = 0; n < 2; ++n) {
    Result<std::string> bytes = content((*commands)[n], *page);
    if (interrupted()) return exit_interrupted;
    if (!bytes) return complain(exit_file, fmt::format("{}: {}", names[n], bytes.error().message));
    pages[n] = std::move(*bytes);
  }
  const size_t at = size_t(std::mismatch(pages[0].begin(), pages[0].end(), pages[1].begin()).first - pages[0].begin());
  if (at == pages[0].size()) {
    fmt::print("submission {}: the page at {:#x} differed, but not when it was executed again\n", page->submission,
               page->address);
    return exit_bad_input;
  }
  const uint64_t address = page->address + at / 4 * 4;
  fmt::print("submission {}: memory at {:#x} differs\n", page->submission, address);
  std::array<Words, 2> lines;
  for (size_t n = 0; n < 2; ++n) lines[n] = changes((*commands)[n], *page, address);
  if (interrupted()) return exit_interrupted;
  size_t same = 0;
  while (same < lines[0].size() && same < lines[1].size() && lines[0][same] == lines[1][same]) ++same;
  for (size_t n = 0; n < 2; ++n)
    fmt::print("  {}: {}\n", names[n], same < lines[n].size() ? lines[n][same] : "no command changes it from then on");
  return exit_bad_input;
}

}  // namespace vitro::cli
