// Float and integer arithmetic, comparison, conversion and rounding in a vertex and a fragment shader.
// needs 330
// variants FLOATS INTEGERS UNSIGNED CONVERSIONS COMPARISONS TRANSCENDENTAL

-- vertex
in vec4 p, q, r;
uniform vec4 u, v;
uniform ivec4 iu, iv;
uniform uvec4 uu, uv;
out vec4 f;
flat out ivec4 i;
flat out uvec4 n;
void main() {
  vec4 a = p * u + q, b = q - v, c = r;
  ivec4 x = ivec4(p) ^ iu, y = iv + ivec4(q);
  uvec4 z = uvec4(p) | uu, w = uv - uvec4(r);
#ifdef FLOATS
  a = min(a, b) + max(b, c) * clamp(a, 0.0, 1.0) - abs(b) * -c;
  a += mix(a, b, c) + mix(b, c, 0.25) + vec4(dot(a, b), dot(a.xyz, b.xyz), dot(a.xy, b.xy), length(c));
  b = fract(a) + floor(b) + ceil(c) + trunc(a) + round(b) + roundEven(c) + mod(a, b);
  c = sign(a) * step(b, a) + smoothstep(a, b, c) + normalize(a) + reflect(a, b) + refract(a, b, 0.5);
  c.xyz += cross(a.xyz, b.zxy) + faceforward(a.xyz, b.xyz, c.xyz);
  c.w += distance(a, b) + a.x / b.y + dot(vec4(a.xyz, 1.0), b) + dot(c, vec4(b.zxy, 1.0));
#endif
#ifdef INTEGERS
  x = x * y + (x / y) % ivec4(7) - abs(x) + sign(y) - min(x, y) * max(x, y);
  y = (x << 3) ^ (y >> (x & 31)) | ~x & (y - iv.x);
  x += clamp(x, ivec4(-5), ivec4(900)) * -y;
#endif
#ifdef UNSIGNED
  z = z * w + z / w + z % uvec4(5u) - min(z, w) + max(z, w);
  w = (z << 4u) | (w >> (z & 31u)) ^ ~z;
  z += clamp(w, uvec4(3u), uvec4(70000u));
#endif
#ifdef CONVERSIONS
  a = vec4(x) + vec4(z) + vec4(bvec4(x));
  x = ivec4(a) + ivec4(z) + floatBitsToInt(b);
  z = uvec4(c) + uvec4(x) + floatBitsToUint(a);
  b = intBitsToFloat(x) + uintBitsToFloat(z) + vec4(notEqual(z, w));
#endif
#ifdef COMPARISONS
  bvec4 k = lessThan(a, b), l = greaterThanEqual(x, y), m = equal(z, w);
  a = mix(a, b, k) + mix(c, b, l) + (any(k) ? a : b) + (all(l) ? c.wzyx : a.yxwz);
  x = any(m) && !k.x ? x : y;
  if (a == b || c != b) x = -x;
  z = uvec4(k) + uvec4(l) + uvec4(not(m));
  b.x = a.y == 0.0 ? b.z : c.w;
  b.y = a.z > 0.0 ? c.x : -c.y;
  if (x.x < 0 || b.w <= 0.0 && !(c.z != 1.0)) b.zw = c.xy;
#endif
#ifdef TRANSCENDENTAL
  a = sin(a) + cos(b) + exp2(c) + log2(a) + sqrt(b) + inversesqrt(c) + pow(a, b);
  b = exp(a) + log(b) + tan(c) + asin(a) + acos(b) + atan(a, c);
  c = atan(a) + sinh(b) + cosh(a) + tanh(b) + asinh(a) + acosh(b) + atanh(c) + radians(a) + degrees(b);
#endif
  f = a + b * c;
  i = x - y;
  n = z + w;
  gl_Position = f;
}

-- fragment
in vec4 f;
flat in ivec4 i;
flat in uvec4 n;
uniform vec4 s, t;
uniform ivec4 is;
uniform uvec4 us;
layout(location = 0) out vec4 colour;
layout(location = 1) out vec4 second;
void main() {
  vec4 a = f, b = f.yzwx * s, c = t - f.wzyx;
  ivec4 x = i, y = i.yxwz ^ is;
  uvec4 z = n, w = n.wzxy + us;
#ifdef FLOATS
  a = min(a, b) + max(b, c) * clamp(a, 0.0, 1.0) - abs(b) * -c;
  a += mix(a, b, c) + mix(b, c, 0.25) + vec4(dot(a, b), dot(a.xyz, b.xyz), dot(a.xy, b.xy), length(c));
  b = fract(a) + floor(b) + ceil(c) + trunc(a) + round(b) + roundEven(c) + mod(a, b) + clamp(a + b, 0.0, 1.0);
  c = sign(a) * step(b, a) + smoothstep(a, b, c) + normalize(a) + reflect(a, b) + refract(a, b, 0.5);
  c.xyz += cross(a.xyz, b.zxy) + faceforward(a.xyz, b.xyz, c.xyz);
  c.w += distance(a, b) + a.x / b.y + dot(vec4(a.xyz, 1.0), b) + dot(c, vec4(b.zxy, 1.0));
  float whole;
  a.x += modf(b.x, whole) + whole;
#endif
#ifdef INTEGERS
  x = x * y + (x / y) % ivec4(7) - abs(x) + sign(y) - min(x, y) * max(x, y);
  y = (x << 3) ^ (y >> (x & 31)) | ~x & (y - is.x);
  x += clamp(x, ivec4(-5), ivec4(900)) * -y;
#endif
#ifdef UNSIGNED
  z = z * w + z / w + z % uvec4(5u) - min(z, w) + max(z, w);
  w = (z << 4u) | (w >> (z & 31u)) ^ ~z;
  z += clamp(w, uvec4(3u), uvec4(70000u));
#endif
#ifdef CONVERSIONS
  a = vec4(x) + vec4(z) + vec4(bvec4(x));
  x = ivec4(a) + ivec4(z) + floatBitsToInt(b);
  z = uvec4(c) + uvec4(x) + floatBitsToUint(a);
  b = intBitsToFloat(x) + uintBitsToFloat(z) + vec4(notEqual(z, w)) + vec4(isnan(a)) + vec4(isinf(c));
#endif
#ifdef COMPARISONS
  bvec4 k = lessThan(a, b), l = greaterThanEqual(x, y), m = equal(z, w);
  a = mix(a, b, k) + mix(c, b, l) + (any(k) ? a : b) + (all(l) ? c.wzyx : a.yxwz);
  x = any(m) && !k.x ? x : y;
  if (a == b || c != b) x = -x;
  z = uvec4(k) + uvec4(l) + uvec4(not(m));
  b.x = a.y == 0.0 ? b.z : c.w;
  b.y = a.z > 0.0 ? c.x : -c.y;
  if (x.x < 0 || b.w <= 0.0 && !(c.z != 1.0)) b.zw = c.xy;
  if (gl_FrontFacing) a = -a;
#endif
#ifdef TRANSCENDENTAL
  a = sin(a) + cos(b) + exp2(c) + log2(a) + sqrt(b) + inversesqrt(c) + pow(a, b);
  b = exp(a) + log(b) + tan(c) + asin(a) + acos(b) + atan(a, c);
  c = atan(a) + sinh(b) + cosh(a) + tanh(b) + asinh(a) + acosh(b) + atanh(c) + radians(a) + degrees(b);
#endif
  colour = a + b * c + vec4(x) - vec4(z);
  second = clamp(a * vec4(y) + vec4(w), 0.0, 1.0);
}
