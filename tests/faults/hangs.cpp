// Work that hangs: commands that do not exist or make no sense, batches and kernels without an end, state that is
// reserved. On hardware each of these ends in a reset; here the report says why. PRM: Gen8 vol 2a, 2d and 7.
#include <fmt/format.h>

#include "client.h"

namespace vitro::faults {

namespace {

constexpr uint64_t nowhere = 0x7000'0000'0000;  // nothing is ever bound here

// A batch of these commands behind two that are right; `bad` counts from the first of these.
void batch(Job& j, const Words& w, uint32_t bad = 0) {
  j.put(j.start, Words{mi_noop, mi_noop} + w);
  j.bad_at = 8 + 4 * bad;
}
// A kernel that is started as usual.
template <class Change>
void kernel(Job& j, std::string_view text, Change change) {
  j.kernel(text);
  Job::Compute c;
  change(c);
  j.compute(c);
}

constexpr std::string_view idle = "mov (8|M0) r3.0<1>:ud r1.0<8;8,1>:ud\n";
// The barrier of the group, as a header made of r0.2 says.
constexpr std::string_view barrier =
    "(W) mov (8|M0) r10.0<1>:ud 0:ud\n(W) and (1|M0) r10.2<1>:ud r0.2<0;1,0>:ud 0x8F000000:ud\n"
    "(W) send (8|M0) null r10 0x3 0x02000004\nwait (1) n0.0<0;1,0>:ud\n";

constexpr Case cases[] = {
    {"invalid-mi-command", [](Job& j) { batch(j, Words{0x1E800000} + end()); }, "unknown command",
     "invalid command 0x1e800000"},
    {"invalid-command-type", [](Job& j) { batch(j, Words{0xE0000000} + end()); }, "unknown command",
     "invalid command 0xe0000000"},
    {"invalid-pipeline-command", [](Job& j) { batch(j, Words{0x7AFF0000} + end()); }, "unknown command",
     "invalid command 0x7aff0000"},
    // Not on the blitter: on kbl and apl the kernel's command parser refuses such a batch.
    {"render-command-on-video-enhancement-engine",
     [](Job& j) {
       j.engine = I915_EXEC_VEBOX;
       batch(j, Words{j.dialect.select_gpgpu} + end());
     },
     "unknown command", "PIPELINE_SELECT is no command of the video enhancement engine"},
    {"blit-on-render-engine",
     [](Job& j) {
       batch(j, Words{0x54000005, 0, 0, 0, 0, 0, 0} + end());
     },
     "", "XY_COLOR_BLT is no command of the render engine"},
    {"draw-on-video-engine",
     [](Job& j) {
       j.engine = I915_EXEC_BSD;
       batch(j, Words{0x7B000005, 0, 3, 0, 1, 0, 0} + end());
     },
     "unknown command", "3DPRIMITIVE is no command of the video engine"},
    {"truncated-command",
     [](Job& j) {
       j.start = job_bytes - 16;
       j.put(j.start, {mi_noop, mi_noop, mi_store_data_imm, 0});
       j.bad_at = 8;
     },
     "MI_STORE_DATA_IMM", "truncated: there is no memory behind all of its 4 dwords"},
    {"batch-in-unmapped-memory", [](Job& j) { batch(j, batch_start(nowhere)), j.bad_at = 0; }, "",
     "hung: the batch goes on at address 0x700000000000, where there is no memory"},
    {"batch-without-an-end", [](Job& j) { j.start = 0x8000, j.bad_at = 0x8000; }, "",
     "hung: the batch goes on at address .*, where there is no memory"},
    {"endless-chain", [](Job& j) { batch(j, batch_start(j.base)), j.bad_at = ~0u; }, "", "hung: .* without an end"},
    {"endless-second-level",
     [](Job& j) {
       Words w = batch_start(j.base + 0x100);
       w[0] |= 1 << 22;
       batch(j, w + batch_start(j.base));
       j.put(0x100, end());
       j.bad_at = ~0u;
     },
     "", "hung: .* without an end"},
    {"semaphore-that-never-comes", [](Job& j) { batch(j, wait_for_equal(j.data(), 1) + end()); }, "MI_SEMAPHORE_WAIT",
     "hung: waits for memory at 0x.*", false, nullptr, true},
    {"reserved-semaphore-comparison",
     [](Job& j) {
       Words w = wait_for_equal(j.data(), 0);
       w[0] = (w[0] & ~0x7000u) | 7 << 12;
       batch(j, w + end());
     },
     "MI_SEMAPHORE_WAIT", "reserved compare operation 7"},
    {"unsupported-draw",
     [](Job& j) {
       // 3DSTATE_GS with Enable
       batch(j, Words{0x78110008, 0, 0, 0, 0, 0, 0, 1, 0, 0} + Words{0x7B000005, 0, 3, 0, 1, 0, 0} + end(), 10);
     },
     "3DPRIMITIVE", "unsupported: geometry shader"},
    {"unsupported-blit",
     [](Job& j) {
       j.engine = I915_EXEC_BLT;
       // XY_MONO_PAT_FIXED_BLT of 1 x 1 pixels
       batch(j,
             Words{0x56700006, 0x03F00200, 0, 0x00010001, uint32_t(j.data()), uint32_t(j.data() >> 32), 0, 0} + end());
     },
     "XY_MONO_PAT_FIXED_BLT", "unsupported: Fixed Pattern"},

    {"walker-without-vfe-state", [](Job& j) { kernel(j, idle, [](Job::Compute& c) { c.vfe = {}; }); }, "GPGPU_WALKER",
     "threads are dispatched before MEDIA_VFE_STATE"},
    {"reserved-scratch-size",
     [](Job& j) {
       kernel(j, idle, [](Job::Compute& c) { c.vfe = vfe_state({.scratch_size = 15}); });
       j.bad_at = uint32_t(j.opening().size()) * 4;
     },
     "MEDIA_VFE_STATE", "reserved scratch space size 15"},
    {"misaligned-constants",
     [](Job& j) {
       kernel(j, idle, [](Job::Compute& c) { c.curbe = curbe_load(256, curbe_at + 4); });
       j.bad_at = uint32_t(j.opening().size() + vfe_state().size()) * 4;
     },
     "MEDIA_CURBE_LOAD", "constants that are not aligned to 64 bytes"},
    {"misaligned-descriptors",
     [](Job& j) {
       kernel(j, idle, [](Job::Compute& c) { c.loading = descriptor_load(32, 32); });
       j.bad_at = uint32_t(j.opening().size() + vfe_state().size() + 4) * 4;
     },
     "MEDIA_INTERFACE_DESCRIPTOR_LOAD", "interface descriptors that are not aligned to 64 bytes"},
    {"descriptor-that-is-not-loaded", [](Job& j) { kernel(j, idle, [](Job::Compute& c) { c.walker.descriptor = 5; }); },
     "GPGPU_WALKER", "interface descriptor 5 is not loaded \\(32 bytes are\\)"},
    {"descriptor-in-unmapped-memory",
     [](Job& j) {
       kernel(j, "send (8|M0) null r1 0x1 0x02000000\n",
              [](Job::Compute& c) { c.loading = descriptor_load(64, 0x40000000); });
     },
     "GPGPU_WALKER", ".*absent shared function.*", true},
    {"reserved-simd-size", [](Job& j) { kernel(j, idle, [](Job::Compute& c) { c.walker.simd = 3; }); }, "GPGPU_WALKER",
     "reserved SIMD size.*"},
    {"reserved-slm-size", [](Job& j) { kernel(j, idle, [](Job::Compute& c) { c.descriptor.slm = 31; }); },
     "GPGPU_WALKER", "reserved shared local memory size 31.*"},
    {"payload-larger-than-the-register-file",
     [](Job& j) { kernel(j, idle, [](Job::Compute& c) { c.descriptor.cross_thread_registers = 200; }); },
     "GPGPU_WALKER", "a payload of 203 registers"},
    {"more-groups-than-can-be-counted",
     [](Job& j) { kernel(j, idle, [](Job::Compute& c) { c.walker.x = c.walker.y = c.walker.z = 0xFFFFFFFF; }); },
     "GPGPU_WALKER", "GPGPU_WALKER over more groups than can be counted"},
    {"media-object-without-vfe-state",
     [](Job& j) {
       batch(j, j.opening() + Words{0x71000004, 0, 0, 0, 0, 0} + end(), uint32_t(j.opening().size()));
     },
     "MEDIA_OBJECT", ".*before MEDIA_VFE_STATE|interface descriptor 0 is not loaded.*"},

    {"undecodable-instruction",
     [](Job& j) {
       j.compute(idle);
       j.put(kernel_at, {0x00E00040, 0, 0, 0});  // an add of 128 channels
     },
     "GPGPU_WALKER", ".*ExecSize.*", true},
    {"zeros-without-an-end",
     [](Job& j) {
       std::string text;
       for (int n = 0; n < 257; ++n) text += "illegal\n";
       j.compute(text);
     },
     "GPGPU_WALKER", ".*ran off its end: more than 256 illegal opcodes in a row", true},
    {"kernel-at-unmapped-address",
     [](Job& j) { kernel(j, idle, [](Job::Compute& c) { c.descriptor.kernel = 0x10'0000'0000; }); }, "GPGPU_WALKER",
     ".*illegal opcode.*", true},
    {"kernel-runs-off-its-end",
     [](Job& j) {
       kernel(j, "mov (8|M0) r3.0<1>:ud 1:ud\n", [](Job::Compute& c) { c.descriptor.kernel = 0x1000; });
       j.put(kernel_at + 0x1000, {0x00600001, 0x206002E8, 0x00000000, 0x00000001});
     },
     "GPGPU_WALKER", ".*illegal opcode.*", true},
    {"no-end-of-thread",
     [](Job& j) {
       kernel(j, "mov (8|M0) r3.0<1>:ud 1:ud\n", [](Job::Compute& c) { c.descriptor.kernel = 0xBFF0; });
       j.put(kernel_at + 0xBFF0, {0x00600001, 0x206002E8, 0x00000000, 0x00000001});  // the object ends behind it
     },
     "GPGPU_WALKER", ".*illegal opcode.*", true},
    {"endless-kernel", [](Job& j) { j.compute("again:\n(W) jmpi again\n"); }, "GPGPU_WALKER",
     ".*endless loop: no end of thread after [0-9]+ instructions", true},
    {"endless-kernel-in-many-groups",
     [](Job& j) { kernel(j, "again:\n(W) jmpi again\n", [](Job::Compute& c) { c.walker.x = c.walker.y = 1000; }); },
     "GPGPU_WALKER", ".*endless loop: no end of thread after [0-9]+ instructions", true},
    {"jump-out-of-the-kernel", [](Job& j) { j.compute("(W) jmpi -4096\n"); }, "GPGPU_WALKER",
     ".*the program ran off its end", true},
    {"wait-without-a-notification", [](Job& j) { j.compute("wait (1) n0.0<0;1,0>:ud\n"); }, "GPGPU_WALKER",
     ".*deadlock: 1 of 1 threads of the group wait in vain, this one for a notification", true},
    {"barrier-that-one-thread-leaves-out",
     [](Job& j) {
       // Constants are two registers for each thread: only the first one has zero in r1.0.
       kernel(j,
              fmt::format("(W) cmp (1|M0) (eq)f0.0 null:ud r1.0<0;1,0>:ud 0:ud\n(W&~f0.0) jmpi out\n{}out:\n", barrier),
              [](Job::Compute& c) {
                c.descriptor.barrier = true;
                c.descriptor.threads = c.walker.threads = 2;
              });
       j.words[(dynamic_at + curbe_at + 64) / 4] = 1;
     },
     "GPGPU_WALKER", ".*deadlock: 1 of 2 threads of the group wait in vain.*", true},
    {"message-to-an-absent-function", [](Job& j) { j.compute("send (8|M0) null r1 0xE 0x02000000\n"); }, "GPGPU_WALKER",
     ".*message to an absent shared function \\(SFID 14\\)", true},
    {"reserved-data-port-message", [](Job& j) { j.compute("send (8|M0) null r1 0xC 0x0407C000\n"); }, "GPGPU_WALKER",
     ".*unsupported: dc1: reserved message.*", true},
    {"reserved-data-cache-message", [](Job& j) { j.compute("send (8|M0) null r1 0xA 0x0403C000\n"); }, "GPGPU_WALKER",
     ".*unsupported: dc0: reserved message.*", true},
    {"reserved-sampler-message", [](Job& j) { j.compute("send (8|M0) r10 r1 0x2 0x0242D000\n"); }, "GPGPU_WALKER",
     ".*reserved message type 0xd", true},
    {"message-without-a-payload", [](Job& j) { j.compute("send (8|M0) null r1 0xC 0x00026E00\n"); }, "GPGPU_WALKER",
     ".*needs 2 registers of payload and has 0", true},
    {"message-beyond-the-registers", [](Job& j) { j.compute("send (8|M0) null r126 0xC 0x08026000\n"); },
     "GPGPU_WALKER", ".*the payload of 4 registers from byte 4032 reaches past the last register", true},
    {"wild-indirect-register",
     [](Job& j) { j.compute("(W) mov (1|M0) a0.0<1>:uw 0xFFF0:uw\nmov (8|M0) r3.0<1>:ud r[a0.0,0]<8;8,1>:ud\n"); },
     "GPGPU_WALKER", ".*src: the address 65520 is not that of a register.*", true},
    {"return-without-a-call", [](Job& j) { j.compute("(W) mov (8|M0) r3.0<1>:ud 0:ud\nret (8|M0) r3.0<0;1,0>:d\n"); },
     "GPGPU_WALKER", ".*endless loop: no end of thread.*", true},
    {"exception-without-a-routine",
     [](Job& j) { kernel(j, "illegal\n", [](Job::Compute& c) { c.descriptor.illegal_opcode_exception = true; }); },
     "GPGPU_WALKER", ".*illegal opcode.*", true},
};

}  // namespace

std::span<const Case> hangs() { return cases; }

}  // namespace vitro::faults
