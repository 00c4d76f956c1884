// Double precision and 64-bit integers.
// needs 430
// variants ARITHMETIC FUNCTIONS CONVERSIONS LONGS

-- compute
#extension GL_ARB_gpu_shader_fp64 : require
#extension GL_ARB_gpu_shader_int64 : require
layout(local_size_x = 16) in;
layout(std430, binding = 0) buffer A { dvec4 d[]; };
layout(std430, binding = 1) buffer B { vec4 f[]; };
layout(std430, binding = 2) buffer C { ivec4 s[]; };
layout(std430, binding = 3) buffer D { int64_t l[]; };
layout(std430, binding = 4) buffer E { uint64_t u[]; };
uniform dvec4 k;
uniform dmat3 m;
void main() {
  uint i = gl_GlobalInvocationID.x;
  dvec4 a = d[i], b = d[i + 1u] * k;
#ifdef ARITHMETIC
  a = a * b + a - fma(a, b, -a) * abs(b) + min(a, b) - max(b, a) * 0.1lf;
  a.xyz += m * b.xyz;
  if (any(lessThan(a, b))) a = -a;
  a = mix(a, b, greaterThan(a, k));
#endif
#ifdef FUNCTIONS
  a = a / b + sqrt(a) + inversesqrt(b) + floor(a) + ceil(b) + fract(a) + trunc(b) + round(a) + mod(a, b);
  a.x += dot(a, b) + length(b);
#endif
#ifdef CONVERSIONS
  a += dvec4(f[i]) + dvec4(s[i]);
  f[i] = vec4(a);
  s[i] = ivec4(b);
  uvec2 w = unpackDouble2x32(a.x);
  a.y = packDouble2x32(w.yx);
  l[i] = int64_t(a.z);
  a.w += double(u[i]);
#endif
#ifdef LONGS
  int64_t x = l[i], y = l[i + 1u];
  uint64_t z = u[i], w = u[i + 1u];
  x = x * y + (x >> 3) - (y << 7) + min(x, y) - abs(x) + (x & y) - (x ^ y);
  z = z * w - max(z, w) + (z >> 5) | ~w;
  if (x < y) x = -x;
  if (z >= w) z += 5ul;
  l[i] = x / y + int64_t(z);
  u[i] = z % w + uint64_t(s[i].x) + uint64_t(f[i].x);
#endif
  d[i] = a;
}
