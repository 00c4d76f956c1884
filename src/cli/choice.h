// Options whose value is one of some words, which help, pages and messages list as they are typed.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

namespace vitro::cli {

template <class T>
CLI::Option* add_choice(CLI::App& app, const std::string& name, T& value, std::vector<std::pair<std::string, T>> words,
                        const std::string& description) {
  std::vector<std::string> names;
  for (const auto& [word, meaning] : words) names.push_back(word);
  const auto set = [words = std::move(words), &value](const std::string& typed) {
    for (const auto& [word, meaning] : words)
      if (word == typed) value = meaning;
  };
  return app.add_option_function<std::string>(name, set, description)
      ->transform(CLI::IsMember(names, CLI::ignore_case));  // to the word's own case
}

}  // namespace vitro::cli
