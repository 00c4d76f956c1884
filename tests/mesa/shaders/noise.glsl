// Large straight bodies: hashes, noise, a small ray marcher and an unrolled filter, as real programs have them.
// needs 330
// variants NOISE MARCH FILTER BITS

-- vertex
in vec4 p;
uniform mat4 m, bones[20];
in ivec4 joints;
in vec4 weights;
out vec4 f;
vec4 skin(vec4 x) {
  return (bones[joints.x] * x) * weights.x + (bones[joints.y] * x) * weights.y + (bones[joints.z] * x) * weights.z +
         (bones[joints.w] * x) * weights.w;
}
vec4 permute(vec4 x) { return mod(((x * 34.0) + 1.0) * x, 289.0); }
void main() {
  vec4 a = skin(p);
  vec3 normal = normalize(mat3(m) * a.xyz);
  vec3 light = vec3(0.0);
  for (int i = 0; i < 4; i++) {
    vec3 to = bones[i][3].xyz - a.xyz;
    float d = max(dot(normal, normalize(to)), 0.0) / (1.0 + dot(to, to));
    light += bones[i][2].rgb * d + pow(d, 16.0);
  }
  f = permute(permute(a) + vec4(light, 1.0));
  gl_Position = m * a;
}

-- fragment
in vec4 f;
uniform float time;
uniform sampler2D image;
out vec4 colour;
vec4 permute(vec4 x) { return mod(((x * 34.0) + 1.0) * x, 289.0); }
float noise(vec3 v) {
  const vec2 C = vec2(1.0 / 6.0, 1.0 / 3.0);
  vec3 i = floor(v + dot(v, C.yyy)), x0 = v - i + dot(i, C.xxx);
  vec3 g = step(x0.yzx, x0.xyz), l = 1.0 - g, i1 = min(g, l.zxy), i2 = max(g, l.zxy);
  vec3 x1 = x0 - i1 + C.xxx, x2 = x0 - i2 + C.yyy, x3 = x0 - 0.5;
  i = mod(i, 289.0);
  vec4 p = permute(permute(permute(i.z + vec4(0.0, i1.z, i2.z, 1.0)) + i.y + vec4(0.0, i1.y, i2.y, 1.0)) + i.x +
                   vec4(0.0, i1.x, i2.x, 1.0));
  vec4 h = 1.0 - abs(fract(p * 0.142857) * 2.0 - 1.0);
  vec4 m = max(0.6 - vec4(dot(x0, x0), dot(x1, x1), dot(x2, x2), dot(x3, x3)), 0.0);
  m *= m;
  return 42.0 * dot(m * m, h * vec4(dot(p.xyz, x0), dot(p.yzw, x1), dot(p.zwx, x2), dot(p.wxy, x3)));
}
float scene(vec3 p) {
  vec3 q = abs(mod(p, 4.0) - 2.0) - vec3(0.5);
  return min(length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0), length(p - vec3(sin(time), 0.0, 3.0)) - 1.0);
}
uint hash(uint x) {
  x ^= x >> 16u;
  x *= 0x7feb352du;
  x ^= x >> 15u;
  x *= 0x846ca68bu;
  return x ^ (x << 13u | x >> 19u);
}
void main() {
  vec4 a = f;
#ifdef NOISE
  float amplitude = 0.5;
  for (int i = 0; i < 4; i++, amplitude *= 0.5) a.x += amplitude * noise(f.xyz * exp2(float(i)) + time);
#endif
#ifdef MARCH
  vec3 o = vec3(0.0, 0.0, time), d = normalize(f.xyz);
  float t = 0.0;
  for (int i = 0; i < 64; i++) {
    float s = scene(o + d * t);
    if (s < 0.001) break;
    t += s;
    if (t > 50.0) discard;
  }
  vec3 h = o + d * t;
  vec2 e = vec2(0.001, 0.0);
  a.xyz = normalize(vec3(scene(h + e.xyy), scene(h + e.yxy), scene(h + e.yyx)) - scene(h));
#endif
#ifdef FILTER
  for (int y = -3; y <= 3; y++)
    for (int x = -3; x <= 3; x++) a += texture(image, f.xy + vec2(x, y) * 0.01) * exp(-float(x * x + y * y) * time);
#endif
#ifdef BITS
  uint s = floatBitsToUint(f.x);
  for (int i = 0; i < 12; i++) { s = hash(s + uint(i)); a[i & 3] += float(s & 0xffffu) / 65535.0 - float(int(s) >> 9); }
#endif
  colour = a;
}
