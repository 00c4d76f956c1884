// The rows of the commands that the streamer executes itself, by generation, and the sets of all commands.
// PRM: Gen8 vol 2a, where "Source" names the engines; Gen6 vol 1 part 5. Length fields are as wide as the documents
// say, since the bits above belong to other fields in some commands.
#include "commands/inventory.h"
#include "commands/mi_layouts.h"
#include "commands/pipe.h"
#include "decode/language.h"
#include "streamer/handlers.h"

namespace vitro::streamer {
namespace {

using namespace commands;

constexpr bool always = true;  // MI_SET_PREDICATE does not touch these

// Commands that read, write or wait on memory: what was drawn before is there first.
template <const auto& layout, auto handler>
constexpr Row touching(Engines engines, Length length) {
  return draining(row<layout, handler>(engines, length), pipeline::DrainReason::memory_command);
}
template <const auto& layout, auto handler>
constexpr Row selecting(Engines engines, Length length) {
  return draining(row<layout, handler>(engines, length), pipeline::DrainReason::pipeline_select);
}

// What all generations have.
template <class... More>
constexpr auto with_common(More... more) {
  namespace g = commands::every;
  return std::array{
      row<g::mi_noop, noop>(all_engines, one_dword),
      touching<g::mi_user_interrupt, user_interrupt>(all_engines, one_dword),
      row<g::mi_arb_check, arb_check>(all_engines, one_dword),
      touching<g::mi_report_head, report_head>(all_engines, one_dword),
      row<g::mi_arb_on_off, arb_on_off>(all_engines, one_dword),
      row<g::mi_batch_buffer_end, batch_buffer_end>(all_engines, one_dword, always),
      row<g::mi_suspend_flush, suspend_flush>(all_engines, one_dword),
      row<g::mi_load_scan_lines_incl, load_scan_lines>(render | copy, length6),
      row<g::mi_load_scan_lines_excl, load_scan_lines>(render | copy, length6),
      row<g::mi_load_register_imm, load_register_imm>(all_engines, length8),
      more...,
  };
}

namespace g6 = commands::gen6;
constexpr auto rows_gen6 = with_common(
    row<g6::mi_wait_for_event, wait_for_event>(render | copy | video, one_dword),
    touching<g6::mi_flush, flush>(render, one_dword),
    touching<g6::mi_display_flip, display_flip>(render | copy, length6),
    touching<g6::mi_semaphore_mbox, semaphore_mbox>(all_engines, length8),
    touching<g6::mi_set_context, set_context>(render, length8), row<g6::mi_urb_clear, urb_clear>(render, length8),
    touching<g6::mi_store_data_imm, store_data_imm>(all_engines, length6),
    touching<g6::mi_store_data_index, store_data_index>(all_engines, length8),
    touching<g6::mi_update_gtt, update_gtt>(all_engines, length6),
    touching<g6::mi_store_register_mem, store_register_mem>(all_engines, length8),
    touching<g6::mi_flush_dw, flush_dw>(copy | video, length6), touching<g6::mi_clflush, clflush>(render, length6),
    row<g6::mi_batch_buffer_start, batch_buffer_start>(all_engines, length8),
    touching<g6::mi_conditional_batch_buffer_end, conditional_batch_buffer_end>(all_engines, Length{0xFF, 3}),
    row<g6::pipe_control, pipe_control>(render, length8),
    row<g6::state_base_address, state_base_address_bounds>(render, length8),
    row<g6::state_sip, state_sip>(render, length8), row<g6::state_prefetch, state_prefetch>(render, length8),
    selecting<g6::pipeline_select, pipeline_select>(render, one_dword));

// What is alike from Gen8 on.
template <class... More>
constexpr auto with_gen8(More... more) {
  namespace g = commands::gen8;
  return with_common(
      row<g::mi_set_predicate, set_predicate>(render, one_dword, always),
      row<g::mi_wait_for_event, wait_for_event>(render | copy, one_dword),
      row<g::mi_rs_control, rs_control>(render, one_dword),
      row<g::mi_urb_atomic_alloc, urb_atomic_alloc>(render, one_dword),
      row<g::mi_predicate, predicate_command>(render, one_dword),
      row<g::mi_topology_filter, topology_filter>(render, one_dword),
      row<g::mi_rs_context, rs_context>(render, one_dword), touching<g::mi_set_context, set_context>(render, length8),
      touching<g::mi_semaphore_signal, semaphore_signal>(all_engines, length8),
      touching<g::mi_store_data_imm, store_data_imm>(all_engines, length10),
      touching<g::mi_store_data_index, store_data_index>(all_engines, length8),
      touching<g::mi_update_gtt, update_gtt>(all_engines, length10),
      touching<g::mi_store_register_mem, store_register_mem>(all_engines, length8),
      touching<g::mi_clflush, clflush>(render, length10),
      touching<g::mi_report_perf_count, report_perf_count>(render, length6),
      touching<g::mi_load_register_mem, load_register_mem>(all_engines, length8),
      row<g::mi_load_register_reg, load_register_reg>(all_engines, length8),
      touching<g::mi_rs_store_data_imm, rs_store_data_imm>(render, length8),
      touching<g::mi_load_urb_mem, load_urb_mem>(render, length8),
      touching<g::mi_store_urb_mem, store_urb_mem>(render, length8),
      touching<g::mi_copy_mem_mem, copy_mem_mem>(all_engines, length8),
      touching<g::mi_atomic, atomic>(all_engines, length8),
      row<g::mi_batch_buffer_start, batch_buffer_start>(all_engines, length8),
      row<g::state_sip, state_sip>(render, length8), row<g::state_prefetch, state_prefetch>(render, length8), more...);
}

namespace g8 = commands::gen8;
constexpr auto rows_gen8 = with_gen8(
    touching<g8::mi_display_flip, display_flip>(render | copy, length8),
    row<g8::mi_urb_clear, urb_clear>(render, length8), row<g8::mi_math, math>(all_engines, length6),
    touching<g8::mi_semaphore_wait, semaphore_wait>(all_engines, length8),
    touching<g8::mi_flush_dw, flush_dw>(copy | video | video_enhance, length6),
    touching<g8::mi_conditional_batch_buffer_end, conditional_batch_buffer_end>(render | copy | video_enhance,
                                                                                Length{0xFF, 4}),
    touching<g8::mi_conditional_batch_buffer_end, conditional_batch_buffer_end_masked>(video, Length{0xFF, 4}),
    row<g8::pipe_control, pipe_control>(render, length8),
    row<g8::state_base_address, state_base_address>(render, length8),
    selecting<g8::pipeline_select, pipeline_select>(render, one_dword));

namespace g9 = commands::gen9;
constexpr auto rows_gen9 =
    with_gen8(touching<g9::mi_display_flip, display_flip>(render | copy, length8),
              row<g9::mi_math, math>(all_engines, length8), touching<g9::mi_flush, flush>(copy, one_dword),
              touching<g9::mi_semaphore_wait, semaphore_wait>(all_engines, length8),
              row<g9::mi_force_wakeup, force_wakeup>(all_engines, length8),
              touching<g9::mi_flush_dw, flush_dw>(copy | video | video_enhance, length6),
              touching<g9::mi_conditional_batch_buffer_end, conditional_batch_buffer_end>(all_engines, Length{0xFF, 4}),
              row<g9::pipe_control, pipe_control>(render, length8),
              row<g9::state_base_address, state_base_address>(render, length8),
              selecting<g9::pipeline_select, pipeline_select_masked>(render, one_dword));

// Both views of a Gen6 machine hold the same objects, and drivers write query results through the GGTT.
constexpr Traits gen6_traits{.user_ggtt = true}, later_traits{};

}  // namespace

const CommandSet commands_gen6("Gen6", registers::registers_gen6, gen6_traits,
                               {rows_gen6, media_rows_gen6, blitter_rows_gen6}, commands::inventory_gen6, decode::gen6);
const CommandSet commands_gen8("Gen8", registers::registers_gen8, later_traits,
                               {rows_gen8, media_rows_gen8, three_d_rows_gen8, blitter_rows_gen8},
                               commands::inventory_gen8, decode::gen8);
const CommandSet commands_gen9("Gen9", registers::registers_gen9, later_traits,
                               {rows_gen9, media_rows_gen9, three_d_rows_gen9, blitter_rows_gen9},
                               commands::inventory_gen9, decode::gen9);

}  // namespace vitro::streamer
