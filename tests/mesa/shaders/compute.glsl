// Compute shaders: shared memory, barriers, atomics on buffers, images and shared variables, memory fences.
// needs 430
// variants SHARED BUFFERS ATOMICS IMAGES IMAGE_ATOMICS MATRIX SORT INDICES

-- compute
#extension GL_ARB_shader_image_size : enable
#if defined(SORT)
layout(local_size_x = 64) in;
#elif defined(INDICES)
layout(local_size_x = 5, local_size_y = 3, local_size_z = 2) in;
#elif defined(MATRIX)
layout(local_size_x = 8, local_size_y = 8) in;
#else
layout(local_size_x = 32) in;
#endif
layout(std430, binding = 0) buffer A { uint words[]; };
layout(std430, binding = 1) buffer B { vec4 vectors[]; };
layout(std430, binding = 2) buffer C { int counter; ivec3 three; float numbers[]; } c;
layout(std430, binding = 3) readonly buffer D { mat4 matrices[]; };
layout(rgba8, binding = 0) uniform image2D im2;
layout(r32f, binding = 1) uniform image3D im3;
layout(rgba32f, binding = 2) uniform image2DArray ima;
layout(r32ui, binding = 3) uniform uimage2D imu;
layout(r32i, binding = 4) uniform iimage1D imi;
layout(rg16i, binding = 5) uniform iimageBuffer imb;
layout(rgba16f, binding = 6) uniform imageCube imc;
uniform int limit;
shared uint pool[256];
shared vec4 tile[64];
shared int sum;
void main() {
  uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationIndex;
#ifdef SHARED
  pool[l] = words[i];
  tile[l & 63u] = vectors[i];
  barrier();
  for (uint s = 16u; s > 0u; s >>= 1u) {
    if (l < s) { pool[l] += pool[l + s]; tile[l] = max(tile[l], tile[l + s]); }
    memoryBarrierShared();
    barrier();
  }
  if (l == 0u) { words[gl_WorkGroupID.x] = pool[0]; vectors[gl_WorkGroupID.x] = tile[0]; }
#endif
#ifdef BUFFERS
  vec4 v = vectors[i] * vectors[i + 1u].wzyx;
  c.numbers[i] = v.x + c.numbers[words[i]];
  c.three = c.three.zyx + ivec3(v.xyz);
  vectors[words[i] & 63u].yz = v.zw;
  words[i] = uint(words.length()) + uint(c.numbers.length());
  memoryBarrierBuffer();
  vectors[i] = matrices[i] * v + matrices[words[i]][2];
#endif
#ifdef ATOMICS
  uint a = atomicAdd(words[i], 3u) + atomicMin(words[1], l) + atomicMax(words[2], i) + atomicAnd(words[3], 0xffu);
  a += atomicOr(words[4], i) + atomicXor(words[5], l) + atomicExchange(words[6], a) + atomicCompSwap(words[7], a, i);
  int b = atomicAdd(c.counter, -1) + atomicMin(c.counter, int(a)) + atomicMax(c.three.y, 7);
  if (l == 0u) sum = 0;
  barrier();
  b += atomicAdd(sum, int(l)) + atomicMax(sum, b) + atomicCompSwap(sum, b, 9);
  atomicAnd(pool[l], a);
  atomicOr(pool[a & 255u], 5u);
  barrier();
  words[i + 1u] = a + uint(b + sum) + atomicExchange(pool[3], i) + atomicXor(pool[4], 1u);
#endif
#ifdef IMAGES
  ivec3 p = ivec3(gl_GlobalInvocationID);
  vec4 t = imageLoad(im2, p.xy) + imageLoad(im3, p) + imageLoad(ima, p) + vec4(imageLoad(imu, p.yx)) + vec4(imageLoad(imi, p.x));
  t += vec4(imageLoad(imb, p.x)) + imageLoad(imc, p);
  imageStore(im2, p.xy, t);
  imageStore(im3, p, t.wzyx);
  imageStore(ima, p, t * 2.0);
  imageStore(imu, p.xy, uvec4(t));
  imageStore(imi, p.x, ivec4(t));
  imageStore(imb, p.y, ivec4(t));
  imageStore(imc, p, t);
  memoryBarrierImage();
  words[i] = uint(imageSize(im2).x + imageSize(im3).z + imageSize(ima).y + imageSize(imb) + imageSize(imc).x);
#endif
#ifdef IMAGE_ATOMICS
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  uint a = imageAtomicAdd(imu, p, 1u) + imageAtomicMin(imu, p, i) + imageAtomicMax(imu, p.yx, l) + imageAtomicAnd(imu, p, 7u);
  a += imageAtomicOr(imu, p, a) + imageAtomicXor(imu, p, i) + imageAtomicExchange(imu, p, a) + imageAtomicCompSwap(imu, p, a, i);
  words[i] = a + uint(imageAtomicAdd(imi, p.x, -1) + imageAtomicMin(imi, p.y, int(a)) + imageAtomicMax(imi, 0, 3));
#endif
#ifdef MATRIX
  uvec2 id = gl_LocalInvocationID.xy, g = gl_GlobalInvocationID.xy;
  vec4 total = vec4(0.0);
  for (int k = 0; k < limit; k++) {
    tile[id.y * 8u + id.x] = vectors[g.y * uint(limit) + uint(k) * 8u + id.x];
    barrier();
    for (uint j = 0u; j < 8u; j++) total += tile[id.y * 8u + j] * tile[j * 8u + id.x];
    barrier();
  }
  vectors[g.y * 1024u + g.x] = total;
#endif
#ifdef SORT
  pool[l] = words[i];
  barrier();
  for (uint k = 2u; k <= 64u; k <<= 1u)
    for (uint j = k >> 1u; j > 0u; j >>= 1u) {
      uint o = l ^ j;
      if (o > l) {
        uint x = pool[l], y = pool[o];
        if ((x > y) == ((l & k) == 0u)) { pool[l] = y; pool[o] = x; }
      }
      barrier();
    }
  words[i] = pool[l];
#endif
#ifdef INDICES
  uvec3 g = gl_NumWorkGroups * gl_WorkGroupID + gl_LocalInvocationID * gl_WorkGroupSize;
  words[g.x + g.y * g.z] = gl_LocalInvocationIndex ^ gl_GlobalInvocationID.z;
  groupMemoryBarrier();
  memoryBarrier();
#endif
}
