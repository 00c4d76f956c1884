// What changes between two walkers of one batch is seen by the second: whatever is kept from one dispatch to the next
// must give way to what memory says by then. Each test runs a batch with two walkers and something between them that
// changes state, interpreted and compiled, on one worker and on two. PRM: Gen8 vol 2a; the packets are written by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "../faults/commands.h"
#include "device/device.h"
#include "gen/models.h"
#include "isa/assemble.h"

namespace vitro::device {
namespace {

using faults::Words, faults::operator+, faults::store_dword;

constexpr uint64_t state_at = 0x10000, second_at = 0x20000, first_at = 0x100000, other_at = 0x200000,
                   image_at = 0x300000, batch_at = 0x400000;
constexpr uint32_t heap_bytes = 0x10000;
// In the heap: offsets. Bindings: 0 the target, 1 the heap itself, 2 an image.
constexpr uint32_t descriptor = 0x400, samplers = 0x600, border = 0x640, curbe = 0x800, surfaces = 0x2000,
                   bindings = 0x2800, kernel = 0x4000, other_kernel = 0x5000;

std::string end_of_kernel() {
  return "(W) mov (8|M0) r127.0<1>:ud r0.0<8;8,1>:ud\n" + std::string(faults::end_of_thread);
}
// A register to so many bytes behind the start of what is bound.
std::string write_register(int reg, uint32_t offset, uint32_t binding) {
  return fmt::format(
      "(W) mov (8|M0) r30.0<1>:ud 0:ud\n"
      "(W) mov (1|M0) r30.2<1>:ud {}:ud\n"
      "(W) mov (8|M0) r31.0<1>:ud r{}.0<8;8,1>:ud\n"
      "(W) send (8|M0) null r30 0xA {:#x}\n",
      offset / 16, reg, 0x040A0200 | binding);
}
std::string write_value(uint32_t value) {
  return fmt::format("(W) mov (8|M0) r20.0<1>:ud {}:ud\n", value) + write_register(20, 0, 0);
}

// Interpreted or compiled, by so many workers.
class StateChanges : public ::testing::TestWithParam<std::tuple<dispatch::Tiering, unsigned>> {
 protected:
  const gen::Device& kind = *gen::find_device("kbl");
  Device device{kind, {.workers = std::get<1>(GetParam()), .tier = {.tiering = std::get<0>(GetParam())}}};
  std::shared_ptr<Context> context = device.create_context();
  std::vector<std::byte> heap = std::vector<std::byte>(heap_bytes), second = heap, first = heap, other = heap,
                         image = heap, batch = heap;
  uint32_t groups = 1;

  StateChanges() {
    put(heap, descriptor,
        faults::interface_descriptor({.kernel = kernel,
                                      .bindings = bindings,
                                      .samplers = samplers,
                                      .curbe_registers = 1,
                                      .cross_thread_registers = 1}));
    put(heap, surfaces, faults::raw_buffer(first_at, heap_bytes));
    put(heap, surfaces + 64, faults::raw_buffer(state_at, heap_bytes));
    put(heap, surfaces + 128, faults::image(image_at, 4, 4));
    put(heap, bindings, {surfaces, surfaces + 64, surfaces + 128});
    put(heap, curbe, Words(16, 5));
  }
  static void put(std::vector<std::byte>& to, size_t at, const Words& words) {
    std::memcpy(to.data() + at, words.data(), words.size() * 4);
  }
  Words assembled(const std::string& text) const {
    const isa::Assembly a = isa::assemble(kind.model(), text, {.validate = false});
    for (const isa::Diagnostic& d : a.diagnostics) ADD_FAILURE() << isa::render("test", text, d, false);
    Words words(a.code.size() / 4);
    std::memcpy(words.data(), a.code.data(), a.code.size());
    return words;
  }
  void use(const std::string& text, size_t at = kernel) { put(heap, at, assembled(text)); }

