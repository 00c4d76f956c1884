// Address spaces, sizes that do not divide, offsets and strides.

//@ kernel copy_bytes
//@ global 1237
//@ in uchar 1237 0 255
//@ out uchar 1237
kernel void copy_bytes(global const uchar* a, global uchar* c) { c[get_global_id(0)] = a[get_global_id(0)]; }

//@ kernel reverse_longs
//@ global 333
//@ in ulong 333 0 9000000000000000000
//@ out ulong 333
kernel void reverse_longs(global const ulong* a, global ulong* c) { c[332 - get_global_id(0)] = a[get_global_id(0)]; }

//@ kernel strided
//@ global 100
//@ in ushort 1000 0 65535
//@ out uint 100
kernel void strided(global const ushort* a, global uint* c) {
  c[get_global_id(0)] = a[get_global_id(0) * 10] | (uint)a[get_global_id(0) * 10 + 7] << 16;
}

//@ kernel three_dimensions
//@ global 12 10 6
//@ group 4 5 3
//@ out uint 720
//@ as with_groups
//@ kernel three_dimensions
//@ as free
//@ global 12 10 6
//@ out uint 720
kernel void three_dimensions(global uint* c) {
  size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  c[(z * 10 + y) * 12 + x] = x | y << 8 | z << 16 | get_global_size(0) << 24;
}

//@ kernel group_numbers
//@ global 24 18 8
//@ group 8 6 2
//@ out uint 3456
//@ out uint 3456
kernel void group_numbers(global uint* c, global uint* d) {
  size_t i = (get_global_id(2) * 18 + get_global_id(1)) * 24 + get_global_id(0);
  c[i] = get_group_id(0) | get_group_id(1) << 8 | get_group_id(2) << 16 | get_num_groups(1) << 24;
  d[i] = get_local_id(0) | get_local_id(1) << 8 | get_local_id(2) << 16 | get_local_size(0) << 24;
}

//@ kernel with_offset
//@ global 100
//@ offset 50
//@ out uint 200
kernel void with_offset(global uint* c) { c[get_global_id(0)] = get_global_id(0) + 1000 * get_global_offset(0); }

constant int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
//@ kernel constants
//@ global 256
//@ in int 64
//@ out int 256
kernel void constants(constant int* a, global int* c) {
  int i = get_global_id(0);
  c[i] = a[i % 64] * table[i & 7] + table[(i * 5 + 3) & 7];
}

typedef struct {
  char a;
  short b;
  int c;
  float d;
  long e;
} Record;
//@ kernel structures
//@ global 128
//@ inout uchar 3072 0 255
kernel void structures(global Record* r) {
  global Record* x = r + get_global_id(0);
  x->a += 1, x->b -= 2, x->c *= 3, x->d = (float)x->a, x->e ^= 0x0123456789ABCDEFL;
}

//@ kernel by_value
//@ global 100
//@ value int 7
//@ value float 1.5
//@ value uchar 200
//@ value long -5000000000
//@ out float 100
kernel void by_value(int a, float b, uchar c, long d, global float* o) {
  o[get_global_id(0)] = a * b + c + (float)(d / 1000000) + get_global_id(0);
}

//@ kernel unaligned_vectors
//@ global 64
//@ in uchar 1024 0 255
//@ out uchar 1024
kernel void unaligned_vectors(global const uchar* a, global uchar* c) {
  size_t i = get_global_id(0);
  uchar3 v = vload3(i, a + 1);
  vstore3(v.zxy, i, c + 5);
  vstore8(vload8(i, a + 3), i, c + 300);
}

//@ kernel big_types
//@ global 64
//@ in double 1024
//@ out double 1024
kernel void big_types(global const double16* a, global double16* c) {
  c[get_global_id(0)] = a[get_global_id(0)].sfedcba9876543210;
}
