// Fields and value names that message tables of more than one generation use: the same bits mean the same there.
// PRM: Gen8 vol 2a, the MDC_* formats named at each field; the values of MDC_AOP* as Mesa's and Intel's compilers emit
// them.
// "[n]" in comments are descriptor bits.
#pragma once

#include "isa/message_tables.h"

namespace vitro::isa::fields {

using Field = MessageFieldLayout;
using Meaning = MessageMeaning;
using enum FieldText;

constexpr MessageMatch at(Bits bits, uint64_t value) { return {mask(bits).lo, value << bits.lo}; }
inline constexpr MessageMatch any{};

// --- surfaces
// MDC_BTS: an entry of the binding table, without the special values.
inline constexpr Field bts{"bti", {7, 0}, surface};
// Messages without any surface use only the special values (MDC_STATELESS).
inline constexpr Meaning a64_surfaces[] = {{255, "stateless"}, {253, "stateless non-coherent"}};
inline constexpr Field stateless{"bti", {7, 0}, bare, a64_surfaces};

// --- block sizes
// MDC_DB_OW: one OWord goes to the low or the high half of the GRF.
inline constexpr Meaning oword_counts[] = {
    {0, "1 oword low"}, {1, "1 oword high"}, {2, "2 owords"}, {3, "4 owords"}, {4, "8 owords"}};
inline constexpr Field oword_block{"block size", {10, 8}, bare, oword_counts};
// MDC_DB_OWD: per block of the pair.
inline constexpr Meaning oword_dual_counts[] = {{0, "1 oword"}, {2, "4 owords"}};
inline constexpr Field oword_dual_block{"block size", {9, 8}, bare, oword_dual_counts};

// --- media blocks: MDC_VLSO
inline constexpr Field line_stride_override{"line stride override", {10, 10}, flag};
inline constexpr Field line_stride{.name = "stride", .bits = {9, 9}, .when = at({10, 10}, 1)};
inline constexpr Field line_offset{.name = "offset", .bits = {8, 8}, .when = at({10, 10}, 1)};

// --- render target writes
inline constexpr Meaning rt_write_subtypes[] = {
    {0, "simd16"}, {1, "simd16 replicated"}, {2, "simd8 dual source low"},   {3, "simd8 dual source high"},
    {4, "simd8"},  {5, "simd8 image write"}, {7, "simd16 replicated (111b)"}};
inline constexpr Field rt_write_subtype{"subtype", {10, 8}, bare, rt_write_subtypes};
inline constexpr Meaning rt_slot_groups[] = {{0, "slots 15:0"}, {1, "slots 31:16"}};
inline constexpr Field rt_slot_group{"slot group", {11, 11}, option, rt_slot_groups};
inline constexpr Field rt_last{"last render target", {12, 12}, flag};

// --- sampler
inline constexpr Field sampler_index{"sampler", {11, 8}};

// --- message gateway
inline constexpr Meaning notifications[] = {{0, "no notification"}, {1, "notify n0"}, {2, "notify n2"}};
inline constexpr Field notify{"notify", {16, 15}, option, notifications};

// --- thread spawner: what "resource select" means depends on the opcode
inline constexpr Meaning requesters[] = {{0, "root thread"}, {1, "child thread"}};
inline constexpr Field requester{"requester", {1, 1}, bare, requesters};
inline constexpr Meaning dereferences[] = {{0, "dereference urb handle"}, {1, "keep urb handle"}};
inline constexpr Field dereference{"resource select", {4, 4}, bare, dereferences};
inline constexpr Meaning spawns[] = {{0, "child spawn"}, {1, "root spawn"}};
inline constexpr Field spawn{"resource select", {4, 4}, bare, spawns};
inline constexpr Field spawner_dereference[] = {requester, dereference};
inline constexpr Field spawner_spawn[] = {requester, spawn};
inline constexpr MessageRow spawner_rows[] = {
    {at({0, 0}, 0), "dereference resource", spawner_dereference},
    {at({0, 0}, 1), "spawn thread", spawner_spawn},
};

// --- shared functions whose function control is not described
inline constexpr Field function_control{"function control", {18, 0}, hex};
inline constexpr Field undescribed[] = {function_control};

inline constexpr MessageRow null_rows[] = {{any, "no operation", {}}};

}  // namespace vitro::isa::fields
