// vitro replay --diff: two executions of one recording compared. Each is a vitro of its own, which may be another
// build, and tells by lines what its submissions change (--digest); once they differ, both are asked which commands
// change the first dword that is not the same (--watch).
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

#include "cli/cli.h"
#include "cli/replay.h"
#include "cli/run.h"

namespace vitro::cli {
namespace {

using Words = std::vector<std::string>;

// A program whose standard output is read line by line.
class Lines {
 public:
  explicit Lines(const Words& words) {
    int ends[2];
    if (pipe(ends) != 0) return;
    pid_ = fork();
    if (pid_ == 0) {
      dup2(ends[1], STDOUT_FILENO);
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
    if (file_) std::fclose(file_);
    int status = 0;
    if (pid_ > 0) {
      kill(pid_, SIGTERM);
      waitpid(pid_, &status, 0);
    }
  }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  std::optional<std::string> next() {
    std::array<char, 4096> line;
    if (!file_ || !std::fgets(line.data(), int(line.size()), file_)) return std::nullopt;
    std::string text(line.data());
    if (!text.empty() && text.back() == '\n') text.pop_back();
    return text;
  }

 private:
  pid_t pid_ = -1;
  FILE* file_ = nullptr;
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

std::optional<Page> first_page(const std::array<Words, 2>& commands, uint64_t until) {
  std::array<Words, 2> asked = commands;
  for (Words& w : asked) w.insert(w.end(), {"--digest", "--until", std::to_string(until)});
  Lines first(asked[0]), second(asked[1]);
  for (;;) {
    const auto a = first.next(), b = second.next();
    if (!a && !b) return std::nullopt;
    if (a == b) continue;
    // Where one changed a page and the other did not, it is the page that comes first.
    if (!a || !b) return page_of(a ? *a : *b);
    const Page x = page_of(*a), y = page_of(*b);
    if (x.submission != y.submission) return x.submission < y.submission ? x : y;
    return x.address <= y.address ? x : y;
  }
}

// The page as each leaves it.
std::array<std::string, 2> contents(const std::array<Words, 2>& commands, const Page& page) {
  std::array<std::string, 2> out;
  for (size_t n = 0; n < 2; ++n) {
    std::string name = std::filesystem::temp_directory_path() / "vitro-diff-XXXXXX";
    const int fd = mkstemp(name.data());
    if (fd < 0) continue;
    close(fd);
    Words w = commands[n];
    w.insert(w.end(),
             {"--until", std::to_string(page.submission), "--dump", fmt::format("{:#x}:4096={}", page.address, name)});
    Lines lines(w);
    while (lines.next()) {
    }
    out[n] = read_file(name).value_or("");
    unlink(name.c_str());
  }
  return out;
}

Words changes(Words command, const Page& page, uint64_t address) {
  command.insert(command.end(), {"--until", std::to_string(page.submission), "--watch", fmt::format("{:#x}", address)});
  Lines lines(command);
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
  const std::optional<Page> page = first_page(*commands, o.until);
  if (!page) {
    fmt::print("no difference\n");
    return exit_ok;
  }
  const std::array<std::string, 2> pages = contents(*commands, *page);
  size_t at = 0;
  while (at < pages[0].size() && at < pages[1].size() && pages[0][at] == pages[1][at]) ++at;
  const uint64_t address = page->address + at / 4 * 4;
  fmt::print("submission {}: memory at {:#x} differs\n", page->submission, address);
  const std::array<std::string, 2> names{"as it is", o.diff};
  std::array<Words, 2> lines;
  for (size_t n = 0; n < 2; ++n) lines[n] = changes((*commands)[n], *page, address);
  size_t same = 0;
  while (same < lines[0].size() && same < lines[1].size() && lines[0][same] == lines[1][same]) ++same;
  for (size_t n = 0; n < 2; ++n)
    fmt::print("  {}: {}\n", names[n], same < lines[n].size() ? lines[n][same] : "no command changes it from then on");
  return exit_bad_input;
}

}  // namespace vitro::cli
