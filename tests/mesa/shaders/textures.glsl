// Every kind of sampler message OpenGL 3.3 can ask for.
// needs 330
// variants PLAIN LOD GRADIENT FETCH SHADOW SIZES OFFSETS INTEGER ARRAYS

-- vertex
in vec4 p;
uniform sampler2D s2;
uniform samplerCube sc;
uniform sampler2DArray sa;
uniform samplerBuffer sb;
uniform sampler2DShadow ss;
uniform isampler3D si;
out vec4 f;
flat out ivec4 k;
void main() {
  vec4 a = textureLod(s2, p.xy, p.z) + textureLod(sc, p.xyz, 0.0) + texelFetch(sb, int(p.x));
  a += texelFetch(s2, ivec2(p.xy), int(p.w)) + textureGrad(sa, p.xyz, p.xy, p.zw);
  a.x += textureLod(ss, p.xyz, 1.0);
  k = texelFetch(si, ivec3(p.xyz), 1) + ivec4(textureSize(sa, 1), textureSize(sb));
  f = a;
  gl_Position = a;
}

-- fragment
in vec4 f;
flat in ivec4 k;
uniform sampler1D s1;
uniform sampler2D s2;
uniform sampler3D s3;
uniform samplerCube sc;
uniform sampler2DRect sr;
uniform sampler1DArray s1a;
uniform sampler2DArray s2a;
uniform samplerBuffer sb;
uniform sampler2DMS sm;
uniform sampler2DMSArray sma;
uniform sampler1DShadow s1s;
uniform sampler2DShadow s2s;
uniform samplerCubeShadow scs;
uniform sampler2DRectShadow srs;
uniform sampler2DArrayShadow s2as;
uniform isampler2D i2;
uniform usampler3D u3;
uniform isamplerCube ic;
uniform usamplerBuffer ub;
uniform sampler2D many[4];
out vec4 colour;
void main() {
  vec4 a = f;
#ifdef PLAIN
  a += texture(s1, f.x) + texture(s2, f.xy) + texture(s3, f.xyz) + texture(sc, f.xyz) + texture(sr, f.xy);
  a += texture(s1a, f.xy) + texture(s2a, f.xyz) + texture(s2, f.zw, 0.5) + texture(sc, f.wzy, f.x);
  a += textureProj(s1, f.xy) + textureProj(s2, f.xyw) + textureProj(s2, f) + textureProj(s3, f) + textureProj(sr, f.xyz);
#endif
#ifdef LOD
  a += textureLod(s1, f.x, f.w) + textureLod(s2, f.xy, 2.0) + textureLod(s3, f.xyz, f.w) + textureLod(sc, f.xyz, 0.0);
  a += textureLod(s1a, f.xy, f.z) + textureLod(s2a, f.xyz, f.w) + textureProjLod(s2, f.xyw, 1.5);
#endif
#ifdef GRADIENT
  a += textureGrad(s1, f.x, f.y, f.z) + textureGrad(s2, f.xy, dFdx(f.xy), dFdy(f.xy)) + textureGrad(s3, f.xyz, f.yzw, f.zwx);
  a += textureGrad(sc, f.xyz, f.yzw, f.zwx) + textureGrad(s2a, f.xyz, f.xy, f.zw) + textureProjGrad(s2, f.xyz, f.xy, f.zw);
  a.x += textureGrad(s2s, f.xyz, f.xy, f.zw) + textureGrad(s2as, f, f.xy, f.zw);
#endif
#ifdef FETCH
  a += texelFetch(s1, k.x, k.y) + texelFetch(s2, k.xy, k.z) + texelFetch(s3, k.xyz, k.w) + texelFetch(sr, k.xy);
  a += texelFetch(s2a, k.xyz, 0) + texelFetch(sb, k.w) + texelFetch(sm, k.xy, k.z) + texelFetch(sma, k.xyz, 3);
#endif
#ifdef SHADOW
  a.x += texture(s1s, f.xyz) + texture(s2s, f.xyz) + texture(scs, f) + texture(srs, f.xyz) + texture(s2as, f);
  a.y += textureLod(s2s, f.xyz, f.w) + textureProj(s2s, f) + texture(s2s, f.xyz, 0.25) + textureLod(s1s, f.xyz, 1.0);
#endif
#ifdef SIZES
  a.x += float(textureSize(s1, k.x) + textureSize(sb));
  a.xy += vec2(textureSize(s2, k.y) + textureSize(sm) + textureSize(sr) + textureSize(sc, 0));
  a.xyz += vec3(textureSize(s3, 1) + textureSize(s2a, k.z) + textureSize(sma));
#endif
#ifdef OFFSETS
  a += textureOffset(s2, f.xy, ivec2(1, -2)) + textureLodOffset(s3, f.xyz, 1.0, ivec3(-8, 7, 3));
  a += texelFetchOffset(s2, k.xy, 0, ivec2(3, 4)) + textureGradOffset(s2, f.xy, f.zw, f.wz, ivec2(-1, 1));
  a.x += textureOffset(s2s, f.xyz, ivec2(2, 2));
#endif
#ifdef INTEGER
  a += vec4(texture(i2, f.xy)) + vec4(texture(u3, f.xyz)) + vec4(textureLod(ic, f.xyz, f.w)) + vec4(texelFetch(ub, k.x));
#endif
#ifdef ARRAYS
  a += texture(many[0], f.xy) + texture(many[1], f.yx) + texture(many[2], f.zw) + texture(many[3], f.wz);
  for (int i = 0; i < k.x; i++) a += textureLod(s2, a.xy, float(i)) * texelFetch(s2, ivec2(a.zw), i);
#endif
  colour = a;
}
