// What `vitro visa` reads: an object, however it is spelt, and the texts it came from.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "cli/cli.h"
#include "visa/object.h"

namespace vitro::cli {

// Texts that are read as one, and whose lines they are.
struct VisaSource {
  struct File {
    std::string name, text;
    int first_line;
  };
  std::vector<File> files{};
  std::string text{};

  void add(std::string name, std::string content);
  // The file of a line of the whole text, which becomes the line of the file.
  const File& file_of(int& line) const;
  void report(const isa::Diagnostics&) const;
};

struct VisaInput {
  visa::Object object{};
  VisaSource source{};  // no files: the input was an object
};

// Of one file NAME.visaasm also its functions NAME_f0.visaasm and so on, unless `alone`. Fails with the exit code set;
// the message is empty if everything was said already.
Result<VisaInput> read_visa(std::vector<std::string> names, bool alone, int& code);

}  // namespace vitro::cli
