// Work that is wrong but harmless: accesses outside of surfaces, to null surfaces and to nothing, walkers without
// groups, commands a user may not use. It must end well, and leave alone what it may not touch. PRM: Gen8 vol 5
// "Surface Access", vol 2a; i915's scratch page. In strict mode the accesses to nothing hang.
#include <fmt/format.h>

#include "client.h"

namespace vitro::faults {

namespace {

using Data = std::span<const uint32_t>;

void expect(Data data, size_t at, uint32_t value) {
  if (data[at] != value) complain(fmt::format("dword {:#x} is {:#x} instead of {:#x}", at, data[at], value));
}
// The batch came to its end.
void reached(const Job&, Data data) { expect(data, 0x800, 0xD09E); }
void reached_untouched(const Job& j, Data data) {
  reached(j, data);
  for (size_t n = 0; n < 0x800; ++n)
    if (data[n] != 0x55555555) return expect(data, n, 0x55555555);
}
// A kernel has stored eight zeros.
void reached_zeros(const Job& j, Data data) {
  reached(j, data);
  for (size_t n = 0; n < 8; ++n) expect(data, n, 0);
  expect(data, 8, 0x55555555);
}

// The same of what stored() begins with.
void reached_sevens(const Job& j, Data data) {
  reached(j, data);
  for (size_t n = 0; n < 8; ++n) expect(data, n, 0x77777777);
  expect(data, 8, 0x55555555);
}

void filled(Job& j, std::string_view text) {
  j.compute(text);
  for (size_t n = 0; n < 0x800; ++n) j.words[data_at / 4 + n] = 0x55555555;
}
template <class Change>
void changed(Job& j, std::string_view text, Change change) {
  filled(j, text);
  Job::Compute c;
  change(c);
  j.compute(c);
}
// Reads eight dwords with a message at r10, and stores what came into the data.
std::string stored(std::string_view read) {
  return fmt::format(
      "mov (8|M0) r11.0<1>:ud 0x77777777:ud\n{}mov (8|M0) r20.0<1>:ud r1.0<8;8,1>:ud\n"
      "mov (8|M0) r21.0<1>:ud r11.0<8;8,1>:ud\nsend (8|M0) null r20 0xC 0x04026E00\n",
      read);
}
// Commands between the opening and the store that says that the end was reached.
void commands(Job& j, const Words& w) {
  for (size_t n = 0; n < 0x800; ++n) j.words[data_at / 4 + n] = 0x55555555;
  j.put(0, w + store_dword(j.data() + 0x2000, 0xD09E) + end());
}
constexpr uint64_t nowhere = 0x7000'0000'0000;

constexpr Case always[] = {
    {.name = "walker-without-groups",
     .build =
         [](Job& j) { changed(j, "send (8|M0) null r1 0x1 0x02000000\n", [](Job::Compute& c) { c.walker.y = 0; }); },
     .check = reached_untouched},
    {.name = "walker-without-channels",
     .build =
         [](Job& j) {
           changed(j, "send (8|M0) null r1 0xC 0x04026E00\n", [](Job::Compute& c) { c.walker.right_mask = 0; });
         },
     .check = reached_untouched},
    {.name = "thread-count-mismatch",
     .build = [](Job& j) { changed(j, "nop\n", [](Job::Compute& c) { c.walker.threads = 3; }); },
     .check = reached_untouched},
    {.name = "write-out-of-bounds",
     .build =
         [](Job& j) {
           filled(j,
                  "add (8|M0) r1.0<1>:ud r1.0<8;8,1>:ud 4096:ud\n"
                  "send (8|M0) null r1 0xC 0x04026E00\n");
         },
     .check = reached_untouched},
    {.name = "read-out-of-bounds",
     .build =
         [](Job& j) {
           filled(j, stored("add (8|M0) r10.0<1>:ud r1.0<8;8,1>:ud 4096:ud\nsend (8|M0) r11 r10 0xC 0x02106E00\n"));
         },
     .check = reached_zeros},
    {.name = "negative-offset",
     .build =
         [](Job& j) {
           filled(j,
                  "add (8|M0) r1.0<1>:ud r1.0<8;8,1>:ud 0xFFFFFFC0:ud\n"
                  "send (8|M0) null r1 0xC 0x04026E00\n");
         },
     .check = reached_untouched},
    {.name = "null-surface-write",
     .build = [](Job& j) { filled(j, "send (8|M0) null r1 0xC 0x04026E01\n"); },
     .check = reached_untouched},
    {.name = "null-surface-read",
     .build = [](Job& j) { filled(j, stored("send (8|M0) r11 r1 0xC 0x02106E01\n")); },
     .check = reached_zeros},
    {.name = "local-memory-out-of-bounds",
     .build =
         [](Job& j) {
           const uint32_t code = j.dialect.slm_4k;
           filled(j, stored("add (8|M0) r10.0<1>:ud r1.0<8;8,1>:ud 0x8000:ud\nmov (8|M0) r11.0<1>:ud 3:ud\n"
                            "send (8|M0) null r10 0xC 0x04026EFE\nsend (8|M0) r11 r10 0xC 0x02106EFE\n"));
           Job::Compute c;
           c.descriptor.slm = code;
           j.compute(c);
         },
     .check = reached_zeros},
    // The thread passes over it with its exception off, and over zeros between pieces of a kernel.
    {.name = "illegal-opcode", .build = [](Job& j) { filled(j, "illegal\n" + stored("")); }, .check = reached_sevens},
    {.name = "undefined-opcode",
     .build =
         [](Job& j) {
           filled(j, "nop\n" + stored(""));
           j.put(kernel_at, {0x0000007F, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF});
         },
     .check = reached_sevens},
    {.name = "zeros-between-pieces-of-a-kernel",
     .build =
         [](Job& j) {
           std::string text;
           for (int n = 0; n < 8; ++n) text += "illegal\n";
           filled(j, "nop\n" + text + stored("") + text);
         },
     .check = reached_sevens},
    {.name = "reserved-gateway-message",  // is answered with an error, if anybody asks
     .build = [](Job& j) { filled(j, "(W) send (8|M0) null r1 0x3 0x02000007\n"); },
     .check = reached_untouched},
    {.name = "privileged-commands",
     .build =
         [](Job& j) {
           // MI_LOAD_REGISTER_IMM of the ring's tail, a GGTT store, MI_ARB_ON_OFF.
           commands(j, {0x11000001, 0x2030, 0x12345678, 0x10400002, low(j.data()), high(j.data()), 1, 0x04000000});
         },
     .check = reached_untouched},
};

constexpr Case unmapped[] = {
    {.name = "store-to-nothing",
     .build = [](Job& j) { commands(j, store_dword(nowhere, 1)); },
     .command = "MI_STORE_DATA_IMM",
     .reason = "access to unmapped address 0x700000000000",
     .check = reached_untouched},
    {.name = "copy-from-nothing",
     .build =
         [](Job& j) {
           commands(j, {0x17000003, low(j.data()), high(j.data()), low(nowhere), high(nowhere)});
         },
     .command = "MI_COPY_MEM_MEM",
     .reason = "access to unmapped address 0x700000000000",
     .check =
         [](const Job& j, Data data) {
           reached(j, data);
           expect(data, 0, 0);
         }},
    {.name = "stateless-write-to-nothing",
     .build =
         [](Job& j) {
           filled(j,
                  "add (8|M0) r1.0<1>:ud r1.0<8;8,1>:ud 0x10000000:ud\n"
                  "send (8|M0) null r1 0xC 0x04026EFF\n");
         },
     .command = "GPGPU_WALKER",
     .reason = ".*(unmapped address|nothing is mapped at address).*",
     .in_kernel = true,
     .check = reached_untouched},
    {.name = "a64-read-of-nothing",
     .build =
         [](Job& j) {
           filled(j, stored("mov (8|M0) r12.0<1>:q 0x7000:q\nshl (8|M0) r12.0<1>:q r12.0<4;4,1>:q 32:d\n"
                            "send (8|M0) r11 r12 0xC 0x04146EFF\n"));
         },
     .command = "GPGPU_WALKER",
     .reason = ".*(unmapped address|nothing is mapped at address).*",
     .in_kernel = true,
     .check = reached_zeros},
    {.name = "surface-in-unmapped-memory",
     .build =
         [](Job& j) {
           filled(j, "send (8|M0) null r1 0xC 0x04026E02\n");
           j.put(surface_at + 8, {0x180});
           j.put(surface_at + 0x180, raw_buffer(nowhere, 4096));
         },
     .command = "GPGPU_WALKER",
     .reason = ".*(unmapped address|nothing is mapped at address).*",
     .in_kernel = true,
     .check = reached_untouched},
    {.name = "constants-in-unmapped-memory",
     .build =
         [](Job& j) {
           changed(j,
                   "mov (8|M0) r20.0<1>:ud 0:ud\nmov (8|M0) r21.0<1>:ud r1.0<8;8,1>:ud\n"
                   "send (8|M0) null r20 0xC 0x04026E00\n",
                   [](Job::Compute& c) { c.curbe = curbe_load(256, 0x40000000); });
         },
     .command = "GPGPU_WALKER",
     .reason = ".*(unmapped address|nothing is mapped at address).*",
     .check =
         [](const Job& j, Data data) {
           reached(j, data);
           expect(data, 0, 0);
           expect(data, 1, 0x55555555);
         }},
    {.name = "scratch-space-in-unmapped-memory",
     .build =
         [](Job& j) {
           changed(j,
                   stored("mov (8|M0) r10.0<1>:ud r0.0<8;8,1>:ud\n(W) send (8|M0) null r10 0xA 0x040F0000\n"
                          "(W) send (8|M0) r11 r10 0xA 0x021C0000\n"),
                   [](Job::Compute& c) { c.vfe = vfe_state({.scratch = 0x40000000, .scratch_size = 2}); });
         },
     .command = "GPGPU_WALKER",
     .reason = ".*(unmapped address|nothing is mapped at address).*",
     .in_kernel = true,
     .check = reached_zeros},
};

}  // namespace

std::span<const Case> harmless() { return always; }
std::span<const Case> missing() { return unmapped; }

}  // namespace vitro::faults
