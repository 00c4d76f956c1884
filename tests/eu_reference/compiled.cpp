// Gives the machine its compiler, where there is one.
#include "jit/compile.h"
#include "machine.h"

namespace vitro::reference {
namespace {

[[maybe_unused]] const bool given = [] {
  compile_program = [](const eu::Program& program, bool keep_denormals) {
    return jit::compile(program, {.mode = {keep_denormals, keep_denormals, keep_denormals}});
  };
  return true;
}();

}  // namespace
}  // namespace vitro::reference
