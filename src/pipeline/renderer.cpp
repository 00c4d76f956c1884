// Draws are refused by the name of their command. PRM: as renderer.h.
#include "pipeline/renderer.h"

namespace vitro::pipeline {

Outcome Renderer::draw(const DrawCommand&) { return tl::unexpected<Fault>(unsupported_fault("3DPRIMITIVE")); }
Outcome Renderer::depth_stencil_operation(const DepthStencilOperation&) {
  return tl::unexpected<Fault>(unsupported_fault("3DSTATE_WM_HZ_OP"));
}
Outcome Renderer::drain(DrainReason) { return {}; }
size_t Renderer::mark() { return 0; }
std::vector<uint64_t> Renderer::take_marks() { return {}; }
Statistics Renderer::take_statistics() { return {}; }
dispatch::Counts Renderer::take_counts() { return {}; }
std::array<uint32_t, 4> Renderer::write_offsets() const { return {}; }
void Renderer::end_batch() { pool.forget(); }

}  // namespace vitro::pipeline
