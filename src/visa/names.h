// Names and codes of vISA: predefined variables, alignments, attributes, and what fields of instructions spell.
// Documents: "Header" and the instruction pages; %sp and %fp are UQ, which the documents call UD.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "visa/object.h"

namespace vitro::visa {

struct PredefinedVariable {
  std::string_view name;
  Type type;
  uint16_t elements;
  bool writable;
  uint8_t writable_from = 0;  // element
  bool addressable = false;   // in the documents
};
inline constexpr PredefinedVariable predefined[] = {
    {"%null", Type::ud, 1, true},
    {"%thread_x", Type::uw, 1, false},
    {"%thread_y", Type::uw, 1, false},
    {"%group_id_x", Type::ud, 1, false},
    {"%group_id_y", Type::ud, 1, false},
    {"%group_id_z", Type::ud, 1, false},
    {"%tsc", Type::ud, 5, true, 4},
    {"%r0", Type::ud, 8, false},
    {"%arg", Type::ud, 256, true, 0, true},
    {"%retval", Type::ud, 96, true, 0, true},
    {"%sp", Type::uq, 1, true},
    {"%fp", Type::uq, 1, true},
    {"%hw_id", Type::ud, 1, false},
    {"%sr0", Type::ud, 4, true, 2},
    {"%cr0", Type::ud, 3, true},
    {"%ce0", Type::ud, 1, false},
    {"%dbg0", Type::ud, 2, true},
    {"%color", Type::uw, 1, false},
    {"%impl_arg_buf_ptr", Type::uq, 1, true},
    {"%local_id_buf_ptr", Type::uq, 1, true},
    {"%msg0", Type::ud, 3, false},
};
inline constexpr std::string_view predefined_surface_names[predefined_surfaces] = {"%slm", "T1",   "T2",
                                                                                   "TSS",  "%bss", "%scratch"};

// By code; what stands behind the first name is read, too.
struct Alignment {
  std::string_view name, also;
  uint16_t bytes;
};
inline constexpr Alignment alignments[] = {
    {"byte", "", 1}, {"word", "", 2},       {"dword", "", 4},  {"qword", "", 8},          {"oword", "", 16},
    {"GRF", "", 32}, {"GRFx2", "2GRF", 64}, {"hword", "", 32}, {"wordx32", "32word", 64}, {"wordx64", "64word", 128},
};

enum class AttributeValue : uint8_t { flag, number, text };
struct AttributeName {
  std::string_view name;
  AttributeValue value;
  bool of_variables;  // else of kernels and functions
};
inline constexpr AttributeName attribute_names[] = {
    {"Extern", AttributeValue::flag, false},
    {"NoBarrier", AttributeValue::flag, false},
    {"Callable", AttributeValue::flag, false},
    {"Caller", AttributeValue::flag, false},
    {"Composable", AttributeValue::flag, false},
    {"Entry", AttributeValue::flag, false},
    {"Input", AttributeValue::flag, true},
    {"Output", AttributeValue::flag, true},
    {"PayloadLiveOut", AttributeValue::flag, true},
    {"Input_Output", AttributeValue::flag, true},
    {"NoWidening", AttributeValue::flag, true},
    {"DoNotSpill", AttributeValue::flag, true},
    {"SepSpillPvtSS", AttributeValue::flag, false},
    {"LTO_InvokeOptTarget", AttributeValue::flag, false},
    {"Target", AttributeValue::number, false},
    {"SLMSize", AttributeValue::number, false},
    {"SpillMemOffset", AttributeValue::number, false},
    {"ArgSize", AttributeValue::number, false},
    {"RetValSize", AttributeValue::number, false},
    {"PerThreadInputSize", AttributeValue::number, false},
    {"SimdSize", AttributeValue::number, false},
    {"Scope", AttributeValue::number, true},
    {"SurfaceUsage", AttributeValue::number, true},
    {"CrossThreadInputSize", AttributeValue::number, false},
    {"NBarrierCnt", AttributeValue::number, false},
    {"OutputAsmPath", AttributeValue::text, false},
};
const AttributeName* find_attribute(std::string_view name);
inline constexpr std::string_view target_names[] = {"cm", "3d"};
uint64_t number_of(const Attribute&);  // its bytes, least significant first

inline constexpr std::string_view mask_names[16] = {"M1",    "M2",    "M3",    "M4",    "M5",    "M6",
                                                    "M7",    "M8",    "M1_NM", "M2_NM", "M3_NM", "M4_NM",
                                                    "M5_NM", "M6_NM", "M7_NM", "M8_NM"};
inline constexpr std::string_view modifier_names[6] = {"", "(abs)", "(-)", "(-abs)", "", "(~)"};
inline constexpr std::string_view relation_names[] = {"eq", "ne", "gt", "ge", "lt", "le"};
inline constexpr std::string_view atomic_names[] = {"add",     "sub", "inc",  "dec",  "min",     "max",     "xchg",
                                                    "cmpxchg", "and", "or",   "xor",  "minsint", "maxsint", "predec",
                                                    "",        "",    "fmax", "fmin", "fcmpwr"};
inline constexpr std::string_view media_ld_names[] = {"nomod", "modified", "top", "bottom", "top_mod", "bottom_mod"};
inline constexpr std::string_view media_st_names[] = {"nomod", "", "top", "bottom"};
inline constexpr std::string_view output_names[] = {"16-full", "16-downsampled", "8-full", "8-downsampled"};
inline constexpr std::string_view avs_format_names[] = {"AVS_16_FULL", "AVS_16_DOWN_SAMPLE", "AVS_8_FULL",
                                                        "AVS_8_DOWN_SAMPLE"};
inline constexpr std::string_view avs_mode_names[] = {"AVS_16x4", "", "AVS_16x8"};
inline constexpr std::string_view convolution_names[] = {"VA_CONV_16x4", "", "VA_CONV_16x1", "VA_CONV_1x1"};
inline constexpr std::string_view kernel_size_names[] = {"15x15", "31x31"};
inline constexpr std::string_view erosion_names[] = {"VA_ED_64x4", "VA_ED_32x4", "VA_ED_64x1", "VA_ED_32x1"};
inline constexpr std::string_view minmax_names[] = {"VA_MMF_16x4", "", "VA_MMF_16x1", "VA_MMF_1x1"};
inline constexpr std::string_view extremes_names[] = {"VA_MINMAX_ENABLE", "VA_MAX_ENABLE", "VA_MIN_ENABLE"};
inline constexpr std::string_view line_names[] = {"4x16", "", "1x16", "1x1"};
inline constexpr std::string_view pattern_names[] = {"VA_5x5_mode", "VA_3x3_mode", "VA_BOTH_mode"};
inline constexpr std::string_view pixel_names[] = {"VA_Y16_FORMAT", "VA_Y8_FORMAT"};
inline constexpr std::string_view neighbours_names[] = {"4_connect", "8_connect"};
inline constexpr std::string_view implicit_names[] = {"", "LOCAL_SIZE", "GROUP_COUNT", "LOCAL_ID", "PSEUDO_INPUT"};
inline constexpr uint8_t pseudo_input = 0x10;

// What each bit of rt_write_3d's mode is called.
struct BitName {
  uint8_t bit;
  std::string_view name;
};
inline constexpr BitName rt_mode_names[] = {{2, "<RTI>"}, {3, "<A>"},    {4, "<O>"},      {5, "<Z>"},
                                            {6, "<ST>"},  {7, "<LRTW>"}, {8, "<CPS>"},    {9, "<PS>"},
                                            {10, "<CM>"}, {11, "<SI>"},  {12, "<NULLRT>"}};
inline constexpr BitName fence_names[] = {{0, "E"}, {1, "I"}, {2, "S"}, {3, "C"}, {4, "R"}, {6, "L1"}};
inline constexpr BitName sampler_flag_names[] = {{8, ".pixel_null_mask"}, {9, ".cps"}, {10, ".divS"}};

// Numbers that fields have codes for.
inline constexpr uint8_t oword_counts[] = {1, 2, 4, 8, 16};
inline constexpr uint8_t block_counts[] = {1, 2, 4, 8};
inline constexpr uint8_t block_sizes[] = {1, 4, 8};
inline constexpr uint8_t element_sizes[] = {1, 2, 4};
inline constexpr uint8_t scatter_counts[] = {8, 16, 1};

}  // namespace vitro::visa
