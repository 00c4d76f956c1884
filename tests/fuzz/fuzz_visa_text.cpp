// Fuzz target: any text as vISA. Diagnostics point into the text; what is read is written as text that gives the same
// text again, and as an object that is read again, if it can be one. What the checker finds points into the text, and
// an object says the same of it.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "visa/check.h"
#include "visa/read_bytes.h"
#include "visa/read_text.h"
#include "visa/write_bytes.h"
#include "visa/write_text.h"

using namespace vitro;

static void must_hold(bool condition, const char* what, const std::string& detail) {
  if (condition) return;
  std::fprintf(stderr, "broken: %s\n%s\n", what, detail.c_str());
  std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const visa::TextResult read = visa::read_text(text);
  const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
  for (const isa::Diagnostic& d : read.diagnostics)
    must_hold(d.line >= 1 && d.line <= lines && d.column >= 1 && d.length >= 1 && !d.message.empty(),
              "a diagnostic points into the text", isa::render("text", text, d, false));
  if (!read.ok()) return 0;
  const std::vector<visa::Finding> found = visa::check(read.object, visa::kbl);
  for (const visa::Finding& f : found)
    must_hold(f.place.line >= 1 && f.place.line <= lines && !f.message.empty(), "a finding points into the text",
              f.message);
  const std::string written = visa::write_text(read.object);
  const visa::TextResult again = visa::read_text(written);
  must_hold(again.ok(), "what is written is read",
            again.ok() ? "" : isa::render("written", written, again.diagnostics.front(), false));
  must_hold(visa::write_text(again.object) == written, "it is written the same again", written);
  const visa::BytesResult bytes = visa::write_bytes(read.object);
  if (!bytes.ok()) return 0;
  const Result<visa::Object> object = visa::read_bytes(bytes.bytes);
  must_hold(object.has_value(), "the object is read", object ? "" : object.error().message);
  must_hold(visa::write_bytes(*object).bytes == bytes.bytes, "it is written the same again", written);
  must_hold(visa::check(*object, visa::kbl).size() == found.size(), "text and object are checked alike", written);
  return 0;
}
