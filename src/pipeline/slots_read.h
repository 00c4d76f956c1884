// Which slots of a VUE the Setup Backend reads. PRM: Gen8 vol 7 "Setup Backend (SBE)"; 3DSTATE_SBE, and the Vertex URB
// Entry Output fields of the last shader stage that is on. Offsets and lengths count pairs of slots.
#pragma once

#include "state/pipeline.h"

namespace vitro::pipeline {

struct SlotsRead {
  unsigned first = 0, end = 0;
};

// Offset and length are those of SBE where it forces them, else those of the last stage before it.
inline SlotsRead slots_read(const state::Pipeline& s) {
  const commands::three_d::Sbe& sbe = s.sbe;
  unsigned offset = s.vs.vertex_urb_entry_output_read_offset, length = s.vs.vertex_urb_entry_output_length;
  if (s.ds.enable) offset = s.ds.vertex_urb_entry_output_read_offset, length = s.ds.vertex_urb_entry_output_length;
  if (s.gs.enable) offset = s.gs.vertex_urb_entry_output_read_offset, length = s.gs.vertex_urb_entry_output_length;
  if (sbe.force_vertex_urb_entry_read_offset) offset = sbe.vertex_urb_entry_read_offset;
  if (sbe.force_vertex_urb_entry_read_length) length = sbe.vertex_urb_entry_read_length;
  return {2 * offset, 2 * (offset + length)};
}

}  // namespace vitro::pipeline
