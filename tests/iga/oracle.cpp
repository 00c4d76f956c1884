// Intel's assembler as oracle over the OpenCL corpus: every instruction of every kernel that `ocloc` compiled for one
// device, against our decoder, encoder, printer, assembler and compactor.
//
//   iga_oracle DEVICE CORPUS SCRATCH IGA64 KERNELS INSTRUCTIONS
//
// CORPUS holds DEVICE/{opt,noopt}/*.bin; at least KERNELS and INSTRUCTIONS must be in it, so that an empty corpus does
// not pass. Exit status: 0 all checks hold, 1 some do not, 2 wrong usage.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>

#include "checks.h"
#include "gen/models.h"
#include "isa/device_binary.h"

namespace vitro::iga {
namespace {

// The devices ocloc compiles for, our name of each and iga64's platform.
struct CorpusDevice {
  std::string_view name, model, platform;
};
constexpr CorpusDevice corpus_devices[] = {
    {"bdw", "bdw", "8"},
    {"skl", "kbl", "9"},
    {"kbl", "kbl", "9"},
    {"bxt", "apl", "9"},
};

void check_file(Run& run, const std::filesystem::path& path) {
  ++run.sum.files;
  const std::string content = read_file(path);
  const Result<isa::DeviceBinary> binary = isa::read_device_binary(std::as_bytes(std::span(content)));
  const std::string file = fmt::format("{}/{}", path.parent_path().filename().string(), path.stem().string());
  if (!expect(run, binary.has_value(), file, binary ? "" : binary.error().message)) return;
  for (const isa::DeviceKernel& k : binary->kernels) check_kernel(run, fmt::format("{}:{}", file, k.name), k.code);
}

void print_summary(const Run& run) {
  const Summary& s = run.sum;
  std::string fields;
  for (const auto& [name, count] : s.changed_field) fields += fmt::format(", {} {}", name, count);
  fmt::print(
      "{}: {} passed, {} failed; {} instructions in {} kernels of {} files, {} reserved ones in {} kernels; "
      "compact: {} in the corpus, {} by iga64, {} by us; table entries: {}, not confirmed: {}; "
      "changed by iga64 only in ignored fields or the compaction index: {} (index {}{})\n",
      run.device, s.passed, s.failed, s.instructions, s.kernels, s.files, s.reserved, s.kernels_with_reserved,
      s.compact_in_corpus, s.compacted_by_iga, s.compacted_by_us, s.table_entries,
      fmt::join(s.unconfirmed_entries, ", "), s.changed_by_iga, s.reencoded, fields);
}

size_t number(std::string_view text) {
  size_t n = 0;
  std::from_chars(text.data(), text.data() + text.size(), n);
  return n;
}

int main(std::span<char*> arguments) {
  const auto device = std::find_if(std::begin(corpus_devices), std::end(corpus_devices), [&](const CorpusDevice& d) {
    return arguments.size() == 7 && d.name == arguments[1];
  });
  if (device == std::end(corpus_devices)) {
    fmt::print(stderr, "usage: iga_oracle bdw|skl|kbl|bxt CORPUS SCRATCH IGA64 KERNELS INSTRUCTIONS\n");
    return 2;
  }
  const std::filesystem::path scratch = arguments[3];
  std::filesystem::create_directories(scratch);
  Run run{gen::find_device(device->model)->model(),
          device->name,
          {arguments[4], std::string(device->platform), scratch},
          {}};

  std::vector<std::filesystem::path> files;
  std::error_code none;
  for (const auto& e :
       std::filesystem::recursive_directory_iterator(std::filesystem::path(arguments[2]) / run.device, none))
    if (e.path().extension() == ".bin") files.push_back(e.path());
  std::sort(files.begin(), files.end());
  check_tables(run);
  for (const std::filesystem::path& f : files) check_file(run, f);
  expect(run, run.sum.kernels >= number(arguments[5]), "corpus", fmt::format("only {} kernels", run.sum.kernels));
  expect(run, run.sum.instructions >= number(arguments[6]), "corpus",
         fmt::format("only {} instructions", run.sum.instructions));
  print_summary(run);
  return run.sum.failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace vitro::iga

int main(int count, char** arguments) { return vitro::iga::main({arguments, size_t(count)}); }
