// Fields and value names that message tables of more than one generation use: the same bits mean the same there.
// PRM: Gen8 vol 2a, the MDC_* formats named at each field; the values of MDC_AOP* as Mesa's and Intel's compilers emit
// them.
// "[n]" in comments are descriptor bits.
#pragma once

#include <algorithm>

#include "isa/message_tables.h"

namespace vitro::isa::fields {

using Field = MessageFieldLayout;
using Meaning = MessageMeaning;
using Role = FieldRole;
using Action = MessageAction;
using Family = ActionFamily;
using enum FieldText;

constexpr MessageMatch at(Bits bits, uint64_t value) { return {mask(bits).lo, value << bits.lo}; }
inline constexpr MessageMatch any{};

template <size_t... n>
constexpr auto join(const std::array<MessageRow, n>&... rows) {
  std::array<MessageRow, (n + ...)> all{};
  size_t at = 0;
  ((std::copy(rows.begin(), rows.end(), all.begin() + at), at += n), ...);
  return all;
}
template <size_t n>
constexpr auto rows(const MessageRow (&list)[n]) {
  return std::to_array(list);
}

// --- shapes: what of a message does not depend on its descriptor's fields
constexpr MessageShape does(Action action) { return {.action = action}; }
inline constexpr MessageShape unsupported = does(Action::unsupported);
// A place for each slot: elements of so many bytes, offsets in units, low bits that do not count.
constexpr MessageShape scattered(Action action, uint8_t element, uint8_t unit, uint8_t align) {
  return {.action = action,
          .positions = 1,
          .element = element,
          .unit = unit,
          .align = align,
          .is_write = action == Action::scattered_write};
}
constexpr MessageShape operation(uint8_t element, uint8_t slots = 8) {
  return {
      .action = Action::atomic, .slots = slots, .positions = 1, .element = element, .align = element, .is_write = true};
}
constexpr MessageShape with_global_offset(MessageShape s) { return s.adds_header = true, s; }
// Untyped messages: a mask of slots in the header, and structured buffers.
constexpr MessageShape with_pixel_mask(MessageShape s) { return s.masks_header = s.structured = true, s; }
constexpr MessageShape that_waits(Action action) { return {.action = action, .waits = true}; }
constexpr MessageShape at_addresses(MessageShape s) { return s.space = AddressSpace::addresses, s; }
// One place for the message, in a dword of the header.
constexpr MessageShape block_of(Action action, uint8_t place, uint8_t unit, uint8_t align, BlockEnables enables) {
  const bool writes = action == Action::block_write || action == Action::dual_block_write;
  return {.action = action, .unit = unit, .align = align, .place = place, .enables = enables, .is_write = writes};
}
// Block messages ignore the FFTID below what they add to stateless places.
inline constexpr uint32_t scratch_base = ~0x3FFu;
constexpr MessageShape oword_block_at(Action action, uint8_t unit, uint8_t align, BlockEnables enables) {
  MessageShape s = block_of(action, 2, unit, align, enables);
  return s.base_bits = scratch_base, s;
}
inline constexpr MessageShape oword_read = oword_block_at(Action::block_read, 16, 1, BlockEnables::owords);
inline constexpr MessageShape oword_write = oword_block_at(Action::block_write, 16, 1, BlockEnables::dwords);
inline constexpr MessageShape unaligned_read = oword_block_at(Action::block_read, 1, 4, BlockEnables::all);
inline constexpr MessageShape dual_read = oword_block_at(Action::dual_block_read, 16, 1, BlockEnables::dwords);
inline constexpr MessageShape dual_write = oword_block_at(Action::dual_block_write, 16, 1, BlockEnables::dwords);
inline constexpr MessageShape dword_read = with_global_offset(scattered(Action::scattered_read, 4, 4, 1));
inline constexpr MessageShape dword_write = with_global_offset(scattered(Action::scattered_write, 4, 4, 1));
inline constexpr MessageShape media_read = does(Action::media_block_read);
inline constexpr MessageShape media_write = does(Action::media_block_write);

// The number of a meaning.
template <class E>
constexpr uint32_t of(E e) {
  return uint32_t(e);
}

// --- surfaces
// MDC_BTS: an entry of the binding table, without the special values.
inline constexpr Field bts{.name = "bti", .bits = surface_bits, .text = surface, .role = Role::space};
// Messages without any surface use only the special values (MDC_STATELESS).
inline constexpr Meaning a64_surfaces[] = {{255, "stateless"}, {253, "stateless non-coherent"}};
inline constexpr Field stateless{"bti", surface_bits, bare, a64_surfaces};

// --- block sizes
// MDC_DB_OW: one OWord goes to the low or the high half of the GRF.
inline constexpr Meaning oword_counts[] = {{0, "1 oword low", 16},
                                           {1, "1 oword high", 16 | 16 << 10},
                                           {2, "2 owords", 32},
                                           {3, "4 owords", 64},
                                           {4, "8 owords", 128}};
inline constexpr Field oword_block{
    .name = "block size", .bits = {10, 8}, .text = bare, .meanings = oword_counts, .role = Role::block};
// MDC_DB_OWD: per block of the pair.
inline constexpr Meaning oword_dual_counts[] = {{0, "1 oword", 16}, {2, "4 owords", 64}};
inline constexpr Field oword_dual_block{
    .name = "block size", .bits = {9, 8}, .text = bare, .meanings = oword_dual_counts, .role = Role::block};

// --- media blocks: MDC_VLSO
inline constexpr Field line_stride_override{
    .name = "line stride override", .bits = {10, 10}, .text = flag, .role = Role::line_override};
inline constexpr Field line_stride{
    .name = "stride", .bits = {9, 9}, .when = at({10, 10}, 1), .role = Role::line_stride};
inline constexpr Field line_offset{
    .name = "offset", .bits = {8, 8}, .when = at({10, 10}, 1), .role = Role::line_offset};

// --- render target writes
inline constexpr Meaning rt_write_subtypes[] = {{0, "simd16", 16},
                                                {1, "simd16 replicated", 16 | one_colour},
                                                {2, "simd8 dual source low", 8 | two_sources},
                                                {3, "simd8 dual source high", 8 | 8 << 8 | two_sources},
                                                {4, "simd8", 8},
                                                {5, "simd8 image write", 0},
                                                {7, "simd16 replicated (111b)", 16 | one_colour}};
inline constexpr Field rt_write_subtype{
    .name = "subtype", .bits = {10, 8}, .text = bare, .meanings = rt_write_subtypes, .role = Role::slots};
inline constexpr Meaning rt_slot_groups[] = {{0, "slots 15:0", 0}, {1, "slots 31:16", 16}};
inline constexpr Field rt_slot_group{
    .name = "slot group", .bits = {11, 11}, .text = option, .meanings = rt_slot_groups, .role = Role::slot_group};
inline constexpr Field rt_last{"last render target", {12, 12}, flag};

// --- sampler
inline constexpr Field sampler_index{.name = "sampler", .bits = {11, 8}, .role = Role::sampler};
using Lod = LodSource;
constexpr MessageRow sampler_row(MessageMatch match, std::string_view name, std::span<const Field> fields,
                                 Action action, const SamplerForm& form) {
  return {.match = match, .name = name, .fields = fields, .shape = does(action), .sampler = form};
}

// --- message gateway
inline constexpr Meaning notifications[] = {{0, "no notification", 0}, {1, "notify n0", 1}, {2, "notify n2", 2}};
inline constexpr Field notify{
    .name = "notify", .bits = {16, 15}, .text = option, .meanings = notifications, .role = Role::notify};
inline constexpr Field acknowledge{.name = "acknowledge", .bits = {14, 14}, .text = flag, .role = Role::acknowledge};

// --- thread spawner: what "resource select" means depends on the opcode
inline constexpr Meaning requesters[] = {{0, "root thread", 0}, {1, "child thread", 1}};
inline constexpr Field requester{
    .name = "requester", .bits = {1, 1}, .text = bare, .meanings = requesters, .role = Role::child};
inline constexpr Meaning dereferences[] = {{0, "dereference urb handle"}, {1, "keep urb handle"}};
inline constexpr Field dereference{"resource select", {4, 4}, bare, dereferences};
inline constexpr Meaning spawns[] = {{0, "child spawn", 0}, {1, "root spawn", 1}};
inline constexpr Field spawn{
    .name = "resource select", .bits = {4, 4}, .text = bare, .meanings = spawns, .role = Role::select};
inline constexpr Field spawner_dereference[] = {requester, dereference};
inline constexpr Field spawner_spawn[] = {requester, spawn};
inline constexpr MessageRow spawner_rows[] = {
    {at({0, 0}, 0),
     "dereference resource",
     spawner_dereference,
     {.action = Action::dereference, .ends_thread = true, .holds_anyway = true}},
    {at({0, 0}, 1), "spawn thread", spawner_spawn, that_waits(Action::spawn)},
};

// --- shared functions whose function control is not described
inline constexpr Field function_control{"function control", {18, 0}, hex};
inline constexpr Field undescribed[] = {function_control};

inline constexpr MessageRow null_rows[] = {{any, "no operation", {}, does(Action::nothing)}};

}  // namespace vitro::isa::fields
