// Draws scenes with Vulkan and writes what came of them into a file, so that two drivers can be compared.
//   graphics_vulkan DEVICE SHADERS RESULTS [SCENE...]      --list: the scenes' names
// A scene that fails says why on standard error; the others go on, each on a device of its own.
#include <algorithm>

#include "context.h"

int main(int argc, char** argv) {
  using namespace graphics;
  std::vector<Scene> scenes;
  for (const auto& some : {drawing_scenes(), texture_scenes(), target_scenes()})
    scenes.insert(scenes.end(), some.begin(), some.end());
  if (argc == 2 && std::string(argv[1]) == "--list") {
    for (const Scene& s : scenes) std::puts(s.name);
    return 0;
  }
  if (argc < 4) return std::fprintf(stderr, "usage: %s DEVICE SHADERS RESULTS [SCENE...]\n", argv[0]), 2;
  int failures = 0;
  try {
    Results results(argv[3]);
    for (const Scene& s : scenes) {
      if (argc > 4 && std::find(argv + 4, argv + argc, std::string(s.name)) == argv + argc) continue;
      try {
        open_device(argv[1], argv[2]);
        results.begin(s.name);
        s.draw(results);
      } catch (const std::exception& e) {
        std::fprintf(stderr, "%s: %s\n", s.name, e.what());
        ++failures;
      }
      close_device();
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
  return failures ? 1 : 0;
}
