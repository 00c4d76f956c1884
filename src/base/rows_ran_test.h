// A ledger for tests: which rows of the command and message tables ran, and in which test. No part of the machine. A
// room's benches put recording functions in front of the rows' own, and its last check asks whether every row did what
// its table promises. With VITRO_ROWS_RAN in the environment the ledger is also written to that file, from which
// tests/coverage/coverage.py makes docs/coverage.md.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace vitro::test {

// A row of one generation's table: part is the table, place the engine or shared function.
struct TableRow {
  std::string part, generation, place, name;
  auto operator<=>(const TableRow&) const = default;
};

struct Ledger {
  struct Promise {
    bool executes = true;          // else the row is a Fault that names what is unsupported
    uint32_t mask = 0, value = 0;  // of the descriptor, where that chooses the row
  };
  std::mutex lock;
  std::map<TableRow, Promise> promised;
  // By row, whether it was carried out or refused, and test: the parts of descriptors that were sent.
  std::map<std::tuple<TableRow, bool, std::string>, std::set<uint32_t>> ran;

  void promise(TableRow row, Promise p) { promised.emplace(std::move(row), p); }
  bool counting = true;
  void record(TableRow row, bool executed, uint32_t descriptor = 0) {
    const testing::TestInfo* t = testing::UnitTest::GetInstance()->current_test_info();
    const std::lock_guard guard(lock);
    if (!t || !counting) return;
    ran[{std::move(row), executed, fmt::format("{}.{}", t->test_suite_name(), t->name())}].insert(descriptor);
  }
  bool kept(const TableRow& row, const Promise& p) const {
    for (const auto& [key, descriptors] : ran)
      if (std::get<0>(key) == row && std::get<1>(key) == p.executes) return true;
    return false;
  }
};
inline Ledger& ledger() {
  static Ledger all;
  return all;
}

// Stands in tests that run rows without a look at what they do.
struct Uncounted {
  Uncounted() { ledger().counting = false; }
  ~Uncounted() { ledger().counting = true; }
  Uncounted(const Uncounted&) = delete;
};

// Asks when all tests are done. With a filter on the command line the question makes no sense and is not asked.
class EveryRowRuns : public testing::Environment {
 public:
  void TearDown() override {
    if (const char* file = std::getenv("VITRO_ROWS_RAN")) write(file);
    if (testing::GTEST_FLAG(filter) != "*") return;
    struct Figures {
      size_t ran = 0, all = 0;
      std::string missing;
    };
    std::map<std::pair<std::string, std::string>, Figures> by_table;
    for (const auto& [row, p] : ledger().promised) {
      Figures& f = by_table[{row.part, row.generation}];
      ++f.all;
      if (ledger().kept(row, p))
        ++f.ran;
      else
        f.missing += fmt::format("\n  {} ({}): {}", row.name, row.place, p.executes ? "never ran" : "never refused");
    }
    for (const auto& [table, f] : by_table) {
      fmt::print("{} {}: {} of {} rows did what they promise{}\n", table.first, table.second, f.ran, f.all, f.missing);
      EXPECT_TRUE(f.missing.empty()) << table.first << " " << table.second << f.missing;
    }
  }

 private:
  static void write(const char* file) {
    std::FILE* out = std::fopen(file, "w");
    ASSERT_TRUE(out) << file;
    for (const auto& [row, p] : ledger().promised)
      fmt::print(out, "row\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", row.part, row.generation, row.place, row.name,
                 p.executes ? "executes" : "refuses", p.mask, p.value);
    for (const auto& [key, descriptors] : ledger().ran) {
      const auto& [row, executed, test] = key;
      fmt::print(out, "ran\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", row.part, row.generation, row.place, row.name,
                 executed ? "executes" : "refuses", test, fmt::join(descriptors, ","));
    }
    std::fclose(out);
  }
};

}  // namespace vitro::test
