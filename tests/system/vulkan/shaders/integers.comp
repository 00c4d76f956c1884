#version 450
// Integer functions.
//@ groups 16
//@ in int 1024 -2000000000 2000000000
//@ in int 1024 1 30
//@ out int 1024
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { int a[]; };
layout(binding = 1) readonly buffer B { int b[]; };
layout(binding = 2) writeonly buffer C { int c[]; };
void main() {
  uint i = gl_GlobalInvocationID.x;
  int x = a[i], y = b[i];
  int hi, lo;
  imulExtended(x, y * 65537, hi, lo);
  uint carry;
  uint sum = uaddCarry(uint(x), uint(x) * 3u, carry);
  c[i] = x / y + abs(x) % y + bitfieldExtract(x, y & 15, 7) + bitfieldInsert(x, y, 4, 9) + bitfieldReverse(x) +
         bitCount(x) + findLSB(x) + findMSB(x) + hi + lo + int(sum) + int(carry) + (x << (y & 31)) + (x >> y);
}
