// Draws scenes with OpenGL and writes what came of them into a file, so that two drivers can be compared.
//   graphics_gl RENDERER SHADERS RESULTS [SCENE...]      --list: the scenes' names
// A scene that fails says why on standard error; the others go on, each in a context of its own.
#include <algorithm>

#include "context.h"

int main(int argc, char** argv) {
  using namespace graphics;
  std::vector<Scene> scenes;
  for (const auto& some : {drawing_scenes(), texture_scenes(), target_scenes(), work_scenes()})
    scenes.insert(scenes.end(), some.begin(), some.end());
  if (argc == 2 && std::string(argv[1]) == "--list") {
    for (const Scene& s : scenes) std::puts(s.name);
    return 0;
  }
  if (argc < 4) return std::fprintf(stderr, "usage: %s RENDERER SHADERS RESULTS [SCENE...]\n", argv[0]), 2;
  int failures = 0;
  try {
    Results results(argv[3]);
    for (const Scene& s : scenes) {
      if (argc > 4 && std::find(argv + 4, argv + argc, std::string(s.name)) == argv + argc) continue;
      try {
        open_context(argv[1], argv[2]);
        results.begin(s.name);
        s.draw(results);
        if (const GLenum e = glGetError()) throw std::runtime_error("GL error " + std::to_string(e));
      } catch (const std::exception& e) {
        std::fprintf(stderr, "%s: %s\n", s.name, e.what());
        ++failures;
      }
      close_context();
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
  return failures ? 1 : 0;
}
