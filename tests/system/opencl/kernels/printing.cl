// printf from one work-item, so that the order is defined.

//@ kernel print
//@ global 1
//@ value int 42
//@ out int 1
//@ printf
kernel void print(int a, global int* c) {
  printf("an int %d, hex %x, a float %.3f, a string %s, a char %c\n", a, a * 3, a * 0.5f, "text", 'q');
  printf("unsigned %u, wide %ld\n", ~a, (long)a << 33);
  c[0] = a;
}
