// A folder that tests keep files in, gone when they are done.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <vector>

namespace vitro::dispatch::testing {

struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string name = ::testing::TempDir() + "vitro_XXXXXX";
    path = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> all;
    for (const auto& e : std::filesystem::directory_iterator(path)) all.push_back(e.path());
    return all;
  }
};

}  // namespace vitro::dispatch::testing
