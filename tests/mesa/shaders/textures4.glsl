// Sampler messages beyond OpenGL 3.3: gather in all forms, lod queries, cube arrays, sparse indices, sample counts.
// needs 430
// variants GATHER GATHER_SHADOW QUERIES CUBE_ARRAYS DYNAMIC

-- vertex
in vec4 p;
out vec4 f;
void main() { gl_Position = f = p; }

-- fragment
#extension GL_ARB_shader_texture_image_samples : require
in vec4 f;
uniform sampler2D s2;
uniform sampler2DArray s2a;
uniform samplerCube sc;
uniform samplerCubeArray sca;
uniform sampler2DRect sr;
uniform isampler2D i2;
uniform sampler2DShadow s2s;
uniform sampler2DArrayShadow s2as;
uniform samplerCubeShadow scs;
uniform samplerCubeArrayShadow scas;
uniform sampler2DMS sm;
uniform sampler2D many[6];
uniform int pick;
out vec4 colour;
void main() {
  vec4 a = f;
  ivec2 o = ivec2(f.zw);
#ifdef GATHER
  a += textureGather(s2, f.xy) + textureGather(s2, f.xy, 1) + textureGather(s2a, f.xyz, 2) + textureGather(sc, f.xyz, 3);
  a += textureGatherOffset(s2, f.xy, ivec2(3, -4)) + textureGatherOffset(s2, f.xy, o) + textureGather(sr, f.xy);
  a += textureGatherOffsets(s2, f.xy, ivec2[4](ivec2(0), ivec2(1, 2), ivec2(-3, 4), ivec2(5, 6))) + vec4(textureGather(i2, f.xy));
#endif
#ifdef GATHER_SHADOW
  a += textureGather(s2s, f.xy, f.z) + textureGather(s2as, f.xyz, f.w) + textureGather(scs, f.xyz, f.w);
  a += textureGatherOffset(s2s, f.xy, f.z, o) + textureGatherOffset(s2s, f.xy, f.z, ivec2(1, 1));
#endif
#ifdef QUERIES
  a.xy += textureQueryLod(s2, f.xy) + textureQueryLod(sc, f.xyz);
  a.z += float(textureQueryLevels(s2) + textureQueryLevels(sca) + textureSamples(sm));
  a.xyz += vec3(textureSize(sca, 0));
#endif
#ifdef CUBE_ARRAYS
  a += texture(sca, f) + textureLod(sca, f, 1.0) + textureGrad(sca, f, f.xyz, f.yzw) + textureGather(sca, f, 0);
  a.x += texture(scas, f, 0.5) + texture(s2as, f);
#endif
#ifdef DYNAMIC
  a += texture(many[pick], f.xy) + textureLod(many[pick + 1], f.yx, 2.0);
  a += textureOffset(s2, f.xy, ivec2(-8, 7)) + textureGather(many[pick], f.zw);
#endif
  colour = a;
}
