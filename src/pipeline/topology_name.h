// What a topology is called, for those who print it. PRM: 3D_Prim_Topo_Type.
#pragma once

#include <string>

namespace vitro::pipeline {

// Also of those that are refused; empty if the code is reserved.
std::string topology_name(unsigned code);

}  // namespace vitro::pipeline
