// A folder that tests keep files in, gone when they are done.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace vitro {

struct TemporaryFolder {
  std::filesystem::path path;
  TemporaryFolder() {
    std::string name = ::testing::TempDir() + "vitro_" + std::string(6, 'X');  // as mkdtemp() wants it
    if (!mkdtemp(name.data())) throw std::system_error(errno, std::generic_category(), name);
    path = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> all;
    for (const auto& e : std::filesystem::directory_iterator(path)) all.push_back(e.path());
    return all;
  }
};

}  // namespace vitro
