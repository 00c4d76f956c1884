// Vectors of every width: swizzles (byte, word and qword regions), vload/vstore at unaligned places, select, shuffles,
// structures and transposition.

kernel void swizzle_floats(global float16* out, global const float16* in) {
  const int i = get_global_id(0);
  float16 v = in[i];
  v.even += v.odd;
  v.lo = v.hi.s76543210 * v.s0;
  v.s5a = v.sa5;
  out[i] = v.sfedcba9876543210 + (float16)(v.s01, v.s23, v.s4567, v.hi);
}

kernel void swizzle_bytes(global uchar16* out, global const uchar16* in, global char3* three, global short3* sthree) {
  const int i = get_global_id(0);
  const uchar16 v = in[i];
  out[i] = v.s1032547698badcfe + v.s00112233cc55eeff;
  three[i] = three[i].zxy * (char3)(3, 5, 7);
  sthree[i] = sthree[i + 1].yzx - sthree[i].xxx;
}

kernel void vector_memory(global float* f, global const short* s, global uchar* c, global ulong* l,
                          local int* scratch) {
  const int i = get_global_id(0), j = get_local_id(0);
  vstore3(vload3(i, f + 1) * 2.0f, i, f);
  vstore4(vload4(i, f + 3), i + 1024, f);
  const short8 a = vload8(i, s + 1);
  vstore8(convert_int8(a), j, scratch);
  barrier(CLK_LOCAL_MEM_FENCE);
  const int16 b = vload16(j >> 1, scratch);
  vstore16(convert_uchar16(b), i, c + 5);
  vstore2(vload2(i, l) + convert_ulong2(b.s01), i, l);
}

kernel void vector_select(global int8* out, global const int8* a, global const int8* b, global long2* l,
                          global const uchar8* m) {
  const int i = get_global_id(0);
  const int8 less = a[i] < b[i];
  out[i] = select(a[i], b[i], less) + (less ? a[i] * 3 : b[i] - 1) + bitselect(a[i], b[i], convert_int8(m[i]));
  if (any(less.lo) && !all(less.hi)) l[i] = l[i] > l[i + 1] ? l[i] : l[i + 1];
}

kernel void vector_shuffle(global uint8* out, global const uint8* a, global const uint8* pick, global ushort4* s) {
  const int i = get_global_id(0);
  out[i] = shuffle2(a[i], a[i + 1], pick[i] & 15u) + shuffle(a[i], pick[i + 1]);
  s[i] = shuffle(s[i], (ushort4)(3, 1, 0, 2));
}

typedef struct {
  float3 position;
  uchar4 colour;
  short tag[3];
  char flags;
  ulong id;
} particle;

kernel void structures(global particle* p, float dt, uint n) {
  const uint i = get_global_id(0);
  if (i >= n) return;
  particle q = p[i];
  q.position = mad(q.position, (float3)(dt), (float3)(0.0f, -9.81f * dt, 0.0f));
  q.colour = (uchar4)(q.colour.xyz >> (uchar3)(1), 255);
  q.tag[q.flags & 1] += q.tag[2];
  q.id = q.id * 6364136223846793005ul + 1442695040888963407ul;
  p[i] = q;
}

kernel void transpose4(global float4* m) {
  const int i = get_global_id(0) * 4;
  const float4 a = m[i], b = m[i + 1], c = m[i + 2], d = m[i + 3];
  m[i] = (float4)(a.x, b.x, c.x, d.x);
  m[i + 1] = (float4)(a.y, b.y, c.y, d.y);
  m[i + 2] = (float4)(a.z, b.z, c.z, d.z);
  m[i + 3] = (float4)(a.w, b.w, c.w, d.w);
}
