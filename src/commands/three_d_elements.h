// What some packets of the 3D pipeline list behind their header: vertex buffers and elements, declarations of stream
// output, entries of the hardware's binding tables. PRM: Gen8 vol 2d VERTEX_BUFFER_STATE, VERTEX_ELEMENT_STATE,
// SO_DECL.
#pragma once

#include <cstdint>

namespace vitro::commands::three_d {

struct VertexBufferState {
  uint16_t buffer_pitch = 0;
  bool null_vertex_buffer = false;
  bool address_modify_enable = false;
  uint8_t mocs = 0;
  uint8_t vertex_buffer_index = 0;
  uint64_t buffer_starting_address = 0;
  uint32_t buffer_size = 0;
};

struct VertexElementState {
  uint16_t source_element_offset = 0;
  bool edge_flag_enable = false;
  uint16_t source_element_format = 0;
  bool valid = false;
  uint8_t vertex_buffer_index = 0;
  uint8_t component_3_control = 0;
  uint8_t component_2_control = 0;
  uint8_t component_1_control = 0;
  uint8_t component_0_control = 0;
};

struct SoDecl {
  uint8_t component_mask = 0;
  uint8_t register_index = 0;
  bool hole_flag = false;
  uint8_t output_buffer_slot = 0;
};

struct BindingTableEditEntry {
  uint16_t surface_state_pointer = 0;
  uint8_t binding_table_index = 0;
};

struct GatherConstantEntry {
  uint8_t binding_table_index_offset = 0;
  uint8_t channel_mask = 0;
  uint16_t constant_buffer_offset = 0;
};

}  // namespace vitro::commands::three_d
