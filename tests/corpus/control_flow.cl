// Divergent control flow: if/else trees, every loop form, break and continue, switch, early return, short circuits
// and an irreducible graph by goto.

kernel void branches(global int* out, global const int* in, int k) {
  const int i = get_global_id(0);
  int v = in[i];
  if (v > 100) {
    if (v & 1)
      v = v * 3 + out[i + 1];
    else if (v % 3 == 0)
      v /= k;
    else
      v -= out[i + 2];
  } else if (v < -100 || (v == k && in[i + 1] > 0)) {
    v = -v;
  } else {
    if (in[i + 2] > k && in[i + 3] < k) v ^= 0x55;
    out[i + 4] = v;
  }
  out[i] = v;
}

kernel void nested_loops(global int* out, global const int* count, int n) {
  const int i = get_global_id(0);
  int sum = 0;
  for (int a = 0; a < count[i]; ++a) {
    if (a == 7) continue;
    int b = a;
    while (b > 0) {
      if ((b & 15) == 3) break;
      int c = 0;
      do {
        sum += c ^ b;
        if (sum > 100000) goto done;
      } while (++c < count[(i + b) & 63]);
      b -= n;
    }
    sum -= a;
  }
done:
  out[i] = sum;
}

kernel void switch_cases(global int* out, global const uchar* op, global const int* arg) {
  const int i = get_global_id(0);
  int acc = 0;
  for (int pc = 0; pc < 64; ++pc) {
    const int x = arg[pc];
    switch (op[i * 64 + pc]) {
      case 0: out[i] = acc; return;
      case 1: acc += x; break;
      case 2: acc -= x; break;
      case 3: acc *= x;  // also halves
      case 4: acc >>= 1; break;
      case 5: acc = acc > x ? acc : x; break;
      case 6: acc ^= out[x & 255]; break;
      case 100: pc += x & 3; continue;
      case 200: acc = popcount(acc); break;
      default: acc = -acc;
    }
  }
  out[i] = acc;
}

kernel void uniform_branches(global float* out, int mode, float a, float b) {
  const int i = get_global_id(0);
  float v = out[i];
  if (mode == 0) {
    v = v * a;
  } else if (mode < 5) {
    for (int j = 0; j < mode; ++j) v = mad(v, b, a);
  } else {
    v = (mode & 8) ? v - a : v + b;
  }
  out[i] = v;
}

// Greatest common divisor: a loop whose trip count differs in every lane.
kernel void euclid(global uint* out, global const uint2* in) {
  const int i = get_global_id(0);
  uint a = in[i].x, b = in[i].y;
  while (b != 0) {
    const uint t = a % b;
    a = b;
    b = t;
  }
  out[i] = a;
}

// Collatz in 64 bits: divergent loop over long arithmetic.
kernel void collatz(global uint* steps, global ulong* peak, ulong first) {
  const ulong start = first + get_global_id(0);
  ulong n = start, top = n;
  uint k = 0;
  for (; n != 1 && k < 10000; ++k) {
    n = (n & 1) ? 3 * n + 1 : n >> 1;
    top = max(top, n);
  }
  steps[start - first] = k;
  peak[start - first] = top;
}

// Two entries into one loop body.
kernel void irreducible(global int* out, int n) {
  const int i = get_global_id(0);
  int v = out[i], j = 0;
  if (v & 1) goto second;
first:
  v = v * 5 + 1;
second:
  v ^= v >> 3;
  if (++j < n + (v & 3)) goto first;
  if (v > 1000 && j < 2 * n) goto second;
  out[i] = v;
}

// A search with early exit and a flag that survives the loop; comparisons of all widths feed predicates.
kernel void search(global int* found, global const long* keys, global const short* small, global const uchar* tiny,
                   global const float* real, int n, long key) {
  const int i = get_global_id(0);
  int where = -1;
  bool close = false;
  for (int j = 0; j < n && where < 0; ++j) {
    const int at = i * n + j;
    if (keys[at] == key)
      where = j;
    else if (small[at] >= (short)key && tiny[at] < (uchar)key)
      close = close || real[at] > 0.5f;
  }
  found[i] = close ? ~where : where;
}
