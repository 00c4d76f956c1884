// Integer arithmetic of every width: exact results.

//@ kernel add_chars
//@ global 1000
//@ in char 1000 -128 127
//@ in char 1000 -128 127
//@ out char 1000
kernel void add_chars(global const char* a, global const char* b, global char* c) {
  size_t i = get_global_id(0);
  c[i] = add_sat(a[i], b[i]) ^ (char)(a[i] * b[i]);
}

//@ kernel shorts
//@ global 777
//@ in short 777 -32768 32767
//@ in ushort 777 0 65535
//@ out short 777
//@ out ushort 777
kernel void shorts(global const short* a, global const ushort* b, global short* c, global ushort* d) {
  size_t i = get_global_id(0);
  c[i] = mad_sat(a[i], (short)b[i], (short)(a[i] >> 3));
  d[i] = mul_hi(b[i], (ushort)a[i]) + rotate(b[i], (ushort)5) + hadd(b[i], (ushort)77);
}

//@ kernel ints
//@ global 1024
//@ group 64
//@ in int 1024 -2147483648 2147483647
//@ in int 1024 -1000 1000
//@ out int 1024
kernel void ints(global const int* a, global const int* b, global int* c) {
  size_t i = get_global_id(0);
  int d = b[i] == 0 ? 1 : b[i];
  c[i] = a[i] / d + a[i] % d * 3 + mul24(a[i] & 0xFFFF, d) + mad_hi(a[i], d, 7) - sub_sat(a[i], d);
}

//@ kernel uints
//@ global 1024
//@ in uint 1024 0 4294967295
//@ in uint 1024 1 100000
//@ out uint 1024
kernel void uints(global const uint* a, global const uint* b, global uint* c) {
  size_t i = get_global_id(0);
  c[i] = a[i] / b[i] ^ a[i] % b[i] ^ clz(a[i]) << 8 ^ popcount(b[i]) ^ abs_diff(a[i], b[i]) ^ rhadd(a[i], b[i]);
}

//@ kernel longs
//@ global 512
//@ in long 512 -9000000000000000000 9000000000000000000
//@ in long 512 -1000000 1000000
//@ out long 512
kernel void longs(global const long* a, global const long* b, global long* c) {
  size_t i = get_global_id(0);
  long d = b[i] == 0 ? 3 : b[i];
  c[i] = a[i] / d - a[i] % d + a[i] * d + (a[i] >> (d & 63)) + mul_hi(a[i], d) + max(a[i], d);
}

//@ kernel ulongs
//@ global 512
//@ in ulong 512 0 9000000000000000000
//@ in ulong 512 1 1000000000000
//@ out ulong 512
kernel void ulongs(global const ulong* a, global const ulong* b, global ulong* c) {
  size_t i = get_global_id(0);
  c[i] = a[i] / b[i] + a[i] % b[i] + (a[i] << (b[i] & 63)) + rotate(a[i], b[i]) + clz(a[i]) + popcount(b[i]);
}

//@ kernel vectors
//@ global 256
//@ in int 1024
//@ in uchar 4096 0 255
//@ out int 1024
//@ out uchar 4096
kernel void vectors(global const int4* a, global const uchar16* b, global int4* c, global uchar16* d) {
  size_t i = get_global_id(0);
  c[i] = a[i].wzyx * (int4)(1, 2, 3, 4) + convert_int4(b[i].s048c);
  d[i] = b[i].s0f1e2d3c4b5a6978 + shuffle(b[i], (uchar16)(15 - get_global_id(0) % 16));
}

//@ kernel conversions
//@ global 640
//@ in float 640 -70000 70000
//@ out char 640
//@ out uchar 640
//@ out short 640
//@ out ushort 640
//@ out int 640
//@ out uint 640
//@ out long 640
kernel void conversions(global const float* f, global char* a, global uchar* b, global short* c, global ushort* d,
                        global int* e, global uint* g, global long* h) {
  size_t i = get_global_id(0);
  a[i] = convert_char_sat(f[i]);
  b[i] = convert_uchar_sat_rte(f[i]);
  c[i] = convert_short_sat_rtp(f[i]);
  d[i] = convert_ushort_sat_rtn(f[i]);
  e[i] = convert_int_rtz(f[i]);
  g[i] = convert_uint_sat(f[i]);
  h[i] = convert_long_rte(f[i] * 1000.0f);
}

//@ kernel integer_conversions
//@ global 640
//@ in long 640 -9000000000000000000 9000000000000000000
//@ out char 640
//@ out ushort 640
//@ out int 640
//@ out float 640
kernel void integer_conversions(global const long* f, global char* a, global ushort* b, global int* c,
                                global float* d) {
  size_t i = get_global_id(0);
  a[i] = convert_char_sat(f[i]);
  b[i] = convert_ushort_sat((int)(f[i] >> 40));
  c[i] = convert_int_sat(f[i] >> 20);
  d[i] = convert_float(f[i]) + (float)(uint)f[i] + (float)(short)f[i];
}

//@ kernel bit_fields
//@ global 512
//@ in uint 512 0 4294967295
//@ in uint 512 0 31
//@ out uint 512
kernel void bit_fields(global const uint* a, global const uint* n, global uint* c) {
  size_t i = get_global_id(0);
  uint v = a[i], low = v & -v;
  c[i] = (v >> n[i]) ^ (v << n[i]) ^ low ^ bitselect(v, v * 3, 0xF0F0F0F0u);
}

// The compiler turns the loop into one instruction. (Used in a larger expression, it makes IGC convert to float first.)
//@ kernel reverse_bits
//@ global 512
//@ in uint 512 0 4294967295
//@ out uint 512
kernel void reverse_bits(global const uint* a, global uint* c) {
  size_t i = get_global_id(0);
  uint v = a[i], r = 0;
  for (int k = 0; k < 32; ++k) r = r << 1 | (v >> k & 1);
  c[i] = r;
}
