// Per-sample shading, interpolation functions, coverage, early tests, fine and coarse derivatives, stencil export.
// needs 430
// variants SAMPLE_INPUT SAMPLE_ID INTERPOLATE COVERAGE EARLY FINE STORES VOTES

-- vertex
in vec4 p;
out vec4 f;
sample out vec4 g;
out vec4 h;
void main() { gl_Position = f = g = h = p; }

-- fragment
#extension GL_ARB_derivative_control : require
#extension GL_ARB_shader_group_vote : require
#extension GL_ARB_shader_ballot : require
#extension GL_ARB_gpu_shader_int64 : require
in vec4 f;
sample in vec4 g;
in vec4 h;
#ifdef EARLY
layout(early_fragment_tests) in;
#endif
layout(r32ui, binding = 0) uniform uimage2D im;
layout(std430, binding = 0) buffer A { uint words[]; };
layout(binding = 0) uniform atomic_uint counter;
uniform sampler2DMS sm;
out vec4 colour;
void main() {
  vec4 a = f;
#ifdef SAMPLE_INPUT
  a += g * f;
#endif
#ifdef SAMPLE_ID
  a += texelFetch(sm, ivec2(gl_FragCoord.xy), gl_SampleID) + vec4(gl_SamplePosition, gl_NumSamples, 1.0);
#endif
#ifdef INTERPOLATE
  a += interpolateAtCentroid(h) + interpolateAtSample(h, 2) + interpolateAtOffset(h, vec2(0.25, -0.5));
  a += interpolateAtOffset(f, h.xy) + interpolateAtSample(f, int(h.x));
#endif
#ifdef COVERAGE
  gl_SampleMask[0] = gl_SampleMaskIn[0] & int(f.x);
#endif
#if defined(EARLY) || defined(STORES)
  if (a.x < 0.5) discard;
  words[int(a.y)] = imageAtomicAdd(im, ivec2(a.zw), 1u) + atomicCounterIncrement(counter) + atomicCounter(counter);
  imageStore(im, ivec2(gl_FragCoord.xy), uvec4(a));
  atomicAdd(words[3], atomicCounterDecrement(counter));
  a += vec4(imageLoad(im, ivec2(f.xy)));
#endif
#ifdef FINE
  a += dFdxFine(f) + dFdyFine(f) + dFdxCoarse(f) + dFdyCoarse(f) + fwidthFine(h) + fwidthCoarse(h);
#endif
#ifdef VOTES
  if (anyInvocationARB(a.x > 1.0)) a.x = 2.0;
  if (allInvocationsARB(a.y < 3.0)) a.y *= 4.0;
  if (allInvocationsEqualARB(a.z > 0.0)) a.z = 0.0;
  a.w += float(readInvocationARB(int(a.x), 3u)) + readFirstInvocationARB(a.y);
  uvec2 mask = unpackUint2x32(ballotARB(a.x < a.w));
  a.xy += vec2(mask) + float(gl_SubGroupInvocationARB + gl_SubGroupSizeARB);
#endif
  colour = a;
}
