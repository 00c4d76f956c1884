// INTERFACE_DESCRIPTOR_DATA: what media and GPGPU threads are started with, eight dwords in memory that
// MEDIA_INTERFACE_DESCRIPTOR_LOAD names. PRM: Gen6 vol 2 part 2, Gen8 and Gen9 vol 2d INTERFACE_DESCRIPTOR_DATA. The
// prefetch counts and the thread's priority are kept but mean nothing here: nothing is prefetched.
#pragma once

#include "base/packet.h"

namespace vitro::commands {

struct InterfaceDescriptor {
  uint64_t kernel_start = 0;  // offset from the instruction base
  bool software_exception = false, mask_stack_exception = false, illegal_opcode_exception = false;
  bool alternate_floats = false;
  bool high_priority = false;
  bool single_program_flow = false;
  bool denormals_by_kernel = false;
  uint32_t sampler_table = 0;  // offset from the dynamic state base
  uint8_t sampler_count = 0;   // in fours
  uint32_t binding_table = 0;  // offset from the surface state base
  uint8_t binding_count = 0;
  uint16_t curbe_offset = 0, curbe_length = 0;  // in registers; the length is that of one thread
  uint16_t threads = 0;                         // of a group
  bool global_barrier = false;
  uint8_t slm_size = 0;  // a code
  bool barrier = false;
  uint8_t rounding = 0;
  uint8_t cross_thread_length = 0;  // in registers
  // Gen6 only
  uint8_t barrier_id = 0, barrier_byte = 0, barrier_register = 0;
};

inline constexpr int interface_descriptor_dwords = 8, interface_descriptor_bytes = 32;

namespace descriptor_fields {

using D = InterfaceDescriptor;

inline constexpr auto gen6 = object_layout<D>(
    "INTERFACE_DESCRIPTOR_DATA", interface_descriptor_dwords,
    field("Kernel Start Pointer", address(0, 6, 32), &D::kernel_start),
    field("Software Exception Enable", dw(1, 7), &D::software_exception),
    field("Mask Stack Exception Enable", dw(1, 11), &D::mask_stack_exception),
    field("Illegal Opcode Exception Enable", dw(1, 13), &D::illegal_opcode_exception),
    field("Floating Point Mode", dw(1, 16), &D::alternate_floats),
    field("Thread Priority", dw(1, 17), &D::high_priority),
    field("Single Program Flow", dw(1, 18), &D::single_program_flow),
    field("Sampler Count", dw(2, 4, 2), &D::sampler_count),
    field("Sampler State Pointer", address(2, 5, 32), &D::sampler_table),
    field("Binding Table Entry Count", dw(3, 4, 0), &D::binding_count),
    field("Binding Table Pointer", address(3, 5, 32), &D::binding_table),
    field("Constant URB Entry Read Offset", dw(4, 15, 0), &D::curbe_offset),
    field("Constant URB Entry Read Length", dw(4, 31, 16), &D::curbe_length),
    field("Barrier ID", dw(5, 3, 0), &D::barrier_id), field("Barrier Return Byte", dw(5, 15, 8), &D::barrier_byte),
    field("Barrier Return GRF Offset", dw(5, 31, 24), &D::barrier_register));

template <class... More>
consteval auto since_gen8(More... more) {
  return object_layout<D>(
      "INTERFACE_DESCRIPTOR_DATA", interface_descriptor_dwords,
      field("Kernel Start Pointer", address(0, 6, 48), &D::kernel_start),
      field("Software Exception Enable", dw(2, 7), &D::software_exception),
      field("Mask Stack Exception Enable", dw(2, 11), &D::mask_stack_exception),
      field("Illegal Opcode Exception Enable", dw(2, 13), &D::illegal_opcode_exception),
      field("Floating Point Mode", dw(2, 16), &D::alternate_floats),
      field("Thread Priority", dw(2, 17), &D::high_priority),
      field("Single Program Flow", dw(2, 18), &D::single_program_flow),
      field("Denorm Mode", dw(2, 19), &D::denormals_by_kernel), field("Sampler Count", dw(3, 4, 2), &D::sampler_count),
      field("Sampler State Pointer", address(3, 5, 32), &D::sampler_table),
      field("Binding Table Entry Count", dw(4, 4, 0), &D::binding_count),
      field("Binding Table Pointer", address(4, 5, 16), &D::binding_table),
      field("Constant URB Entry Read Offset", dw(5, 15, 0), &D::curbe_offset),
      field("Constant URB Entry Read Length", dw(5, 31, 16), &D::curbe_length),
      field("Number of Threads in GPGPU Thread Group", dw(6, 9, 0), &D::threads),
      field("Shared Local Memory Size", dw(6, 20, 16), &D::slm_size), field("Barrier Enable", dw(6, 21), &D::barrier),
      field("Rounding Mode", dw(6, 23, 22), &D::rounding),
      field("Cross-Thread Constant Data Read Length", dw(7, 7, 0), &D::cross_thread_length), more...);
}
inline constexpr auto gen8 = since_gen8();
inline constexpr auto gen9 = since_gen8(field("Global Barrier Enable", dw(6, 15), &D::global_barrier));

static_assert(well_formed(gen6) && well_formed(gen8) && well_formed(gen9));

}  // namespace descriptor_fields

}  // namespace vitro::commands
