// OpenGL 4.6 and extensions the drivers add: draw parameters, clocks, float atomics, derivatives in groups.
// needs 460
// variants PARAMETERS CLOCK FLOAT_ATOMICS

-- vertex
in vec4 p;
out vec4 f;
void main() {
  f = p;
#ifdef PARAMETERS
  f += vec4(gl_BaseVertex, gl_BaseInstance, gl_DrawID, gl_InstanceID);
#endif
  gl_Position = f;
}

-- fragment
#extension GL_ARB_shader_clock : require
#extension GL_ARB_post_depth_coverage : enable
#extension GL_INTEL_shader_atomic_float_minmax : enable
in vec4 f;
layout(std430, binding = 0) buffer A { float numbers[]; };
layout(location = 0) out vec4 colour;
void main() {
  vec4 a = f;
#ifdef CLOCK
  uvec2 start = clock2x32ARB();
  a = sin(a) * cos(a.yzwx);
  a += vec4(clock2x32ARB() - start, start);
  if (gl_HelperInvocation) a = -a;
#endif
#if defined(FLOAT_ATOMICS) && defined(GL_INTEL_shader_atomic_float_minmax)
  a.x += atomicMin(numbers[0], a.y) + atomicMax(numbers[1], a.z) + atomicExchange(numbers[2], a.w);
  a.y += atomicCompSwap(numbers[3], a.x, 0.5);
#endif
  colour = a;
}
