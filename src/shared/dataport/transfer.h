// Windows into memory for messages that are transfers. PRM: none; see eu/transfer.h. Only the data ports include this.
#pragma once

#include "eu/transfer.h"

namespace vitro::shared {

// SharedFunction::locate of the data ports; the context is a DataPort.
eu::Window locate(void* context, uint32_t desc, const eu::Transfer& transfer, uint64_t place);

}  // namespace vitro::shared
