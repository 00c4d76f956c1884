// Stream output: vertices of objects written to buffers in memory, as a list of declarations says. PRM: Gen8 vol 7
// "Stream Output Logic (SOL) Stage"; 3DSTATE_STREAMOUT, _SO_BUFFER, _SO_DECL_LIST. An object is written as a whole or
// not at all: it overflows if it does not fit into one of the buffers that its stream is said to write. Without a
// geometry shader all objects belong to stream 0, so the others are not walked. Objects must come in order.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "memory/view.h"
#include "pipeline/object.h"
#include "pipeline/statistics.h"
#include "state/pipeline.h"

namespace vitro::pipeline {

// What outlasts a draw: the SO_WRITE_OFFSET registers, in bytes.
struct StreamOutState {
  std::array<uint32_t, 4> write_offsets{};
};

// For 3DSTATE_SO_BUFFER, when it arrives: where output to its buffer begins.
void set_write_offset(const commands::three_d::SoBuffer& buffer, memory::View& memory, StreamOutState& state);
// After a draw: offsets that go to memory.
void store_write_offsets(const state::Pipeline& state, memory::View& memory, const StreamOutState& out);

// Whether objects go on to the clipper.
bool renders(const commands::three_d::Streamout& streamout);

// One object of stream 0: its vertices in the order they are to be written in. VUEs have `slots` slots.
void stream_out(const state::Pipeline& state, std::span<const Slot* const> vertices, unsigned slots,
                memory::View& memory, StreamOutState& out, Statistics& statistics);

}  // namespace vitro::pipeline
