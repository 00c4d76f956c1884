// Work of several queues, contexts and enqueues.

//@ kernel advance
//@ as many_enqueues
//@ global 1000
//@ inout uint 1000 0 1000
//@ repeat 50
//@ kernel advance
//@ as several_queues
//@ global 1000
//@ inout uint 1000 0 1000
//@ repeat 9
//@ queues 3
//@ kernel advance
//@ as several_contexts
//@ global 1000
//@ inout uint 1000 0 1000
//@ repeat 3
//@ contexts 2
kernel void advance(global uint* c) {
  uint i = get_global_id(0);
  c[i] = c[i] * 1664525u + 1013904223u + i;
}
