// Writing traces. Lines go to standard error by one write each: the program under us may use stdio in the same moment.
#include "device/trace.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "base/quiet_writes.h"
#include "isa/print.h"

namespace vitro::device {
namespace {

struct Topic {
  std::string_view name;
  bool Topics::*member;
};
constexpr Topic topics[] = {{"ioctls", &Topics::ioctls},
                            {"batches", &Topics::batches},
                            {"commands", &Topics::commands},
                            {"draws", &Topics::draws},
                            {"eu", &Topics::eu}};

}  // namespace

Result<Topics> parse_topics(std::string_view names) {
  Topics t;
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(','));
    names.remove_prefix(std::min(names.size(), name.size() + 1));
    bool known = false;
    for (const Topic& topic : topics)
      if (name == topic.name || name == "all") t.*topic.member = known = true;
    if (!known)
      return failure(fmt::format("no trace topic '{}'; there are ioctls, batches, commands, draws, eu and all", name));
  }
  return t;
}

Result<std::vector<Picture>> parse_pictures(std::string_view lines) {
  std::vector<Picture> pictures;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    const size_t equals = line.find('=');
    Picture p;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), p.draw);
    if (equals == line.npos || error != std::errc() || end != line.data() + equals || !p.draw ||
        equals + 1 == line.size())
      return failure(fmt::format("'{}' is not NUMBER=FILE, with the number of a draw from 1 on", line));
    p.file = line.substr(equals + 1);
    pictures.push_back(std::move(p));
  }
  return pictures;
}

void write_trace(std::string_view line) {
  const std::string text = fmt::format("vitro: {}\n", line);
  const QuietWrites quiet;
  (void)!::write(STDERR_FILENO, text.data(), text.size());
}

eu::Observer instruction_observer(const isa::Model& model) {
  return {.before =
              [](void* context, const eu::Thread& thread, const eu::Plan& plan, uint32_t channels) {
                std::string text;
                isa::print(text, *static_cast<const isa::Model*>(context), plan.instruction, plan.ip);
                write_trace(fmt::format("eu {} {:#06x} [{:08x}] {}", fmt::ptr(&thread), plan.ip, channels, text));
              },
          .context = const_cast<isa::Model*>(&model)};
}

}  // namespace vitro::device
