// faults DEVICE [strict]: runs the cases one after the other, each in a file of its own, while another context works
// all the time. For every case that hangs, a line on standard output says what the report on standard error must say;
// the test around this program compares them. Exits with 1 if anything else is wrong.
// faults DEVICE error-state CASE: one case only, and the error state of it on standard output.
#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <thread>

#include "client.h"
#include "gen/models.h"

using namespace vitro;
using namespace vitro::faults;

namespace {

const Dialect* dialect_of(std::string_view device) {
  for (const Dialect& d : dialects)
    if (d.device == device) return &d;
  return nullptr;
}

struct Runner {
  const Dialect& dialect;
  const isa::Model& model;
  uint64_t next = 1;  // each submission of a case has four gigabytes

  Job job(const Case& c) {
    Job j{.dialect = dialect, .model = model, .base = next++ << 32};
    c.build(j);
    return j;
  }

  void announce(const Case& c, const Job& j) const {
    fmt::print("hang\t{}\t{:#x}\t{}\t{}\t{}\t{}\n", c.name, j.base + j.start,
               j.bad_at == ~0u ? std::string("-") : fmt::format("{:#x}", j.bad_at), c.command.empty() ? "-" : c.command,
               c.in_kernel ? "IP" : "-", c.reason);
  }
  // In a context that recovers, and in one that does not; work in other contexts goes on beside them.
  void hang(const Case& c) {
    begin(c.name);
    const File f;
    const uint32_t good = f.new_context();
    for (const bool recoverable : {true, false}) {
      if (!recoverable && c.slow) break;
      const uint32_t bad = f.new_context(recoverable);
      const Job j = job(c);
      Submitted before(f, good_job(dialect, model, next++ << 32, 0x100), good);
      Submitted s(f, j, bad);
      Submitted after(f, good_job(dialect, model, next++ << 32, 0x200), good);
      if (s.error()) {
        complain(fmt::format("is refused: {}", std::strerror(s.error())));
        continue;
      }
      if (const int status = s.finish(); status != -EIO) {
        complain(fmt::format("the fence says {} instead of -EIO", status));
        continue;
      }
      announce(c, j);
      if (before.finish() != 1 || !is_done(before, 0x100)) complain("work submitted before it is not done");
      if (after.finish() != 1 || !is_done(after, 0x200)) complain("work submitted after it is not done");
      const drm_i915_reset_stats stats = f.reset_stats(bad);
      if (stats.batch_active != 1 || f.reset_stats(good).batch_active != 0)
        complain(fmt::format("{} hangs are counted", stats.batch_active));
      if (recoverable) {
        work(f, dialect, model, bad, next++ << 32, 0x400);
      } else {
        const Submitted banned(f, good_job(dialect, model, next++ << 32, 0x500), bad);
        if (banned.error() != EIO) complain(fmt::format("the banned context gives {}", banned.error()));
      }
    }
  }
  void end_well(const Case& c) {
    begin(c.name);
    const File f;
    const uint32_t context = f.new_context();
    const Job j = job(c);
    Submitted s(f, j, context);
    if (const int status = s.finish(); status != 1) return complain(fmt::format("its fence says {}", status));
    c.check(j, s.data());
    if (f.reset_stats(context).batch_active != 0) complain("a hang is counted");
    work(f, dialect, model, context, next++ << 32, 0x600);
    fmt::print("well\t{}\n", c.name);
  }
  int print_error_state(std::string_view name) {
    for (const Case& c : hangs()) {
      if (c.name != name) continue;
      const File f;
      Submitted s(f, job(c), f.new_context());
      s.finish();
      fmt::print("{}", error_file());
      return 0;
    }
    fmt::print(stderr, "no case of the name {}\n", name);
    return 2;
  }
};

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const Dialect* dialect = argc > 1 ? dialect_of(argv[1]) : nullptr;
  if (!dialect) {
    fmt::print(stderr, "usage: faults bdw|kbl|apl [strict|error-state CASE]\n");
    return 2;
  }
  const bool strict = argc > 2 && std::string_view(argv[2]) == "strict";
  Runner runner{*dialect, gen::find_device(dialect->device)->model()};
  if (argc > 3 && std::string_view(argv[2]) == "error-state") return runner.print_error_state(argv[3]);
  if (!strict) test_error_state(*dialect, runner.model);

  std::atomic<bool> stop{false};
  std::atomic<int> done{0};
  std::thread beside([&] {
    begin("work-beside");
    const File f;
    const uint32_t context = f.new_context();
    for (uint32_t n = 0; !stop; ++n, ++done) work(f, *dialect, runner.model, context, 0x6000'0000'0000, n * 16);
    const drm_i915_reset_stats s = f.reset_stats(context);
    if (s.batch_active != 0 || s.batch_pending != 0) complain("hangs are counted");
  });
  // What takes long runs beside the others.
  std::thread slow([&] {
    Runner own{*dialect, runner.model, 0x1000};
    for (const Case& c : hangs())
      if (c.slow && !strict) own.hang(c);
  });
  if (strict) {
    for (const Case& c : missing()) runner.hang(c);
  } else {
    for (const Case& c : hangs())
      if (!c.slow) runner.hang(c);
    for (const Case& c : harmless()) runner.end_well(c);
    for (const Case& c : missing()) runner.end_well(c);
    test_refusals(*dialect, runner.model);
    test_bans(*dialect, runner.model);
  }
  slow.join();
  stop = true;
  beside.join();
  fmt::print("beside\t{}\n", done.load());
  return complaints() ? 1 : 0;
}
