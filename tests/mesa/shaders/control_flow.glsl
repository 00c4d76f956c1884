// Structured control flow of every form, nested and divergent: if/else, loops with break and continue, switch, discard
// and early return.
// needs 330
// variants NESTED LOOPS SWITCHES DISCARDS RETURNS UNROLLED CONTINUES

-- vertex
in vec4 p;
in ivec4 k;
uniform int limit;
uniform vec4 table[12];
out vec4 f;
flat out int count;
vec4 early(vec4 a) {
  if (a.x < 0.0) return a.yxwz;
  for (int i = 0; i < limit; i++) {
    if (a.y > float(i)) return a * 2.0;
    a += table[i % 12];
  }
  return -a;
}
void main() {
  vec4 a = p;
  int n = 0;
#if defined(NESTED) || defined(RETURNS)
  if (a.x > 0.5) {
    if (a.y > 0.5) {
      a *= table[1];
      if (k.x == 3) a = -a; else n = k.y;
    } else
      a += table[2];
  } else if (a.z < 0.25)
    a -= table[3];
  a += early(a);
#endif
#if defined(LOOPS) || defined(UNROLLED)
  for (int i = 0; i < limit; i++) {
    if (i == k.x) continue;
    a = a * table[i] + p.wzyx;
    int j = k.y;
    while (j > 0) {
      n += j;
      if (n > 100) break;
      j >>= 1;
      do { a.x += 0.5; } while (a.x < float(j));
    }
    if (a.w > 9.0) break;
  }
#endif
#if defined(SWITCHES) || defined(DISCARDS)
  switch (k.z) {
    case 0: a += table[4]; break;
    case 1: a -= table[5];
    case 2: a *= table[6]; break;
    case 7: n = 5;
    default: a = a.wwyx;
  }
#endif
#ifdef CONTINUES
  for (int i = 0; i < limit; i++) {
    a += table[i];
    if (a.x > 0.5) {
      n += 3;
      if (a.y > 0.25) {
        a.y -= table[2].x;
        if (a.z < 4.0) continue;
        n -= k.x;
      }
      a.w = a.w * a.x;
      while (n > 9) {
        n -= i;
        if (a.w > 7.0) {
          a.w = sqrt(a.w);
          if (n == 4) continue;
          a.x += 1.0;
        }
        a.z += 0.125;
        if (a.z > 99.0) break;
      }
    }
    a = a.wxyz;
  }
#endif
  f = a;
  count = n + k.w;
  gl_Position = a;
}

-- fragment
in vec4 f;
flat in int count;
uniform int limit, pick;
uniform vec4 table[12];
out vec4 colour;
vec4 early(vec4 a, int k) {
  if (a.x < 0.0) return a.yxwz;
  for (int i = 0; i < limit + k; i++) {
    if (a.y > float(i)) {
      if (k == i) return a * 2.0;
      a.y -= 1.0;
    }
    a += table[i % 12];
  }
  return -a;
}
void main() {
  vec4 a = f;
  int k = count, n = 0;
#ifdef NESTED
  if (a.x > 0.5) {
    if (a.y > 0.5) {
      a *= table[1];
      if (k == 3) a = -a; else n = k;
      if (pick > 4) { a.x += 2.0; if (a.x > 3.0 && a.y < 2.0) { a.zw = a.xy; n++; } else { a.y = sin(a.x); } }
    } else
      a += table[2];
  } else if (a.z < 0.25)
    a -= table[3];
  else
    a.w = exp2(a.y);
#endif
#ifdef LOOPS
  for (int i = 0; i < limit; i++) {
    if (i == k) continue;
    a = a * table[i] + f.wzyx;
    int j = k;
    while (j > 0) {
      n += j;
      if (n > 100) break;
      if ((n & 3) == 1) { j--; continue; }
      j >>= 1;
      do { a.x += 0.5; if (a.x == 7.0) break; } while (a.x < float(j));
    }
    if (a.w > 9.0) break;
  }
  for (;;) {
    a += table[0];
    if (a.x > 1e3) break;
    if (a.y > 1e4) { a.z = 0.0; break; }
    if (a.w < 3.0) continue;
    a.w -= 1.0;
  }
#endif
#ifdef SWITCHES
  switch (k) {
    case 0: a += table[4]; break;
    case 1: a -= table[5];
    case 2: a *= table[6]; break;
    case 7: n = 5;
    default: a = a.wwyx;
  }
  switch (pick) {
    case 1: a.x = cos(a.y); break;
    case 2: for (int i = 0; i < k; i++) { if (i > 9) break; a.y += table[i].z; } break;
    case 3: a = a.wzxy; break;
  }
#endif
#ifdef DISCARDS
  if (a.x < 0.1) discard;
  for (int i = 0; i < limit; i++) {
    a += table[i];
    if (a.y > 7.0) discard;
    if (a.z > 8.0) break;
  }
  a += dFdx(a);
  if (a.w < a.x) { if (k > 2) discard; a = -a; }
#endif
#ifdef RETURNS
  a += early(a, k);
  if (a.x > 4.0) { colour = a; return; }
  a = early(a.wzyx, n);
#endif
#ifdef UNROLLED
  for (int i = 0; i < 12; i++) a = a * table[i] + fract(a.yzwx) * float(i);
  for (int i = 0; i < 6; i++) { if (a[i & 3] > 0.5) a -= table[i]; else a += table[11 - i]; n += i * k; }
#endif
#ifdef CONTINUES
  for (int i = 0; i < limit; i++) {
    a += table[i];
    if (a.x > 0.5) {
      n += 3;
      if (a.y > 0.25) {
        a.y -= table[2].x;
        if (a.z < 4.0) continue;
        n -= k;
      }
      a.w = a.w * a.x;
      while (n > 9) {
        n -= i;
        if (a.w > 7.0) {
          a.w = sqrt(a.w);
          if (n == 4) continue;
          a.x += 1.0;
        }
        a.z += 0.125;
        if (a.z > 99.0) break;
      }
    }
    a = a.wxyz;
  }
#endif
  colour = a + float(n);
}
