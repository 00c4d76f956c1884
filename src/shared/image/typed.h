// Typed surface messages of the data cache data port: read, write and atomic operations on texels, with the format's
// conversions. PRM: Gen8 vol 2a MSD1R_TS, MSD1W_TS, MSD1*_TA*; vol 7 "Typed Surface" messages; Gen9 likewise.
// Formats that hardware cannot read this way are read with their conversion all the same. Out of bounds: reads give
// zero in the channels that the format has and 0, 0, 0, 1 in the others, atomics 0, writes do nothing; on a null
// surface reads give zeros. Not modelled: 64-bit typed atomics and the read with status.
#pragma once

#include "shared/dataport/call.h"

namespace vitro::shared {

// Eight slots on a surface whose texels lanes can reach. False: nothing has happened, it is no such message.
bool read_slots(DataPortCall&);
bool write_slots(DataPortCall&);
bool atomic_slots(DataPortCall&, isa::AtomicOp op, unsigned operands, uint32_t slots, bool answers);

}  // namespace vitro::shared
