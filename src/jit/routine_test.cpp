// Three opinions on sampler messages: the reference in plain words, the host's eight lanes and compiled routines answer
// alike, and so does the general way, lane by lane. Messages are drawn at random: formats, tilings, kinds of surfaces,
// samplers, headers and coordinates (no numbers, infinite ones and far ones among them). Any NaN equals any other.
// VITRO_JIT_SECONDS says for how long, VITRO_JIT_SEED from where on. PRM: as shared/sampler/sample_lanes.h.
#include "jit/compile.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "base/host_floats.h"
#include "dispatch/tier.h"
#include "shared/sampler/random_message_test.h"
#include "shared/sampler/reference_test.h"

namespace vitro::shared {
namespace {

using test::Chance;

bool is_nan(uint32_t v) { return (v & 0x7FFFFFFF) > 0x7F800000; }

struct Counts {
  unsigned messages = 0, routines = 0;
  unsigned indifferent = 0;  // to denormals
  unsigned probes = 0;       // lanes that take several
};

// One generation's engines in front of the same guest.
struct Opinions {
  const SamplerEngineLayout& layout;
  Guest guest;
  unsigned made = 0;
  std::unique_ptr<code::Routines> routines{};
  unsigned made_before = 0;
  std::unique_ptr<Bindings> bindings{};
  Environment with_code;
  SamplingEngine general, host, compiled;

  explicit Opinions(const SamplerEngineLayout& l)
      : layout(l), guest(l.surface), general(l, guest.environment), host(l, guest.environment), compiled(l, with_code) {
    general.routines = false;
    start_routines();
  }

  // A process keeps so many routines and no more: a long run begins anew before that.
  void start_routines() {
    made_before = made;
    routines = std::make_unique<code::Routines>(
        1, [this](code::Routine& r) { made += load(r, jit::generate_routine(r.key)); });
  }
  void keep_routines_few() {
    if (made - made_before < 1000) return;
    bindings = {};
    start_routines();
  }

