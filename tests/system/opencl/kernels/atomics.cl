// Atomic operations of every kind, with results that do not depend on the order.

//@ kernel histogram
//@ global 8192
//@ in uchar 8192 0 255
//@ out uint 256
kernel void histogram(global const uchar* a, global uint* h) { atomic_inc(h + a[get_global_id(0)]); }

//@ kernel local_histogram
//@ global 8192
//@ group 256
//@ in uchar 8192 0 255
//@ out uint 256
kernel void local_histogram(global const uchar* a, global uint* h) {
  local uint s[256];
  int l = get_local_id(0);
  s[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(s + a[get_global_id(0)]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(h + l, s[l]);
}

//@ kernel all_kinds
//@ global 2000
//@ in int 2000 -2147483648 2147483647
//@ inout int 16 -2147483648 2147483647
kernel void all_kinds(global const int* a, global int* c) {
  int v = a[get_global_id(0)];
  atomic_add(c + 0, v);
  atomic_sub(c + 1, v);
  atomic_min(c + 2, v);
  atomic_max(c + 3, v);
  atomic_and(c + 4, v | 0x10101010);
  atomic_or(c + 5, v & 0x01010101);
  atomic_xor(c + 6, v);
  atomic_inc(c + 7);
  atomic_dec(c + 8);
  atomic_min((global uint*)c + 9, (uint)v);
  atomic_max((global uint*)c + 10, (uint)v);
}

//@ kernel all_kinds_local
//@ global 512
//@ group 128
//@ in int 512 -2147483648 2147483647
//@ out int 64
kernel void all_kinds_local(global const int* a, global int* c) {
  local int s[16];
  int l = get_local_id(0), v = a[get_global_id(0)];
  if (l < 16) s[l] = l == 4 ? -1 : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(s + 0, v);
  atomic_sub(s + 1, v);
  atomic_min(s + 2, v);
  atomic_max(s + 3, v);
  atomic_and(s + 4, v | 0x10101010);
  atomic_or(s + 5, v & 0x01010101);
  atomic_xor(s + 6, v);
  atomic_inc(s + 7);
  atomic_dec(s + 8);
  atomic_min((local uint*)s + 9, (uint)v);
  atomic_max((local uint*)s + 10, (uint)v);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 16) c[get_group_id(0) * 16 + l] = s[l];
}

//@ kernel exchange
//@ global 1024
//@ inout uint 1 0 0
//@ out uint 1024
//@ unordered
kernel void exchange(global uint* c, global uint* o) {
  uint old = atomic_add(c, 3);
  o[get_global_id(0)] = old;
}

//@ kernel compare_exchange
//@ global 512
//@ inout uint 4 0 0
kernel void compare_exchange(global uint* c) {
  uint i = get_global_id(0);
  for (uint old = c[0];;) {
    uint seen = atomic_cmpxchg(c, old, old + i);
    if (seen == old) break;
    old = seen;
  }
  atomic_xchg(c + 1, 77);
  atomic_add(c + 2, atomic_xchg(c + 3, 0) + 1);
}

//@ kernel float_sum
//@ global 256
//@ inout float 1 0 0
kernel void float_sum(global float* c) {
  global uint* w = (global uint*)c;
  for (uint old = *w;;) {
    uint seen = atomic_cmpxchg(w, old, as_uint(as_float(old) + 1.0f));
    if (seen == old) break;
    old = seen;
  }
}
