// Frames in Vulkan, for bench/run_graphics: each row is recorded once and submitted again and again, and waited for.
// Prints the best and the median time of a frame, and the processor's time of one.
//   bench_graphics_vulkan DEVICE SHADERS SECONDS ROW [SCALE]      --list: the rows' names
// SCALE multiplies what the row is about: pixels, triangles or draws. The rows are those of gl.cpp.
#include <algorithm>

#include "../../tests/graphics/vulkan/context.h"
#include "measure.h"

namespace {

using namespace graphics;

double scale_of_work = 1;
uint32_t w = 1024, h = 768;  // of the target

// Uploads what a row needs; then its frame is recorded.
struct Row {
  const char* name;
  bool scales_pixels;  // else what it draws
  void (*record)();
};

int scaled(int n) { return std::max(1, int(n * scale_of_work)); }
// What was recorded so far happens once; what follows belongs to the frame.
void frame_begins() { submit(); }

constexpr VkFormat colour = VK_FORMAT_R8G8B8A8_UNORM, depth_stencil = VK_FORMAT_D32_SFLOAT_S8_UINT;
Target target_of(bool depth, uint32_t samples = 1) {
  return target({colour}, depth ? depth_stencil : VK_FORMAT_UNDEFINED, samples, w, h);
}
State state_of(bool depth) {
  State s;
  s.depth_format = depth ? depth_stencil : VK_FORMAT_UNDEFINED;
  s.depth.depthTestEnable = depth;
  return s;
}

// So many rectangles over the whole target, one behind the other.
void draw_layers(int count) {
  Mesh all;
  for (int k = 0; k < count; ++k) {
    const float rgba[] = {0.2f * float(k % 5), 0.1f * float(k % 7), 0.9f, 0.4f};
    const Mesh one = rectangle(-1, -1, 1, 1, 0.9f - 0.02f * float(k), rgba);
    const auto first = uint16_t(all.vertices.size());
    all.vertices.insert(all.vertices.end(), one.vertices.begin(), one.vertices.end());
    for (const uint16_t i : one.indices) all.indices.push_back(uint16_t(first + i));
  }
  draw(all);
}
void fill(bool blend, bool depth, int layers = 8, uint32_t samples = 1) {
  const Target t = target_of(depth, samples);
  State s = state_of(depth);
  s.blend.blendEnable = blend;
  s.samples = samples;
  const VkPipeline p = pipeline(s);
  frame_begins();
  begin(t, depth);
  bind(p, {});
  draw_layers(layers);
  end();
}
void textured(VkSampler sampling, bool mipmaps, float repeats_x, float repeats_y) {
  const Target t = target_of(false);
  State s = state_of(false);
  s.fragment = "texture.frag";
  Bindings b;
  b.first = mipmapped(1024, mipmaps ? 11 : 1), b.sampling = sampling;
  b.values.v[0][0] = repeats_x, b.values.v[0][1] = repeats_y;
  const VkPipeline p = pipeline(s);
  frame_begins();
  begin(t, false);
  bind(p, b);
  draw_layers(4);
  end();
}

// So many small triangles in a grid, bound with indices of 32 bits; how many there are.
uint32_t bind_grid(int columns, int rows, float x0 = -1, float y0 = -1, float x1 = 1, float y1 = 1) {
  Mesh m;
  for (int y = 0; y <= rows; ++y)
    for (int x = 0; x <= columns; ++x) {
      const float u = float(x) / float(columns), v = float(y) / float(rows);
      m.vertices.push_back({{x0 + (x1 - x0) * u, y0 + (y1 - y0) * v, 0, 1}, {u, v, 1 - u, 1}, {u, v}});
    }
  std::vector<uint32_t> indices;
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) {
      const auto a = uint32_t(y * (columns + 1) + x), b = a + uint32_t(columns) + 1;
      for (const uint32_t i : {a, a + 1, b, b, a + 1, b + 1}) indices.push_back(i);
    }
  bind(m);
  vkCmdBindIndexBuffer(gpu.list, buffer(indices).buffer, 0, VK_INDEX_TYPE_UINT32);
  return uint32_t(indices.size());
}
void meshes(int columns, int rows, float edge, int count) {
  const Target t = target_of(true);
  const VkPipeline p = pipeline(state_of(true));
  frame_begins();
  begin(t);
  bind(p, {});
  const uint32_t indices = bind_grid(columns, rows, -edge, -edge, edge, edge);
  for (int k = 0; k < count; ++k) vkCmdDrawIndexed(gpu.list, indices, 1, 0, 0, 0);
  end();
}

