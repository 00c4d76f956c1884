// Scenes in which draws meet other work: queries, conditional rendering, compute shaders, buffers and images that pixel
// shaders write, results that stay in buffers.
#include "context.h"

namespace graphics {
namespace {

uint64_t result_of(GLuint query) {
  GLuint64 n = 0;
  glGetQueryObjectui64v(query, GL_QUERY_RESULT, &n);
  return n;
}

void queries(Results& r) {
  const Target t = target();
  program("plain.vert", "colour.frag");
  set({});
  glEnable(GL_DEPTH_TEST);
  const Mesh m = scatter(50, 0.5f, 41);
  GLuint occlusion[3], counts[5], times[2];
  glCreateQueries(GL_SAMPLES_PASSED, 1, &occlusion[0]);
  glCreateQueries(GL_ANY_SAMPLES_PASSED, 2, &occlusion[1]);
  const GLenum kinds[] = {GL_PRIMITIVES_GENERATED, 0x82EE /* VERTICES_SUBMITTED */, 0x82EF /* PRIMITIVES_SUBMITTED */,
                          0x82F6 /* CLIPPING_INPUT_PRIMITIVES */, 0x82F4 /* FRAGMENT_SHADER_INVOCATIONS */};
  glCreateQueries(GL_TIMESTAMP, 2, times);
  glQueryCounter(times[0], GL_TIMESTAMP);
  glGenQueries(5, counts);  // Mesa makes no objects for statistics
  for (int i = 0; i < 5; ++i) glBeginQuery(kinds[i], counts[i]);
  glBeginQuery(GL_SAMPLES_PASSED, occlusion[0]);
  draw(m);
  glEndQuery(GL_SAMPLES_PASSED);
  glBeginQuery(GL_ANY_SAMPLES_PASSED, occlusion[1]);
  draw_rectangle(-0.5f, -0.5f, 0.5f, 0.5f, -0.9f);
  glEndQuery(GL_ANY_SAMPLES_PASSED);
  for (int i = 0; i < 5; ++i) glEndQuery(kinds[i]);
  glBeginQuery(GL_ANY_SAMPLES_PASSED, occlusion[2]);
  draw_rectangle(-0.4f, -0.4f, 0.4f, 0.4f, 0.95f);  // behind the one before
  glEndQuery(GL_ANY_SAMPLES_PASSED);
  glQueryCounter(times[1], GL_TIMESTAMP);
  r.numbers("samples", {result_of(occlusion[0])});
  r.numbers("any", {result_of(occlusion[1]), result_of(occlusion[2])});
  r.numbers("primitives", {result_of(counts[0]), result_of(counts[1]), result_of(counts[2]), result_of(counts[3])});
  // How many pixels helpers and early tests leave to the shader is the GPU's own affair: only whether there were any.
  r.numbers("shaded", {uint64_t(result_of(counts[4]) > 1000)});
  r.numbers("time_passes", {uint64_t(result_of(times[1]) > result_of(times[0]))});
  save(r, "colour", t);
}

void query_buffer(Results& r) {  // results that the GPU writes and nobody waits for
  const Target t = target();
  program("plain.vert", "colour.frag");
  set({});
  GLuint query;
  glCreateQueries(GL_SAMPLES_PASSED, 1, &query);
  glBeginQuery(GL_SAMPLES_PASSED, query);
  draw_rectangle(-0.5f, -0.5f, 0.5f, 0.5f);
  glEndQuery(GL_SAMPLES_PASSED);
  const GLuint to = buffer(std::vector<uint64_t>(4, 99));
  glGetQueryBufferObjectui64v(query, to, GL_QUERY_RESULT, 0);
  glGetQueryBufferObjectuiv(query, to, GL_QUERY_RESULT, 8);
  glGetQueryBufferObjectuiv(query, to, GL_QUERY_RESULT_AVAILABLE, 16);
  std::vector<uint64_t> n(4);
  glGetNamedBufferSubData(to, 0, 32, n.data());
  r.numbers("buffer", n);
  save(r, "colour", t);
}

void conditional(Results& r) {
  const Target t = target();
  program("plain.vert", "colour.frag");
  set({});
  glEnable(GL_DEPTH_TEST);
  GLuint query[2];
  glCreateQueries(GL_SAMPLES_PASSED, 2, query);
  draw_rectangle(-0.9f, -0.9f, 0.1f, 0.9f, 0);
  glBeginQuery(GL_SAMPLES_PASSED, query[0]);
  draw_rectangle(-0.8f, -0.8f, 0, 0.8f, 0.5f);  // hidden
  glEndQuery(GL_SAMPLES_PASSED);
  glBeginQuery(GL_SAMPLES_PASSED, query[1]);
  draw_rectangle(-0.5f, -0.1f, 0.5f, 0.1f, 0.5f);  // partly seen
  glEndQuery(GL_SAMPLES_PASSED);
  const GLenum modes[] = {GL_QUERY_WAIT, GL_QUERY_WAIT_INVERTED};
  const float colours[2][4] = {{1, 0, 0, 1}, {0, 1, 0, 1}};
  for (int i = 0; i < 4; ++i) {
    glBeginConditionalRender(query[i % 2], modes[i / 2]);
    const float y = -0.8f + 0.4f * float(i);
    draw_rectangle(0.2f, y, 0.9f, y + 0.3f, -0.5f, colours[i % 2]);
    glEndConditionalRender();
  }
  save(r, "colour", t);
}

void compute(Results& r) {  // a compute shader makes vertices and texels that are drawn at once
  const Target t = target();
  set({});
  const GLuint vertices = buffer(std::vector<float>(1024 * 3 * 8)), image = texture(64, 64, pattern(64, 64));
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 3, vertices);
  glBindImageTexture(4, image, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
  compute_program("particles.comp");
  glDispatchCompute(16, 1, 1);
  glMemoryBarrier(GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | GL_TEXTURE_FETCH_BARRIER_BIT);
  program("plain.vert", "texture.frag");
  Values v;
  v.v[0][0] = v.v[0][1] = 2;
  set(v);
  glBindTextureUnit(1, image);
  draw_rectangle();
  program("particles.vert", "colour.frag");
  GLuint array;
  glCreateVertexArrays(1, &array);
  glVertexArrayVertexBuffer(array, 0, vertices, 0, 32);
  for (GLuint i = 0; i < 2; ++i) {
    glVertexArrayAttribFormat(array, i, 4, GL_FLOAT, GL_FALSE, i * 16);
    glVertexArrayAttribBinding(array, i, 0);
    glEnableVertexArrayAttrib(array, i);
  }
  glBindVertexArray(array);
  glDrawArrays(GL_TRIANGLES, 0, 3072);
  save(r, "colour", t);
}

void storage(Results& r) {  // pixels count in a buffer, and write to an image
  const Target t = target({GL_RGBA8}, 0);
  program("plain.vert", "storage.frag");
  set({});
  const GLuint counts = buffer(std::vector<GLuint>(16));
  const Target image = target({GL_RGBA8}, 0);
  glBindFramebuffer(GL_FRAMEBUFFER, t.framebuffer);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 3, counts);
  glBindImageTexture(4, image.colours[0], 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
  draw_rectangle(-0.75f, -0.5f, 0.75f, 0.5f);
  draw_rectangle(0, 0.25f, 1, 0.75f);
  glMemoryBarrier(GL_ALL_BARRIER_BITS);
  std::vector<GLuint> n(16);
  glGetNamedBufferSubData(counts, 0, 64, n.data());
  r.numbers("counts", {n.begin(), n.end()});
  save(r, "colour", t);
  save(r, "image", image);
}

// Many chunks and bins: overlapping triangles in order, blended and with depth, of which the shader discards parts and
// counts the rest in a buffer and an image, in ways that have no order.
void crowd(Results& r) {
  const Target t = target({GL_RGBA8}, GL_DEPTH_COMPONENT32F, 0, crowd_width, crowd_height);
  const Target image = target({GL_R32UI}, 0, 0, crowd_width, crowd_height);
  const GLuint zero[4]{};
  glClearBufferuiv(GL_COLOR, 0, zero);
  glBindFramebuffer(GL_FRAMEBUFFER, t.framebuffer);
  program("plain.vert", "crowd.frag");
  set({});
  const GLuint counts = buffer(std::vector<GLuint>(16));
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 3, counts);
  glBindImageTexture(4, image.colours[0], 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);
  draw(scatter(20, 0.9f, 71));
  draw(scatter(20000, 0.02f, 70));
  for (uint32_t n = 0; n < 3; ++n) {
    draw(scatter(2000, 0.06f, 72 + n));
    draw(scatter(100, 0.25f, 82 + n));
  }
  glMemoryBarrier(GL_ALL_BARRIER_BITS);
  std::vector<GLuint> n(16);
  glGetNamedBufferSubData(counts, 0, 64, n.data());
  r.numbers("counts", {n.begin(), n.end()});
  save(r, "colour", t, crowd_width, crowd_height);
  save(r, "depth", t, 0, GL_DEPTH_COMPONENT, GL_FLOAT, "r32f", 4, crowd_width, crowd_height);
  save(r, "image", image, GL_COLOR_ATTACHMENT0, GL_RED_INTEGER, GL_UNSIGNED_INT, "r32ui", 4, crowd_width, crowd_height);
}

constexpr Scene scenes[] = {{"queries", queries}, {"query_buffer", query_buffer}, {"conditional", conditional},
                            {"compute", compute}, {"storage", storage},           {"crowd", crowd}};

}  // namespace

std::span<const Scene> work_scenes() { return scenes; }

}  // namespace graphics
