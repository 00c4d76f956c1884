// Scenes of the pipeline's front and of the rasteriser: clears, triangles, meshes, points, lines, topologies,
// instances, clipping, polygon modes, vertex formats.
#include "context.h"

namespace graphics {
namespace {

void clear(Results& r) {
  const Target t = target();
  glClearColor(0.9f, 0.5f, 0.25f, 0.75f);
  glClear(GL_COLOR_BUFFER_BIT);
  glEnable(GL_SCISSOR_TEST);
  glScissor(33, 21, 101, 77);
  glClearColor(0.1f, 0.7f, 0.4f, 0.5f);
  glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_TRUE);
  glClear(GL_COLOR_BUFFER_BIT);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glScissor(90, 80, 120, 100);
  glClearDepth(0.25);
  glClearStencil(0xA5);
  glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
  save(r, "colour", t);
  save(r, "depth", t, 0, GL_DEPTH_COMPONENT, GL_FLOAT, "r32f", 4);
  save(r, "stencil", t, 0, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, "r8", 1);
}

void triangle(Results& r) {
  const Target t = target();
  program("plain.vert", "colour.frag");
  set({});
  Mesh m;
  m.vertices = {{{-0.9f, -0.8f, 0, 1}, {1, 0, 0, 1}, {}},
                {{0.85f, -0.6f, 0, 1}, {0, 1, 0, 1}, {}},
                {{0.1f, 0.9f, 0, 1}, {0, 0, 1, 1}, {}}};
  m.indices = {0, 1, 2};
  draw(m);
  save(r, "colour", t);
}

void many(Results& r) {  // triangles of every size, in order, blended so that the order shows
  const Target t = target();
  program("plain.vert", "colour.frag");
  set({});
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  draw(scatter(400, 0.02f, 1));
  draw(scatter(200, 0.12f, 2));
  draw(scatter(30, 0.9f, 3));
  save(r, "colour", t);
}

void interpolation(Results& r) {
  const Target t = target();
  program("plain.vert", "interpolation.frag");
  Values v;
  v.matrix = perspective() * move(0, 0, -2.2f) * turn_x(-1.1f);
  v.v[0][0] = width / 3, v.v[0][1] = width * 2 / 3;
  set(v);
  draw(rectangle(-1.6f, -1, 1.6f, 1));
  save(r, "colour", t);
}

void mesh(Results& r) {
  const Target t = target();
  program("lit.vert", "lit.frag");
  glBindTextureUnit(1, texture(64, 64, pattern(64, 64), GL_LINEAR));
  glEnable(GL_DEPTH_TEST);
  Values v;
  for (int i = 0; i < 3; ++i) {
    v.second = turn_y(0.7f + float(i)) * turn_x(0.6f * float(i) - 0.4f);
    v.matrix = perspective() * move(float(i) * 1.1f - 1.1f, 0, -5) * v.second;
    set(v);
    draw(i == 1 ? cube() : torus());
  }
  save(r, "colour", t);
  save(r, "depth", t, 0, GL_DEPTH_COMPONENT, GL_FLOAT, "r32f", 4);
}

void depth(Results& r) {  // all functions, in eight fields, with and without writing
  const Target t = target({GL_RGBA8}, GL_DEPTH_COMPONENT32F);
  program("plain.vert", "colour.frag");
  set({});
  glEnable(GL_DEPTH_TEST);
  glClearDepth(0.5);
  glClear(GL_DEPTH_BUFFER_BIT);
  glEnable(GL_SCISSOR_TEST);
  const GLenum functions[] = {GL_NEVER, GL_LESS, GL_EQUAL, GL_LEQUAL, GL_GREATER, GL_NOTEQUAL, GL_GEQUAL, GL_ALWAYS};
  for (int i = 0; i < 8; ++i) {
    glScissor(i % 4 * 64, i / 4 * 96, 64, 96);
    glDepthFunc(functions[i]);
    glDepthMask(i % 2 ? GL_TRUE : GL_FALSE);
    draw(scatter(60, 0.5f, 4));
    draw_rectangle(-1, -0.2f, 1, 0.2f, 0.0f);
  }
  save(r, "colour", t);
  save(r, "depth", t, 0, GL_DEPTH_COMPONENT, GL_FLOAT, "r32f", 4);
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
  program("points.vert", "points.frag");
  set({});
  glEnable(GL_PROGRAM_POINT_SIZE);
  bind(grid_of_points(8, 6));
  glDrawArrays(GL_POINTS, 0, 48);
  save(r, "colour", t);
}

void lines(Results& r) {
  const Target t = target();
  program("plain.vert", "colour.frag");
  set({});
  Mesh m;
  for (int i = 0; i < 24; ++i) {
    const float a = 6.2831853f * float(i) / 24 + 0.05f;
    m.vertices.push_back({{-0.5f + 0.1f * std::cos(a), 0.1f * std::sin(a), 0, 1}, {1, 1, 0, 1}, {}});
    m.vertices.push_back({{-0.5f + 0.47f * std::cos(a), 0.9f * std::sin(a), 0, 1}, {0, 0.5f, 1, 1}, {}});
  }
  bind(m);
  glDrawArrays(GL_LINES, 0, 48);
  bind(grid_of_points(4, 3));
  Values v;
  v.matrix = move(0.55f, 0, 0) * scale(0.45f, 0.9f, 1);
  set(v);
  glLineWidth(5);
  glDrawArrays(GL_LINE_LOOP, 0, 6);
  glLineWidth(1);
  glDrawArrays(GL_LINE_STRIP, 6, 6);
  save(r, "colour", t);
}

void topologies(Results& r) {  // strips, fans, restart, adjacency (whose other vertices nobody reads), base vertex
  const Target t = target();
  program("plain.vert", "colour.frag");
  const Mesh points = grid_of_points(4, 4);
  const auto field = [&](int i) {
    Values v;
    v.matrix = move(-0.75f + 0.5f * float(i % 4), -0.5f + float(i / 4), 0) * scale(0.23f, 0.45f, 1);
    set(v);
  };
  const GLenum kinds[] = {GL_TRIANGLES,           GL_TRIANGLE_STRIP,  GL_TRIANGLE_FAN,
                          GL_TRIANGLES_ADJACENCY, GL_LINES_ADJACENCY, GL_LINE_STRIP_ADJACENCY};
  bind(points);
  for (int i = 0; i < 6; ++i) field(i), glDrawArrays(kinds[i], 0, 12);
  Mesh restart = points;
  restart.indices = {0, 1, 4, 5, 0xFFFF, 10, 11, 14, 15, 0xFFFF, 2, 3, 6};
  field(6);
  glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
  bind(restart);
  glDrawElements(GL_TRIANGLE_STRIP, 13, GL_UNSIGNED_SHORT, nullptr);
  field(7);
  restart.indices = {0, 1, 4, 4, 1, 5};
  bind(restart);
  glDrawElementsBaseVertex(GL_TRIANGLES, 6, GL_UNSIGNED_SHORT, nullptr, 10);
  save(r, "colour", t);
}

void instances(Results& r) {
  const Target t = target();
  program("instances.vert", "colour.frag");
  std::vector<std::array<float, 4>> places;
  for (int i = 0; i < 96; ++i)
    places.push_back({-0.9f + 0.16f * float(i % 12), -0.85f + 0.24f * float(i / 12), 0.05f + 0.03f * float(i % 4), 0});
  Mesh m = scatter(4, 0.8f, 9);
  bind(m);
  GLint array;
  glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &array);
  glVertexArrayVertexBuffer(GLuint(array), 1, buffer(places), 0, 16);
  glVertexArrayAttribFormat(GLuint(array), 3, 4, GL_FLOAT, GL_FALSE, 0);
  glVertexArrayAttribBinding(GLuint(array), 3, 1);
  glVertexArrayBindingDivisor(GLuint(array), 1, 1);
  glEnableVertexArrayAttrib(GLuint(array), 3);
  glDrawElementsInstanced(GL_TRIANGLES, 12, GL_UNSIGNED_SHORT, nullptr, 24);
  glDrawElementsInstancedBaseInstance(GL_TRIANGLES, 6, GL_UNSIGNED_SHORT, nullptr, 24, 24);
  // count, instances, first index, base vertex, base instance
  glBindBuffer(GL_DRAW_INDIRECT_BUFFER,
               buffer(std::vector<GLuint>{12, 12, 0, 0, 48, 3, 12, 6, 0, 60, 6, 12, 3, 3, 72}));
  glMultiDrawElementsIndirect(GL_TRIANGLES, GL_UNSIGNED_SHORT, nullptr, 3, 0);
  glBindBuffer(GL_DRAW_INDIRECT_BUFFER, buffer(std::vector<GLuint>{9, 12, 3, 84}));
  glDrawArraysIndirect(GL_TRIANGLES, nullptr);
  save(r, "colour", t);
}

