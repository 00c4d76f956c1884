// Memory that compiled code carries messages out in. Only the data ports' files include this.
#pragma once

#include "eu/message.h"

namespace vitro::shared {

// As eu::SharedFunction::locate, of a DataPort.
eu::Window locate(void* context, uint32_t desc, const isa::MessageShape&, uint64_t place);

}  // namespace vitro::shared