void many_draws(bool changes) {
  const Target t = target_of(true);
  std::vector<VkPipeline> pipelines;
  for (int k = 0; k < 4; ++k) {
    State s = state_of(true);
    s.blend.blendEnable = k & 1, s.depth.depthTestEnable = k >> 1;
    pipelines.push_back(pipeline(s));
  }
  std::vector<VkDescriptorSet> sets;
  for (uint32_t k = 0; k < 16; ++k) {
    Bindings b;
    b.values.matrix = move(chance(k) * 1.8f - 0.9f, chance(k + 99) * 1.8f - 0.9f, 0);
    sets.push_back(descriptor_set(b));
  }
  const Mesh mesh = rectangle(-0.02f, -0.02f, 0.02f, 0.02f);
  const auto count = size_t(scaled(1000));
  frame_begins();
  begin(t);
  bind(mesh);
  for (size_t k = 0; k < count; ++k) {
    if (changes || k == 0) bind_set(pipelines[k % pipelines.size()], sets[k % sets.size()]);
    vkCmdDrawIndexed(gpu.list, uint32_t(mesh.indices.size()), 1, 0, 0, 0);
  }
  end();
}

void upload() {
  const Image to = image(colour, w, h, VK_IMAGE_USAGE_SAMPLED_BIT);
  const Buffer from = buffer(std::vector<uint8_t>(size_t(w) * h * 4, 7));
  const VkBufferImageCopy copy{0, 0, 0, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, {0, 0, 0}, {w, h, 1}};
  frame_begins();
  vkCmdCopyBufferToImage(gpu.list, from.buffer, to.image, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
}
void readback() {
  const Target t = target_of(false);
  const Buffer to = buffer(nullptr, size_t(w) * h * 4);
  const VkPipeline p = pipeline(state_of(false));
  const VkBufferImageCopy copy{0, 0, 0, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, {0, 0, 0}, {w, h, 1}};
  frame_begins();
  begin(t, false);
  bind(p, {});
  draw_layers(1);
  end();
  vkCmdCopyImageToBuffer(gpu.list, t.colours[0].image, VK_IMAGE_LAYOUT_GENERAL, to.buffer, 1, &copy);
}

const Row rows[] = {
    {"clear", true,
     [] {
       const Target t = target_of(true);
       frame_begins();
       begin(t);
       end();
     }},
    {"fill", true, [] { fill(false, false); }},
    {"fill_depth", true, [] { fill(false, true); }},
    {"blend", true, [] { fill(true, false); }},
    {"blend_depth", true, [] { fill(true, true); }},
    {"bilinear", true, [] { textured(sampler(VK_FILTER_LINEAR), false, 0.9f, 0.7f); }},
    {"trilinear", true, [] { textured(sampler(VK_FILTER_LINEAR), true, 1.7f, 1.3f); }},
    {"anisotropic", true,
     [] {
       const auto anisotropic = [](VkSamplerCreateInfo& i) { i.anisotropyEnable = VK_TRUE, i.maxAnisotropy = 8; };
       textured(sampler(VK_FILTER_LINEAR, VK_SAMPLER_ADDRESS_MODE_REPEAT, anisotropic), true, 1.1f, 6.0f);
     }},
    {"multisampled", true, [] { fill(false, true, 4, 4); }},
    {"ray_march", true,
     [] {
       const Target t = target_of(false);
       State s = state_of(false);
       s.fragment = "ray_march.frag";
       const VkPipeline p = pipeline(s);
       frame_begins();
       begin(t, false);
       bind(p, {});
       draw_layers(1);
       end();
     }},
    {"small_triangles", false, [] { meshes(250, scaled(200), 1, 1); }},
    {"meshes", false, [] { meshes(315, 316, 0.05f, scaled(10)); }},
    {"draws", false, [] { many_draws(false); }},
    {"draws_state", false, [] { many_draws(true); }},
    {"upload", true, upload},
    {"readback", true, readback},
};

void measure(const Row& row, double seconds) {
  row.record();
  barrier();
  check(vkEndCommandBuffer(gpu.list), "vkEndCommandBuffer");
  const auto frame = [] {
    VkSubmitInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, info.commandBufferCount = 1, info.pCommandBuffers = &gpu.list;
    check(vkQueueSubmit(gpu.queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
    check(vkQueueWaitIdle(gpu.queue), "vkQueueWaitIdle");
  };
  measure_frames(row.name, seconds, frame);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "--list") {
    for (const Row& r : rows) std::puts(r.name);
    return 0;
  }
  if (argc < 5) return std::fprintf(stderr, "usage: %s DEVICE SHADERS SECONDS ROW [SCALE]\n", argv[0]), 2;
  try {
    const Row* row =
        std::find_if(std::begin(rows), std::end(rows), [&](const Row& r) { return std::string(r.name) == argv[4]; });
    if (row == std::end(rows)) throw std::runtime_error(std::string("no row ") + argv[4]);
    if (argc > 5) scale_of_work = std::stod(argv[5]);
    if (row->scales_pixels) h = uint32_t(scaled(int(h)));
    open_device(argv[1], argv[2]);
    measure(*row, std::stod(argv[3]));
    close_device();
  } catch (const std::exception& e) {
    return std::fprintf(stderr, "%s\n", e.what()), 1;
  }
}
