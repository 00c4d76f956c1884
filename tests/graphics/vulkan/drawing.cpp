// Scenes of the pipeline's front and of the rasteriser: clears, triangles, meshes, points, lines, topologies,
// instances, clipping, polygon modes, vertex formats, viewports.
#include "context.h"

namespace graphics {
namespace {

Values placed(const Matrix& m) {
  Values v;
  v.matrix = m;
  return v;
}
Mesh bright(Mesh m) {  // normals as colours
  for (Vertex& a : m.vertices)
    for (float& c : a.colour) c = c * 0.4f + 0.5f;
  return m;
}

void clear(Results& r) {
  const Target t = target();
  begin(t);
  const VkClearRect area{{{33, 21}, {101, 77}}, 0, 1}, other{{{90, 80}, {120, 100}}, 0, 1};
  VkClearAttachment colour{VK_IMAGE_ASPECT_COLOR_BIT, 0, {}},
      depth{VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT, 0, {}};
  colour.clearValue.color = {{0.1f, 0.7f, 0.4f, 0.5f}};
  depth.clearValue.depthStencil = {0.25f, 0xA5};
  vkCmdClearAttachments(gpu.list, 1, &colour, 1, &area);
  vkCmdClearAttachments(gpu.list, 1, &depth, 1, &other);
  end();
  save(r, "colour", t.colours[0]);
  save(r, "depth", t.depth, "r32f", 4, VK_IMAGE_ASPECT_DEPTH_BIT);
  save(r, "stencil", t.depth, "r8", 1, VK_IMAGE_ASPECT_STENCIL_BIT);
}

void triangle(Results& r) {
  const Target t = target();
  begin(t);
  bind(pipeline({}), {});
  Mesh m;
  m.vertices = {{{-0.9f, -0.8f, 0, 1}, {1, 0, 0, 1}, {}},
                {{0.85f, -0.6f, 0, 1}, {0, 1, 0, 1}, {}},
                {{0.1f, 0.9f, 0, 1}, {0, 0, 1, 1}, {}}};
  m.indices = {0, 1, 2};
  draw(m);
  end();
  save(r, "colour", t.colours[0]);
}

void many(Results& r) {
  const Target t = target();
  State s;
  s.blend.blendEnable = VK_TRUE;
  begin(t);
  bind(pipeline(s), {});
  draw(scatter(400, 0.02f, 1));
  draw(scatter(200, 0.12f, 2));
  draw(scatter(30, 0.9f, 3));
  end();
  save(r, "colour", t.colours[0]);
}

void interpolation(Results& r) {
  const Target t = target();
  State s;
  s.fragment = "interpolation.frag";
  Bindings b;
  b.values.matrix = perspective() * move(0, 0, -2.2f) * turn_x(-1.1f);
  b.values.v[0][0] = width / 3, b.values.v[0][1] = width * 2 / 3;
  begin(t);
  bind(pipeline(s), b);
  draw(rectangle(-1.6f, -1, 1.6f, 1));
  end();
  save(r, "colour", t.colours[0]);
}

void mesh(Results& r) {
  const Target t = target();
  State s;
  s.vertex = "lit.vert", s.fragment = "lit.frag", s.depth.depthTestEnable = VK_TRUE;
  const VkPipeline p = pipeline(s);
  Bindings b;
  b.first = texture(VK_FORMAT_R8G8B8A8_UNORM, 64, 64, pattern(64, 64)), b.sampling = sampler(VK_FILTER_LINEAR);
  begin(t);
  for (int i = 0; i < 3; ++i) {
    b.values.second = turn_y(0.7f + float(i)) * turn_x(0.6f * float(i) - 0.4f);
    b.values.matrix = perspective() * move(float(i) * 1.1f - 1.1f, 0, -5) * b.values.second;
    bind(p, b);
    draw(i == 1 ? cube() : torus());
  }
  end();
  save(r, "colour", t.colours[0]);
  save(r, "depth", t.depth, "r32f", 4, VK_IMAGE_ASPECT_DEPTH_BIT);
}

void depth(Results& r) {
  const Target t = target({VK_FORMAT_R8G8B8A8_UNORM}, VK_FORMAT_D16_UNORM);
  begin(t);
  for (int i = 0; i < 8; ++i) {
    State s;
    s.depth_format = VK_FORMAT_D16_UNORM, s.depth.depthTestEnable = VK_TRUE, s.depth.depthWriteEnable = i % 2;
    s.depth.depthCompareOp = VkCompareOp(i);
    State first;
    first.depth_format = VK_FORMAT_D16_UNORM, first.depth.depthTestEnable = VK_TRUE;
    scissor(i % 4 * 64, i / 4 * 96, 64, 96);
    bind(pipeline(first), {});
    draw_rectangle(-1, -0.2f, 1, 0.2f, 0.5f);
    bind(pipeline(s), {});
    draw(scatter(60, 0.5f, 4));
  }
  end();
  save(r, "colour", t.colours[0]);
}

Mesh grid_of_points(int n, int m) {
  Mesh mesh;
  for (int i = 0; i < n * m; ++i)
    mesh.vertices.push_back({{-0.93f + 1.9f * float(i % n) / float(n), -0.9f + 1.87f * float(i / n) / float(m), 0, 1},
                             {chance(uint32_t(i)), chance(uint32_t(i) + 500), chance(uint32_t(i) + 900), 1},
                             {}});
  return mesh;
}

void points(Results& r) {
  const Target t = target();
  State s;
  s.vertex = "points.vert", s.fragment = "points.frag", s.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
  begin(t);
  bind(pipeline(s), {});
  bind(grid_of_points(8, 6));
  vkCmdDraw(gpu.list, 48, 1, 0, 0);
  end();
  save(r, "colour", t.colours[0]);
}

void lines(Results& r) {
  const Target t = target();
  State s;
  s.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
  Mesh m;
  for (int i = 0; i < 24; ++i) {
    const float a = 6.2831853f * float(i) / 24 + 0.05f;
    m.vertices.push_back({{-0.5f + 0.1f * std::cos(a), 0.1f * std::sin(a), 0, 1}, {1, 1, 0, 1}, {}});
    m.vertices.push_back({{-0.5f + 0.47f * std::cos(a), 0.9f * std::sin(a), 0, 1}, {0, 0.5f, 1, 1}, {}});
  }
  begin(t);
  bind(pipeline(s), {});
  bind(m);
  vkCmdDraw(gpu.list, 48, 1, 0, 0);
  s.topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, s.raster.lineWidth = 5;
  Bindings b;
  b.values.matrix = move(0.55f, 0, 0) * scale(0.45f, 0.9f, 1);
  bind(pipeline(s), b);
  bind(grid_of_points(4, 3));
  vkCmdDraw(gpu.list, 6, 1, 0, 0);
  s.raster.lineWidth = 1;
  bind(pipeline(s), b);
  vkCmdDraw(gpu.list, 6, 1, 6, 0);
  end();
  save(r, "colour", t.colours[0]);
}

void topologies(Results& r) {
  const Target t = target();
  Mesh m = grid_of_points(4, 4);
  m.indices = {0, 1, 4, 5, 0xFFFF, 10, 11, 14, 15, 0xFFFF, 2, 3, 6, 0, 1, 4, 4, 1, 5};
  begin(t);
  bind(m);
  const VkPrimitiveTopology kinds[] = {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                                       VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                                       VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN,
                                       VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY,
                                       VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY,
                                       VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY,
                                       VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
                                       VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
  for (int i = 0; i < 8; ++i) {
    State s;
    s.topology = kinds[i], s.restart = i == 6;
    Bindings b;
    b.values = placed(move(-0.75f + 0.5f * float(i % 4), -0.5f + float(i / 4), 0) * scale(0.23f, 0.45f, 1));
    bind(pipeline(s), b);
    if (i < 6) vkCmdDraw(gpu.list, 12, 1, 0, 0);
    if (i == 6) vkCmdDrawIndexed(gpu.list, 13, 1, 0, 0, 0);
    if (i == 7) vkCmdDrawIndexed(gpu.list, 6, 1, 13, 10, 0);
  }
  end();
  save(r, "colour", t.colours[0]);
}

void instances(Results& r) {
  const Target t = target();
  State s;
  s.vertex = "instances.vert", s.instanced = true;
  std::vector<std::array<float, 4>> places;
  for (int i = 0; i < 96; ++i)
    places.push_back({-0.9f + 0.16f * float(i % 12), -0.85f + 0.24f * float(i / 12), 0.05f + 0.03f * float(i % 4), 0});
  const Buffer instance = buffer(places);
  // count, instances, first index, base vertex, base instance; then count, instances, first vertex, base instance
  const Buffer numbers =
      buffer(std::vector<uint32_t>{12, 12, 0, 0, 48, 3, 12, 6, 0, 60, 6, 12, 3, 3, 72, 9, 12, 3, 84, 2});
  begin(t);
  bind(pipeline(s), {});
  bind(scatter(4, 0.8f, 9));
  const VkDeviceSize start = 0;
  vkCmdBindVertexBuffers(gpu.list, 1, 1, &instance.buffer, &start);
  vkCmdDrawIndexed(gpu.list, 12, 24, 0, 0, 0);
  vkCmdDrawIndexed(gpu.list, 6, 24, 0, 0, 24);
  // Two of the three draws, by a count in memory, then the third.
  vkCmdDrawIndexedIndirectCount(gpu.list, numbers.buffer, 0, numbers.buffer, 76, 3, 20);
  vkCmdDrawIndexedIndirect(gpu.list, numbers.buffer, 40, 1, 20);
  vkCmdDrawIndirect(gpu.list, numbers.buffer, 60, 1, 16);
  end();
  save(r, "colour", t.colours[0]);
}

void clip(Results& r) {
  const Target t = target();
  State s;
  s.vertex = "clip.vert", s.depth.depthTestEnable = VK_TRUE;
  Bindings b;
  b.values.matrix = perspective() * move(0, 0, -2.4f) * turn_y(0.8f) * turn_x(0.4f);
  const float planes[3][4] = {{1, 0.2f, 0, 0.6f}, {-0.3f, 1, 0.5f, 0.7f}, {0, -0.6f, 1, 0.9f}};
  std::memcpy(b.values.v, planes, sizeof planes);
  begin(t);
  bind(pipeline(s), b);
  draw(bright(cube()));
  s.vertex = "plain.vert";
  b.values = placed(perspective(0.5f, 6) * move(0, -0.5f, 0) * turn_x(-1.45f));
  bind(pipeline(s), b);
  draw(rectangle(-40, -40, 40, 40));
  s.raster.depthClampEnable = VK_TRUE;  // nearer than the near plane, and drawn all the same
  b.values = placed(perspective(2, 3) * move(0.6f, 0.5f, -1.5f));
  bind(pipeline(s), b);
  draw(rectangle(-0.3f, -0.3f, 0.3f, 0.3f));
  end();
  save(r, "colour", t.colours[0]);
}

void polygons(Results& r) {
  const Target t = target();
  begin(t);
  State s;
  s.depth.depthTestEnable = VK_TRUE;
  const auto field = [&](int i) {
    Bindings b;
    b.values = placed(move(-0.66f + 0.66f * float(i % 3), -0.5f + float(i / 3), 0.3f) * scale(0.3f, 0.42f, 0.2f) *
                      turn_y(0.6f) * turn_x(0.7f));
    bind(pipeline(s), b);
  };
  const Mesh m = bright(cube());
  s.raster.polygonMode = VK_POLYGON_MODE_LINE, field(0), draw(m);
  s.raster.polygonMode = VK_POLYGON_MODE_POINT, field(1), draw(m);
  s.raster.polygonMode = VK_POLYGON_MODE_FILL;
  s.raster.cullMode = VK_CULL_MODE_FRONT_BIT, field(2), draw(m);
  s.raster.cullMode = VK_CULL_MODE_BACK_BIT, field(3), draw(m);
  s.raster.frontFace = VK_FRONT_FACE_CLOCKWISE, field(4), draw(m);
  s.raster.cullMode = 0, field(5);
  const float red[4] = {0.9f, 0.2f, 0.1f, 1}, blue[4] = {0.1f, 0.3f, 0.9f, 1};
  draw_rectangle(-1, -1, 1, 1, 0, red);
  s.raster.depthBiasEnable = VK_TRUE, s.raster.depthBiasConstantFactor = -4, s.raster.depthBiasSlopeFactor = -1,
  field(5);
  draw_rectangle(-1, -1, 0.3f, 0.3f, 0, blue);
  s.raster.depthBiasConstantFactor = 4, s.raster.depthBiasSlopeFactor = 1, field(5);
  draw_rectangle(-0.3f, -0.3f, 1, 1, 0, blue);
  end();
  save(r, "colour", t.colours[0]);
  save(r, "depth", t.depth, "r32f", 4, VK_IMAGE_ASPECT_DEPTH_BIT);
}

void attributes(Results& r) {
  const Target t = target({VK_FORMAT_R32G32B32A32_SFLOAT}, VK_FORMAT_UNDEFINED);
  constexpr struct {
    VkFormat format;
    uint32_t keep, set;  // bits of each dword: floats stay small and finite
  } formats[] = {{VK_FORMAT_R32G32B32A32_SFLOAT, 0x80FFFFFF, 0x3F000000},
                 {VK_FORMAT_R32G32B32_SFLOAT, 0x80FFFFFF, 0x3F000000},
                 {VK_FORMAT_R32_SFLOAT, 0x80FFFFFF, 0x3F000000},
                 {VK_FORMAT_R16G16B16A16_SFLOAT, 0x83FF83FF, 0x38003800},
                 {VK_FORMAT_R16_SFLOAT, 0x83FF83FF, 0x38003800},
                 {VK_FORMAT_R8G8B8A8_UNORM, ~0u, 0},
                 {VK_FORMAT_R8G8B8A8_SNORM, ~0u, 0},
                 {VK_FORMAT_R8G8_UNORM, ~0u, 0},
                 {VK_FORMAT_B8G8R8A8_UNORM, ~0u, 0},
                 {VK_FORMAT_R16G16B16A16_UNORM, ~0u, 0},
                 {VK_FORMAT_R16G16_SNORM, ~0u, 0},
                 {VK_FORMAT_A2B10G10R10_UNORM_PACK32, ~0u, 0}};
  begin(t);
  int column = 0;
  for (const auto& f : formats) {
    State s;
    s.vertex = "attributes.vert", s.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST, s.value_format = f.format;
    s.colours = {VK_FORMAT_R32G32B32A32_SFLOAT}, s.depth_format = VK_FORMAT_UNDEFINED;
    std::vector<uint32_t> words(12 * 8);
    for (size_t i = 0; i < words.size(); ++i) words[i] = (hash(uint32_t(i) + 77u) & f.keep) | f.set;
    std::vector<std::array<float, 4>> places;
    for (int i = 0; i < 12; ++i)
      places.push_back({(float(column) * 20 + 8) / width * 2 - 1, (float(i) * 15 + 8) / height * 2 - 1, 0, 1});
    ++column;
    Bindings b;
    for (float& x : b.values.v[0]) x = 1;
    bind(pipeline(s), b);
    const VkBuffer buffers[] = {buffer(places).buffer, buffer(words).buffer};
    const VkDeviceSize starts[] = {0, 0};
    vkCmdBindVertexBuffers(gpu.list, 0, 2, buffers, starts);
    vkCmdDraw(gpu.list, 12, 1, 0, 0);
  }
  end();
  save(r, "values", t.colours[0], "rgba32f", 16);
}

void viewports(Results& r) {
  const Target t = target();
  State s;
  s.vertex = "viewports.vert", s.viewports = 4, s.depth.depthTestEnable = VK_TRUE;
  begin(t);
  bind(pipeline(s), {});
  VkViewport views[4];
  VkRect2D areas[4];
  for (int i = 0; i < 4; ++i) {
    views[i] = {float(i % 2) * 120.5f + 4, float(i / 2) * 95 + 0.25f, 110 + float(i), 90,
                0.1f * float(i),           1 - 0.2f * float(i)};
    areas[i] = {{i % 2 * 128 + 10, i / 2 * 96 + 8}, {uint32_t(90 + 5 * i), 70}};
  }
  vkCmdSetViewport(gpu.list, 0, 4, views);
  vkCmdSetScissor(gpu.list, 0, 4, areas);
  draw(scatter(40, 0.6f, 33), 4);
  end();
  save(r, "colour", t.colours[0]);
  save(r, "depth", t.depth, "r32f", 4, VK_IMAGE_ASPECT_DEPTH_BIT);
}

constexpr Scene scenes[] = {{"clear", clear},
                            {"triangle", triangle},
                            {"many", many},
                            {"interpolation", interpolation},
                            {"mesh", mesh},
                            {"depth", depth},
                            {"points", points},
                            {"lines", lines},
                            {"topologies", topologies},
                            {"instances", instances},
                            {"clip", clip},
                            {"polygons", polygons},
                            {"attributes", attributes},
                            {"viewports", viewports}};

}  // namespace

std::span<const Scene> drawing_scenes() { return scenes; }

}  // namespace graphics
