// The properties of src/isa/random_properties.h, as many times as asked: properties [N [SEED [GENERATION]]].
// Each generation gets N random instructions and N random words. Exit status 1 if a property broke.
#include <fmt/format.h>

#include <chrono>

#include "fuzz.h"
#include "isa/random.h"
#include "isa/random_properties.h"

using namespace vitro;
using namespace vitro::isa;

int main(int argc, char** argv) {
  const long long count = argc > 1 ? std::atoll(argv[1]) : 1'000'000;
  const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 0) : 1;
  int broken = 0;
  auto report = [&](const Model& m, const std::string& what) {
    if (!what.empty() && ++broken <= 20) fmt::print(stderr, "{}: {}\n", m.name, what);
  };
  for (const Model* m : fuzz::models()) {
    if (argc > 3 && m->name != argv[3]) continue;
    const auto start = std::chrono::steady_clock::now();
    Rng rng(seed);
    long long decoded = 0;
    for (long long n = 0; n < count; ++n) report(*m, broken_round_trip(*m, random_instruction(*m, rng)));
    for (long long n = 0; n < count; ++n) {
      bool decodable = false;
      report(*m, broken_word(*m, random_word(*m, rng), &decodable));
      decoded += decodable;
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    fmt::print("{}: {} instructions, {} words ({} decodable), {:.1f} s\n", m->name, count, count, decoded,
               took.count());
    std::fflush(stdout);
  }
  fmt::print("{} broken\n", broken);
  return broken ? 1 : 0;
}
