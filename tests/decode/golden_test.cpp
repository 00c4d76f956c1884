// The decoder's text of a dozen batches is what it was: tests/decode/golden/NAME.txt. With VITRO_UPDATE_GOLDEN set, the
// files are written instead. The same batches must be good JSON, whole pages, and lines of the trace.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/random.h"
#include "batches.h"
#include "decode/printer.h"
#include "gen/machine.h"

namespace vitro::decode_test {
namespace {

using MakePrinter = std::function<std::unique_ptr<decode::Printer>(const decode::Language&, decode::Output)>;

std::string decoded(const Batch& b, const MakePrinter& make, decode::Options options = {}) {
  const gen::Machine& machine = gen::machine(*gen::find_device(b.device));
  std::string text;
  const auto printer = make(machine.commands.language(), [&](std::string_view more) { text += more; });
  decode::Walker walker(machine.commands.language(), machine.model, std::move(options),
                        [&](const decode::Item& i) { printer->item(i); });
  memory::View view = b.image.view();
  decode::Context context;
  walker.walk(view, view, context, {.engine = b.engine, .address = Image::start, .bytes = b.bytes});
  printer->finish();
  return text;
}
std::string as_text(const Batch& b, decode::Options options = {}) {
  return decoded(
      b,
      [](const decode::Language& l, decode::Output o) { return decode::text_printer(l, std::move(o), false, false); },
      std::move(options));
}

class Golden : public testing::TestWithParam<Batch> {};

TEST_P(Golden, TextIsAsItWas) {
  const Batch& b = GetParam();
  const std::string path = fmt::format("{}/golden/{}.txt", VITRO_DECODE_TESTS, b.name);
  const std::string text = as_text(b);
  if (std::getenv("VITRO_UPDATE_GOLDEN")) {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << path;
  EXPECT_EQ(text, std::string(std::istreambuf_iterator<char>(file), {}));
}

TEST_P(Golden, OneCommandIsOneJsonObject) {
  const std::string json = decoded(
      GetParam(), [](const decode::Language& l, decode::Output o) { return decode::json_printer(l, std::move(o)); });
  std::istringstream lines(json);
  size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const auto j = nlohmann::json::parse(line, nullptr, false);
    ASSERT_TRUE(j.is_object()) << line;
    EXPECT_TRUE(j.contains("command") || j.contains("batch") || j.contains("note") || j.contains("unknown")) << line;
  }
  EXPECT_GT(count, 0u);
}

TEST_P(Golden, PageIsWhole) {
  const std::string page = decoded(GetParam(), [](const decode::Language& l, decode::Output o) {
    return decode::html_printer(l, std::move(o), "a <title> & more");
  });
  EXPECT_NE(page.find("a &lt;title> &amp; more"), page.npos);
  EXPECT_NE(page.find("start();\n</script>\n</html>"), page.npos);
  for (const char* elsewhere : {"http:", "https:", "src=", "@import"}) EXPECT_EQ(page.find(elsewhere), page.npos);
}

INSTANTIATE_TEST_SUITE_P(Batches, Golden, testing::ValuesIn(batches()),
                         [](const auto& info) { return info.param.name; });

TEST(Decode, FilterLeavesOneKindOfCommand) {
  for (const Batch& b : batches()) {
    const std::string text = as_text(b, {.filter = {"batch_buffer_end", "NOOP"}});
    EXPECT_EQ(text.find("PIPE_CONTROL"), text.npos) << b.name;
    EXPECT_EQ(text.find("kernel\n"), text.npos) << b.name;
  }
}

// An engine stands at a command, or where a batch went on without one.
TEST(Decode, HangsAreMarkedWhereTheyAre) {
  const gen::Machine& machine = gen::machine(*gen::find_device("kbl"));
  std::vector<std::byte> batch(8);  // two of MI_NOOP
  memory::View view(std::make_shared<memory::Table>(
      std::vector<memory::Range>{{.start = Image::start, .bytes = batch.size(), .host = batch.data()}}));
  for (const uint64_t offset : {0u, 4u, 8u}) {
    std::string text;
    const auto printer = decode::text_printer(
        machine.commands.language(), [&](std::string_view more) { text += more; }, false, true);
    decode::Walker walker(machine.commands.language(), machine.model, {},
                          [&](const decode::Item& i) { printer->item(i); });
    decode::Context context;
    walker.walk(view, view, context, {.address = Image::start, .hung = Image::start + offset});
    printer->finish();
    std::istringstream lines(text);
    std::vector<uint64_t> marked;
    for (std::string line; std::getline(lines, line);)
      if (line.ends_with("  <== the engine hung here")) marked.push_back(std::stoull(line, nullptr, 16) - Image::start);
    EXPECT_EQ(marked, std::vector{offset}) << text;
  }
}

TEST(Decode, ColourChangesNothingElse) {
  for (const Batch& b : batches()) {
    std::string coloured = decoded(b, [](const decode::Language& l, decode::Output o) {
      return decode::text_printer(l, std::move(o), true, false);
    });
    for (size_t at; (at = coloured.find('\033')) != coloured.npos;) coloured.erase(at, coloured.find('m', at) + 1 - at);
    EXPECT_EQ(coloured, as_text(b)) << b.name;
  }
}

// Whatever the bytes are, reading them ends, and what is printed is whole.
TEST(Decode, AnyBytesAreRead) {
  Rng random(1);
  const std::vector<Batch> all = batches();
  for (int n = 0; n < 600; ++n) {
    Batch b = all[random.below(all.size())];
    b.image.memory = std::make_shared<std::vector<std::byte>>(*b.image.memory);
    for (uint64_t k = 0; k < 1 + random.below(20); ++k)
      (*b.image.memory)[random.below(0x400) + (random.below(2) ? 0 : 0x4000 * random.below(5))] =
          std::byte(random.below(256));
    b.engine = commands::Engine(random.below(4));
    const std::string json =
        decoded(b, [](const decode::Language& l, decode::Output o) { return decode::json_printer(l, std::move(o)); },
                {.most_commands = 5000});
    std::istringstream lines(json);
    for (std::string line; std::getline(lines, line);)
      ASSERT_TRUE(nlohmann::json::accept(line)) << b.name << ", round " << n << ": " << line;
    EXPECT_FALSE(as_text(b, {.most_commands = 5000}).empty());
  }
}

}  // namespace

void PrintTo(const Batch& b, std::ostream* out) { *out << b.name; }

}  // namespace vitro::decode_test