void clip(Results& r) {
  const Target t = target();
  program("clip.vert", "colour.frag");
  Values v;
  v.matrix = perspective() * move(0, 0, -2.4f) * turn_y(0.8f) * turn_x(0.4f);
  const float planes[3][4] = {{1, 0.2f, 0, 0.6f}, {-0.3f, 1, 0.5f, 0.7f}, {0, -0.6f, 1, 0.9f}};
  std::memcpy(v.v, planes, sizeof planes);
  set(v);
  glEnable(GL_DEPTH_TEST);
  for (GLenum i = 0; i < 3; ++i) glEnable(GL_CLIP_DISTANCE0 + i);
  Mesh m = cube();
  for (Vertex& a : m.vertices)
    for (float& c : a.colour) c = c * 0.4f + 0.5f;
  draw(m);
  glDisable(GL_CLIP_DISTANCE0 + 1);
  draw(torus());
  // Near, far and guard band: a floor that passes below the eye, and a huge triangle.
  v.matrix = perspective(0.5f, 6) * move(0, -0.5f, 0) * turn_x(-1.45f);
  glDisable(GL_CLIP_DISTANCE0), glDisable(GL_CLIP_DISTANCE0 + 2);
  program("plain.vert", "colour.frag");  // llvmpipe goes on clipping by distances that are written but disabled
  set(v);
  draw(rectangle(-40, -40, 40, 40));
  save(r, "colour", t);
}

