// Bit manipulation: the EU's bfe, bfi, bfrev, cbit, fbh, fbl, lzd and rol-by-shift idioms in all widths.

kernel void bit_counts(global uint* out, global const uint* in, global ulong* wide, global ushort* narrow,
                       global uchar* tiny) {
  const int i = get_global_id(0);
  const uint x = in[i];
  out[i] = popcount(x) | clz(x) << 8 | popcount(x & -x) << 16 | (31 - clz(x & -x)) << 24;
  wide[i] = popcount(wide[i]) + (clz(wide[i]) << 8);
  narrow[i] = (ushort)(popcount(narrow[i]) | clz(narrow[i]) << 8);
  tiny[i] = (uchar)(popcount(tiny[i]) ^ clz(tiny[i]));
}

kernel void rotations(global uint* out, global ulong* wide, global ushort* narrow, global uchar4* tiny, uint by) {
  const int i = get_global_id(0);
  out[i] = rotate(out[i], by) ^ rotate(out[i], 7u) ^ (out[i] << 13 | out[i] >> 19);
  wide[i] = rotate(wide[i], (ulong)by) ^ rotate(wide[i], 29ul);
  narrow[i] = rotate(narrow[i], (ushort)by);
  tiny[i] = rotate(tiny[i], (uchar4)(1, 3, 5, 7));
}

// Extract and insert with constant and variable positions.
kernel void bit_fields(global uint* out, global int* sout, uint offset, uint width) {
  const int i = get_global_id(0);
  const uint x = out[i];
  const int s = sout[i];
  const uint constant_field = (x >> 5) & 0x7ff;
  const uint variable_field = (x >> (offset & 31)) & ((1u << (width & 31)) - 1);
  const int signed_field = (s << 9) >> 20;
  const int signed_variable = (s << (32 - offset - width)) >> (32 - width);
  const uint mask = ((1u << (width & 31)) - 1) << (offset & 31);
  out[i] = (x & ~mask) | ((constant_field << (offset & 31)) & mask);
  sout[i] = signed_field + signed_variable + (int)variable_field;
}

// Reversal by the classic swaps, which the compiler may or may not recognise as one instruction.
kernel void reversals(global uint* out) {
  const int i = get_global_id(0);
  uint x = out[i];
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;
  out[i] = x >> 16 | x << 16;
}

// Boolean algebra with complemented operands: NOT as a source modifier of logic operations.
kernel void logic_operations(global uint8* a, global const uint8* b, global const uint8* c, global ulong* w) {
  const int i = get_global_id(0);
  a[i] = (~a[i] & b[i]) | (a[i] & ~c[i]) | (~b[i] ^ c[i]);
  w[i] = (~w[i] | w[i + 1]) ^ (w[i + 2] & ~w[i + 3]);
}

// A hash of bytes: multiply, rotate and xor in a data-dependent loop.
kernel void hash_bytes(global uint* out, global const uchar* data, global const uint* start) {
  const int i = get_global_id(0);
  uint h = 0x9e3779b9u;
  for (uint p = start[i]; p < start[i + 1]; ++p) {
    h ^= data[p];
    h *= 0x85ebca6bu;
    h = rotate(h, 13u) + (h >> 16);
  }
  out[i] = h;
}

// Morton order in 2 and 3 dimensions: many constants.
kernel void morton(global uint* out, global ulong* out3, global const ushort2* xy) {
  const int i = get_global_id(0);
  uint x = xy[i].x, y = xy[i].y;
  x = (x | x << 8) & 0x00ff00ffu, y = (y | y << 8) & 0x00ff00ffu;
  x = (x | x << 4) & 0x0f0f0f0fu, y = (y | y << 4) & 0x0f0f0f0fu;
  x = (x | x << 2) & 0x33333333u, y = (y | y << 2) & 0x33333333u;
  x = (x | x << 1) & 0x55555555u, y = (y | y << 1) & 0x55555555u;
  out[i] = x | y << 1;
  ulong v = xy[i].x;
  v = (v | v << 32) & 0x1f00000000fffful;
  v = (v | v << 16) & 0x1f0000ff0000fful;
  v = (v | v << 8) & 0x100f00f00f00f00ful;
  v = (v | v << 4) & 0x10c30c30c30c30c3ul;
  out3[i] = (v | v << 2) & 0x1249249249249249ul;
}
