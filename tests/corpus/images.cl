// Images and samplers: all dimensions, arrays and buffers, all read and write types, kernel-side and host-side
// samplers, image queries.

#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable

constant sampler_t linear_repeat = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
constant sampler_t nearest_clamp = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
constant sampler_t linear_mirror = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_LINEAR;
constant sampler_t nearest_edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void image_1d(read_only image1d_t in, write_only image1d_t out, read_only image1d_array_t layers) {
  const int x = get_global_id(0);
  float4 c = read_imagef(in, nearest_clamp, x) + read_imagef(in, linear_repeat, (float)x / get_image_width(in));
  c += read_imagef(layers, nearest_edge, (int2)(x, get_image_array_size(layers) - 1));
  write_imagef(out, x, c);
}

kernel void image_2d_float(read_only image2d_t in, write_only image2d_t out, sampler_t host) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  const float2 uv = convert_float2(at) / convert_float2(get_image_dim(in));
  float4 c = read_imagef(in, host, uv) + read_imagef(in, linear_mirror, uv * 2.0f);
  c = max(c, read_imagef(in, nearest_clamp, at)) + read_imagef(in, at.yx);
  write_imagef(out, at, c);
}

kernel void image_2d_int(read_only image2d_t in, write_only image2d_t out, read_only image2d_t uin,
                         write_only image2d_t uout) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  const int4 s = read_imagei(in, nearest_edge, at + (int2)(1, -1));
  const uint4 u = read_imageui(uin, nearest_clamp, convert_float2(at) + 0.5f);
  write_imagei(out, at, s * (int4)(1, 2, 3, 4));
  write_imageui(uout, at, u ^ as_uint4(s));
}

kernel void image_3d(read_only image3d_t in, write_only image3d_t out) {
  const int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
  const float4 p = (convert_float4(at) + 0.5f) / (float)get_image_depth(in);
  write_imagef(out, at, read_imagef(in, linear_repeat, p) - read_imagef(in, nearest_clamp, at));
}

kernel void image_arrays(read_only image2d_array_t in, write_only image2d_array_t out,
                         write_only image1d_array_t flat) {
  const int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
  const uint4 c = read_imageui(in, nearest_edge, at);
  write_imageui(out, at, c.wzyx);
  if (at.y == 0) write_imageui(flat, at.xz, c >> 1u);
}

kernel void image_buffers(read_only image1d_buffer_t in, write_only image1d_buffer_t out) {
  const int x = get_global_id(0);
  write_imageui(out, x, read_imageui(in, x * 2) + read_imageui(in, x * 2 + 1));
}

// A convolution with a divergent border.
kernel void image_blur(read_only image2d_t in, write_only image2d_t out, constant float* weights, int radius) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1)), size = get_image_dim(in);
  if (at.x >= size.x || at.y >= size.y) return;
  float4 sum = 0.0f;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx)
      sum +=
          read_imagef(in, nearest_edge, at + (int2)(dx, dy)) * weights[(dy + radius) * (2 * radius + 1) + dx + radius];
  write_imagef(out, at, sum);
}

kernel void image_queries(read_only image2d_t a, read_only image3d_t b, read_only image2d_array_t c, global int* out) {
  out[0] = get_image_width(a) + get_image_height(a) * get_image_width(b);
  out[1] = get_image_channel_data_type(a) + get_image_channel_order(b);
  out[2] = get_image_array_size(c) + get_image_depth(b);
}