  Words bases(uint64_t all) const { return faults::base_addresses(faults::dialects[1], {0, all, all, all, all}); }
  Words set_up() const {
    return Words{faults::dialects[1].select_gpgpu} + bases(state_at) + faults::vfe_state() +
           faults::curbe_load(64, curbe) + faults::descriptor_load(32, descriptor);
  }
  Words walk() const { return faults::walker({.x = groups}) + faults::media_flush(); }
  static Words stores(uint64_t at, const Words& words) {
    Words all;
    for (size_t n = 0; n < words.size(); ++n) all = all + store_dword(at + 4 * n, words[n]);
    return all;
  }
  void run(const Words& commands) {
    const Words all = commands + faults::end();
    ASSERT_LE(all.size() * 4, batch.size());
    put(batch, 0, all);
    std::vector<memory::Range> ranges;
    for (auto& [at, bytes] : {std::pair(state_at, &heap),
                              {second_at, &second},
                              {first_at, &first},
                              {other_at, &other},
                              {image_at, &image},
                              {batch_at, &batch}})
      ranges.push_back({.start = at, .bytes = bytes->size(), .host = bytes->data()});
    const auto table = std::make_shared<memory::Table>(std::move(ranges));
    const auto fault = device.run(*context, {.ppgtt = table, .ggtt = table, .address = batch_at});
    ASSERT_FALSE(fault) << device::to_text(*fault);
  }
  static uint32_t at(const std::vector<std::byte>& from, size_t offset = 0) {
    uint32_t v;
    std::memcpy(&v, from.data() + offset, 4);
    return v;
  }
  // The first walker wrote 5 to one buffer, and the second to another.
  void expect_both() {
    EXPECT_EQ(at(first), 5u);
    EXPECT_EQ(at(other), 5u);
  }
};

TEST_P(StateChanges, SurfaceStateByACommand) {
  use(write_value(5) + end_of_kernel());
  run(set_up() + walk() + walk() + store_dword(state_at + surfaces + 32, other_at) + walk());
  expect_both();
}
// Every group does, and whichever worker ran the first ones runs the others.
TEST_P(StateChanges, SurfaceStateByACommandForManyGroups) {
  use(write_value(5) + end_of_kernel());
  groups = 5000;
  run(set_up() + walk() + walk() + stores(first_at, {0}) + store_dword(state_at + surfaces + 32, other_at) + walk());
  EXPECT_EQ(at(first), 0u);
  EXPECT_EQ(at(other), 5u);
}
TEST_P(StateChanges, SurfaceStateByThreads) {
  use("(W) mov (8|M0) r21.0<1>:ud 0:ud\n" + fmt::format("(W) mov (1|M0) r21.0<1>:ud {}:ud\n", other_at) +
      write_value(5) + write_register(21, surfaces + 32, 1) + end_of_kernel());
  run(set_up() + walk() + walk());
  expect_both();
}
TEST_P(StateChanges, BindingTableByACommand) {
  put(heap, surfaces + 192, faults::raw_buffer(other_at, heap_bytes));
  use(write_value(5) + end_of_kernel());
  run(set_up() + walk() + store_dword(state_at + bindings, surfaces + 192) + walk());
  expect_both();
}
TEST_P(StateChanges, ConstantsByACommand) {
  use(write_register(1, 0, 0) + end_of_kernel());
  run(set_up() + walk() + store_dword(state_at + curbe, 6) + walk());
  EXPECT_EQ(at(first), 6u);
}
TEST_P(StateChanges, ConstantsByThreads) {
  use("(W) add (8|M0) r20.0<1>:ud r1.0<8;8,1>:ud 1:ud\n" + write_register(20, 0, 0) + write_register(20, curbe, 1) +
      end_of_kernel());
  run(set_up() + walk() + walk() + walk());
  EXPECT_EQ(at(first), 8u);
}
TEST_P(StateChanges, InterfaceDescriptorByACommand) {
  use(write_value(5) + end_of_kernel());
  use(write_value(7) + end_of_kernel(), other_kernel);
  run(set_up() + walk() + store_dword(state_at + descriptor, other_kernel) + walk());
  EXPECT_EQ(at(first), 7u);
}
TEST_P(StateChanges, KernelByACommand) {
  use(write_value(5) + end_of_kernel());
  run(set_up() + walk() + walk() + stores(state_at + kernel, assembled(write_value(7) + end_of_kernel())) + walk());
  EXPECT_EQ(at(first), 7u);
}
TEST_P(StateChanges, KernelByThreadsAndAnInvalidation) {
  // the first instruction of the next one, of which the second half of the register is the second
  const Words next = assembled(write_value(7) + write_value(7) + end_of_kernel());
  std::string text = write_value(5);
  for (int n = 0; n < 8; ++n) text += fmt::format("(W) mov (1|M0) r21.{}<1>:ud {:#x}:ud\n", n, next[size_t(n)]);
  use(text + write_register(21, kernel, 1) + end_of_kernel());
  const Words invalidation{0x7A000004, 1u << 20 | 1u << 11, 0, 0, 0, 0};
  run(set_up() + walk() + invalidation + walk());
  EXPECT_EQ(at(first), 7u);
}
TEST_P(StateChanges, KernelBetweenBatches) {
  use(write_value(5) + end_of_kernel());
  run(set_up() + walk());
  use(write_value(7) + end_of_kernel());
  run(walk());
  EXPECT_EQ(at(first), 7u);
}
TEST_P(StateChanges, MemoryBetweenBatches) {
  use(write_value(5) + end_of_kernel());
  run(set_up() + walk());
  std::swap(first, other);
  run(walk());
  expect_both();
}
TEST_P(StateChanges, BaseAddresses) {
  use(write_value(5) + end_of_kernel());
  second = heap;
  put(second, surfaces, faults::raw_buffer(other_at, heap_bytes));
  run(set_up() + walk() + bases(second_at) + walk());
  expect_both();
}
TEST_P(StateChanges, VfeState) {
  use(write_register(0, 0, 0) + end_of_kernel());  // r0.5 has the scratch space
  run(set_up() + walk() + faults::vfe_state({.scratch = 0x7000}) + walk());
  EXPECT_EQ(at(first, 5 * 4) & ~0x3FFu, 0x7000u);
}

// Texels 0 to 15, read outside of the image.
class SamplerChanges : public StateChanges {
 protected:
  static constexpr uint32_t wrapped = 0, bordered = 4 << 6 | 4 << 3 | 4;  // address modes
  SamplerChanges() {
    for (uint32_t n = 0; n < 16; ++n) put(image, n * 4, {n});
    put(heap, samplers, {0, 0, border, wrapped});
    put(heap, border, {99, 0, 0, 0});
    use("(W) mov (8|M0) r10.0<1>:f 1.625:f\n(W) mov (8|M0) r11.0<1>:f 0.125:f\n"
        "(W) send (8|M0) r20 r10 0x2 0x04420002\n" +
        write_register(20, 0, 0) + end_of_kernel());
  }
};
TEST_P(SamplerChanges, SamplerStateByACommand) {
  run(set_up() + walk() + stores(other_at, {1}));
  EXPECT_EQ(at(first), 2u);
  run(set_up() + walk() + store_dword(state_at + samplers + 12, bordered) + walk());
  EXPECT_EQ(at(first), 99u);
}
TEST_P(SamplerChanges, BorderColourByACommand) {
  put(heap, samplers + 12, {bordered});
  run(set_up() + walk() + store_dword(state_at + border, 98) + walk());
  EXPECT_EQ(at(first), 98u);
}
TEST_P(SamplerChanges, SurfaceStateByACommand) {
  for (uint32_t n = 0; n < 16; ++n) put(other, n * 4, {100 + n});
  run(set_up() + walk() + store_dword(state_at + surfaces + 128 + 32, other_at) + walk());
  EXPECT_EQ(at(first), 102u);
}

constexpr dispatch::Tiering compiled =
    dispatch::default_tiering == dispatch::Tiering::off ? dispatch::Tiering::off : dispatch::Tiering::on;
const auto all_ways =
    ::testing::Combine(::testing::Values(dispatch::Tiering::off, compiled), ::testing::Values(1u, 2u));
INSTANTIATE_TEST_SUITE_P(Both, StateChanges, all_ways);
INSTANTIATE_TEST_SUITE_P(Both, SamplerChanges, all_ways);

}  // namespace
}  // namespace vitro::device
