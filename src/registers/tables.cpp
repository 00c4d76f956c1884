// The register tables of the generations: what drivers and the kernel load and store, with the rules that apply to user
// batches. PRM: Gen8 vol 2c; Gen6 vol 1 part 3 and 5; i915's list of registers user batches may write. Chicken and
// cache-mode registers only tune the hardware: they hold their value and do nothing. Registers that only the kernel
// sets up (rings, page directories, the buffer of OA) are storage that user batches cannot change.
#include "registers/file.h"

namespace vitro::registers {
namespace {

constexpr Access rw = Access::read_write, ro = Access::read_only, m = Access::masked;
constexpr Hook none = Hook::none, statistics = Hook::statistics;
constexpr Owner user = Owner::user, kernel = Owner::kernel;
constexpr bool per_engine = true;

// clang-format off
constexpr Register every[] = {
  // name, offset, dwords, access, reset, hook, owner, per engine
  {"RING_BUFFER_TAIL",    0x030, 1, rw, 0, none, kernel, per_engine},
  {"RING_BUFFER_HEAD",    0x034, 1, rw, 0, none, kernel, per_engine},
  {"RING_BUFFER_START",   0x038, 1, rw, 0, none, kernel, per_engine},
  {"RING_BUFFER_CTL",     0x03C, 1, rw, 0, none, kernel, per_engine},
  {"ACTHD_UDW",           0x05C, 1, ro, 0, none, kernel, per_engine},
  {"IPEIR",               0x064, 1, ro, 0, none, kernel, per_engine},
  {"IPEHR",               0x068, 1, ro, 0, none, kernel, per_engine},
  {"INSTDONE",            0x06C, 1, ro, 0xFFFFFFFF, none, kernel, per_engine},
  {"ACTHD",               0x074, 1, ro, 0, none, kernel, per_engine},
  {"HWS_PGA",             0x080, 1, rw, 0, none, kernel, per_engine},
  {"NOPID",               0x094, 1, rw, 0, none, user,   per_engine},
  {"HWSTAM",              0x098, 1, rw, 0xFFFFFFFF, none, kernel, per_engine},
  {"MI_MODE",             0x09C, 1, m,  0, none, kernel, per_engine},
  {"IMR",                 0x0A8, 1, rw, 0xFFFFFFFF, none, kernel, per_engine},
  {"EIR",                 0x0B0, 1, rw, 0, none, kernel, per_engine},
  {"EMR",                 0x0B4, 1, rw, 0xFFFFFFFF, none, kernel, per_engine},
  {"INSTPM",              0x0C0, 1, m,  0, none, user,   per_engine},
  {"TIMESTAMP",           0x358, 2, ro, 0, Hook::timestamp, user, per_engine},
  {"BCS_SWCTRL",        0x22200, 1, m,  0, none, user,   false},
  {"IA_VERTICES_COUNT",     0x2310, 2, rw, 0, statistics, user, false},
  {"IA_PRIMITIVES_COUNT",   0x2318, 2, rw, 0, statistics, user, false},
  {"VS_INVOCATION_COUNT",   0x2320, 2, rw, 0, statistics, user, false},
  {"GS_INVOCATION_COUNT",   0x2328, 2, rw, 0, statistics, user, false},
  {"GS_PRIMITIVES_COUNT",   0x2330, 2, rw, 0, statistics, user, false},
  {"CL_INVOCATION_COUNT",   0x2338, 2, rw, 0, statistics, user, false},
  {"CL_PRIMITIVES_COUNT",   0x2340, 2, rw, 0, statistics, user, false},
  {"PS_INVOCATION_COUNT",   0x2348, 2, rw, 0, statistics, user, false},
  {"PS_DEPTH_COUNT",        0x2350, 2, rw, 0, statistics, user, false},
  {"FAULT_REG",             0x4094, 1, rw, 0, none, kernel, false},
  {"GFX_ARB_ERROR_RPT",     0x40A0, 1, rw, 0, none, kernel, false},
  {"RPSTAT",                0xA01C, 1, ro, 0, none, kernel, false},
  {"DERRMR",               0x44050, 1, rw, 0, none, kernel, false},
};

constexpr Register only_gen6[] = {
  {"SYNC_0",                0x040, 1, rw, 0, none, kernel, per_engine},
  {"SYNC_1",                0x044, 1, rw, 0, none, kernel, per_engine},
  {"PP_DIR_DCLV",           0x220, 1, rw, 0, none, kernel, per_engine},
  {"PP_DIR_BASE",           0x228, 1, rw, 0, none, kernel, per_engine},
  {"INSTDONE_2",           0x207C, 1, ro, 0xFFFFFFFF, none, kernel, false},
  {"SO_PRIM_STORAGE_NEEDED", 0x2280, 2, rw, 0, none, user, false},
  {"SO_NUM_PRIMS_WRITTEN",  0x2288, 2, rw, 0, none, user, false},
  {"GFX_MODE",             0x2520, 1, m,  0, none, kernel, false},
};

constexpr Register from_gen8[] = {
  {"CS_GPR",                0x600, 32, rw, 0, none, user, per_engine},
  {"BB_OFFSET",             0x158, 1, rw, 0, none, user, per_engine},
  {"MI_PREDICATE_RESULT_2", 0x3BC, 1, rw, 0, none, user, per_engine},
  {"MI_PREDICATE_RESULT_2", 0x214, 1, rw, 0, Hook::predicate_result_2, user, per_engine},
  {"MI_PREDICATE_SRC0",     0x400, 2, rw, 0, none, user, per_engine},
  {"MI_PREDICATE_SRC1",     0x408, 2, rw, 0, none, user, per_engine},
  {"MI_PREDICATE_DATA",     0x410, 2, rw, 0, none, user, per_engine},
  {"MI_PREDICATE_RESULT",   0x418, 1, rw, 0, none, user, per_engine},
  {"MI_PREDICATE_RESULT_1", 0x41C, 1, rw, 0, none, user, per_engine},
  {"CTX_TIMESTAMP",         0x3A8, 1, ro, 0, Hook::context_timestamp, user, per_engine},
  {"ELSP",                  0x230, 1, rw, 0, none, kernel, per_engine},
  {"EXECLIST_STATUS",       0x234, 2, ro, 0, none, kernel, per_engine},
  {"SEMA_WAIT_POLL",        0x24C, 1, rw, 0, none, kernel, per_engine},
  {"PDP",                   0x270, 8, rw, 0, none, kernel, per_engine},
  {"GFX_MODE",              0x29C, 1, m,  0, none, kernel, per_engine},
  {"FORCE_TO_NONPRIV",      0x4D0, 12, rw, 0, none, kernel, per_engine},
  {"CTXT_PREEMPT",         0x2248, 1, rw, 0, none, user, false},
  {"CS_INVOCATION_COUNT",  0x2290, 2, rw, 0, none, user, false},
  {"HS_INVOCATION_COUNT",  0x2300, 2, rw, 0, statistics, user, false},
  {"DS_INVOCATION_COUNT",  0x2308, 2, rw, 0, statistics, user, false},
  {"OACTXCONTROL",         0x2360, 1, rw, 0, none, user, false},
  {"3DPRIM_END_OFFSET",    0x2420, 1, rw, 0, none, user, false},
  {"3DPRIM_START_VERTEX",  0x2430, 1, rw, 0, none, user, false},
  {"3DPRIM_VERTEX_COUNT",  0x2434, 1, rw, 0, none, user, false},
  {"3DPRIM_INSTANCE_COUNT", 0x2438, 1, rw, 0, none, user, false},
  {"3DPRIM_START_INSTANCE", 0x243C, 1, rw, 0, none, user, false},
  {"3DPRIM_BASE_VERTEX",   0x2440, 1, rw, 0, none, user, false},
  {"GPGPU_DISPATCHDIMX",   0x2500, 1, rw, 0, none, user, false},
  {"GPGPU_DISPATCHDIMY",   0x2504, 1, rw, 0, none, user, false},
  {"GPGPU_DISPATCHDIMZ",   0x2508, 1, rw, 0, none, user, false},
  {"CS_CHICKEN1",          0x2580, 1, m,  0, none, user, false},
  {"OA_A64",               0x2800, 64, ro, 0, none, kernel, false},
  {"OA_A32",               0x2900, 4, ro, 0, none, kernel, false},
  {"OA_TICKS",             0x2910, 1, ro, 0, none, kernel, false},
  {"OA_B32",               0x2920, 8, ro, 0, none, kernel, false},
  {"OA_C32",               0x2940, 8, ro, 0, none, kernel, false},
  {"OACONTROL",            0x2B00, 1, rw, 0, none, kernel, false},
  {"OASTATUS",             0x2B08, 1, rw, 0, none, kernel, false},
  {"OAHEADPTR",            0x2B0C, 1, rw, 0, none, kernel, false},
  {"OABUFFER",             0x2B14, 1, rw, 0, none, kernel, false},
  {"SO_NUM_PRIMS_WRITTEN", 0x5200, 8, rw, 0, statistics, user, false},
  {"SO_PRIM_STORAGE_NEEDED", 0x5240, 8, rw, 0, statistics, user, false},
  {"SO_WRITE_OFFSET",      0x5280, 4, rw, 0, statistics, user, false},
  {"WM_CHICKEN3",          0x5588, 1, m,  0, none, kernel, false},
  {"CACHE_MODE_0",         0x7000, 1, m,  0, none, user, false},
  {"CACHE_MODE_1",         0x7004, 1, m,  0, none, user, false},
  {"GT_MODE",              0x7008, 1, m,  0, none, user, false},
  {"COMMON_SLICE_CHICKEN1", 0x7010, 1, m, 0, none, user, false},
  {"COMMON_SLICE_CHICKEN2", 0x7014, 1, m, 0, none, user, false},
  {"HIZ_CHICKEN",          0x7018, 1, m,  0, none, user, false},
  {"L3CNTLREG",            0x7034, 1, rw, 0, none, user, false},
  {"SC_INSTDONE",          0x7100, 1, ro, 0xFFFFFFFF, none, kernel, false},
  {"HDC_CHICKEN0",         0x7300, 1, m,  0, none, user, false},
  {"HDC_CHICKEN1",         0x7304, 1, m,  0, none, user, false},
  {"PERFCNT1",             0x91B8, 2, ro, 0, none, user, false},
  {"PERFCNT2",             0x91C0, 2, ro, 0, none, user, false},
  {"HALF_SLICE_CHICKEN1",  0xE100, 1, m,  0, none, kernel, false},
  {"HALF_SLICE_CHICKEN2",  0xE180, 1, m,  0, none, kernel, false},
  {"HALF_SLICE_CHICKEN3",  0xE184, 1, m,  0, none, kernel, false},
  {"HALF_SLICE_CHICKEN5",  0xE188, 1, m,  0, none, kernel, false},
  {"HALF_SLICE_CHICKEN7",  0xE194, 1, m,  0, none, kernel, false},
  {"ROW_INSTDONE",         0xE164, 1, ro, 0xFFFFFFFF, none, kernel, false},
  {"SAMPLER_INSTDONE",     0xE160, 1, ro, 0xFFFFFFFF, none, kernel, false},
  {"ROW_CHICKEN",          0xE4F0, 1, m,  0, none, kernel, false},
  {"ROW_CHICKEN2",         0xE4F4, 1, m,  0, none, kernel, false},
  {"MFX_ERROR_FLAGS",     0x12800, 1, rw, 0, none, user, false},
  {"MFX_FRAME_CRC",       0x12850, 1, rw, 0, none, user, false},
  {"MFX_MB_COUNT",        0x12868, 1, rw, 0, none, user, false},
  {"MFC_BITSTREAM_BYTECOUNT_FRAME", 0x128A0, 1, rw, 0, none, user, false},
  {"MFC_BITSTREAM_SE_BITCOUNT_FRAME", 0x128A4, 1, rw, 0, none, user, false},
  {"MFC_IMAGE_STATUS_MASK", 0x128B4, 1, rw, 0, none, user, false},
  {"MFC_IMAGE_STATUS_CONTROL", 0x128B8, 1, rw, 0, none, user, false},
  {"MFC_QP_STATUS_COUNT",  0x128BC, 1, rw, 0, none, user, false},
  {"MFC_BITSTREAM_BYTECOUNT_SLICE", 0x128D0, 1, rw, 0, none, user, false},
};

constexpr Register only_gen9[] = {
  {"CS_DEBUG_MODE2",        0x0D8, 1, m,  0, none, user, per_engine},
  {"SLICE_COMMON_ECO_CHICKEN1", 0x731C, 1, m, 0, none, user, false},
  {"L3CC_MOCS",            0xB020, 32, rw, 0, none, kernel, false},
  {"L3SQCREG4",            0xB118, 1, rw, 0, none, user, false},
  {"GFX_MOCS",             0xC800, 64, rw, 0, none, kernel, false},
  {"HUC_STATUS",           0xD000, 1, ro, 0, none, user, false},
  {"HUC_STATUS2",          0xD3B0, 1, ro, 0, none, user, false},
  {"TD_CTL",               0xE400, 1, rw, 0, none, user, false},
  {"EU_ARBITRATION",       0xE404, 1, rw, 0, none, user, false},
  {"HCP_BITSTREAM_BYTECOUNT_FRAME", 0x1E9A0, 1, rw, 0, none, user, false},
  {"HCP_SE_BITCOUNT",     0x1E9A4, 1, rw, 0, none, user, false},
  {"HCP_BITSTREAM_BYTECOUNT_FRAME_NO_HEADER", 0x1E9A8, 1, rw, 0, none, user, false},
  {"HCP_IMAGE_STATUS_MASK", 0x1E9B8, 1, rw, 0, none, user, false},
  {"HCP_IMAGE_STATUS_CONTROL", 0x1E9BC, 1, rw, 0, none, user, false},
  {"HCP_VP9_BYTECOUNT_FRAME", 0x1E9E0, 1, rw, 0, none, user, false},
  {"HCP_VP9_BYTECOUNT_FRAME_NO_HEADER", 0x1E9E4, 1, rw, 0, none, user, false},
};
// clang-format on

}  // namespace

const Table registers_gen6{{every, only_gen6}};
const Table registers_gen8{{every, from_gen8}};
const Table registers_gen9{{every, from_gen8, only_gen9}};

}  // namespace vitro::registers
