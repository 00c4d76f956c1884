// Orders, and the function that the library exports. PRM: none.
#include "jit/compile.h"

#include <cstring>

#include "code/build.h"
#include "code/compiler.h"
#include "gen/machine.h"
#include "gen/models.h"

namespace vitro::jit {

Options options_of(const code::Order& order) {
  return {.mode = order.mode,
          .chain = order.chain,
          .fused = order.fused,
          .all_wait = false,
          .carries_messages = true,
          .all_registers = order.all_registers,
          .exact_nans = order.exact_nans,
          .counts_carried = order.counts_messages,
          .name = order.name,
          .dump_path = order.dump_path};
}

std::vector<std::byte> generate(const code::Order& order) {
  if (!order.routine.empty()) return generate_routine(order.routine);
  const gen::Device* const device = gen::find_device(order.device);
  if (!device) return {};
  return generate(Program(gen::machine(*device).model, order.kernel), options_of(order));
}

std::shared_ptr<const Compiled> compile(const Program& program, const Options& options) {
  return load(program, generate(program, options));
}

}  // namespace vitro::jit

extern "C" [[gnu::visibility("default")]] bool vitro_jit_compile(const char* build, const std::byte* order,
                                                                 size_t count,
                                                                 void (*take)(void*, const std::byte*, size_t),
                                                                 void* context) {
  using namespace vitro;
  static_assert(std::is_same_v<decltype(vitro_jit_compile), code::Compile>);
  if (std::strcmp(build, code::build_name()) != 0) return false;  // what is laid out differently cannot be read
  const std::optional<code::Order> wanted = code::to_order({order, count});
  const std::vector<std::byte> image = wanted ? jit::generate(*wanted) : std::vector<std::byte>();
  if (!image.empty()) take(context, image.data(), image.size());
  return !image.empty();
}