void polygons(Results& r) {  // modes, culling of either winding, offset
  const Target t = target();
  program("plain.vert", "colour.frag");
  glEnable(GL_DEPTH_TEST);
  glEnable(GL_PROGRAM_POINT_SIZE);
  const auto field = [&](int i) {
    Values v;
    v.matrix = move(-0.66f + 0.66f * float(i % 3), -0.5f + float(i / 3), 0) * scale(0.3f, 0.42f, 0.2f) * turn_y(0.6f) *
               turn_x(0.7f);
    set(v);
  };
  Mesh m = cube();
  for (Vertex& a : m.vertices)
    for (float& c : a.colour) c = c * 0.4f + 0.5f;
  field(0), glPolygonMode(GL_FRONT_AND_BACK, GL_LINE), draw(m);
  field(1), glPolygonMode(GL_FRONT_AND_BACK, GL_POINT), draw(m);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  glEnable(GL_CULL_FACE);
  field(2), glCullFace(GL_FRONT), draw(m);
  field(3), glCullFace(GL_BACK), draw(m);
  field(4), glFrontFace(GL_CW), draw(m);
  glDisable(GL_CULL_FACE);
  field(5);  // the same rectangle twice: the second wins only where the offset brings it nearer
  const float red[4] = {0.9f, 0.2f, 0.1f, 1}, blue[4] = {0.1f, 0.3f, 0.9f, 1};
  draw_rectangle(-1, -1, 1, 1, 0, red);
  glEnable(GL_POLYGON_OFFSET_FILL), glPolygonOffset(-1, -4);
  draw_rectangle(-1, -1, 0.3f, 0.3f, 0, blue);
  glPolygonOffset(1, 4), draw_rectangle(-0.3f, -0.3f, 1, 1, 0, blue);
  save(r, "colour", t);
  save(r, "depth", t, 0, GL_DEPTH_COMPONENT, GL_FLOAT, "r32f", 4);
}

