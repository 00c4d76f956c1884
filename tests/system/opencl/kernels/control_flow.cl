// Branches, loops and calls that diverge between the work-items of a thread.

//@ kernel collatz
//@ global 3000
//@ out uint 3000
kernel void collatz(global uint* c) {
  uint n = get_global_id(0) + 1, steps = 0;
  while (n != 1 && steps < 400) n = n & 1 ? 3 * n + 1 : n / 2, ++steps;
  c[get_global_id(0)] = steps;
}

//@ kernel nested
//@ global 1001
//@ in uint 1001 0 4294967295
//@ out uint 1001
kernel void nested(global const uint* a, global uint* c) {
  uint v = a[get_global_id(0)], r = 0;
  for (uint i = 0; i < (v & 15); ++i) {
    for (uint k = 0; k < (v >> 4 & 7); ++k) {
      if ((k ^ i) % 3 == 0) continue;
      if (k * i > 20) break;
      r += k * i + 1;
    }
    if (r > 100) break;
    r ^= v >> i;
  }
  c[get_global_id(0)] = r;
}

//@ kernel switches
//@ global 999
//@ in int 999 0 9
//@ out int 999
kernel void switches(global const int* a, global int* c) {
  int r = 0;
  switch (a[get_global_id(0)]) {
    case 0: r = 11; break;
    case 1: r = 5;
    case 2: r += 7; break;
    case 4: r = get_global_id(0); break;
    case 7: return;
    default: r = -1;
  }
  c[get_global_id(0)] = r;
}

//@ kernel early_return
//@ global 500
//@ out int 500
kernel void early_return(global int* c) {
  int i = get_global_id(0);
  if (i % 3 == 0) return;
  c[i] = i;
  if (i % 5 == 0) return;
  c[i] += 1000;
}

//@ kernel calls
//@ global 300
//@ out int 300
__attribute__((noinline)) int gcd(int a, int b) {
  while (b) {
    int t = a % b;
    a = b, b = t;
  }
  return a;
}
kernel void calls(global int* c) {
  int i = get_global_id(0);
  c[i] = gcd(i + 12, 36) * 100 + gcd(i, 210);
}

//@ kernel unrolled_sum
//@ global 64
//@ in int 4096
//@ out int 64
kernel void unrolled_sum(global const int* a, global int* c) {
  int i = get_global_id(0), s = 0;
#pragma unroll
  for (int k = 0; k < 64; ++k) s += a[i * 64 + k] * (k - 31);
  c[i] = s;
}

//@ kernel mandelbrot
//@ global 128 96
//@ out uint 12288
kernel void mandelbrot(global uint* c) {
  float x0 = get_global_id(0) / 42.0f - 2.0f, y0 = get_global_id(1) / 42.0f - 1.1f, x = 0, y = 0;
  uint n = 0;
  while (n < 64 && x * x + y * y < 4.0f) {
    float t = fma(x, x, -(y * y)) + x0;
    y = fma(2 * x, y, y0), x = t, ++n;
  }
  c[get_global_id(1) * 128 + get_global_id(0)] = n > 60;
}

//@ kernel private_array
//@ global 256
//@ in int 256 0 15
//@ out int 256
kernel void private_array(global const int* a, global int* c) {
  int t[16];
  for (int i = 0; i < 16; ++i) t[i] = i * i + get_global_id(0);
  int at = a[get_global_id(0)];
  for (int i = 0; i < 20; ++i) at = t[at & 15] & 0xFF, t[at & 15] += i;
  c[get_global_id(0)] = at;
}