  void compare(Chance& chance, size_t form, Counts& counts);
};

void Opinions::compare(Chance& chance, size_t form, Counts& counts) {
  state::Surface surface = test::random_surface(chance, true);
  if (surface.type != state::SurfaceType::buffer && chance.one_in(2)) surface.mip_count = uint8_t(chance.below(5));
  if (chance.one_in(4)) test::make_cube(chance, surface);
  if (chance.one_in(8)) surface.resource_min_lod = uint16_t(chance.below(700));
  const state::Sampler drawn = test::random_sampler(chance);
  guest.set_surface(1, surface);
  std::array<float, 4> border;
  for (float& b : border) b = float(chance.below(1000)) / 500 - 0.5f;
  guest.set_sampler(layout.sampler, 0, drawn, border);
  with_code = guest.environment;
  with_code.routines = routines.get();
  bindings = std::make_unique<Bindings>();
  with_code.bindings = bindings.get();
  const isa::MessageRow& row = test::random_row(chance, layout);
  const bool loads = row.shape.action == isa::MessageAction::load;

  std::array<std::array<uint32_t, 8>, parameter_count> sent{};
  std::vector<uint32_t> payload;
  const uint32_t height = std::max(surface.height_less_1, surface.depth_less_1) + 1, depth = surface.depth_less_1 + 1;
  for (const Parameter p : row.sampler.parameters) {
    if (p == Parameter::none) break;
    const bool level = p == Parameter::lod || p == Parameter::mlod || p == Parameter::bias || p == Parameter::si;
    const uint32_t size = p == Parameter::u ? surface.width_less_1 + 1 : p == Parameter::v ? height : depth;
    const bool part = (p == Parameter::u || p == Parameter::v) && !drawn.non_normalized;
    for (uint32_t& v : sent[size_t(p)]) {
      if (loads)
        v = level ? (chance.one_in(3) ? chance.below(4) : 0) : test::random_integer(chance, size);
      else if (level)
        v = bits_of(chance.one_in(10) ? test::random_coordinate(chance, 3) : float(chance.below(1500)) / 256 - 1);
      else
        v = bits_of(test::random_coordinate(chance, part ? 1 : float(size)));
    }
    if (!loads && !level && chance.one_in(2))
      test::make_smooth(chance, std::span(sent[size_t(p)]), part ? 1 : float(size));
    payload.insert(payload.end(), sent[size_t(p)].begin(), sent[size_t(p)].end());
  }
  uint32_t desc = test::descriptor_of(layout, row, 8), header = 0;
  if (chance.one_in(3)) {
    header = chance.bits() & 0xFF0;
    payload.insert(payload.begin(), {0, 0, header, sampler_table, 0, 0, 0, 0});
    desc |= 1u << 19;
  }
  const uint32_t channels = chance.one_in(3) ? chance.bits() : 0xFF;
  std::array<std::array<uint32_t, 32>, 3> answers;
  SamplingEngine* const engines[] = {&general, &host, &compiled};
  std::string reason;
  for (size_t n = 0; n < 3; ++n) {
    answers[n].fill(0xDDDDDDDD);
    const eu::Reply reply = run_sampler_message(*engines[n],
                                                {.desc = desc,
                                                 .channels = channels,
                                                 .payload = std::as_bytes(std::span(payload)),
                                                 .response = std::as_writable_bytes(std::span(answers[n]))},
                                                reason);
    ASSERT_TRUE(reply == eu::Reply::done || n == 0) << reason;
    if (reply != eu::Reply::done) return;
  }
  ++counts.messages;
  const bool is_routine =
      !bindings->sites.all([](const SamplerSite& s) { return !s.routine || !s.routine->code.load(); });
  counts.routines += is_routine;
  // Compiled code calls those that do not depend on it with denormals flushed.
  const bool indifferent =
      is_routine && !bindings->sites.all([](const SamplerSite& s) { return s.key.keeps_denormals(); });
  if (indifferent) {
    ++counts.indifferent;
    std::array<uint32_t, 32> again;
    again.fill(0xDDDDDDDD);
    {
      const HostFloats flushing(HostFloats::nearest | HostFloats::flush);
      run_sampler_message(compiled,
                          {.desc = desc,
                           .channels = channels,
                           .payload = std::as_bytes(std::span(payload)),
                           .response = std::as_writable_bytes(std::span(again))},
                          reason);
    }
    ASSERT_EQ(again, answers[2]) << row.name << " with denormals flushed";
  }

  const Image image = resolve(through(layout.surface, surface));
  const ResolvedSampler& resolved = host.sampler_at(host.sampler_address(row, desc, sampler_table), image.format);
  const state::Sampler& s = resolved.state;
  const bool still = image.is_cube() && !loads;  // offsets move nothing
  const reference::Message message{
      guest.view,
      image,
      s,
      resolved.border,
      flushes_denormals(layout, *image.format),
      {still ? 0 : eu::signed_field(header, {11, 8}), still ? 0 : eu::signed_field(header, {7, 4})},
      row.sampler.compare};
  for (unsigned lane = 0; lane < 8; ++lane) {
    std::optional<formats::Rgba> want;
    const auto number = [&](Parameter p) { return float_of(sent[size_t(p)][lane]); };
    const auto bits = [&](Parameter p) { return sent[size_t(p)][lane]; };
    if (is_routine && loads) {
      want = message.load(bits(Parameter::u), bits(Parameter::v), bits(Parameter::r), bits(Parameter::lod));
    } else if (is_routine) {
      using enum Parameter;
      const auto vector = [&](Parameter x, Parameter y, Parameter z) {
        return reference::Vector{number(x), number(y), number(z)};
      };
      const reference::Vector at = vector(u, v, r);
      reference::Message::Pixel pixel;
      if (row.sampler.lod == LodSource::explicit_) pixel.lod = number(Parameter::lod);
      if (row.sampler.lod == LodSource::gradients)
        pixel = message.pixel(at, vector(dudx, dvdx, drdx), vector(dudy, dvdy, drdy));
      if (row.sampler.lod == LodSource::implicit || row.sampler.lod == LodSource::biased) {
        reference::Vector dx, dy;
        const Parameter axes[] = {u, v, r};
        for (size_t n = 0; n < 3; ++n) {
          const auto of = [&](unsigned k) { return float_of(sent[size_t(axes[n])][lane / 4 * 4 + k]); };
          dx[n] = of(1) - of(0), dy[n] = of(2) - of(0);
        }
        pixel = message.pixel(at, dx, dy);
      }
      const float biased = row.sampler.lod == LodSource::biased ? number(bias) : 0;
      pixel.lod += std::clamp(s.lod_bias + biased, -16.0f, 15.996f);
      counts.probes += unsigned(pixel.probes > 1);
      want = message.sample(at[0], at[1], at[2], pixel, std::max(image.resource_min_lod, number(mlod)), number(ai),
                            number(ref));
    }
    for (unsigned c = 0; c < 4; ++c) {
      const auto select = size_t(image.selects[c]);
      uint32_t expected = answers[0][c * 8 + lane];
      if (want && (channels >> lane & 1))
        expected = select >= 4 ? (*want)[select - 4] : select == 1 ? image.format->one() : 0;
      const uint32_t got = answers[form][c * 8 + lane];
      ASSERT_TRUE(got == expected || (is_nan(got) && is_nan(expected)))
          << row.name << " of " << image.format->name << " " << image.level(0).width << "x" << image.level(0).height
          << ", lane " << lane << ", channel " << c << std::hex << ": " << got << ", not " << expected;
    }
  }
}

// Loads of samples: the general way, the host's lanes and compiled code.
TEST(SampleRoutines, AnswerAsTheGeneralWayDoes) {
  Opinions gen8(sampler_engine_gen8), gen9(sampler_engine_gen9);
  Chance chance(9);
  unsigned made = 0;
  for (unsigned n = 0; n < 150; ++n)
    for (Opinions* o : {&gen8, &gen9}) {
      if (n % 50 == 0) test::fill_texture(chance, o->guest);
      const state::Surface s = test::random_multisampled(chance, o->layout);
      o->guest.set_surface(1, s);
      o->with_code = o->guest.environment;
      o->with_code.routines = o->routines.get();
      o->bindings = std::make_unique<Bindings>();
      o->with_code.bindings = o->bindings.get();
      const isa::MessageRow& row = test::random_sample_row(chance, o->layout);
      const std::vector<uint32_t> payload = test::random_sample_payload(chance, row, s, 8);
      std::array<std::array<uint32_t, 32>, 3> answers;
      SamplingEngine* const engines[] = {&o->general, &o->host, &o->compiled};
      std::string reason;
      bool done = true;
      for (size_t k = 0; k < 3; ++k) {
        answers[k].fill(0xDDDDDDDD);
        done &= run_sampler_message(*engines[k],
                                    {.desc = test::descriptor_of(o->layout, row, 8),
                                     .channels = 0xFF,
                                     .payload = std::as_bytes(std::span(payload)),
                                     .response = std::as_writable_bytes(std::span(answers[k]))},
                                    reason) == eu::Reply::done;
      }
      if (!done) continue;
      ASSERT_EQ(answers[0], answers[1]) << row.name;
      ASSERT_EQ(answers[0], answers[2]) << row.name;
      made += !o->bindings->sites.all([](const SamplerSite& site) { return !site.routine || !site.routine->code; });
    }
  EXPECT_GT(made, 60u);
}

constexpr std::array form_names{"LaneByLane", "Host", "Compiled"};
class Routines : public testing::TestWithParam<size_t> {};

TEST_P(Routines, AnswerAsTheReferenceDoes) {
  const char *seconds = std::getenv("VITRO_JIT_SECONDS"), *seed = std::getenv("VITRO_JIT_SEED");
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  Opinions gen6(sampler_engine_gen6), gen8(sampler_engine_gen8), gen9(sampler_engine_gen9);
  Chance chance(seed ? unsigned(std::atoll(seed)) : 7);
  Counts counts;
  for (unsigned n = 0; seconds ? elapsed() < std::atof(seconds) : n < 300; ++n)
    for (Opinions* o : {&gen6, &gen8, &gen9}) {
      if (n % 500 == 0) test::fill_texture(chance, o->guest);
      SCOPED_TRACE(n);
      o->keep_routines_few();
      o->compare(chance, GetParam(), counts);
      if (testing::Test::HasFatalFailure()) return;
    }
  const unsigned made = gen6.made + gen8.made + gen9.made;
  std::printf("%u messages, %u by routines, of which %u were compiled, %u in both modes, %u lanes of several probes\n",
              counts.messages, counts.routines, made, counts.indifferent, counts.probes);
  EXPECT_GT(counts.routines, counts.messages / 4);
  EXPECT_GT(counts.indifferent, counts.messages / 32);
  EXPECT_GT(counts.probes, counts.messages / 8);
}

INSTANTIATE_TEST_SUITE_P(EveryForm, Routines, testing::Range(size_t{0}, form_names.size()),
                         [](const auto& form) { return form_names[form.param]; });

// The folder is gone when the test is over.
struct Folder {
  std::string name = std::string(std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "/tmp") + "/vitro-routines-XXXXXX";
  Folder() { EXPECT_NE(mkdtemp(name.data()), nullptr); }
  ~Folder() { std::filesystem::remove_all(name); }
};

TEST(KeptRoutines, AreCompiledOnce) {
  const Folder folder;
  const SampleKey key{.surface = {.texel = formats::texel_layout(*formats::find("R8G8B8A8_UNORM"))}, .loads = 1};
  const auto bytes = std::as_bytes(std::span(&key, 1));
  unsigned compiled = 0;
  const auto compile = [&](std::span<const std::byte> order) {
    ++compiled;
    return jit::generate(*code::to_order(order));
  };
  for (unsigned start = 0; start < 2; ++start) {
    dispatch::Tier tier({.tiering = dispatch::Tiering::on, .device = "kbl", .store = folder.name}, compile);
    for (unsigned time = 0; time < 3; ++time) {
      code::Routine* const routine = tier.routines()->find(bytes);
      tier.routines()->used(*routine, 1);
      EXPECT_TRUE(routine->code.load());
    }
    EXPECT_EQ(compiled, 1u);
  }
  EXPECT_EQ(dispatch::Tier({.tiering = dispatch::Tiering::off}).routines(), nullptr);
  EXPECT_TRUE(jit::generate_routine(bytes.first(3)).empty());
}

}  // namespace
}  // namespace vitro::shared
