// Fuzz target: any bytes as a binary vISA object. An error names the byte at fault; what is read is written as text
// that is read again, and as bytes that give the same bytes again. What the checker finds lies in the object.
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
  const Result<visa::Object> read = visa::read_bytes({reinterpret_cast<const std::byte*>(data), size});
  if (!read) {
    must_hold(read.error().message.starts_with("at 0x"), "an error has its place", read.error().message);
    return 0;
  }
  for (const visa::Finding& f : visa::check(*read, visa::bdw))
    must_hold(f.place.line < size && !f.message.empty(), "a finding lies in the object", f.message);
  const std::string text = visa::write_text(*read);
  const visa::TextResult again = visa::read_text(text);
  must_hold(again.ok(), "what is written is read",
            again.ok() ? "" : isa::render("written", text, again.diagnostics.front(), false));
  const visa::BytesResult bytes = visa::write_bytes(*read);
  must_hold(bytes.ok(), "what was read is written", bytes.ok() ? "" : bytes.diagnostics.front().message);
  const Result<visa::Object> object = visa::read_bytes(bytes.bytes);
  must_hold(object.has_value(), "the object is read", object ? "" : object.error().message);
  must_hold(visa::write_bytes(*object).bytes == bytes.bytes, "it is written the same again", text);
  return 0;
}
