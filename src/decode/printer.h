// Decoded batches as text, as lines of JSON, and as a page for a browser. Each printer is handed what the walk finds
// and hands on what it made of it in pieces, as it goes. No part of the machine by itself.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "decode/walk.h"

namespace vitro::decode {

using Output = std::function<void(std::string_view)>;

class Printer {
 public:
  virtual ~Printer() = default;
  // What follows is of another submission: "submission 3, render engine".
  virtual void begin(std::string_view title) = 0;
  virtual void item(const Item& item) = 0;
  // All of it was shown; nothing comes after.
  virtual void finish() = 0;
};

// Every field on a line of its own. `brief`: a command on a line, with the fields that are not zero.
std::unique_ptr<Printer> text_printer(const Language& language, Output output, bool colour, bool brief);
// An object for each command, on a line of its own, with what it points to inside.
std::unique_ptr<Printer> json_printer(const Language& language, Output output);
// One page with everything in it. Rows are made by the page itself when they are looked at.
std::unique_ptr<Printer> html_printer(const Language& language, Output output, std::string_view title);

}  // namespace vitro::decode
