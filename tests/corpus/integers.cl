// Integer arithmetic in every width: byte and word regions, 64-bit emulation (no native long multiply), integer
// division by subroutine, saturation, high halves, averages and 24-bit multiplies.

// One kernel per element type: add, sub, mul, shifts, min/max and compares keep each type's region strides visible.
#define ARITHMETIC(T, NAME)                                                       \
  kernel void NAME(global T* out, global const T* a, global const T* b, T k) {    \
    const size_t i = get_global_id(0);                                            \
    const T x = a[i], y = b[i];                                                   \
    T r = (T)(x * y + k);                                                         \
    r = (T)(r - (T)(x << 3));                                                     \
    r = (T)(r ^ (T)(y >> 1));                                                     \
    r = (T)(r + (T)(x > y ? x - k : (y & ~k)));                                   \
    out[i] = (T)(max(r, x) - min(r, y) + (T)abs_diff(x, y) + (T)abs((T)(x - y))); \
  }

ARITHMETIC(char, arithmetic_char)
ARITHMETIC(uchar, arithmetic_uchar)
ARITHMETIC(short, arithmetic_short)
ARITHMETIC(ushort, arithmetic_ushort)
ARITHMETIC(int, arithmetic_int)
ARITHMETIC(uint, arithmetic_uint)
ARITHMETIC(long, arithmetic_long)
ARITHMETIC(ulong, arithmetic_ulong)

// Division and remainder, by a variable and by constants (magic multiply), signed and unsigned.
kernel void divide_words(global int* out, global uint* uout, global short* sout, int d, uint ud) {
  const int i = get_global_id(0);
  int v = out[i];
  uint u = uout[i];
  short s = sout[i];
  out[i] = v / d + v % d + v / 7 + v % 10;
  uout[i] = u / ud + u % ud + u / 1000u + u % 3u;
  sout[i] = (short)(s / (short)(d | 1) + s % (short)13);
}

kernel void divide_long(global long* out, global ulong* uout, long d) {
  const int i = get_global_id(0);
  out[i] = out[i] / d + out[i] % (d + 1);
  uout[i] = uout[i] / (ulong)d - uout[i] % 1000000007ul;
}

// Operations whose saturation, carry or high half the EU provides (addc, subb, mulh through the accumulator, avg).
kernel void saturating(global int4* out, global uint4* uout, global short8* sout, global uchar16* bout) {
  const int i = get_global_id(0);
  int4 a = out[i], b = out[i + 1];
  uint4 c = uout[i], d = uout[i + 1];
  out[i] = add_sat(a, b) ^ sub_sat(a, b) ^ mad_sat(a, b, a);
  uout[i] = add_sat(c, d) ^ sub_sat(c, d) ^ mad_sat(c, d, c);
  sout[i] = add_sat(sout[i], sout[i + 1]) - sub_sat(sout[i], (short8)(100));
  bout[i] = add_sat(bout[i], bout[i + 1]) ^ sub_sat(bout[i], (uchar16)(9)) ^ mad_sat(bout[i], bout[i], bout[i]);
}

kernel void high_halves(global int* out, global uint* uout, global long* lout, global ulong* ulout) {
  const int i = get_global_id(0);
  int a = out[i], b = out[i + 64];
  uint c = uout[i], d = uout[i + 64];
  out[i] = mul_hi(a, b) + mad_hi(a, b, 5) + hadd(a, b) - rhadd(a, b) + mul24(a, b) + mad24(a, b, a);
  uout[i] = mul_hi(c, d) + mad_hi(c, d, 5u) + hadd(c, d) - rhadd(c, d) + mul24(c, d) + mad24(c, d, c);
  lout[i] = mul_hi(lout[i], (long)a) + hadd(lout[i], (long)b) + add_sat(lout[i], (long)a << 40);
  ulout[i] = mul_hi(ulout[i], (ulong)c) + rhadd(ulout[i], (ulong)d) + sub_sat(ulout[i], (ulong)c << 33);
}

// A 128-bit by 64-bit running sum: carry chains.
kernel void wide_accumulate(global ulong2* sum, global const ulong* in, uint n) {
  ulong lo = 0, hi = 0;
  for (uint j = 0; j < n; ++j) {
    const ulong v = in[get_global_id(0) * n + j];
    const ulong product_hi = mul_hi(v, v), product_lo = v * v;
    lo += product_lo;
    hi += product_hi + (lo < product_lo ? 1 : 0);
  }
  sum[get_global_id(0)] = (ulong2)(lo, hi);
}

// Sums of absolute differences and dot products of bytes, the patterns behind sad2, sada2 and dp4a-like code.
kernel void byte_sad(global uint* out, global const uchar16* a, global const uchar16* b) {
  const int i = get_global_id(0);
  ushort16 d = convert_ushort16(abs_diff(a[i], b[i]));
  ushort8 e = d.lo + d.hi;
  ushort4 f = e.lo + e.hi;
  uint total = (uint)f.x + f.y + f.z + f.w;
  uint peak = 0;
  uchar v[16];
  vstore16(abs_diff(a[i], b[i]), 0, v);
  for (int j = 0; j < 16; ++j) peak = max(peak, (uint)v[j]);
  out[i] = total << 8 | peak;
}

kernel void byte_dot(global int* out, global const char4* a, global const char4* b, int bias) {
  const int i = get_global_id(0);
  int acc = bias;
  for (int j = 0; j < 8; ++j) {
    const int4 p = convert_int4(a[i * 8 + j]) * convert_int4(b[i * 8 + j]);
    acc += p.x + p.y + p.z + p.w;
  }
  out[i] = clamp(acc, -32768, 32767);
}
