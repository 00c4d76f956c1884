// vISA text to an object: the grammar that GenX_IR really parses, what IGC prints, and what only the documents have
// (.unaligned, <;W,HS>, lod, predec). Errors are collected, each with line and column. The files of one dump, a kernel
// and its functions, may stand behind each other with all their .version lines.
#pragma once

#include <string_view>

#include "isa/diagnostic.h"
#include "visa/object.h"

namespace vitro::visa {

struct TextResult {
  Object object{};
  isa::Diagnostics diagnostics{};
  bool ok() const { return diagnostics.empty(); }
};

TextResult read_text(std::string_view text);

}  // namespace vitro::visa
