// `vitro run`: looks at the program, sets the environment that preloads the emulated kernel side, and becomes the
// program by exec: same process, same descriptors, same signals.
#include "cli/run.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <random>

#include "cli/cli.h"
#include "code/build.h"
#include "device/trace.h"
#include "gen/models.h"

namespace vitro::cli {

namespace {

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

std::string device_names() {
  std::string names;
  for (const gen::Device& d : gen::devices()) names += (names.empty() ? "" : ", ") + std::string(d.name);
  return names;
}

// Whole paths: the program may change its working folder.
Result<void> find_pictures(std::vector<std::string>& pictures) {
  size_t length = 0;
  for (std::string& text : pictures) {
    const Result<std::vector<device::Picture>> one = device::parse_pictures(text);
    if (!one) return failure("--png-after: " + one.error().message);
    if (one->size() != 1) return failure("--png-after: a file's name has a line break in it");
    const std::string& file = one->front().file;
    char folder[PATH_MAX];
    if (!realpath(file.rfind('/') == 0 ? "/" : folder_of(file).c_str(), folder))
      return failure(fmt::format("--png-after: no folder {}: {}", folder_of(file), std::strerror(errno)));
    text = fmt::format("{}={}/{}", one->front().draw, folder, file.substr(file.rfind('/') + 1));
    length += text.size() + 1;
  }
  // What one variable keeps for children.
  if (length > PATH_MAX) return failure("--png-after: too many files");
  return {};
}

// A whole path again, and no file there, so that the first process finds its place free.
Result<void> prepare_capture(std::string& file) {
  if (file.empty()) return {};
  char folder[PATH_MAX];
  if (!realpath(file.rfind('/') == 0 ? "/" : folder_of(file).c_str(), folder))
    return failure(fmt::format("--capture: no folder {}: {}", folder_of(file), std::strerror(errno)));
  file = fmt::format("{}/{}", folder, file.substr(file.rfind('/') + 1));
  // Devices, folders and the like are left alone, also behind a symbolic link.
  struct stat there {};
  if (lstat(file.c_str(), &there) == 0) {
    char whole[PATH_MAX];
    if (!realpath(file.c_str(), whole) || stat(whole, &there) != 0 || !S_ISREG(there.st_mode))
      return failure(fmt::format("--capture: {} is there and is no file that could be replaced", file));
    file = whole;
  }
  if (unlink(file.c_str()) != 0 && errno != ENOENT)
    return failure(fmt::format("--capture: cannot replace {}: {}", file, std::strerror(errno)));
  return {};
}

int run(RunOptions options) {
  if (!gen::find_device(options.device))
    return complain(exit_usage, fmt::format("no device '{}'; there are {}", options.device, device_names()));
  if (const Result<device::Topics> topics = device::parse_topics(options.trace); !topics)
    return complain(exit_usage, topics.error().message);
  if (const Result<void> found = find_pictures(options.png_after); !found)
    return complain(exit_usage, found.error().message);
  if (const Result<void> prepared = prepare_capture(options.capture); !prepared)
    return complain(exit_file, prepared.error().message);
  if (options.jit == "on" && !code::has_compiler)
    return complain(exit_usage, "--jit=on: this vitro was built without the JIT");
  for (std::string* folder : {&options.jit_cache, &options.jit_dump}) {
    if (folder->empty() || (folder == &options.jit_cache && *folder == "off")) continue;
    char resolved[PATH_MAX];
    // The program may change its working folder, so it needs a whole path. What is kept is the user's alone.
    mkdir(folder->c_str(), folder == &options.jit_cache ? 0700 : 0777);
    if (!realpath(folder->c_str(), resolved))
      return complain(exit_file, fmt::format("no folder {}: {}", *folder, std::strerror(errno)));
    *folder = resolved;
  }
  if (!options.visa.empty()) {
    char resolved[PATH_MAX];
    mkdir(options.visa.c_str(), 0777);
    if (!realpath(options.visa.c_str(), resolved))
      return complain(exit_file, fmt::format("no folder {}: {}", options.visa, std::strerror(errno)));
    options.visa = resolved;
  }
  const Result<std::string> library = find_preload_library(own_path());
  if (!library) return complain(exit_file, library.error().message);

  if (options.jit == "on" && access((folder_of(*library) + "/libvitro_jit.so").c_str(), R_OK) != 0)
    return complain(exit_file, fmt::format("--jit=on: libvitro_jit.so is not in {}", folder_of(*library)));
  const std::string& name = options.command.front();
  const char* search = std::getenv("PATH");
  const std::string path = find_executable(name, search ? search : "/bin:/usr/bin");
  if (path.empty()) {
    complain(exit_usage, fmt::format("{}: no such program", name));
    return exit_not_found;
  }
  SanitizerLibrary sanitizer;
  const Executable kind = classify_executable(path.c_str(), &sanitizer);
  if (kind == Executable::missing || kind == Executable::not_runnable) {
    complain(exit_usage, fmt::format("{} {}", path, describe(kind)));
    return exit_cannot_run;
  }
  if (kind != Executable::dynamic)
    return complain(exit_usage, fmt::format("{} {}, so the emulated GPU cannot be put under it", path, describe(kind)));

  const char* const preloaded = std::getenv("LD_PRELOAD");
  const char* const added = std::getenv(added_sanitizer_variable);
  const Preload preload{preloaded ? preloaded : "", library->c_str(), sanitizer.name, added ? added : ""};
  for (const auto& [variable, value] : run_environment(options, preload))
    if (!value.empty() || std::getenv(variable.c_str())) setenv(variable.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& argument : options.command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execvp(path.c_str(), arguments.data());
  complain(exit_usage, fmt::format("cannot run {}: {}", path, std::strerror(errno)));
  return exit_cannot_run;
}

// The program is not among the options that CLI11 knows.
struct RunHelp : CLI::Formatter {
  std::string make_usage(const CLI::App*, std::string name) const override {
    return fmt::format("Usage: {} [OPTIONS] [--] PROGRAM [ARGUMENTS...]\n", name);
  }
};

}  // namespace

std::string own_path() {
  char path[PATH_MAX + 1];
  const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
  return length > 0 ? std::string(path, size_t(length)) : std::string();
}

Result<std::string> find_preload_library(const std::string& self) {
  const std::string folder = folder_of(self);
  for (const char* relative : {"/libvitro_preload.so", "/../lib/vitro/libvitro_preload.so"}) {
    const std::string path = folder + relative;
    char resolved[PATH_MAX];
    if (access(path.c_str(), R_OK) == 0 && realpath(path.c_str(), resolved)) {
      // The loader splits LD_PRELOAD at these.
      if (strpbrk(resolved, ": \t"))
        return failure(fmt::format("cannot preload {}: the path has a colon or a blank in it", resolved));
      return std::string(resolved);
    }
  }
  return failure(fmt::format("libvitro_preload.so is neither in {} nor in {}/../lib/vitro", folder, folder));
}

std::vector<std::pair<std::string, std::string>> run_environment(const RunOptions& options, const Preload& preload) {
  std::vector<std::pair<std::string, std::string>> variables;
  std::string list(strlen(preload.list) + strlen(preload.library) + strlen(preload.sanitizer) + 4, '\0');
  SanitizerLibrary added;
  make_preload_list(preload, list.data(), list.size(), added);
  variables.emplace_back("LD_PRELOAD", list.c_str());
  variables.emplace_back(added_sanitizer_variable, added.name);
  variables.emplace_back("VITRO_DEVICE", options.device);
  // Empty where they are not given, so that the options of an outer run end here.
  variables.emplace_back("VITRO_THREADS", options.threads ? std::to_string(options.threads) : "");
  variables.emplace_back("VITRO_STATS", options.stats);
  variables.emplace_back("VITRO_STATS_FILE", options.stats_file);
  variables.emplace_back("VITRO_STRICT", options.strict ? "1" : "");
  variables.emplace_back("VITRO_HANG_LIMIT", options.hang_limit ? std::to_string(options.hang_limit) : "");
  variables.emplace_back("VITRO_TRACE", options.trace);
  variables.emplace_back("VITRO_EXECUTE", options.execute);
  variables.emplace_back("VITRO_PNG_AFTER", fmt::format("{}", fmt::join(options.png_after, "\n")));
  variables.emplace_back("VITRO_CAPTURE", options.capture);
  variables.emplace_back("VITRO_CAPTURE_RESULTS", options.capture_results ? "1" : "");
  variables.emplace_back("VITRO_JIT", options.jit);
  variables.emplace_back("VITRO_JIT_CACHE", options.jit_cache);
  variables.emplace_back("VITRO_JIT_DUMP", options.jit_dump);
  variables.emplace_back("VITRO_JIT_PERF", options.jit_perf ? "1" : "");
  variables.emplace_back("VITRO_JIT_GDB", options.jit_gdb ? "1" : "");
  variables.emplace_back("VITRO_VISA", options.visa);
  if (!options.visa.empty()) {
    // Intel's compiler puts its dumps there, and the driver compiles instead of taking what it has kept or brought.
    variables.emplace_back("IGC_ShaderDumpEnable", "1");
    variables.emplace_back("IGC_DumpToCustomDir", options.visa + "/");
    variables.emplace_back("NEO_CACHE_PERSISTENT", "0");
    variables.emplace_back("NEOReadDebugKeys", "1");
    variables.emplace_back("RebuildPrecompiledKernels", "1");
  }
  // Names the device that the processes of this run share, and nobody else.
  std::random_device random;
  variables.emplace_back("VITRO_RUN", fmt::format("{:x}", uint64_t(random()) << 32 | random()));
  return variables;
}

std::vector<std::string> take_program(const CLI::App& app, std::vector<std::string>& words) {
  const CLI::App* command = app.get_subcommand("run");
  if (words.empty() || words.front() != command->get_name()) return {};
  size_t first = 1;
  for (; first < words.size(); ++first) {
    const std::string& word = words[first];
    if (word == "--" || word.size() < 2 || word[0] != '-') break;
    const CLI::Option* option = command->get_option_no_throw(word);
    if (option && option->get_items_expected_min() > 0) ++first;
  }
  first = std::min(first, words.size());
  const bool marked = first < words.size() && words[first] == "--";
  std::vector<std::string> program(words.begin() + long(first) + marked, words.end());
  words.resize(first);
  return program;
}

void add_run(CLI::App& app, const std::vector<std::string>& program, int& result) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "run a program on the emulated GPU");
  command->formatter(std::make_shared<RunHelp>());
  command->add_option("-d,--device", options->device, fmt::format("the GPU ({})", device_names()))
      ->capture_default_str();
  command->add_option("-t,--threads", options->threads, "host threads that run EU threads (default: one per processor)")
      ->check(CLI::Range(1, 1024));
  command
      ->add_flag("--stats{text}", options->stats,
                 "print at exit what was executed, to standard error; --stats=json for scripts")
      ->check(CLI::IsMember({"text", "json"}));
  command->add_option("--stats-file", options->stats_file, "append the statistics to this file instead");
  command->add_flag("--strict", options->strict, "accesses to unmapped addresses are faults");
  command->add_option("--hang-limit", options->hang_limit,
                      "EU instructions of a thread, or commands of a batch, after which it counts as hung");
  command->add_option(
      "--trace", options->trace,
      "what to tell on standard error: ioctls, batches, commands, draws, eu or all, separated by commas");
  command
      ->add_option("--png-after", options->png_after,
                   "NUMBER=FILE writes the colour target after this draw, as --trace draws counts them, as a PNG "
                   "file; can be given more than once")
      ->allow_extra_args(false);
  command
      ->add_option("--execute", options->execute,
                   "off: all work is accepted and done at once, but nothing is drawn or computed")
      ->check(CLI::IsMember({"on", "off"}));
  CLI::Option* const capture = command->add_option(
      "--capture", options->capture,
      "record all submitted work as an AUB file, compressed if its name ends with .zst; each further "
      "process that has work puts its number into the name");
  command
      ->add_flag("--capture-results", options->capture_results,
                 "with what each batch leaves in memory, for vitro replay to compare")
      ->needs(capture);
  command->add_option("--jit", options->jit, jit_text)
      ->envname("VITRO_DEFAULT_JIT")
      ->check(CLI::IsMember({"off", "on", "auto"}));
  command->add_option("--jit-cache", options->jit_cache,
                      "the folder where compiled code is kept for the next run, or off (default: $VITRO_CACHE_DIR, "
                      "$XDG_CACHE_HOME/vitro or ~/.cache/vitro)");
  command->add_option("--jit-dump", options->jit_dump,
                      "write EU, intermediate and machine code of every compiled kernel into this folder, as text");
  command->add_option("--visa", options->visa,
                      "a folder where Intel's OpenCL compiler puts its dumps: kernels run from the vISA in them");
  command->add_flag("--jit-perf", options->jit_perf, "tell perf the names of compiled code, by its map file");
  command->add_flag("--jit-gdb", options->jit_gdb, "tell gdb the names of compiled code");
  command->footer(
      "For example:\n"
      "  vitro run --device bdw -- clinfo\n"
      "The program and all that it starts see one Intel GPU in place of the machine's own. Exit codes: the program's; "
      "2 wrong command line or a program that is static, setuid or 32-bit; 126 it cannot be run; 127 it is not there.");
  command->callback([options, &program, &result] {
    options->command = program;
    if (options->command.empty()) {
      result = complain(exit_usage, "run: which program? Usage: vitro run [OPTIONS] -- PROGRAM [ARGUMENTS...]");
      return;
    }
    if (!options->stats_file.empty() && options->stats.empty()) options->stats = "text";
    result = run(*options);
  });
}

}  // namespace vitro::cli
