// Scenes of the pipeline's end and of draws among other work: blending, logic, stencil, multisampling, several targets,
// sRGB, integers, what pixel shaders can do, blits, queries, conditional rendering, compute.
#include "context.h"

namespace graphics {
namespace {

void blending(Results& r) {
  const Target t = target();
  begin(t);
  bind(pipeline({}), {});
  draw(scatter(80, 0.6f, 21));
  const Mesh above = scatter(40, 0.9f, 22);
  constexpr VkBlendFactor factors[] = {VK_BLEND_FACTOR_ZERO,           VK_BLEND_FACTOR_ONE,
                                       VK_BLEND_FACTOR_SRC_COLOR,      VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR,
                                       VK_BLEND_FACTOR_SRC_ALPHA,      VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
                                       VK_BLEND_FACTOR_DST_ALPHA,      VK_BLEND_FACTOR_SRC_ALPHA_SATURATE,
                                       VK_BLEND_FACTOR_CONSTANT_COLOR, VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA};
  for (int i = 0; i < 50; ++i) {
    State s;
    s.blend = {VK_TRUE,
               factors[i % 10],
               factors[i / 10 * 2 + 1],
               VkBlendOp(i % 5),
               VK_BLEND_FACTOR_ONE,
               factors[(i + 3) % 6],
               VkBlendOp(i / 10),
               15};
    scissor(i % 10 * 25, i / 10 * 38, 25, 38);
    bind(pipeline(s), {});
    draw(above);
  }
  end();
  save(r, "colour", t.colours[0]);
}

void logic(Results& r) {
  const Target t = target();
  begin(t);
  bind(pipeline({}), {});
  draw(scatter(80, 0.6f, 23));
  for (int i = 0; i < 16; ++i) {
    State s;
    s.logic = true, s.logic_operation = VkLogicOp(i);
    scissor(i % 4 * 64, i / 4 * 48, 64, 48);
    bind(pipeline(s), {});
    draw(scatter(30, 0.9f, 24));
  }
  end();
  save(r, "colour", t.colours[0]);
}

void dual_source(Results& r) {
  const Target t = target();
  State s;
  s.fragment = "dual.frag", s.blend.blendEnable = VK_TRUE;
  s.blend.srcColorBlendFactor = VK_BLEND_FACTOR_SRC1_COLOR,
  s.blend.dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR;
  begin(t);
  bind(pipeline(s), {});
  draw(scatter(60, 0.6f, 25));
  end();
  save(r, "colour", t.colours[0]);
}

void stencil(Results& r) {
  const Target t = target();
  begin(t);
  State s;
  s.depth.depthTestEnable = s.depth.stencilTestEnable = VK_TRUE, s.blend.colorWriteMask = 0;
  s.depth.front = {
      VK_STENCIL_OP_KEEP, VK_STENCIL_OP_INCREMENT_AND_WRAP, VK_STENCIL_OP_INVERT, VK_COMPARE_OP_ALWAYS, 0xFF, 0xFF, 3};
  s.depth.back = {VK_STENCIL_OP_REPLACE,
                  VK_STENCIL_OP_DECREMENT_AND_WRAP,
                  VK_STENCIL_OP_INCREMENT_AND_CLAMP,
                  VK_COMPARE_OP_NOT_EQUAL,
                  0x0F,
                  0xFF,
                  5};
  bind(pipeline(s), {});
  draw(scatter(80, 0.7f, 26));
  const VkCompareOp functions[] = {VK_COMPARE_OP_EQUAL, VK_COMPARE_OP_LESS, VK_COMPARE_OP_GREATER_OR_EQUAL,
                                   VK_COMPARE_OP_NOT_EQUAL};
  for (int i = 0; i < 4; ++i) {
    State test;
    test.depth.stencilTestEnable = VK_TRUE;
    test.depth.front = {VK_STENCIL_OP_KEEP,
                        VK_STENCIL_OP_ZERO,
                        VK_STENCIL_OP_KEEP,
                        functions[i],
                        i == 3 ? 0x01u : 0xFFu,
                        i == 1 ? 0xF0u : 0xFFu,
                        2};
    test.depth.back = test.depth.front;
    bind(pipeline(test), {});
    const float x = -1 + 0.5f * float(i);
    draw_rectangle(x, -1, x + 0.5f, 1);
  }
  end();
  save(r, "colour", t.colours[0]);
  save(r, "stencil", t.depth, "r8", 1, VK_IMAGE_ASPECT_STENCIL_BIT);
}

void multisampling(Results& r) {
  constexpr VkFormat rgba8 = VK_FORMAT_R8G8B8A8_UNORM;
  State s;
  s.samples = 4, s.depth_format = VK_FORMAT_D32_SFLOAT, s.depth.depthTestEnable = VK_TRUE;
  const Target t = target({rgba8}, VK_FORMAT_D32_SFLOAT, 4);
  begin(t);
  bind(pipeline(s), {});
  draw(scatter(60, 0.5f, 27));
  end();
  save(r, "resolved", t.resolved[0]);

  const Target covered = target({rgba8}, VK_FORMAT_D32_SFLOAT, 4);
  begin(covered);
  s.depth.depthTestEnable = VK_FALSE, s.alpha_to_coverage = true;
  bind(pipeline(s), {});
  draw(scatter(60, 0.5f, 27));
  s.alpha_to_coverage = false, s.sample_mask = 0x5;
  bind(pipeline(s), {});
  draw(scatter(20, 0.5f, 28));
  end();
  save(r, "masked", covered.resolved[0]);

  const Target each = target({rgba8}, VK_FORMAT_D32_SFLOAT, 4);
  begin(each);
  s.sample_mask = ~0u, s.fragment = "sample.frag";
  bind(pipeline(s), {});
  draw(scatter(30, 0.6f, 29));
  end();
  save(r, "per_sample", each.resolved[0]);
  const Target shown = target();
  State show;
  show.fragment = "samples.frag";
  Bindings b;
  b.first = each.colours[0];
  begin(shown);
  bind(pipeline(show), b);
  draw_rectangle();
  end();
  save(r, "samples", shown.colours[0]);

  const Target masks = target({rgba8}, VK_FORMAT_D32_SFLOAT, 4);
  begin(masks);
  s.sample_mask = 0x6, s.fragment = "coverage.frag";
  bind(pipeline(s), {});
  draw(scatter(20, 0.5f, 28));
  end();
  save(r, "coverage", masks.resolved[0]);
}

void targets(Results& r) {
  const std::vector<VkFormat> formats = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R32G32B32A32_SFLOAT,
                                         VK_FORMAT_R32G32B32A32_UINT, VK_FORMAT_R32G32B32A32_SINT};
  const Target t = target(formats);
  State s;
  s.fragment = "targets.frag", s.colours = formats, s.blend.blendEnable = VK_TRUE;
  begin(t);
  bind(pipeline(s), {});
  draw(scatter(40, 0.6f, 30));
  end();
  save(r, "rgba8", t.colours[0]);
  save(r, "rgba32f", t.colours[1], "rgba32f", 16);
  save(r, "rgba32ui", t.colours[2], "rgba32ui", 16);
  save(r, "rgba32i", t.colours[3], "rgba32i", 16);
}

void srgb(Results& r) {
  const Target t = target({VK_FORMAT_R8G8B8A8_SRGB});
  State s;
  s.colours = {VK_FORMAT_R8G8B8A8_SRGB};
  begin(t);
  bind(pipeline(s), {});
  draw_rectangle(-1, 0, 1, 1);
  s.blend.blendEnable = VK_TRUE;
  bind(pipeline(s), {});
  draw(scatter(20, 0.6f, 32));
  end();
  const Image picture = texture(VK_FORMAT_R8G8B8A8_SRGB, 32, 32, pattern(32, 32));
  begin(t, false);
  s.blend.blendEnable = VK_FALSE, s.fragment = "texture.frag";
  Bindings b;
  b.values.v[0][0] = b.values.v[0][1] = 1, b.first = picture, b.sampling = sampler(VK_FILTER_LINEAR);
  bind(pipeline(s), b);
  draw_rectangle(-1, -1, 0, 0);
  end();
  save(r, "colour", t.colours[0]);
}

void integers(Results& r) {
  const Target t = target({VK_FORMAT_R32G32B32A32_UINT}, VK_FORMAT_UNDEFINED);
  State s;
  s.fragment = "integer.frag", s.colours = {VK_FORMAT_R32G32B32A32_UINT}, s.depth_format = VK_FORMAT_UNDEFINED;
  Bindings b;
  b.first = texture(VK_FORMAT_R8G8B8A8_UINT, 32, 32, pattern(32, 32));
  begin(t);
  bind(pipeline(s), b);
  draw_rectangle();
  end();
  save(r, "values", t.colours[0], "rgba32ui", 16);
}

void pixels(Results& r) {
  const Target t = target();
  State s;
  s.fragment = "pixel.frag", s.depth.depthTestEnable = VK_TRUE;
  const VkPipeline p = pipeline(s);
  Bindings b;
  begin(t);
  b.values.v[0][0] = 0.25f;
  bind(p, b);
  draw_rectangle(-1, -1, 0.6f, 0.6f, 0.5f);
  b.values.v[0][0] = 0.4f;
  bind(p, b);
  draw_rectangle(-0.6f, -0.6f, 1, 1, 0.6f);
  end();
  save(r, "colour", t.colours[0]);
  save(r, "depth", t.depth, "r32f", 4, VK_IMAGE_ASPECT_DEPTH_BIT);
}

void blits(Results& r) {
  const Target from = target();
  begin(from);
  bind(pipeline({}), {});
  draw(scatter(60, 0.5f, 34));
  end();
  const Target t = target();
  begin(t);
  end();
  const auto blit = [&](int x0, int y0, int x1, int y1, int X0, int Y0, int X1, int Y1, VkFilter filter) {
    const VkImageBlit b{{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                        {{x0, y0, 0}, {x1, y1, 1}},
                        {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                        {{X0, Y0, 0}, {X1, Y1, 1}}};
    vkCmdBlitImage(gpu.list, from.colours[0].image, VK_IMAGE_LAYOUT_GENERAL, t.colours[0].image,
                   VK_IMAGE_LAYOUT_GENERAL, 1, &b, filter);
    barrier();
  };
  blit(0, 0, width, height, 0, 0, 120, 90, VK_FILTER_NEAREST);
  blit(0, 0, width, height, 128, 0, 250, 91, VK_FILTER_LINEAR);
  blit(50, 50, 80, 70, 120, 190, 4, 96, VK_FILTER_LINEAR);
  blit(50, 50, 80, 70, 130, 96, 250, 190, VK_FILTER_NEAREST);
  const VkImageCopy copy{{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                         {150, 100, 0},
                         {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                         {160, 70, 0},
                         {40, 50, 1}};
  vkCmdCopyImage(gpu.list, from.colours[0].image, VK_IMAGE_LAYOUT_GENERAL, t.colours[0].image, VK_IMAGE_LAYOUT_GENERAL,
                 1, &copy);
  save(r, "colour", t.colours[0]);
}

VkQueryPool queries_of(VkQueryType type, uint32_t count, VkQueryPipelineStatisticFlags statistics = 0) {
  const VkQueryPoolCreateInfo info{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, nullptr, 0, type, count, statistics};
  VkQueryPool pool;
  check(vkCreateQueryPool(gpu.device, &info, nullptr, &pool), "vkCreateQueryPool");
  vkCmdResetQueryPool(gpu.list, pool, 0, count);
  return pool;
}
std::vector<uint64_t> results_of(VkQueryPool pool, uint32_t first, uint32_t count, size_t numbers) {
  std::vector<uint64_t> n(count * numbers);
  check(vkGetQueryPoolResults(gpu.device, pool, first, count, n.size() * 8, n.data(), numbers * 8,
                              VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
        "vkGetQueryPoolResults");
  return n;
}

void queries(Results& r) {
  const Target t = target();
  State s;
  s.depth.depthTestEnable = VK_TRUE;
  const VkQueryPool occlusion = queries_of(VK_QUERY_TYPE_OCCLUSION, 3), times = queries_of(VK_QUERY_TYPE_TIMESTAMP, 2);
  const VkQueryPool counts = queries_of(VK_QUERY_TYPE_PIPELINE_STATISTICS, 1,
                                        VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT |
                                            VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT |
                                            VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT);
  const Buffer copied = buffer(std::vector<uint64_t>(3, 99));
  vkCmdWriteTimestamp(gpu.list, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, times, 0);
  begin(t);
  bind(pipeline(s), {});
  vkCmdBeginQuery(gpu.list, counts, 0, 0);
  vkCmdBeginQuery(gpu.list, occlusion, 0, VK_QUERY_CONTROL_PRECISE_BIT);
  draw(scatter(50, 0.5f, 41));
  vkCmdEndQuery(gpu.list, occlusion, 0);
  vkCmdBeginQuery(gpu.list, occlusion, 1, VK_QUERY_CONTROL_PRECISE_BIT);
  draw_rectangle(-0.5f, -0.5f, 0.5f, 0.5f, 0);
  vkCmdEndQuery(gpu.list, occlusion, 1);
  vkCmdEndQuery(gpu.list, counts, 0);
  vkCmdBeginQuery(gpu.list, occlusion, 2, 0);
  draw_rectangle(-0.4f, -0.4f, 0.4f, 0.4f, 0.95f);
  vkCmdEndQuery(gpu.list, occlusion, 2);
  end();
  vkCmdWriteTimestamp(gpu.list, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, times, 1);
  vkCmdCopyQueryPoolResults(gpu.list, occlusion, 1, 2, copied.buffer, 0, 8,
                            VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
  submit();
  r.numbers("samples", results_of(occlusion, 0, 1, 1));
  r.numbers("exact", results_of(occlusion, 1, 2, 1));
  r.numbers("primitives", results_of(counts, 0, 1, 3));
  const auto ticks = results_of(times, 0, 2, 1);
  r.numbers("time_passes", {uint64_t(ticks[1] > ticks[0])});
  std::vector<uint64_t> n(3);
  std::memcpy(n.data(), copied.at, 24);
  r.numbers("copied", n);
  save(r, "colour", t.colours[0]);
}

void conditional(Results& r) {
  const auto begin_if = reinterpret_cast<PFN_vkCmdBeginConditionalRenderingEXT>(
      vkGetDeviceProcAddr(gpu.device, "vkCmdBeginConditionalRenderingEXT"));
  const auto end_if = reinterpret_cast<PFN_vkCmdEndConditionalRenderingEXT>(
      vkGetDeviceProcAddr(gpu.device, "vkCmdEndConditionalRenderingEXT"));
  const Target t = target();
  const Buffer numbers = buffer(std::vector<uint32_t>{0, 1, 0, 5});
  const float colours[2][4] = {{1, 0, 0, 1}, {0, 1, 0, 1}};
  begin(t);
  bind(pipeline({}), {});
  for (uint32_t i = 0; i < 8; ++i) {  // the second four inverted
    const VkConditionalRenderingBeginInfoEXT info{VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT, nullptr,
                                                  numbers.buffer, i % 4 * 4,
                                                  VkConditionalRenderingFlagsEXT(i < 4 ? 0 : 1)};
    begin_if(gpu.list, &info);
    const float x = -0.9f + 0.45f * float(i % 4), y = i < 4 ? -0.8f : 0.1f;
    draw_rectangle(x, y, x + 0.4f, y + 0.7f, 0, colours[i % 2]);
    end_if(gpu.list);
  }
  end();
  save(r, "colour", t.colours[0]);
}

void compute(Results& r) {
  const Target t = target();
  Bindings b;
  b.storage = buffer(std::vector<float>(1024 * 3 * 8));
  b.store = image(VK_FORMAT_R8G8B8A8_UNORM, 64, 64, VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT);
  bind(compute_pipeline("particles.comp"), b, VK_PIPELINE_BIND_POINT_COMPUTE);
  vkCmdDispatch(gpu.list, 16, 1, 1);
  barrier();
  State s;
  s.fragment = "texture.frag";
  Bindings show;
  show.values.v[0][0] = show.values.v[0][1] = 2, show.first = b.store, show.sampling = sampler(VK_FILTER_LINEAR);
  begin(t);
  bind(pipeline(s), show);
  draw_rectangle();
  State points;
  points.vertex = "particles.vert", points.plain_pairs = true;
  bind(pipeline(points), {});
  const VkDeviceSize start = 0;
  vkCmdBindVertexBuffers(gpu.list, 0, 1, &b.storage.buffer, &start);
  vkCmdDraw(gpu.list, 3072, 1, 0, 0);
  end();
  save(r, "colour", t.colours[0]);
}

void storage(Results& r) {
  const Target t = target({VK_FORMAT_R8G8B8A8_UNORM}, VK_FORMAT_UNDEFINED);
  State s;
  s.fragment = "storage.frag", s.depth_format = VK_FORMAT_UNDEFINED;
  Bindings b;
  b.storage = buffer(std::vector<uint32_t>(16));
  b.store = image(VK_FORMAT_R8G8B8A8_UNORM, width, height, VK_IMAGE_USAGE_STORAGE_BIT);
  const VkClearColorValue black{};
  const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  vkCmdClearColorImage(gpu.list, b.store.image, VK_IMAGE_LAYOUT_GENERAL, &black, 1, &all);
  begin(t);
  bind(pipeline(s), b);
  draw_rectangle(-0.75f, -0.5f, 0.75f, 0.5f);
  draw_rectangle(0, 0.25f, 1, 0.75f);
  end();
  save(r, "colour", t.colours[0]);
  save(r, "image", b.store);
  std::vector<uint32_t> n(16);
  std::memcpy(n.data(), b.storage.at, 64);
  r.numbers("counts", {n.begin(), n.end()});
}

void crowd(Results& r) {
  const Target t = target({VK_FORMAT_R8G8B8A8_UNORM}, VK_FORMAT_D32_SFLOAT, 1, crowd_width, crowd_height);
  State s;
  s.fragment = "crowd.frag", s.depth_format = VK_FORMAT_D32_SFLOAT;
  s.blend.blendEnable = VK_TRUE;
  s.depth.depthTestEnable = s.depth.depthWriteEnable = VK_TRUE;
  s.depth.depthCompareOp = VK_COMPARE_OP_LESS_OR_EQUAL;
  Bindings b;
  b.storage = buffer(std::vector<uint32_t>(16));
  b.store = image(VK_FORMAT_R32_UINT, crowd_width, crowd_height, VK_IMAGE_USAGE_STORAGE_BIT);
  const VkClearColorValue zero{};
  const VkImageSubresourceRange all{VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  vkCmdClearColorImage(gpu.list, b.store.image, VK_IMAGE_LAYOUT_GENERAL, &zero, 1, &all);
  begin(t);
  bind(pipeline(s), b);
  draw(scatter(20, 0.9f, 71));
  draw(scatter(20000, 0.02f, 70));
  for (uint32_t n = 0; n < 3; ++n) {
    draw(scatter(2000, 0.06f, 72 + n));
    draw(scatter(100, 0.25f, 82 + n));
  }
  end();
  save(r, "colour", t.colours[0]);
  save(r, "depth", t.depth, "r32f", 4, VK_IMAGE_ASPECT_DEPTH_BIT);
  save(r, "image", b.store, "r32ui");
  std::vector<uint32_t> n(16);
  std::memcpy(n.data(), b.storage.at, 64);
  r.numbers("counts", {n.begin(), n.end()});
}

constexpr Scene scenes[] = {{"blending", blending},
                            {"logic", logic},
                            {"dual_source", dual_source},
                            {"stencil", stencil},
                            {"multisampling", multisampling},
                            {"targets", targets},
                            {"srgb", srgb},
                            {"integers", integers},
                            {"pixels", pixels},
                            {"blits", blits},
                            {"queries", queries},
                            {"conditional", conditional},
                            {"compute", compute},
                            {"storage", storage},
                            {"crowd", crowd}};

}  // namespace

std::span<const Scene> target_scenes() { return scenes; }

}  // namespace graphics
