// `vitro run`: a program on the emulated GPU. The decisions that can be tested without running anything: where the
// library to preload is, whether a program can be run, and which environment it gets.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/preload_list.h"
#include "base/result.h"

namespace vitro::cli {

struct RunOptions {
  std::string device = "kbl";
  unsigned threads = 0;
  std::string stats{};  // empty: none; "text" or "json"
  std::string stats_file{};
  bool strict = false;
  uint64_t hang_limit = 0;  // 0: default
  std::string trace{};
  std::string execute{};                 // "off": nothing; empty: default
  std::vector<std::string> png_after{};  // NUMBER=FILE
  std::string capture{};                 // a file; empty: none
  bool capture_results = false;
  std::string jit{};        // empty: default
  std::string jit_cache{};  // "off" or a folder; empty: default
  std::string jit_dump{};   // a folder; empty: none
  std::string visa{};       // a folder of IGC's dumps; empty: none
  bool jit_perf = false, jit_gdb = false;
  std::vector<std::string> command{};  // the program and its arguments
};

// Exit codes of shells and env: the program cannot be run, or is not there.
enum RunExit { exit_cannot_run = 126, exit_not_found = 127 };

std::string own_path();  // of this program; empty if the system does not tell

// The path of libvitro_preload.so for a vitro at `self`: beside it in a build folder, in ../lib/vitro when installed.
Result<std::string> find_preload_library(const std::string& self);

// The variables that `vitro run` sets for the program.
std::vector<std::pair<std::string, std::string>> run_environment(const RunOptions& options, const Preload& preload);

}  // namespace vitro::cli
