// The rules of Gen9's blitter (see batch_rules.h): MI commands, and registers that tell the time or belong to the
// blitter. Source: i915_cmd_parser.c of Linux 6.1.
#include "gen/batch_rules.h"

namespace vitro::gen {
namespace {

constexpr BatchRule commands[] = {
    {.opcode = 0x00, .dwords = 1},                                                // MI_NOOP
    {.opcode = 0x02, .dwords = 1},                                                // MI_USER_INTERRUPT
    {.opcode = 0x03, .dwords = 1},                                                // MI_WAIT_FOR_EVENT
    {.opcode = 0x04, .dwords = 1},                                                // MI_FLUSH
    {.opcode = 0x05, .dwords = 1},                                                // MI_ARB_CHECK
    {.opcode = 0x07, .dwords = 1},                                                // MI_REPORT_HEAD
    {.opcode = 0x08, .dwords = 1},                                                // MI_ARB_ON_OFF
    {.opcode = 0x0b, .dwords = 1},                                                // MI_SUSPEND_FLUSH
    {.opcode = 0x12, .length_mask = 0x3f},                                        // MI_LOAD_SCAN_LINES_INCL
    {.opcode = 0x13, .length_mask = 0x3f},                                        // MI_LOAD_SCAN_LINES_EXCL
    {.opcode = 0x20, .length_mask = 0x3ff},                                       // MI_STORE_DATA_IMM
    {.opcode = 0x22, .length_mask = 0xff, .register_at = 1, .register_step = 2},  // MI_LOAD_REGISTER_IMM
    {.opcode = 0x23, .length_mask = 0x3ff},                                       // MI_UPDATE_GTT
    {.opcode = 0x24, .dwords = 4, .register_at = 1},                              // MI_STORE_REGISTER_MEM
    {.opcode = 0x26, .length_mask = 0x3f},                                        // MI_FLUSH_DW
    {.opcode = 0x29, .dwords = 4, .register_at = 1},                              // MI_LOAD_REGISTER_MEM
    {.opcode = 0x2a, .length_mask = 0xff, .register_at = 1, .register_step = 1},  // MI_LOAD_REGISTER_REG
    // MI_BATCH_BUFFER_START: three dwords, in the PPGTT, and nothing else.
    {.opcode = 0x31, .length_mask = 0xff, .operand_mask = 0x7fffff, .operand_expected = 0x101, .jumps = true},
};

constexpr RegisterRange registers[] = {
    {0x2358, 0x235c},    // TIMESTAMP of render
    {0x12358, 0x1235c},  // of video
    {0x22358, 0x2235c},  // of the blitter
    {0x22200, 0x22200},  // BCS_SWCTRL
    {0x223a8, 0x223a8},  // CTX_TIMESTAMP
    {0x22600, 0x2267c},  // CS_GPR
};

constexpr uint8_t clients[] = {0, 2};  // MI, 2D

}  // namespace

const BatchRules copy_rules_gen9{.commands = commands, .registers = registers, .clients = clients, .length_mask = 0xff};

}  // namespace vitro::gen
