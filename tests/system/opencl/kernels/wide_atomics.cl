// Atomics of 64 bits, which the drivers of some devices do not offer.
//@ needs cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
//@ kernel wide
//@ global 1000
//@ in long 1000 -9000000000000000000 9000000000000000000
//@ inout long 8 -9000000000000000000 9000000000000000000
kernel void wide(global const long* a, global long* c) {
  long v = a[get_global_id(0)];
  atom_add(c + 0, v);
  atom_sub(c + 1, v);
  atom_min(c + 2, v);
  atom_max(c + 3, v);
  atom_and(c + 4, v | 0x1010101010101010L);
  atom_or(c + 5, v & 0x0101010101010101L);
  atom_xor(c + 6, v);
  atom_inc(c + 7);
}
