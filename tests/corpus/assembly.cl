// Instructions that OpenCL C cannot ask for, through the compiler's inline virtual ISA: the bit-field and average
// instructions, interpolation and dot products, byte SAD, vector immediates, predicates with any/all, odd regions.

#define SIMD(N) __attribute__((intel_reqd_sub_group_size(N)))
#define UNARY(OP, D, A) __asm__(#OP " (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>" : "=rw"(D) : "rw"(A))
#define BINARY(OP, D, A, B) \
  __asm__(#OP " (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %2(0,0)<1;1,0>" : "=rw"(D) : "rw"(A), "rw"(B))
#define TERNARY(OP, D, A, B, C)                                                   \
  __asm__(#OP " (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %2(0,0)<1;1,0> %3(0,0)<1;1,0>" \
          : "=rw"(D)                                                              \
          : "rw"(A), "rw"(B), "rw"(C))

SIMD(16) kernel void asm_bits(global int* p) {
  const int i = get_global_id(0);
  const int a = p[i], b = p[i + 16], c = p[i + 32], d = p[i + 48];
  int r0, r1, r2, r3, r4, r5, r6;
  UNARY(fbh, r0, a);
  UNARY(fbl, r1, b);
  UNARY(cbit, r2, c);
  UNARY(bfrev, r3, d);
  UNARY(not, r4, a);
  TERNARY(bfe, r5, a, b, c);
  __asm__("bfi (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> %2(0,0)<1;1,0> %3(0,0)<1;1,0> %4(0,0)<1;1,0>"
          : "=rw"(r6)
          : "rw"(a), "rw"(b), "rw"(c), "rw"(d));
  p[i] = r0 + r1 + r2 + r3 + r4 + r5 + r6;
}

SIMD(16) kernel void asm_integers(global int* p, global short* s) {
  const int i = get_global_id(0);
  const int a = p[i], b = p[i + 16];
  const short c = s[i], d = s[i + 16];
  int r0, r1;
  short r2, r3;
  BINARY(avg, r0, a, b);
  BINARY(mulh, r1, a, b);
  BINARY(avg, r2, c, d);
  BINARY(add.sat, r3, c, d);
  p[i] = r0 ^ r1;
  s[i] = r2 ^ r3;
}

SIMD(16) kernel void asm_floats(global float* p) {
  const int i = get_global_id(0);
  const float a = p[i], b = p[i + 16], c = p[i + 32];
  float r0, r1, r2, r3, r4, r5;
  UNARY(frc, r0, a);
  TERNARY(lrp, r1, a, b, c);
  BINARY(line, r2, a, b);
  BINARY(plane, r3, b, c);
  TERNARY(mad.sat, r4, a, b, c);
  BINARY(mul.sat, r5, b, c);
  p[i] = r0 + r1 + r2 + r3 + r4 + r5;
}

SIMD(16) kernel void asm_dot_products(global float* p) {
  const int i = get_global_id(0);
  const float a = p[i], b = p[i + 16];
  float r0, r1, r2, r3;
  BINARY(dp2, r0, a, b);
  BINARY(dp3, r1, a, b);
  BINARY(dp4, r2, a, b);
  BINARY(dph, r3, a, b);
  p[i] = r0 - r1 + r2 * r3;
}

SIMD(16) kernel void asm_sad(global int* p) {
  const int i = get_global_id(0);
  const int a = p[i], b = p[i + 16];
  int r = p[i + 32];
  __asm__ volatile(
      "{\n"
      ".decl SUM v_type=G type=UW num_elts=32 alias=<%0,0>\n"
      ".decl LEFT v_type=G type=UB num_elts=64 alias=<%1,0>\n"
      ".decl RIGHT v_type=G type=UB num_elts=64 alias=<%2,0>\n"
      "sad2 (M1, 8) SUM(0,0)<2> LEFT(0,0)<2;2,1> RIGHT(0,0)<2;2,1>\n"
      "sad2 (M1, 8) SUM(1,0)<2> LEFT(1,8)<2;2,1> RIGHT(0,16)<2;2,1>\n"
      "}\n"
      : "+rw"(r)
      : "rw"(a), "rw"(b));
  p[i] = r;
}

SIMD(16) kernel void asm_immediates(global int* p, global float* f) {
  const int i = get_global_id(0);
  int r = p[i];
  float g = f[i];
  __asm__ volatile(
      "{\n"
      "mov (M1, 8) %0(0,0)<1> 0x76543210:v\n"
      "mov (M1, 8) %0(1,0)<1> 0xfedcba98:uv\n"
      "add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> 0x12345678:d\n"
      "mov (M1, 8) %1(0,0)<1> 0x30405060:vf\n"
      "mul (M1, 16) %1(0,0)<1> %1(0,0)<1;1,0> 0x40490fdb:f\n"
      "}\n"
      : "+rw"(r), "+rw"(g));
  p[i] = r;
  f[i] = g;
}

SIMD(16) kernel void asm_predicates(global int* p) {
  const int i = get_global_id(0);
  const int a = p[i], b = p[i + 16];
  int r = p[i + 32];
  __asm__ volatile(
      "{\n"
      ".decl MORE v_type=P num_elts=16\n"
      ".decl FIXED v_type=P num_elts=16\n"
      "cmp.gt (M1, 16) MORE %1(0,0)<1;1,0> %2(0,0)<1;1,0>\n"
      "setp (M1_NM, 16) FIXED 0x5a5a:ud\n"
      "(MORE) mov (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0>\n"
      "(!MORE) add (M1, 16) %0(0,0)<1> %1(0,0)<1;1,0> (-)%2(0,0)<1;1,0>\n"
      "(MORE.any) mov (M1_NM, 1) %0(0,0)<1> 0x7:d\n"
      "(MORE.all) mov (M1_NM, 1) %0(0,3)<1> (abs)%1(0,0)<0;1,0>\n"
      "(!FIXED.any) mov (M1_NM, 1) %0(0,4)<1> (-)%1(0,0)<0;1,0>\n"
      "(FIXED) sel (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> %2(0,0)<1;1,0>\n"
      "cmp.le (M1, 8) FIXED %0(0,0)<1;1,0> %1(0,0)<0;1,0>\n"
      "(FIXED) xor (M1, 8) %0(1,0)<1> (~)%1(0,0)<1;1,0> %2(1,0)<1;1,0>\n"
      "}\n"
      : "+rw"(r)
      : "rw"(a), "rw"(b));
  p[i] = r;
}

// Strides, widths and sub-registers that a compiler's own regions rarely show.
SIMD(16) kernel void asm_regions(global int* p) {
  const int i = get_global_id(0);
  const int a = p[i], b = p[i + 16];
  int r = p[i + 32];
  __asm__ volatile(
      "{\n"
      ".decl RB v_type=G type=B num_elts=64 alias=<%0,0>\n"
      ".decl AW v_type=G type=W num_elts=32 alias=<%1,0>\n"
      ".decl AB v_type=G type=UB num_elts=64 alias=<%1,0>\n"
      "mov (M1, 16) RB(0,1)<4> AW(0,1)<2;1,0>\n"
      "mov.sat (M1, 16) RB(0,0)<4> %2(0,0)<1;1,0>\n"
      "add (M1, 8) %0(0,0)<1> %1(0,0)<4;2,1> %2(0,0)<0;4,1>\n"
      "mov (M1, 4) %0(1,2)<1> %1(0,3)<2;1,0>\n"
      "mov (M1, 2) %0(0,1)<2> AW(0,6)<1;1,0>\n"
      "mov (M1_NM, 1) %0(0,7)<1> AB(0,13)<0;1,0>\n"
      "add (M1, 16) %0(0,0)<1> %0(0,0)<1;1,0> AB(0,0)<4;4,0>\n"
      "}\n"
      : "+rw"(r)
      : "rw"(a), "rw"(b));
  p[i] = r;
}

SIMD(8) kernel void asm_math(global float* p, global int* n) {
  const int i = get_global_id(0);
  const float a = p[i], b = p[i + 8];
  const int c = n[i], d = n[i + 8];
  float r;
  int q;
  __asm__ volatile(
      "{\n"
      "pow (M1, 8) %0(0,0)<1> %1(0,0)<1;1,0> %2(0,0)<1;1,0>\n"
      "inv.sat (M1, 8) %0(0,0)<1> (-)%0(0,0)<1;1,0>\n"
      "log (M1, 8) %0(0,0)<1> (abs)%0(0,0)<1;1,0>\n"
      "exp (M1, 8) %0(0,0)<1> %0(0,0)<1;1,0>\n"
      "sqrt (M1, 8) %0(0,0)<1> %0(0,0)<1;1,0>\n"
      "rsqrt (M1, 8) %0(0,0)<1> %0(0,0)<1;1,0>\n"
      "sin (M1, 8) %0(0,0)<1> %0(0,0)<1;1,0>\n"
      "cos (M1, 8) %0(0,0)<1> %0(0,0)<1;1,0>\n"
      "div (M1, 8) %0(0,0)<1> %0(0,0)<1;1,0> %2(0,0)<1;1,0>\n"
      "}\n"
      : "=rw"(r)
      : "rw"(a), "rw"(b));
  __asm__ volatile(
      "{\n"
      "div (M1, 8) %0(0,0)<1> %1(0,0)<1;1,0> %2(0,0)<1;1,0>\n"
      "mod (M1, 8) %0(0,0)<1> %1(0,0)<1;1,0> %0(0,0)<1;1,0>\n"
      "}\n"
      : "=rw"(q)
      : "rw"(c), "rw"(d));
  p[i] = r;
  n[i] = q;
}
