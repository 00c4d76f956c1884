// Function calls that stay calls: by value, by pointer, returning structures, called from divergent code and from
// several kernels, and a chain several deep.

typedef struct {
  float value, error;
  int steps;
} root;

__attribute__((noinline)) int square_plus(int a, int b) { return a * a + b; }

__attribute__((noinline)) float horner(private const float* coefficients, int n, float x) {
  float r = 0.0f;
  for (int i = n - 1; i >= 0; --i) r = mad(r, x, coefficients[i]);
  return r;
}

__attribute__((noinline)) void divide_with_rest(int a, int b, private int* quotient, private int* rest) {
  *quotient = a / b;
  *rest = a - *quotient * b;
}

__attribute__((noinline)) root newton(float start, float target) {
  root r = {start, 1.0f, 0};
  while (fabs(r.error) > 1e-5f && r.steps < 40) {
    r.error = (r.value * r.value - target) / (2.0f * r.value);
    r.value -= r.error;
    ++r.steps;
  }
  return r;
}

__attribute__((noinline)) uint next_random(private uint4* state) {
  uint t = state->w;
  t ^= t << 11;
  t ^= t >> 8;
  *state = (uint4)(state->x ^ state->x >> 19 ^ t, state->x, state->y, state->z);
  return state->x;
}

__attribute__((noinline)) float uniform_random(private uint4* state) {
  return (float)(next_random(state) >> 8) * 0x1p-24f;
}

__attribute__((noinline)) float normal_random(private uint4* state) {
  float sum = -6.0f;
  for (int i = 0; i < 12; ++i) sum += uniform_random(state);
  return sum;
}

__attribute__((noinline)) long wide_helper(long a, ulong b, char c, short4 v) { return a * (long)b + c + v.x - v.w; }

__attribute__((noinline)) void accumulate(global int* where, local int* part, int value) {
  part[value & 15] += value;
  atomic_add(where, part[(value + 1) & 15]);
}

kernel void call_simple(global int* out, global const int* in) {
  const int i = get_global_id(0);
  out[i] = square_plus(in[i], 3) + square_plus(in[i + 1], in[i]);
}

kernel void call_divergent(global int* out, global const int* in) {
  const int i = get_global_id(0);
  int q = 0, r = 0;
  if (in[i] > 0)
    divide_with_rest(in[i], i + 1, &q, &r);
  else if (in[i] < -5)
    r = square_plus(in[i], i);
  out[i] = q * 1000 + r;
}

kernel void call_pointers(global float* out, global const float* in) {
  const int i = get_global_id(0);
  float c[6];
  for (int j = 0; j < 6; ++j) c[j] = in[i * 6 + j];
  out[i] = horner(c, 6, in[i]) + horner(c + 2, 3, in[i + 1]);
}

kernel void call_structures(global float4* out, global const float* in) {
  const int i = get_global_id(0);
  const root a = newton(1.0f, in[i]), b = newton(in[i], 2.0f);
  out[i] = (float4)(a.value, b.value, a.error + b.error, a.steps + b.steps);
}

kernel void call_chain(global float* out, uint seed) {
  uint4 state = (uint4)(seed, get_global_id(0), 0x12345u, 0x9abcdefu);
  float sum = 0.0f;
  for (int i = 0; i < 16; ++i) sum += normal_random(&state);
  out[get_global_id(0)] = sum;
}

kernel void call_wide(global long* out, global const ulong* in, global const short4* v, global const char* c) {
  const int i = get_global_id(0);
  out[i] = wide_helper(out[i], in[i], c[i], v[i]);
}

kernel void call_memory(global int* out, local int* part) {
  part[get_local_id(0) & 15] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  accumulate(out, part, get_global_id(0));
}
