// Images as bytes: a head with the sizes of what follows. PRM: none.
#include "code/image.h"

#include <limits>

#include "code/bytes.h"

namespace vitro::code {
namespace {

struct Head {
  uint64_t code_bytes, fact_bytes;
  uint32_t start, function_bytes, shared, unused;  // no gaps
};

bool has_meaning(const Image& i) {
  return i.code.size() <= std::numeric_limits<uint32_t>::max() && i.start < i.code.size() &&
         i.function_bytes <= i.code.size() - i.start && i.shared <= i.code.size();
}

}  // namespace

std::vector<std::byte> to_bytes(const Image& i) {
  std::vector<std::byte> bytes;
  const Head head{i.code.size(), i.facts.size(), i.start, i.function_bytes, i.shared, 0};
  append(bytes, head);
  append(bytes, i.code);
  append(bytes, i.facts);
  return bytes;
}

std::optional<Image> to_image(std::span<const std::byte> bytes) {
  Head head;
  if (!take(bytes, head)) return std::nullopt;
  Image i{.start = head.start, .function_bytes = head.function_bytes, .shared = head.shared};
  if (!take(bytes, head.code_bytes, i.code) || !take(bytes, head.fact_bytes, i.facts) || !bytes.empty() ||
      head.unused || !has_meaning(i))
    return std::nullopt;
  return i;
}

}  // namespace vitro::code
