#version 450
// Stores to a normalised image: conversion and rounding.
//@ groups 4 4
//@ in float 4096 -0.25 1.25
//@ image out rgba8 2d 32 32
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) readonly buffer A { vec4 a[]; };
layout(binding = 1, rgba8) writeonly uniform image2D i;
void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  imageStore(i, p, a[p.y * 32 + p.x]);
}
