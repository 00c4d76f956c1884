// Message naming: concrete descriptors of every shared function and generation, all descriptors that the Gen8 document
// lists, and the consistency of the tables themselves.
#include "isa/message.h"

#include <gtest/gtest.h>

#include "isa/message_tables.h"

namespace vitro::isa {
namespace {

struct Sample {
  unsigned sfid;
  uint32_t ex_desc, desc;
  const char* text;
};

void expect_comments(const MessageTables& tables, std::initializer_list<Sample> samples) {
  for (const Sample& s : samples) EXPECT_EQ(message_comment(tables, s.sfid, s.ex_desc, s.desc), s.text);
}

TEST(Message, Gen6SamplerAndDataPorts) {
  expect_comments(
      messages_gen6,
      {
          {0x2, 0x2, 0x04210001, "sampler: sample, simd8, bti 1, sampler 0; mlen 2, rlen 2"},
          {0x2, 0x2, 0x04107203, "sampler: ld, simd4x2, bti 3, sampler 2; mlen 2, rlen 1"},
          {0x2, 0x2, 0x028aa000, "sampler: resinfo, simd16, bti 0, sampler 0; mlen 1, rlen 8, header"},
          {0x2, 0x2, 0x0403b000, "sampler: sample_8x8 simd32/64, bti 0, sampler 0; mlen 2, rlen 0"},
          {0x2, 0x2, 0x04031000, "sampler: reserved message 0x31000; mlen 2, rlen 0"},
          {0x2, 0x2, 0x0401d000, "sampler: reserved message 0x1d000; mlen 2, rlen 0"},
          {0x4, 0x4, 0x04184000, "sampler cache: oword dual block read, 1 oword, bti 0; mlen 2, rlen 1, header"},
          {0x4, 0x4, 0x02098001, "sampler cache: media block read, bti 1; mlen 1, rlen 0, header"},
          {0x4, 0x4, 0x0a01e000, "sampler cache: reserved message 0x1e000; mlen 5, rlen 0"},
          {0x5, 0x5, 0x10019000,
           "render cache: render target write, simd16, last render target, bti 0; mlen 8, rlen 0"},
          {0x5, 0x5, 0x0a099c02,
           "render cache: render target write, simd8, slots 31:16, last render target, bti 2; mlen 5, rlen 0, header"},
          {0x5, 0x5, 0x041b02ff,
           "render cache: oword block write, 2 owords, write commit, stateless; mlen 2, rlen 1, header"},
          {0x5, 0x5, 0x020a8603,
           "render cache: media block read, line stride override, stride 1, offset 0, bti 3; mlen 1, rlen 0, header"},
          {0x5, 0x5, 0x0201a000, "render cache: streamed vertex buffer write, bti 0; mlen 1, rlen 0"},
          {0x5, 0x5, 0x0801c301, "render cache: render target unorm write, control 0x3, bti 1; mlen 4, rlen 0"},
          {0x9, 0x9, 0x0210c303, "constant cache: dword scattered read, 16 dwords, bti 3; mlen 1, rlen 1"},
      });
}

TEST(Message, Gen6GatewayUrbSpawner) {
  expect_comments(
      messages_gen6,
      {
          {0x0, 0x0, 0x00000000, "null: no operation; mlen 0, rlen 0"},
          {0x3, 0x3, 0x0210c002, "gateway: forward message, notify n0, acknowledge; mlen 1, rlen 1"},
          {0x3, 0x3, 0x02104003, "gateway: get timestamp, acknowledge; mlen 1, rlen 1"},
          {0x3, 0x3, 0x02000004, "gateway: barrier; mlen 1, rlen 0"},
          {0x3, 0x3, 0x02000007, "gateway: reserved message 0x00007; mlen 1, rlen 0"},
          {0x3, 0x3, 0x02018002, "gateway: forward message, reserved notify 3; mlen 1, rlen 0"},
          {0x6, 0x6, 0x0a08c400, "urb: write, interleaved, offset 0 rows, used, complete; mlen 5, rlen 0, header"},
          {0x6, 0x6, 0x0608a840, "urb: write, transpose, offset 4 rows, allocate, complete; mlen 3, rlen 0, header"},
          {0x6, 0x6, 0x0608d000,
           "urb: write, noswizzle, offset 0 rows, used, complete, composite check pass; mlen 3, rlen 0, header"},
          {0x6, 0x6, 0x02182001, "urb: ff_sync, allocate; mlen 1, rlen 1, header"},
          {0x6, 0x6, 0x02080002, "urb: reserved message 0x00002; mlen 1, rlen 0, header"},
          {0x7, 0x7, 0x02000010, "thread spawner: dereference resource, root thread, keep urb handle; mlen 1, rlen 0"},
          {0x7, 0x7, 0x02000011, "thread spawner: spawn thread, root thread, root spawn; mlen 1, rlen 0"},
          {0x8, 0x8, 0x08702001, "vme: motion estimation, function control 0x2001; mlen 4, rlen 7"},
          {0x1, 0x1, 0x02000000, "reserved sfid 1: reserved message 0x00000; mlen 1, rlen 0"},
          {0xa, 0xa, 0x02000000, "reserved sfid 10: reserved message 0x00000; mlen 1, rlen 0"},
      });
}

TEST(Message, Gen8Sampler) {
  expect_comments(messages_gen8,
                  {
                      {0x2, 0x2, 0x0c847000, "sampler: ld, simd16, bti 0, sampler 0; mlen 6, rlen 8"},
                      {0x2, 0x2, 0x10842003, "sampler: sample_l, simd16, bti 3, sampler 0; mlen 8, rlen 8"},
                      {0x2, 0x2, 0x42420501, "sampler: sample, simd8, 16-bit return, bti 1, sampler 5; mlen 1, rlen 4"},
                      {0x2, 0x2, 0x02100000, "sampler: sample, simd4x2, bti 0, sampler 0; mlen 1, rlen 1"},
                      {0x2, 0x2, 0x02120000, "sampler: sample, simd8, bti 0, sampler 0; mlen 1, rlen 1"},
                      {0x2, 0x2, 0x22120000, "sampler: sample, reserved simd mode 5, bti 0, sampler 0; mlen 1, rlen 1"},
                      {0x2, 0x2, 0x021fe000, "sampler: reserved message 0x7e000; mlen 1, rlen 1, header"},
                      {0x2, 0x2, 0x0217f000, "sampler: cache flush; mlen 1, rlen 1"},
                      {0x2, 0x2, 0x0243f002, "sampler: ld2dss, simd8, bti 2, sampler 0; mlen 1, rlen 4"},
                      {0x2, 0x2, 0x0243a002, "sampler: reserved message 0x3a002; mlen 1, rlen 4"},  // ld_lz is Gen9
                      {0x2, 0x2, 0x084300fc, "sampler: gather4_c, simd8, bti 252, sampler 0; mlen 4, rlen 4"},
                  });
}

TEST(Message, Gen8DataPorts) {
  expect_comments(
      messages_gen8,
      {
          {0x9, 0x9, 0x02280300, "dcro: constant oword block read, 4 owords, bti 0; mlen 1, rlen 2, header"},
          {0x9, 0x9, 0x0210c302, "dcro: constant dword scattered read, simd16, bti 2; mlen 1, rlen 1"},
          {0x9, 0x9, 0x0210c102, "dcro: reserved message 0x0c102; mlen 1, rlen 1"},
          {0x4, 0x4, 0x02190202, "sampler cache: media block read, bti 2; mlen 1, rlen 1, header"},
          {0xa, 0xa, 0x021c2005,
           "dc0: scratch block read, 4 hwords, offset 5 hwords, oword mode; mlen 1, rlen 1, header"},
          {0xa, 0xa, 0x040f1007,
           "dc0: scratch block write, 2 hwords, offset 7 hwords, dword mode; mlen 2, rlen 0, header"},
          {0xa, 0xa, 0x0219e000, "dc0: memory fence, commit; mlen 1, rlen 1, header"},
          {0xa, 0xa, 0x0219f000, "dc0: memory fence, commit, flush data; mlen 1, rlen 1, header"},
          {0xa, 0xa, 0x04210503, "dc0: byte scattered read, simd16, 2 bytes, bti 3; mlen 2, rlen 2"},
          {0xa, 0xa, 0x042108fe, "dc0: byte scattered read, simd8, 4 bytes, slm; mlen 2, rlen 2"},
          {0xa, 0xa, 0x0421090d, "dc0: byte scattered read, simd16, 4 bytes, bti 13; mlen 2, rlen 2"},
          {0xa, 0xa, 0x02182101,
           "dc0: oword block read, 1 oword high, invalidate after read, bti 1; mlen 1, rlen 1, header"},
          {0xa, 0xa, 0x0208060d, "dc0: oword block read, reserved block size 6, bti 13; mlen 1, rlen 0, header"},
          {0xa, 0xa, 0x04008200, "dc0: oword dual block read, 4 owords, bti 0; mlen 2, rlen 0"},
          {0xa, 0xa, 0x08014000, "dc0: reserved message 0x14000; mlen 4, rlen 0"},  // qword scattered is Gen9
          {0xc, 0xc, 0x04405c01, "dc1: untyped surface read, simd16, mask xy--, bti 1; mlen 2, rlen 4"},
          {0xc, 0xc, 0x04205f01, "dc1: untyped surface read, simd16, reserved mask 15, bti 1; mlen 2, rlen 2"},
          {0xc, 0xc, 0x040085fe, "dc1: untyped atomic, inc, simd16, slm; mlen 2, rlen 0"},
          {0xc, 0xc, 0x0c20aefe, "dc1: untyped atomic, cmpwr, simd16, return, slm; mlen 6, rlen 2"},
          {0xc, 0xc, 0x0814aeff, "dc1: a64 untyped dword atomic, cmpwr, return, stateless; mlen 4, rlen 1"},
          {0xc, 0xc, 0x0814b0ff,
           "dc1: a64 untyped qword atomic, reserved atomic op 0, return, stateless; mlen 4, rlen 1"},
          {0xc, 0xc, 0x041401ff, "dc1: a64 dword scattered read, simd8, 1 dword, stateless; mlen 2, rlen 1"},
          {0xc, 0xc, 0x042402fd,
           "dc1: a64 qword scattered read, simd8, 1 qword, stateless non-coherent; mlen 2, rlen 2"},
          {0xc, 0xc, 0x060684ff, "dc1: a64 byte scattered write, simd8, 2 bytes, stateless; mlen 3, rlen 0"},
          {0xc, 0xc, 0x0c0689ff, "dc1: a64 dword scattered write, simd8, 4 dwords, stateless; mlen 6, rlen 0"},
          {0xc, 0xc, 0x04140103, "dc1: a64 dword scattered read, simd8, 1 dword, reserved bti 3; mlen 2, rlen 1"},
          {0xc, 0xc, 0x0e0b5007, "dc1: typed surface write, simd8 low, mask xyzw, bti 7; mlen 7, rlen 0, header"},
          {0xc, 0xc, 0x0609be05, "dc1: typed atomic, cmpwr, simd8 high, return, bti 5; mlen 3, rlen 0, header"},
          {0xc, 0xc, 0x02190703,
           "dc1: media block read, line stride override, stride 1, offset 1, bti 3; mlen 1, rlen 1, header"},
          {0xc, 0xc, 0x021d04ff, "dc1: a64 oword block read, 8 owords, stateless; mlen 1, rlen 1, header"},
          {0xc, 0xc, 0x021d1aff, "dc1: a64 hword block read, 4 hwords, stateless; mlen 1, rlen 1, header"},
          {0xc, 0xc, 0x02020000, "dc1: reserved message 0x20000; mlen 1, rlen 0"},
          {0xc, 0xc, 0x0606c100, "dc1: reserved message 0x6c100; mlen 3, rlen 0"},  // float atomics are Gen9
      });
}

TEST(Message, Gen8RenderCacheUrbAndOthers) {
  expect_comments(
      messages_gen8,
      {
          {0x5, 0x5, 0x10031000,
           "render cache: render target write, simd16, last render target, bti 0; mlen 8, rlen 0"},
          {0x5, 0x25, 0x48031001,
           "render cache: render target write, simd16, fp16, last render target, bti 1; mlen 4, rlen 0"},
          {0x5, 0x5, 0x0c0b1102,
           "render cache: render target write, simd16 replicated, last render target, bti 2; mlen 6, rlen 0, header"},
          {0x5, 0x5, 0x02035000, "render cache: reserved message 0x35000; mlen 1, rlen 0"},
          {0x6, 0x6, 0x0a080027, "urb: simd8 write, offset 2 owords; mlen 5, rlen 0, header"},
          {0x6, 0x6, 0x0c0a8027,
           "urb: simd8 write, offset 2 owords, per-slot offsets, channel masks; mlen 6, rlen 0, header"},
          {0x6, 0x6, 0x02480018, "urb: simd8 read, offset 1 owords; mlen 1, rlen 4, header"},
          {0x6, 0x6, 0x06088010, "urb: write hword, interleaved, offset 1 hwords; mlen 3, rlen 0, header"},
          {0x6, 0x6, 0x02180005, "urb: atomic inc, offset 0; mlen 1, rlen 1, header"},
          {0x6, 0x6, 0x02080009, "urb: reserved message 0x00009; mlen 1, rlen 0, header"},
          {0x3, 0x3, 0x02000004, "gateway: barrier; mlen 1, rlen 0"},
          {0x7, 0x27, 0x02000010, "thread spawner: dereference resource, root thread, keep urb handle; mlen 1, rlen 0"},
          {0x8, 0x8, 0x0ce84005, "vme: integer motion estimation, bti 5; mlen 6, rlen 14, header"},
          {0x8, 0x8, 0x0ce80005, "vme: reserved message 0x00005; mlen 6, rlen 14, header"},
          {0xb, 0xb, 0x02200078, "pixel interpolator: shared offset, simd8, x -8/16, y 7/16; mlen 1, rlen 2"},
          {0xb, 0xb, 0x02415030, "pixel interpolator: sample position, simd16, sample 3, linear; mlen 1, rlen 4"},
          {0xb, 0xb, 0x02202800, "pixel interpolator: centroid, simd8, slots 31:16; mlen 1, rlen 2"},
          {0xb, 0xb, 0x08413000, "pixel interpolator: per-slot offset, simd16; mlen 4, rlen 4"},
          {0xd, 0xd, 0x10786005, "cre: fractional and bidirectional refinement, bti 5; mlen 8, rlen 7, header"},
          {0xe, 0xe, 0x02000000, "reserved sfid 14: reserved message 0x00000; mlen 1, rlen 0"},
      });
}

TEST(Message, Gen9HasMoreMessages) {
  expect_comments(
      messages_gen9,
      {
          {0x2, 0x102, 0x028da000, "sampler: ld_lz, simd16, bti 0, sampler 0; mlen 1, ex_mlen 4, rlen 8, header"},
          {0x2, 0x2, 0x0243c001, "sampler: ld2dms_w, simd8, bti 1, sampler 0; mlen 1, rlen 4"},
          {0x2, 0x2, 0x02100000, "sampler: sample, simd8d/simd4x2, bti 0, sampler 0; mlen 1, rlen 1"},
          {0x2, 0x00005002, 0x084200fc, "sampler: sample, simd8, bindless 0x5, sampler 0; mlen 4, rlen 4"},
          {0x4, 0x4, 0x02104001, "dc2: scaled message, function control 0x4001; mlen 1, rlen 1"},
          {0x5, 0x5, 0x042b6100, "render cache: render target read, simd8, per sample, bti 0; mlen 2, rlen 2, header"},
          {0x5, 0x5, 0x04232400, "render cache: render target write, simd8, per sample, bti 0; mlen 2, rlen 2"},
          {0x8, 0x8, 0x0b080003, "vme: distortion mesh, bti 3; mlen 5, rlen 16, header"},
          {0x9, 0x9, 0x02180002, "dcro: constant oword block read, 1 oword low, bti 2; mlen 1, rlen 1, header"},
          {0x9, 0x9, 0x02198002, "dcro: read surface info, bti 2; mlen 1, rlen 1, header"},
          {0xa, 0x8a, 0x04030102, "dc0: byte scattered write, simd16, 1 byte, bti 2; mlen 2, ex_mlen 2, rlen 0"},
          {0xa, 0xa, 0x02414204, "dc0: qword scattered read, simd8, 1 qword, bti 4; mlen 1, rlen 4"},
          {0xa, 0x1200000a, 0x021c1fff,
           "dc0: scratch block read, 2 hwords, offset 4095 hwords, oword mode; mlen 1, rlen 1, header"},
          {0xc, 0x8c, 0x04025efe, "dc1: untyped surface write, simd16, mask x---, slm; mlen 2, ex_mlen 2, rlen 0"},
          {0xc, 0x1200000c, 0x02106efc,
           "dc1: untyped surface read, simd8, mask x---, bindless 0x12000; mlen 1, rlen 1"},
          {0xc, 0x14c, 0x02035007, "dc1: typed surface write, simd8 low, mask xyzw, bti 7; mlen 1, ex_mlen 5, rlen 0"},
          {0xc, 0xc, 0x0216f201, "dc1: untyped float atomic, fmin, simd8, return, bti 1; mlen 1, rlen 1"},
          {0xc, 0xc, 0x0216f401,
           "dc1: untyped float atomic, reserved atomic op 4, simd8, return, bti 1; mlen 1, rlen 1"},
          {0xc, 0xc, 0x041763ff, "dc1: a64 untyped float atomic, fcmpwr, simd8, return, stateless; mlen 2, rlen 1"},
          {0xc, 0xc, 0x0213ae01, "dc1: typed surface read with status, simd8 high, mask x---, bti 1; mlen 1, rlen 1"},
          {0xc, 0xc, 0x041403ff, "dc1: a64 byte scattered read with status, simd8, 1 byte, stateless; mlen 2, rlen 1"},
      });
}

// Codes 0, 1, 2, ... of a type field at bit `lo`; "" where the code is reserved. `rest` are the other bits.
void expect_types(const MessageTables& tables, unsigned sfid, int lo, uint32_t rest,
                  std::initializer_list<std::string_view> names) {
  uint32_t code = 0;
  for (std::string_view name : names) {
    const MessageInfo info = describe_message(tables, sfid, sfid, rest | code << lo);
    EXPECT_EQ(info.name, name.empty() ? "reserved message" : name) << "sfid " << sfid << " code " << code;
    ++code;
  }
}

TEST(Message, EveryTypeCodeOfGen6) {
  expect_types(messages_gen6, 0x5, 13, 0,
               {"oword block read", "render target unorm read", "oword dual block read", "", "media block read",
                "unaligned oword block read", "dword scattered read", "dword atomic write", "oword block write",
                "oword dual block write", "media block write", "dword scattered write", "render target write",
                "streamed vertex buffer write", "render target unorm write", ""});
  for (unsigned read_only : {0x4u, 0x9u})
    expect_types(messages_gen6, read_only, 13, 0,
                 {"oword block read", "", "oword dual block read", "", "media block read", "unaligned oword block read",
                  "dword scattered read", "", "oword block read", "", "oword dual block read", "", "media block read",
                  "unaligned oword block read", "dword scattered read", ""});
  expect_types(messages_gen6, 0x2, 12, 1 << 16,
               {"sample", "sample_b", "sample_l", "sample_c", "sample_d", "sample_b_c", "sample_l_c", "ld", "gather4",
                "lod", "resinfo", "sampleinfo", "sample killpix", "", "", ""});
  expect_types(messages_gen6, 0x2, 12, 3 << 16,
               {"sample_unorm simd32/64", "", "sample_unorm killpix simd32/64", "", "", "", "", "",
                "deinterlace simd32/64", "", "", "sample_8x8 simd32/64", "", "", "", ""});
  expect_types(messages_gen6, 0x3, 0, 0,
               {"open gateway", "close gateway", "forward message", "get timestamp", "barrier", "update gateway state",
                "mmio read/write", ""});
}

TEST(Message, EveryTypeCodeOfGen8AndGen9) {
  expect_types(messages_gen8, 0x2, 12, 1 << 17,
               {"sample",
                "sample_b",
                "sample_l",
                "sample_c",
                "sample_d",
                "sample_b_c",
                "sample_l_c",
                "ld",
                "gather4",
                "lod",
                "resinfo",
                "sampleinfo",
                "sample killpix",
                "",
                "",
                "",
                "gather4_c",
                "gather4_po",
                "gather4_po_c",
                "",
                "sample_d_c",
                "",
                "",
                "",
                "",
                "",
                "",
                "",
                "",
                "ld_mcs",
                "ld2dms",
                "ld2dss"});
  expect_types(messages_gen9, 0x2, 12, 2 << 17, {"sample",
                                                 "sample_b",
                                                 "sample_l",
                                                 "sample_c",
                                                 "sample_d",
                                                 "sample_b_c",
                                                 "sample_l_c",
                                                 "ld",
                                                 "gather4",
                                                 "lod",
                                                 "resinfo",
                                                 "sampleinfo",
                                                 "sample killpix",
                                                 "",
                                                 "",
                                                 "",
                                                 "gather4_c",
                                                 "gather4_po",
                                                 "gather4_po_c",
                                                 "",
                                                 "sample_d_c",
                                                 "",
                                                 "sample_min",
                                                 "sample_max",
                                                 "sample_lz",
                                                 "sample_c_lz",
                                                 "ld_lz",
                                                 "",
                                                 "ld2dms_w",
                                                 "ld_mcs",
                                                 "ld2dms",
                                                 "ld2dss"});
  // DWord and QWord scattered messages need bit 9.
  expect_types(messages_gen8, 0xa, 14, 1 << 9,
               {"oword block read", "unaligned oword block read", "oword dual block read", "dword scattered read",
                "byte scattered read", "", "", "memory fence", "oword block write", "", "oword dual block write",
                "dword scattered write", "byte scattered write", "", "", ""});
  expect_types(messages_gen8, 0xc, 14, 255,
               {"transpose read",
                "untyped surface read",
                "untyped atomic",
                "untyped atomic simd4x2",
                "media block read",
                "typed surface read",
                "typed atomic",
                "typed atomic simd4x2",
                "",
                "untyped surface write",
                "media block write",
                "atomic counter",
                "atomic counter simd4x2",
                "typed surface write",
                "",
                "",
                "a64 byte scattered read",
                "a64 untyped surface read",
                "a64 untyped dword atomic",
                "a64 untyped dword atomic simd4x2",
                "a64 oword block read",
                "a64 oword block write",
                "",
                "",
                "",
                "a64 untyped surface write",
                "a64 byte scattered write",
                "",
                "",
                "",
                "",
                ""});
  expect_types(messages_gen9, 0xc, 14, 255 | 1 << 8,
               {"transpose read",
                "untyped surface read",
                "untyped atomic",
                "untyped atomic simd4x2",
                "media block read",
                "typed surface read",
                "typed atomic",
                "typed atomic simd4x2",
                "",
                "untyped surface write",
                "media block write",
                "atomic counter",
                "atomic counter simd4x2",
                "typed surface write",
                "typed surface read with status",
                "",
                "a64 dword scattered read",
                "a64 untyped surface read",
                "a64 untyped dword atomic",
                "a64 untyped dword atomic simd4x2",
                "a64 oword block read",
                "a64 oword block write",
                "",
                "",
                "",
                "a64 untyped surface write",
                "a64 dword scattered write",
                "untyped float atomic",
                "untyped float atomic simd4x2",
                "a64 untyped float atomic",
                "a64 untyped float atomic simd4x2",
                ""});
  expect_types(messages_gen8, 0x9, 14, 1 << 9,
               {"constant oword block read", "constant unaligned oword block read", "constant oword dual block read",
                "constant dword scattered read", "", "", "", ""});
  expect_types(messages_gen9, 0x9, 14, 1 << 9,
               {"constant oword block read", "constant unaligned oword block read", "constant oword dual block read",
                "constant dword scattered read", "sampler cache unaligned oword block read",
                "sampler cache media block read", "read surface info", ""});
  expect_types(messages_gen8, 0x4, 14, 0,
               {"read surface info", "unaligned oword block read", "", "", "media block read", "", "", ""});
  for (const MessageTables* tables : {&messages_gen8, &messages_gen9}) {
    expect_types(*tables, 0x2, 12, 3 << 17,
                 {"sample_unorm simd32/64", "", "sample_unorm killpix simd32/64", "", "", "", "", "",
                  "deinterlace simd32/64", "", "sample_unorm killpix media simd32/64", "sample_8x8 simd32/64",
                  "sample_unorm media simd32/64", "", "", ""});
    expect_types(*tables, 0x3, 0, 0,
                 {"open gateway", "close gateway", "forward message", "get timestamp", "barrier",
                  "update gateway state", "mmio read/write", ""});
    expect_types(*tables, 0x6, 0, 0,
                 {"write hword", "write oword", "read hword", "read oword", "atomic mov", "atomic inc", "atomic add",
                  "simd8 write", "simd8 read", "", "", "", "", "", "", ""});
    expect_types(*tables, 0xd, 13, 0, {"", "skip and intra check", "", "fractional and bidirectional refinement"});
  }
}

// Every message descriptor of the Gen8 document, with a legal atomic operation where it has one.
struct Msd {
  const char* mnemonic;
  unsigned sfid;
  uint32_t desc;
  std::string_view name;
};
constexpr Msd msds[] = {
    {"MSD1W_A64_BS", 0xc, 0x680ff, "a64 byte scattered write"},
    {"MSD1R_A64_DWS", 0xc, 0x401ff, "a64 dword scattered read"},
    {"MSD1W_A64_DWS", 0xc, 0x681ff, "a64 dword scattered write"},
    {"MSD1R_A64_DWAI2_4x2", 0xc, 0x4e7ff, "a64 untyped dword atomic simd4x2"},
    {"MSD1W_A64_DWAI2_4x2", 0xc, 0x4c7ff, "a64 untyped dword atomic simd4x2"},
    {"MSD1R_A64_DWAI3_4x2", 0xc, 0x4eeff, "a64 untyped dword atomic simd4x2"},
    {"MSD1W_A64_DWAI3_4x2", 0xc, 0x4ceff, "a64 untyped dword atomic simd4x2"},
    {"MSD1R_A64_DWAI1_4x2", 0xc, 0x4e5ff, "a64 untyped dword atomic simd4x2"},
    {"MSD1W_A64_DWAI1_4x2", 0xc, 0x4c5ff, "a64 untyped dword atomic simd4x2"},
    {"MSD1R_A64_DWAI2", 0xc, 0x4a7ff, "a64 untyped dword atomic"},
    {"MSD1W_A64_DWAI2", 0xc, 0x487ff, "a64 untyped dword atomic"},
    {"MSD1R_A64_DWAI3", 0xc, 0x4aeff, "a64 untyped dword atomic"},
    {"MSD1W_A64_DWAI3", 0xc, 0x48eff, "a64 untyped dword atomic"},
    {"MSD1R_A64_DWAI1", 0xc, 0x4a5ff, "a64 untyped dword atomic"},
    {"MSD1W_A64_DWAI1", 0xc, 0x485ff, "a64 untyped dword atomic"},
    {"MSD1R_A64_HWB", 0xc, 0x518ff, "a64 hword block read"},
    {"MSD1W_A64_HWB", 0xc, 0x558ff, "a64 hword block write"},
    {"MSD1R_A64_OWB", 0xc, 0x500ff, "a64 oword block read"},
    {"MSD1W_A64_OWB", 0xc, 0x540ff, "a64 oword block write"},
    {"MSD1R_A64_OWDB", 0xc, 0x510ff, "a64 oword dual block read"},
    {"MSD1W_A64_OWDB", 0xc, 0x550ff, "a64 oword dual block write"},
    {"MSD1R_A64_OWUB", 0xc, 0x508ff, "a64 unaligned oword block read"},
    {"MSD1W_A64_QWS", 0xc, 0x682ff, "a64 qword scattered write"},
    {"MSD1R_A64_QWAI2_4x2", 0xc, 0x4f7ff, "a64 untyped qword atomic simd4x2"},
    {"MSD1W_A64_QWAI2_4x2", 0xc, 0x4d7ff, "a64 untyped qword atomic simd4x2"},
    {"MSD1R_A64_QWAI3_4x2", 0xc, 0x4feff, "a64 untyped qword atomic simd4x2"},
    {"MSD1W_A64_QWAI3_4x2", 0xc, 0x4deff, "a64 untyped qword atomic simd4x2"},
    {"MSD1R_A64_QWAI1_4x2", 0xc, 0x4f5ff, "a64 untyped qword atomic simd4x2"},
    {"MSD1W_A64_QWAI1_4x2", 0xc, 0x4d5ff, "a64 untyped qword atomic simd4x2"},
    {"MSD1R_A64_QWAI2", 0xc, 0x4b7ff, "a64 untyped qword atomic"},
    {"MSD1W_A64_QWAI2", 0xc, 0x497ff, "a64 untyped qword atomic"},
    {"MSD1R_A64_QWAI3", 0xc, 0x4beff, "a64 untyped qword atomic"},
    {"MSD1W_A64_QWAI3", 0xc, 0x49eff, "a64 untyped qword atomic"},
    {"MSD1R_A64_QWAI1", 0xc, 0x4b5ff, "a64 untyped qword atomic"},
    {"MSD1W_A64_QWAI1", 0xc, 0x495ff, "a64 untyped qword atomic"},
    {"MSD1R_A64_US", 0xc, 0x440ff, "a64 untyped surface read"},
    {"MSD1W_A64_US", 0xc, 0x640ff, "a64 untyped surface write"},
    {"MSD0R_BS", 0xa, 0x10000, "byte scattered read"},
    {"MSD0W_BS", 0xa, 0x30000, "byte scattered write"},
    {"MSD_CC_OWB", 0x9, 0x00000, "constant oword block read"},
    {"MSD_CC_OWUB", 0x9, 0x04000, "constant unaligned oword block read"},
    {"MSD1R_DWAC2", 0xc, 0x2e100, "atomic counter"},
    {"MSD1W_DWAC2", 0xc, 0x2c100, "atomic counter"},
    {"MSD1R_DWAC1", 0xc, 0x2e500, "atomic counter"},
    {"MSD1W_DWAC1", 0xc, 0x2c500, "atomic counter"},
    {"MSD0W_DWS", 0xa, 0x2c200, "dword scattered write"},
    {"MSD1R_DWAC2_4x2", 0xc, 0x32100, "atomic counter simd4x2"},
    {"MSD1W_DWAC2_4x2", 0xc, 0x30100, "atomic counter simd4x2"},
    {"MSD1R_DWAC1_4x2", 0xc, 0x32500, "atomic counter simd4x2"},
    {"MSD1W_DWAC1_4x2", 0xc, 0x30500, "atomic counter simd4x2"},
    {"MSD1R_DWTAI2_4x2", 0xc, 0x1e700, "typed atomic simd4x2"},
    {"MSD1W_DWTAI2_4x2", 0xc, 0x1c700, "typed atomic simd4x2"},
    {"MSD1R_DWTAI3_4x2", 0xc, 0x1ee00, "typed atomic simd4x2"},
    {"MSD1W_DWTAI3_4x2", 0xc, 0x1ce00, "typed atomic simd4x2"},
    {"MSD1R_DWTAI1_4x2", 0xc, 0x1e500, "typed atomic simd4x2"},
    {"MSD1W_DWTAI1_4x2", 0xc, 0x1c500, "typed atomic simd4x2"},
    {"MSD1R_DWAI2_4x2", 0xc, 0x0e700, "untyped atomic simd4x2"},
    {"MSD1R_DWAI3_4x2", 0xc, 0x0ee00, "untyped atomic simd4x2"},
    {"MSD1W_DWAI3_4x2", 0xc, 0x0ce00, "untyped atomic simd4x2"},
    {"MSD1R_DWAI1_4x2", 0xc, 0x0e500, "untyped atomic simd4x2"},
    {"MSD1W_DWAI1_4x2", 0xc, 0x0c500, "untyped atomic simd4x2"},
    {"MSD1R_DWTAI2", 0xc, 0x1a700, "typed atomic"},
    {"MSD1W_DWTAI2", 0xc, 0x18700, "typed atomic"},
    {"MSD1R_DWTAI3", 0xc, 0x1ae00, "typed atomic"},
    {"MSD1W_DWTAI3", 0xc, 0x18e00, "typed atomic"},
    {"MSD1R_DWTAI1", 0xc, 0x1a500, "typed atomic"},
    {"MSD1W_DWTAI1", 0xc, 0x18500, "typed atomic"},
    {"MSD_RTW_HI8DS", 0x5, 0x30300, "render target write"},
    {"MSD_RTW_LO8DS", 0x5, 0x30200, "render target write"},
    {"MSD1R_MB", 0xc, 0x10000, "media block read"},
    {"MSD1W_MB", 0xc, 0x28000, "media block write"},
    {"MSD1R_TT", 0xc, 0x00000, "transpose read"},
    {"MSD_MEMFENCE", 0xa, 0x1c000, "memory fence"},
    {"MSD0R_OWB", 0xa, 0x00000, "oword block read"},
    {"MSD0W_OWB", 0xa, 0x20000, "oword block write"},
    {"MSD0W_OWDB", 0xa, 0x28000, "oword dual block write"},
    {"MSD0R_OWUB", 0xa, 0x04000, "unaligned oword block read"},
    {"MSD_RTW_REP16", 0x5, 0x30100, "render target write"},
    {"MSD0R_HWB", 0xa, 0x40000, "scratch block read"},
    {"MSD0W_HWB", 0xa, 0x60000, "scratch block write"},
    {"MSD_RTW_SIMD8", 0x5, 0x30400, "render target write"},
    {"MSD_RTW_SIMD16", 0x5, 0x30000, "render target write"},
    {"MSD1R_TS", 0xc, 0x14000, "typed surface read"},
    {"MSD1W_TS", 0xc, 0x34000, "typed surface write"},
    {"MSD1W_US", 0xc, 0x24000, "untyped surface write"},
    {"MSD_UR_HWDB", 0x6, 0x08002, "read hword"},
    {"MSD_UW_HWDB", 0x6, 0x08000, "write hword"},
    {"MSD_UW_OWB", 0x6, 0x00001, "write oword"},
    {"MSD_UR_OWDB", 0x6, 0x08003, "read oword"},
    {"MSD_UW_OWDB", 0x6, 0x08001, "write oword"},
};

TEST(Message, EveryMessageDescriptorOfGen8HasItsName) {
  EXPECT_EQ(std::size(msds), 90u);
  for (const MessageTables* tables : {&messages_gen8, &messages_gen9})
    for (const Msd& m : msds) {
      const MessageInfo info = describe_message(*tables, m.sfid, m.sfid, m.desc);
      EXPECT_EQ(info.name, m.name) << m.mnemonic;
      for (const MessageField& f : info.fields) EXPECT_NE(f.meaning, "reserved") << m.mnemonic << " " << f.name;
    }
}

TEST(Message, DescribeListsEveryFieldWithItsMeaning) {
  const MessageInfo info = describe_message(messages_gen9, 0xc, 0x8c, 0x0420aefe);
  EXPECT_EQ(info.shared_function, "dc1");
  EXPECT_EQ(info.name, "untyped atomic");
  EXPECT_EQ(info.mlen, 2u);
  EXPECT_EQ(info.ex_mlen, 2u);
  EXPECT_EQ(info.rlen, 2u);
  EXPECT_FALSE(info.header);
  ASSERT_EQ(info.fields.size(), 4u);
  EXPECT_EQ(info.fields[0].name, "atomic op");
  EXPECT_EQ(info.fields[0].value, 14u);
  EXPECT_EQ(info.fields[0].meaning, "cmpwr");
  EXPECT_EQ(info.fields[1].meaning, "simd16");
  EXPECT_EQ(info.fields[2].name, "return");
  EXPECT_EQ(info.fields[2].value, 1u);
  EXPECT_EQ(info.fields[3].value, 254u);
  EXPECT_EQ(info.fields[3].meaning, "slm");
}

TEST(Message, ReservedIsSaidNotGuessed) {
  EXPECT_EQ(describe_message(messages_gen8, 0xc, 0xc, 8 << 14).name, "reserved message");
  EXPECT_EQ(describe_message(messages_gen8, 1, 1, 0).shared_function, "");
  EXPECT_EQ(describe_message(messages_gen8, 77, 77, 0).name, "reserved message");
  EXPECT_EQ(shared_function_name(messages_gen6, 12), "");
  EXPECT_EQ(shared_function_name(messages_gen9, 12), "dc1");
  EXPECT_EQ(shared_function_name(messages_gen9, 16), "");
}

TEST(Message, IndirectDescriptorNamesTheSharedFunction) {
  EXPECT_EQ(message_comment_indirect(messages_gen8, 2), "sampler: descriptor in a0");
  EXPECT_EQ(message_comment_indirect(messages_gen8, 15), "reserved sfid 15: descriptor in a0");
}

TEST(Message, CommentsAreAppended) {
  std::string line = "send // ";
  append_message_comment(line, messages_gen8, 3, 3, 0x02000004);
  EXPECT_EQ(line, "send // gateway: barrier; mlen 1, rlen 0");
  append_message_comment_indirect(line = "// ", messages_gen8, 0xa);
  EXPECT_EQ(line, "// dc0: descriptor in a0");
}

constexpr const MessageTables* all_tables[] = {&messages_gen6, &messages_gen8, &messages_gen9};

TEST(MessageTables, NoRowHidesAnother) {
  for (const MessageTables* tables : all_tables)
    for (unsigned sfid = 0; sfid < 16; ++sfid)
      for (const MessageRow& row : tables->functions[sfid].rows) {
        EXPECT_EQ(row.match.value & ~row.match.mask, 0u) << row.name;
        if (row.name.empty()) continue;  // only excludes
        EXPECT_EQ(find_message(*tables, sfid, row.match.value), &row) << sfid << " " << row.name;
      }
}

TEST(MessageTables, FieldsKeepOutOfTheMatchAndOfEachOther) {
  for (const MessageTables* tables : all_tables)
    for (const SharedFunction& function : tables->functions)
      for (const MessageRow& row : function.rows) {
        EXPECT_FALSE(function.name.empty()) << row.name;
        uint64_t used = row.match.mask | 0x1ff80000 | 1u << 31;  // header, lengths, end of thread
        for (const MessageFieldLayout& f : row.fields) {
          const uint64_t bits = mask(f.bits).lo | mask(f.high).lo;
          EXPECT_EQ(used & bits, 0u) << row.name << ": " << f.name;
          used |= bits;
          for (const MessageMeaning& m : f.meanings) {
            EXPECT_LT(m.value, 1u << f.bits.width()) << row.name << ": " << f.name;
            EXPECT_EQ(find_meaning(f.meanings, m.value), &m) << row.name << ": " << f.name;
          }
          const bool closed = f.text == FieldText::labelled || f.text == FieldText::bare || f.text == FieldText::option;
          EXPECT_TRUE(!closed || !f.meanings.empty()) << row.name << ": " << f.name;
        }
      }
}

// By hand, from the documents' payload tables: registers of payload and response, bytes a slot or block reaches.
TEST(MessageShape, RegistersOfPayloadAndResponse) {
  struct Case {
    unsigned sfid;
    uint32_t desc;
    unsigned payload, response, reach;
  };
  static constexpr Case cases[] = {
      {10, 0x0000C200, 1, 1, 4},    // dword scattered read, SIMD8: offsets
      {10, 0x0008C300, 3, 2, 4},    // SIMD16, with a header
      {10, 0x0002C300, 4, 0, 4},    // dword scattered write
      {10, 0x00010501, 2, 2, 2},    // byte scattered read of words, SIMD16
      {10, 0x00030000, 2, 0, 1},    // byte scattered write of bytes, SIMD8
      {10, 0x00080300, 1, 2, 64},   // oword block read of four
      {10, 0x00080100, 1, 1, 16},   // of one, to the high half
      {10, 0x000A0400, 5, 0, 128},  // oword block write of eight
      {10, 0x000C2005, 1, 4, 128},  // scratch block read of four hwords
      {10, 0x000E0005, 2, 0, 32},   // scratch block write of one
      {12, 0x00006000, 1, 4, 16},   // untyped read, SIMD8, xyzw
      {12, 0x00005D00, 2, 2, 8},    // SIMD16, y
      {12, 0x00025E00, 4, 0, 4},    // untyped write, SIMD16, x
      {12, 0x00004000, 1, 1, 16},   // SIMD4x2
      {12, 0x00008700, 4, 0, 4},    // untyped atomic add, SIMD16
      {12, 0x0000B500, 1, 1, 4},    // inc with return, SIMD8
      {12, 0x0000BE00, 3, 1, 4},    // cmpwr with return, SIMD8
      {12, 0x0000B000, 5, 2, 8},    // cmpwr_2w with return, SIMD8: qwords
      {12, 0x0004B7FF, 4, 2, 8},    // a64 qword atomic add with return
      {12, 0x000401FF, 2, 1, 4},    // a64 dword scattered read
      {12, 0x00040AFF, 2, 8, 32},   // a64 qword scattered read of four
      {12, 0x000688FF, 3, 0, 4},    // a64 byte scattered write of dwords
      {12, 0x000D04FF, 1, 4, 128},  // a64 oword block read
      {12, 0x000D5BFF, 9, 0, 256},  // a64 hword block write
      {10, 0x00088200, 2, 4, 0},    // oword dual block read of four each
      {10, 0x000A8000, 3, 0, 0},    // oword dual block write of one
      {12, 0x00095C00, 2, 2, 8},    // typed read, low slots, xy: a coordinate
      {12, 0x000B5000, 6, 0, 16},   // typed write, xyzw
      {12, 0x0009A700, 3, 1, 4},    // typed atomic add with return
      {12, 0x000AF500, 1, 1, 4},    // atomic counter inc with return, SIMD8
      {9, 0x00018000, 0, 1, 0},     // read surface info
      {5, 0x00030000, 8, 0, 0},     // render target write, SIMD16
      {5, 0x40030000, 4, 0, 0},     // of halves
      {5, 0x000B0400, 6, 0, 0},     // SIMD8, with a header
      {5, 0x00030300, 8, 0, 0},     // dual source
      {5, 0x00030100, 1, 0, 0},     // replicated
      {5, 0x00034000, 0, 8, 0},     // render target read, SIMD16
      {6, 0x00080006, 2, 0, 4},     // urb atomic add
      {3, 0x00000004, 1, 0, 0},     // barrier
      {7, 0x00000010, 1, 0, 0},     // dereference
      {11, 0x00010000, 1, 4, 0},    // interpolation at an offset, SIMD16
      {11, 0x00003000, 2, 2, 0},    // at an offset of each slot, SIMD8
  };
  for (const Case& c : cases) {
    const DecodedMessage d = decode_message(messages_gen9, c.sfid, c.desc);
    ASSERT_TRUE(d.row) << std::hex << c.desc;
    EXPECT_EQ(d.shape.reserved_field, 0) << d.row->name;
    EXPECT_EQ(d.shape.payload_registers(), c.payload) << d.row->name << std::hex << " " << c.desc;
    EXPECT_EQ(d.shape.response_registers(), c.response) << d.row->name << std::hex << " " << c.desc;
    EXPECT_EQ(d.shape.reach(), c.reach) << d.row->name << std::hex << " " << c.desc;
  }
}

TEST(MessageShape, ValuesThatAFieldDoesNotDefine) {
  const auto field = [](unsigned sfid, uint32_t desc) {
    const DecodedMessage d = decode_message(messages_gen8, sfid, desc);
    return d.shape.reserved_field ? d.row->fields[d.shape.reserved_field - 1u].name : std::string_view();
  };
  EXPECT_EQ(field(10, 0x00010C00), "data size");
  EXPECT_EQ(field(10, 0x00080700), "block size");
  EXPECT_EQ(field(12, 0x00007000), "simd mode");
  EXPECT_EQ(field(12, 0x00006F00), "mask");
  EXPECT_EQ(field(12, 0x0004B0FF), "atomic op");
  EXPECT_EQ(field(12, 0x00008000), "");
}

TEST(MessageTables, EveryFunctionControlHasAComment) {
  for (const MessageTables* tables : all_tables)
    for (unsigned sfid = 0; sfid < 16; ++sfid)
      for (uint32_t control = 0; control < 1u << 19; control += 0x7d)  // odd: reaches every combination of upper bits
        EXPECT_NE(message_comment(*tables, sfid, sfid, control).find(": "), std::string::npos);
}

}  // namespace
}  // namespace vitro::isa
