// Gen8 (Broadwell): the encoding walk over its layout.
#include "isa/encoding.h"
#include "isa/layout_gen8.h"

namespace vitro::isa {
namespace {
constexpr Layout gen8 = layout_gen8();
}
constinit const Encoding encoding_gen8 = encoding_of<gen8>();
}  // namespace vitro::isa