void attributes(Results& r) {  // formats of vertices: a column each, one point per vertex
  const Target t = target({GL_RGBA32F}, 0);
  program("attributes.vert", "colour.frag");
  Values v;
  constexpr struct {
    GLint size;
    GLenum type;
    GLboolean normalised;
    float scale;
  } formats[] = {{4, GL_FLOAT, 0, 1},
                 {3, GL_FLOAT, 0, 1},
                 {2, GL_FLOAT, 0, 1},
                 {1, GL_FLOAT, 0, 1},
                 {4, GL_HALF_FLOAT, 0, 1},
                 {3, GL_HALF_FLOAT, 0, 1},
                 {4, GL_UNSIGNED_BYTE, 1, 1},
                 {4, GL_UNSIGNED_BYTE, 0, 1},
                 {3, GL_BYTE, 1, 1},
                 {2, GL_BYTE, 0, 1},
                 {4, GL_SHORT, 1, 1},
                 {3, GL_UNSIGNED_SHORT, 1, 1},
                 {2, GL_SHORT, 0, 1},
                 {4, GL_INT, 0, 1e-9f},
                 {3, GL_UNSIGNED_INT, 1, 1},
                 {2, GL_FIXED, 0, 1},
                 {4, GL_INT_2_10_10_10_REV, 1, 1},
                 {4, GL_UNSIGNED_INT_2_10_10_10_REV, 0, 1},
                 {GL_BGRA, GL_UNSIGNED_BYTE, 1, 1},
                 {3, GL_UNSIGNED_INT_10F_11F_11F_REV, 0, 1},
                 {4, GL_DOUBLE, 0, 1}};
  constexpr int rows = 12;
  int column = 0;
  for (const auto& f : formats) {
    std::vector<uint8_t> bytes(rows * 32);
    for (size_t i = 0; i < bytes.size() / 4; ++i) {  // any bits, but small finite numbers where they are floats
      uint32_t bits = hash(uint32_t(i) + 77u);
      if (f.type == GL_FLOAT) bits = 0x3F000000u | (bits & 0x80FFFFFFu);
      if (f.type == GL_HALF_FLOAT) bits = 0x38003800u | (bits & 0x83FF83FFu);
      if (f.type == GL_DOUBLE) bits = i % 2 ? 0x3FE00000u | (bits & 0x800FFFFFu) : bits;
      if (f.type == GL_UNSIGNED_INT_10F_11F_11F_REV) bits = 15u << 6 | 15u << 17 | 15u << 27 | (bits & 0x07C1F83Fu);
      std::memcpy(&bytes[i * 4], &bits, 4);
    }
    std::vector<std::array<float, 4>> places;
    for (int i = 0; i < rows; ++i)
      places.push_back({(float(column) * 12 + 8) / width * 2 - 1, (float(i) * 15 + 8) / height * 2 - 1, 0, 1});
    GLuint array;
    glCreateVertexArrays(1, &array);
    glVertexArrayVertexBuffer(array, 0, buffer(places), 0, 16);
    glVertexArrayVertexBuffer(array, 1, buffer(bytes), 0, 32);
    glVertexArrayAttribFormat(array, 0, 4, GL_FLOAT, GL_FALSE, 0);
    glVertexArrayAttribFormat(array, 1, f.size, f.type, f.normalised, 0);
    for (GLuint i = 0; i < 2; ++i) glVertexArrayAttribBinding(array, i, i), glEnableVertexArrayAttrib(array, i);
    glBindVertexArray(array);
    for (float& x : v.v[0]) x = f.scale;
    set(v);
    glEnable(GL_PROGRAM_POINT_SIZE);
    glDrawArrays(GL_POINTS, 0, rows);
    ++column;
  }
  save(r, "values", t, GL_COLOR_ATTACHMENT0, GL_RGBA, GL_FLOAT, "rgba32f", 16);
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
                            {"attributes", attributes}};

}  // namespace

std::span<const Scene> drawing_scenes() { return scenes; }

}  // namespace graphics
