// Images of every dimension, read and written in many formats, and samplers.

//@ kernel read_2d
//@ as rgba_unorm8
//@ global 31 17
//@ image in 2d rgba unorm8 31 17
//@ out float 2108
//@ tolerance 2
//@ kernel read_2d
//@ as bgra_unorm8
//@ global 31 17
//@ image in 2d bgra unorm8 31 17
//@ out float 2108
//@ tolerance 2
//@ kernel read_2d
//@ as rgba_float
//@ global 31 17
//@ image in 2d rgba float 31 17
//@ out float 2108
//@ kernel read_2d
//@ as rgba_half
//@ global 31 17
//@ image in 2d rgba half 31 17
//@ out float 2108
//@ kernel read_2d
//@ as r_float
//@ global 31 17
//@ image in 2d r float 31 17
//@ out float 2108
//@ kernel read_2d
//@ as r_unorm16
//@ global 31 17
//@ image in 2d r unorm16 31 17
//@ out float 2108
//@ tolerance 2
//@ kernel read_2d
//@ as rgba_snorm8
//@ global 31 17
//@ image in 2d rgba snorm8 31 17
//@ out float 2108
//@ tolerance 2
kernel void read_2d(read_only image2d_t i, global float4* c) {
  const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  c[p.y * 31 + p.x] = read_imagef(i, s, p);
}

//@ kernel read_unsigned
//@ as rgba_uint8
//@ global 20 9
//@ image in 2d rgba uint8 20 9
//@ out uint 720
//@ kernel read_unsigned
//@ as rgba_uint16
//@ global 20 9
//@ image in 2d rgba uint16 20 9
//@ out uint 720
//@ kernel read_unsigned
//@ as rgba_uint32
//@ global 20 9
//@ image in 2d rgba uint32 20 9
//@ out uint 720
kernel void read_unsigned(read_only image2d_t i, global uint4* c) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  c[p.y * 20 + p.x] = read_imageui(i, p);
}

//@ kernel read_red
//@ as r_uint8
//@ global 20 9
//@ image in 2d r uint8 20 9
//@ out uint 180
// The reference says 0 where the specification says 1 for the alpha that is not there.
kernel void read_red(read_only image2d_t i, global uint* c) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  c[p.y * 20 + p.x] = read_imageui(i, p).x;
}

//@ kernel read_signed
//@ as rgba_sint8
//@ global 20 9
//@ image in 2d rgba sint8 20 9
//@ out int 720
//@ kernel read_signed
//@ as rgba_sint16
//@ global 20 9
//@ image in 2d rgba sint16 20 9
//@ out int 720
//@ kernel read_signed
//@ as rgba_sint32
//@ global 20 9
//@ image in 2d rgba sint32 20 9
//@ out int 720
kernel void read_signed(read_only image2d_t i, global int4* c) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  c[p.y * 20 + p.x] = read_imagei(i, p);
}

//@ kernel write_floats
//@ as to_rgba_unorm8
//@ global 33 10
//@ in float 1320 -0.3 1.3
//@ image out 2d rgba unorm8 33 10
//@ kernel write_floats
//@ as to_rgba_float
//@ global 33 10
//@ in float 1320 -3 3
//@ image out 2d rgba float 33 10
//@ kernel write_floats
//@ as to_bgra_unorm8
//@ global 33 10
//@ in float 1320 -0.3 1.3
//@ image out 2d bgra unorm8 33 10
//@ kernel write_floats
//@ as to_rgba_half
//@ global 33 10
//@ in float 1320 -3 3
//@ image out 2d rgba half 33 10
//@ kernel write_floats
//@ as to_r_unorm16
//@ global 33 10
//@ in float 1320 -0.3 1.3
//@ image out 2d r unorm16 33 10
kernel void write_floats(global const float4* a, write_only image2d_t o) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(o, p, a[p.y * 33 + p.x]);
}

//@ kernel write_unsigned
//@ as to_rgba_uint8
//@ global 16 16
//@ in uint 1024 0 255
//@ image out 2d rgba uint8 16 16
//@ kernel write_unsigned
//@ as to_rgba_uint16
//@ global 16 16
//@ in uint 1024 0 65535
//@ image out 2d rgba uint16 16 16
//@ kernel write_unsigned
//@ as to_rgba_uint32
//@ global 16 16
//@ in uint 1024 0 4294967295
//@ image out 2d rgba uint32 16 16
kernel void write_unsigned(global const uint4* a, write_only image2d_t o) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imageui(o, p, a[p.y * 16 + p.x]);
}

