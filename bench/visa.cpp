// How fast vISA text is read and checked, and text and objects are written and objects read: our samples of
// instructions, again and again. Prints MB/s of processor time, the checker's of the text; exits with 1 if text is read
// and checked at less than 10 MB/s.
#include <fmt/format.h>

#include <ctime>

#include "visa/check.h"
#include "visa/read_bytes.h"
#include "visa/read_text.h"
#include "visa/samples.h"
#include "visa/write_bytes.h"
#include "visa/write_text.h"

using namespace vitro;

namespace {

constexpr size_t wanted_bytes = 10 << 20;
constexpr double least = 10;  // MB/s

double seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

double report(std::string_view what, size_t bytes, double since) {
  const double speed = double(bytes) / 1e6 / (seconds() - since);
  fmt::print("{:24}{:8.1f} MB/s\n", what, speed);
  return speed;
}

}  // namespace

int main() {
  std::string text = ".version 4.1\n.kernel \"k\"\n";
  text += visa::sample_declarations;
  while (text.size() < wanted_bytes)
    for (const std::string_view sample : visa::sample_instructions) text += "    ", text += sample, text += '\n';

  double since = seconds();
  const visa::TextResult read = visa::read_text(text);
  report("text read", text.size(), since);
  if (!read.ok()) return 1;
  const double check_since = seconds();
  const size_t found = visa::check(read.object, visa::kbl).size();
  report("checked", text.size(), check_since);
  const double speed = report("text read and checked", text.size(), since);
  fmt::print("{:24}{:8}\n", "findings", found);
  since = seconds();
  const visa::BytesResult bytes = visa::write_bytes(read.object);
  report("object written", bytes.bytes.size(), since);
  since = seconds();
  const Result<visa::Object> object = visa::read_bytes(bytes.bytes);
  report("object read", bytes.bytes.size(), since);
  if (!object) return 1;
  since = seconds();
  report("text written", visa::write_text(*object).size(), since);
  return speed < least ? 1 : 0;
}
