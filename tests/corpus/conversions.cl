// Type conversions between all integer widths and float, plain and saturating, scalar and vector, and reinterpretation.

#define NARROW(FROM, NAME)                                                                                      \
  kernel void NAME(global const FROM* in, global char* c, global uchar* uc, global short* s, global ushort* us, \
                   global int* n, global uint* un, global long* l, global ulong* ul, global float* f) {         \
    const int i = get_global_id(0);                                                                             \
    const FROM x = in[i];                                                                                       \
    c[i] = convert_char_sat(x), uc[i] = convert_uchar_sat(x);                                                   \
    s[i] = convert_short_sat(x), us[i] = convert_ushort_sat(x);                                                 \
    n[i] = convert_int_sat(x), un[i] = convert_uint_sat(x);                                                     \
    l[i] = convert_long_sat(x), ul[i] = convert_ulong_sat(x);                                                   \
    f[i] = convert_float(x);                                                                                    \
    c[i + 1] = (char)x, uc[i + 1] = (uchar)x, s[i + 1] = (short)x, us[i + 1] = (ushort)x;                       \
    n[i + 1] = (int)x, un[i + 1] = (uint)x, l[i + 1] = (long)x, ul[i + 1] = (ulong)x;                           \
  }

NARROW(char, convert_from_char)
NARROW(uchar, convert_from_uchar)
NARROW(short, convert_from_short)
NARROW(ushort, convert_from_ushort)
NARROW(int, convert_from_int)
NARROW(uint, convert_from_uint)
NARROW(long, convert_from_long)
NARROW(ulong, convert_from_ulong)
NARROW(float, convert_from_float)

// Rounding modes: each changes cr0 around the conversion or uses a rounding instruction.
kernel void convert_rounding(global int4* out, global uint4* uout, global float4* f, global const long4* l) {
  const int i = get_global_id(0);
  out[i] = convert_int4_rte(f[i]) + convert_int4_rtz(f[i]) - convert_int4_rtp(f[i]) * convert_int4_rtn(f[i]);
  uout[i] = convert_uint4_sat_rte(f[i]) ^ convert_uint4_sat_rtp(f[i]);
  f[i] = convert_float4_rtp(out[i + 1]) + convert_float4_rtn(uout[i + 1]) + convert_float4_rtz(l[i]);
}

kernel void convert_pixels(global uchar4* out, global const uchar4* in, global const ushort4* wide, float4 gain) {
  const int i = get_global_id(0);
  const float4 c = convert_float4(in[i]) * (1.0f / 255.0f) * gain;
  out[i] = convert_uchar4_sat_rte(c * 255.0f) + convert_uchar4_sat(wide[i] >> (ushort4)(4));
}

kernel void reinterpret(global uint4* out, global const float4* in, global const uchar16* bytes, global ulong2* w) {
  const int i = get_global_id(0);
  const uint4 u = as_uint4(in[i]) ^ as_uint4(bytes[i].sfedcba9876543210);
  out[i] = u + as_uint4(as_ushort8(u).s10325476);
  w[i] = as_ulong2(u.yxwz) + as_ulong2(as_double2(in[i]));
}