//@ kernel volume
//@ global 9 7 5
//@ image in 3d rgba float 9 7 5
//@ out float 1260
kernel void volume(read_only image3d_t i, global float4* c) {
  int4 p = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
  c[(p.z * 7 + p.y) * 9 + p.x] = read_imagef(i, (int4)(8 - p.x, p.y, 4 - p.z, 0));
}

//@ kernel layers
//@ global 9 7 5
//@ image in 2da rgba uint8 9 7 5
//@ out uint 1260
kernel void layers(read_only image2d_array_t i, global uint4* c) {
  int4 p = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
  c[(p.z * 7 + p.y) * 9 + p.x] = read_imageui(i, p) + (uint4)get_image_array_size(i);
}

//@ kernel line
//@ global 77
//@ image in 1d rgba float 77
//@ out float 308
kernel void line(read_only image1d_t i, global float4* c) {
  c[get_global_id(0)] = read_imagef(i, 76 - (int)get_global_id(0));
}

//@ kernel lines
//@ global 40 6
//@ image in 1da rgba float 40 6
//@ out float 960
kernel void lines(read_only image1d_array_t i, global float4* c) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  c[p.y * 40 + p.x] = read_imagef(i, p);
}

//@ kernel buffer
//@ global 500
//@ image in 1db rgba uint32 500
//@ out uint 2000
kernel void buffer(read_only image1d_buffer_t i, global uint4* c) {
  c[get_global_id(0)] = read_imageui(i, 499 - (int)get_global_id(0));
}

//@ kernel sizes
//@ global 1
//@ image in 2d rgba float 123 45
//@ image in 3d rgba float 11 22 33
//@ out int 8
kernel void sizes(read_only image2d_t a, read_only image3d_t b, global int* c) {
  c[0] = get_image_width(a), c[1] = get_image_height(a), c[2] = get_image_width(b), c[3] = get_image_height(b),
  c[4] = get_image_depth(b), c[5] = get_image_channel_data_type(a), c[6] = get_image_channel_order(b);
}

//@ kernel nearest
//@ as nearest_edge
//@ global 40 40
//@ image in 2d rgba float 16 16
//@ sampler normalized edge nearest
//@ out float 6400
//@ kernel nearest
//@ as nearest_repeat
//@ global 40 40
//@ image in 2d rgba float 16 16
//@ sampler normalized repeat nearest
//@ out float 6400
//@ kernel nearest
//@ as nearest_mirror
//@ global 40 40
//@ image in 2d rgba float 16 16
//@ sampler normalized mirror nearest
//@ out float 6400
//@ kernel nearest
//@ as nearest_clamp
//@ global 40 40
//@ image in 2d rgba float 16 16
//@ sampler normalized clamp nearest
//@ out float 6400
kernel void nearest(read_only image2d_t i, sampler_t s, global float4* c) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  c[p.y * 40 + p.x] = read_imagef(i, s, (float2)((p.x + 0.3f) / 13.0f - 1.0f, (p.y + 0.3f) / 13.0f - 1.0f));
}

//@ kernel linear
//@ as linear_edge
//@ global 40 40
//@ image in 2d rgba float 16 16
//@ sampler texels edge linear
//@ out float 6400
//@ tolerance 64
kernel void linear(read_only image2d_t i, sampler_t s, global float4* c) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  // Steps of 1/4 texel: weights that both an exact filter and one with 8-bit fractions represent.
  c[p.y * 40 + p.x] = read_imagef(i, s, (float2)(p.x * 0.5f - 1.75f, p.y * 0.5f - 1.75f)) + 10.0f;
}

//@ kernel sobel
//@ global 64 48
//@ image in 2d r float 64 48
//@ image out 2d r float 64 48
//@ tolerance 16
kernel void sobel(read_only image2d_t a, write_only image2d_t o) {
  const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  float v[3][3];
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 3; ++x) v[y][x] = read_imagef(a, s, p + (int2)(x - 1, y - 1)).x;
  float gx = v[0][2] + 2 * v[1][2] + v[2][2] - v[0][0] - 2 * v[1][0] - v[2][0];
  float gy = v[2][0] + 2 * v[2][1] + v[2][2] - v[0][0] - 2 * v[0][1] - v[0][2];
  write_imagef(o, p, (float4)(sqrt(gx * gx + gy * gy) + 1.0f, 0, 0, 1));
}
