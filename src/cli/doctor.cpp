// `vitro doctor`: what of the drivers is there and works. For each device and each programming interface one small job
// (src/cli/jobs) is run in a process of its own under `vitro run`, so that a driver which aborts is a finding and not
// the end. A job is right if its result is, and if the emulated GPU says that it ran threads for it.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "cli/cli.h"
#include "cli/jobs/job.h"
#include "cli/run.h"
#include "code/build.h"
#include "gen/models.h"

namespace vitro::cli {
namespace {

// A programming interface: the job, the Debian packages of loader and driver, and the devices its driver knows.
struct Interface {
  std::string_view title, name;
  void (*job)();
  std::string_view loader_package, driver_package, driver;
  std::array<std::string_view, 3> devices;
};
constexpr Interface interfaces[] = {
    {"OpenCL",
     "opencl",
     jobs::opencl,
     "ocl-icd-libopencl1",
     "intel-opencl-icd",
     "Intel's OpenCL runtime",
     {"bdw", "kbl", "apl"}},
    {"Level Zero", "level-zero", jobs::level_zero, "libze1", "intel-opencl-icd", "Intel's Level Zero driver", {"kbl"}},
    {"Vulkan",
     "vulkan",
     jobs::vulkan,
     "libvulkan1",
     "mesa-vulkan-drivers",
     "Mesa's Vulkan driver",
     {"bdw", "kbl", "apl"}},
    {"OpenGL",
     "gl",
     jobs::gl,
     "libegl1",
     "libgl1-mesa-dri",
     "Mesa's iris, the driver with compute shaders,",
     {"bdw", "kbl", "apl"}},
};

enum class State { ok, none, missing, failed };
constexpr std::string_view state_names[] = {"ok", "none", "missing", "failed"};

struct Finding {
  State state;
  std::string text;
  std::vector<std::string_view> packages{};  // what to install
};

struct Folder {  // of the files that a job leaves
  std::string path;
  Folder() : path((std::filesystem::temp_directory_path() / "vitro-doctor-XXXXXX").string()) {
    if (!mkdtemp(path.data())) path.clear();
  }
  ~Folder() {
    std::error_code ignored;
    if (!path.empty()) std::filesystem::remove_all(path, ignored);
  }
};

std::string last_line(const Result<std::string>& text) {
  if (!text) return {};
  const size_t end = text->find_last_not_of(" \n");
  if (end == text->npos) return {};
  const size_t begin = text->rfind('\n', end);
  return text->substr(begin == text->npos ? 0 : begin + 1, end - (begin == text->npos ? 0 : begin + 1) + 1);
}

// The status of waitpid, or -1 if the time is over.
int run_child(const std::vector<std::string>& command, const Folder& folder, std::chrono::seconds limit) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const std::string output = folder.path + "/output", errors = folder.path + "/errors";
  const pid_t child = fork();
  if (child == 0) {
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDOUT_FILENO);
    dup2(open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  if (child < 0) return 127 << 8;
  int status = 0;
  for (const auto end = std::chrono::steady_clock::now() + limit; waitpid(child, &status, WNOHANG) == 0;) {
    if (std::chrono::steady_clock::now() > end) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      return -1;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return status;
}

// Faults, or the lack of threads, that the statistics of a job show; empty if all is well.
std::string complaint_of(const std::string& statistics) {
  const Result<std::string> text = read_file(statistics);
  const nlohmann::json j = nlohmann::json::parse(text ? *text : "", nullptr, false);
  if (!j.is_object() || j.value("threads", 0) == 0) return "the result is right, but the emulated GPU ran no threads";
  for (const char* list : {"faults", "unsupported"})
    if (j.contains(list) && j[list].is_object() && !j[list].empty())
      return fmt::format("{}: {}", list, j[list].begin().key());
  return {};
}

Finding examine(const Interface& interface, std::string_view device, const std::string& self, int seconds) {
  if (std::find(interface.devices.begin(), interface.devices.end(), device) == interface.devices.end())
    return {State::none, fmt::format("{} does not know this device", interface.driver)};
  const Folder folder;
  if (folder.path.empty()) return {State::failed, fmt::format("no temporary folder: {}", std::strerror(errno))};
  const std::string statistics = folder.path + "/statistics";
  const int status = run_child({self, "run", "--device", std::string(device), "--stats=json", "--stats-file",
                                statistics, "--", self, "doctor-job", std::string(interface.name)},
                               folder, std::chrono::seconds(seconds));
  const std::string said = last_line(read_file(folder.path + "/output"));
  const std::string complained = last_line(read_file(folder.path + "/errors"));
  if (status == -1) return {State::failed, fmt::format("the job was not done after {} s", seconds)};
  if (WIFSIGNALED(status))
    return {State::failed, fmt::format("the job ended by signal {} ({}) {}", WTERMSIG(status),
                                       strsignal(WTERMSIG(status)), complained)};
  switch (WEXITSTATUS(status)) {
    case jobs::exit_done: {
      const std::string complaint = complaint_of(statistics);
      return complaint.empty() ? Finding{State::ok, said} : Finding{State::failed, complaint};
    }
    case jobs::exit_no_loader: return {State::missing, said, {interface.loader_package}};
    case jobs::exit_no_driver: return {State::missing, said, {interface.driver_package}};
    case jobs::exit_neither: return {State::missing, said, {interface.loader_package, interface.driver_package}};
    default:
      return {State::failed, fmt::format("{}{}{}", said, said.empty() || complained.empty() ? "" : "; ", complained)};
  }
}

struct Options {
  std::string device{};
  int seconds = 120;
};

int examine_all(const Options& o) {
  if (!o.device.empty() && !gen::find_device(o.device)) return complain(exit_usage, "unknown device " + o.device);
  const std::string self = own_path();
  const Result<std::string> library = find_preload_library(self);
  if (!library) return complain(exit_file, library.error().message);
  const std::string compiler = library->substr(0, library->rfind('/')) + "/libvitro_jit.so";
  const bool compiler_missing = access(compiler.c_str(), R_OK) != 0;
  fmt::print("vitro {}, {}\n", VITRO_VERSION,
             !code::has_compiler ? "built without the compiler of EU programs"
             : compiler_missing  ? "without the compiler of EU programs: slow; it is in the package vitro-jit"
                                 : "with the compiler of EU programs");
  std::array<int, std::size(state_names)> count{};
  std::set<std::string_view> packages;
  for (const gen::Device& device : gen::devices()) {
    if (!o.device.empty() && o.device != device.name) continue;
    fmt::print("\n{}  {}\n", device.name, device.title);
    for (const Interface& interface : interfaces) {
      const Finding f = examine(interface, device.name, self, o.seconds);
      ++count[size_t(f.state)];
      packages.insert(f.packages.begin(), f.packages.end());
      fmt::print("  {:<11} {:<8} {}{}\n", interface.title, state_names[size_t(f.state)], f.text,
                 f.packages.empty() ? "" : fmt::format(" (install {})", fmt::join(f.packages, " ")));
      std::fflush(stdout);
    }
  }
  const int ok = count[size_t(State::ok)], failed = count[size_t(State::failed)];
  fmt::print("\n{} of {} jobs computed the right result\n", ok, ok + failed + count[size_t(State::missing)]);
  if (!packages.empty()) fmt::print("for what is missing: apt-get install {}\n", fmt::join(packages, " "));
  return failed || !ok ? exit_bad_input : exit_ok;
}

}  // namespace

void add_doctor(CLI::App& app, int& result) {
  auto o = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("doctor", "look for drivers and run a small job through each of them");
  command->add_option("-d,--device", o->device, "only this device (default: all)");
  command->add_option("--limit", o->seconds, "seconds after which a job has failed")
      ->check(CLI::Range(1, 3600))
      ->capture_default_str();
  command->footer(
      "A line for each device and interface: ok, with the names of device and driver; none, where no driver knows the\n"
      "device; missing, with what to install; failed, with the reason. The jobs compute: OpenCL, Level Zero, Vulkan\n"
      "and OpenGL ES, each in a process of its own.\n"
      "Exit code: 0 what is installed works, 1 a job failed or none could be run, 2 wrong command line, 3 vitro "
      "itself\n"
      "is not installed as it should be.");
  command->callback([o, &result] { result = examine_all(*o); });

  auto name = std::make_shared<std::string>();
  CLI::App* job = app.add_subcommand("doctor-job", "one job of vitro doctor")->group("");  // in no list
  job->add_option("name", *name)->required();
  job->callback([name, &result] {
    for (const Interface& interface : interfaces)
      if (interface.name == *name) interface.job();
    result = complain(exit_usage, "no job " + *name);
  });
}

}  // namespace vitro::cli
