// printf: the format strings, the buffer's atomic allocation and arguments of every kind, also under divergence.

kernel void print_scalars(global const int* in, global const float* f, global const long* l) {
  const int i = get_global_id(0);
  printf("%d: %i %u %x %#o %c\n", i, in[i], (uint)in[i], in[i], in[i], (char)(in[i] & 127));
  printf("%f %e %g %a|%5.2f\n", f[i], f[i], f[i], f[i], f[i]);
  printf("%ld %lx %hd %hhd\n", l[i], l[i], (short)in[i], (char)in[i]);
}

kernel void print_vectors(global const float4* f, global const uchar4* c, global const int2* n) {
  const int i = get_global_id(0);
  printf("%v4hlf %v4hhu %v2hld\n", f[i], c[i], n[i]);
}

kernel void print_divergent(global const int* in) {
  const int i = get_global_id(0);
  for (int j = 0; j < in[i]; ++j) {
    if ((j & 3) == 1)
      printf("%s %d\n", "odd", j);
    else if (j > 10)
      printf("group %d late %p\n", (int)get_group_id(0), in + j);
  }
}
