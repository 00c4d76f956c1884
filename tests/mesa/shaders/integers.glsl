// Integer instructions beyond GLSL 3.30: bit fields, bit counts, carries, wide products, fused multiply-add, ldexp.
// needs 430
// variants STANDARD INTEL

-- compute
#extension GL_INTEL_shader_integer_functions2 : require
layout(local_size_x = 16) in;
layout(std430, binding = 0) buffer A { uvec4 u[]; };
layout(std430, binding = 1) buffer B { ivec4 s[]; };
layout(std430, binding = 2) buffer C { vec4 f[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  uvec4 a = u[i], b = u[i + 1u];
  ivec4 x = s[i], y = s[i + 1u];
  vec4 p = f[i], q = f[i + 1u];
#ifdef STANDARD
  a = bitfieldExtract(a, 3, 7) + bitfieldInsert(a, b, 4, 9) + bitfieldReverse(b) + uvec4(bitCount(a)) + uvec4(findLSB(b)) + uvec4(findMSB(a));
  x = bitfieldExtract(x, y.x, y.y) + bitfieldInsert(x, y, x.z, 5) + bitfieldReverse(y) + bitCount(x) + findLSB(y) + findMSB(x);
  uvec4 carry, borrow, high, low;
  a = uaddCarry(a, b, carry);
  b = usubBorrow(b, a, borrow);
  umulExtended(a, b, high, low);
  ivec4 shigh, slow;
  imulExtended(x, y, shigh, slow);
  ivec4 e;
  p = fma(p, q, p) + frexp(q, e) + ldexp(p, x & 15);
  u[i] = a ^ b + carry - borrow + high * low;
  s[i] = shigh - slow + e;
  f[i] = p;
#else
  u[i] = average(a, b) + averageRounded(a, b.yxwz) + absoluteDifference(a, b) + addSaturate(a, b) + subtractSaturate(b, a) +
         countLeadingZeros(a) + countTrailingZeros(b) + multiply32x16(a, b);
  s[i] = average(x, y) + averageRounded(y, x.yxwz) + addSaturate(x, y) + subtractSaturate(y, x) + multiply32x16(x, y) +
         ivec4(absoluteDifference(x, y));
#endif
}
