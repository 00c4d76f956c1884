// Sampler messages carried out as routines answer as the general way does: both get the same messages, made by chance
// from formats, tilings, kinds of surfaces, samplers, headers and coordinates (no numbers, infinite ones and far ones
// among them). Filtered texels that are no numbers need only be none on both ways.
#include "shared/sampler/site.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "shared/sampler/call.h"
#include "shared/sampler/random_message_test.h"

namespace vitro::shared {
namespace {

using state::AddressMode;
using test::Chance;

struct Pair {
  Guest guest;
  SamplingEngine routines, general;
  explicit Pair(const SamplerEngineLayout& l)
      : guest(l.surface), routines(l, guest.environment), general(l, guest.environment) {
    general.routines = false;
  }
  bool was_routine() const {
    return !guest.bindings->sites.all([](const SamplerSite& s) { return !s.run; });
  }
};

std::vector<uint32_t> random_payload(Chance& chance, const isa::MessageRow& row, const state::Surface& s, bool unit,
                                     unsigned lanes) {
  std::vector<uint32_t> out;
  unsigned last = 0;
  while (last < row.sampler.parameters.size() && row.sampler.parameters[last] != Parameter::none) ++last;
  if (chance.one_in(4)) last = 1 + chance.below(last);
  for (unsigned n = 0; n < last; ++n) {
    const Parameter p = row.sampler.parameters[n];
    const uint32_t size = p == Parameter::u   ? s.width_less_1 + 1
                          : p == Parameter::v ? std::max(s.height_less_1, s.depth_less_1) + 1
                                              : s.depth_less_1 + 1;
    const bool coordinate = p == Parameter::u || p == Parameter::v;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      const bool level = p == Parameter::lod || p == Parameter::si;
      if (row.shape.action == isa::MessageAction::load)
        out.push_back(level ? (chance.one_in(6) ? chance.below(3) : 0) : random_integer(chance, size));
      else
        out.push_back(bits_of(random_coordinate(chance, coordinate && unit ? 1 : float(size))));
    }
    if (row.shape.action == isa::MessageAction::sample && chance.one_in(2))
      test::make_smooth(chance, std::span(out).last(lanes), coordinate && unit ? 1 : float(size));
  }
  return out;
}

bool is_nan(uint32_t v) { return (v & 0x7FFFFFFF) > 0x7F800000; }

void compare(Chance& chance, Pair& pair, unsigned& routines) {
  const SamplerEngineLayout& l = pair.routines.layout;
  state::Surface surface = test::random_surface(chance, true);
  if (chance.one_in(4)) test::make_cube(chance, surface);
  const state::Sampler sampler = test::random_sampler(chance);
  pair.guest.set_surface(1, surface);
  std::array<float, 4> border;
  for (float& b : border) b = float(chance.below(1000)) / 500 - 0.5f;
  pair.guest.set_sampler(l.sampler, 0, sampler, border);
  const isa::MessageRow& row = test::random_row(chance, l);
  const unsigned lanes = chance.one_in(2) ? 16 : 8;
  std::vector<uint32_t> payload = random_payload(chance, row, surface, !sampler.non_normalized, lanes);
  uint32_t desc = test::descriptor_of(l, row, lanes);
  if (chance.one_in(2)) {
    std::array<uint32_t, 8> header{};
    header[2] = chance.one_in(2) ? chance.bits() & 0xFFFF : chance.bits() & 0xF000;
    if (chance.one_in(16)) header[2] |= 1u << 23;
    header[3] = sampler_table;
    payload.insert(payload.begin(), header.begin(), header.end());
    desc |= 1u << 19;
  }
  const uint32_t channels = chance.one_in(3) ? chance.bits() : 0xFFFF;
  const size_t cut = chance.below(uint32_t(payload.size() / 8 + 1)) * 32, room = 1 + chance.below(8);
  const auto bytes = std::as_bytes(std::span(payload));
  std::array<std::vector<uint32_t>, 2> answers;
  std::array<eu::Reply, 2> replies{};
  std::array<std::string, 2> reasons;
  for (size_t way = 0; way < 2; ++way) {
    answers[way].assign(room * 8, 0xDDDDDDDD);
    replies[way] = run_sampler_message(way ? pair.general : pair.routines,
                                       {.desc = desc,
                                        .channels = channels,
                                        .payload = bytes.first(cut),
                                        .second = bytes.subspan(cut),
                                        .response = std::as_writable_bytes(std::span(answers[way]))},
                                       reasons[way]);
  }
  const std::string what = fmt::format("{} of {} texels {}x{}", row.name, formats::find(surface.format)->name,
                                       surface.width_less_1 + 1, surface.height_less_1 + 1);
  ASSERT_EQ(replies[0], replies[1]) << what;
  ASSERT_EQ(reasons[0], reasons[1]) << what;
  const bool filters =
      row.shape.action == isa::MessageAction::sample &&
      (sampler.min_filter != state::MapFilter::nearest || sampler.mag_filter != state::MapFilter::nearest);
  for (size_t n = 0; n < room * 8; ++n) {
    if (filters && is_nan(answers[0][n]) && is_nan(answers[1][n])) continue;
    ASSERT_EQ(answers[0][n], answers[1][n]) << what << ", dword " << n << " of the response";
  }
  routines += pair.was_routine();
}

TEST(SamplerSites, answer_as_the_general_way_does) {
  for (const SamplerEngineLayout* l : {&sampler_engine_gen6, &sampler_engine_gen8, &sampler_engine_gen9}) {
    Chance chance(7);
    Pair pair(*l);
    unsigned routines = 0;
    constexpr unsigned times = 12000;
    for (unsigned n = 0; n < times; ++n) {
      if (n % 1000 == 0) test::fill_texture(chance, pair.guest);
      SCOPED_TRACE(n);
      compare(chance, pair, routines);
      if (testing::Test::HasFatalFailure()) return;
    }
    EXPECT_GT(routines, times / 5);
  }
}

TEST(SamplerSites, load_samples_as_the_general_way_does) {
  for (const SamplerEngineLayout* l : {&sampler_engine_gen8, &sampler_engine_gen9}) {
    Chance chance(8);
    Pair pair(*l);
    unsigned routines = 0;
    constexpr unsigned times = 4000;
    for (unsigned n = 0; n < times; ++n) {
      if (n % 500 == 0) test::fill_texture(chance, pair.guest);
      const state::Surface s = test::random_multisampled(chance, *l);
      pair.guest.set_surface(1, s);
      const isa::MessageRow& row = test::random_sample_row(chance, *l);
      const unsigned lanes = chance.one_in(2) ? 16 : 8;
      const std::vector<uint32_t> payload = test::random_sample_payload(chance, row, s, lanes);
      std::array<std::vector<uint32_t>, 2> answers;
      std::array<eu::Reply, 2> replies{};
      std::string reason;
      for (size_t way = 0; way < 2; ++way) {
        answers[way].assign(64, 0xDDDDDDDD);
        replies[way] = run_sampler_message(way ? pair.general : pair.routines,
                                           {.desc = test::descriptor_of(*l, row, lanes),
                                            .channels = 0xFFFF,
                                            .payload = std::as_bytes(std::span(payload)),
                                            .response = std::as_writable_bytes(std::span(answers[way]))},
                                           reason);
      }
      ASSERT_EQ(replies[0], replies[1]) << reason;
      ASSERT_EQ(answers[0], answers[1]) << n << ": " << row.name << " of " << formats::find(s.format)->name;
      routines += pair.was_routine();
    }
    EXPECT_GT(routines, times / 4);
  }
}

TEST(SamplerSites, leave_strict_memory_to_the_general_way) {
  Pair pair(sampler_engine_gen9);
  memory::View strict(pair.guest.space.table(), true);
  pair.guest.environment.memory = &strict;
  state::Surface s = plain_2d("R32_FLOAT", 8, 4, 64);
  pair.guest.set_surface(1, s);
  pair.guest.set_sampler(pair.routines.layout.sampler, 0, state::Sampler{});
  std::array<uint32_t, 16> payload{}, response{};
  std::string reason;
  const SamplerRequest request{.desc = 1 | 0x18u << 12 | 1u << 17,
                               .channels = 0xFF,
                               .payload = std::as_bytes(std::span(payload)),
                               .response = std::as_writable_bytes(std::span(response))};
  EXPECT_EQ(run_sampler_message(pair.routines, request, reason), eu::Reply::done);
  EXPECT_FALSE(pair.was_routine());
}

TEST(SamplerSites, leave_surfaces_that_are_not_mapped_as_a_whole_to_the_general_way) {
  Pair pair(sampler_engine_gen9);
  state::Surface s = plain_2d("R32_FLOAT", 8, 4, 64);
  s.base = guest_base + guest_bytes - 128;  // two of its rows
  pair.guest.set_surface(1, s);
  state::Sampler sampler;
  sampler.non_normalized = true, sampler.tcx = sampler.tcy = AddressMode::clamp;
  pair.guest.set_sampler(pair.routines.layout.sampler, 0, sampler);
  pair.guest.view.store<float>(s.base + 64, 5.0f);
  std::array<uint32_t, 16> payload{}, response{};
  for (size_t n = 0; n < 8; ++n) payload[8 + n] = bits_of(float(n) + 0.5f);
  std::string reason;
  const SamplerRequest request{.desc = 1 | 0x18u << 12 | 1u << 17,
                               .channels = 0xFF,
                               .payload = std::as_bytes(std::span(payload)),
                               .response = std::as_writable_bytes(std::span(response))};
  ASSERT_EQ(run_sampler_message(pair.routines, request, reason), eu::Reply::done);
  EXPECT_FALSE(pair.was_routine());
  EXPECT_EQ(response[1], bits_of(5.0f));
  EXPECT_EQ(response[2], 0u);
}

}  // namespace
}  // namespace vitro::shared
