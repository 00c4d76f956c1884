// Typed surface messages of the data cache data port: read, write and atomic operations on texels, with the format's
// conversions. PRM: Gen8 vol 2a MSD1R_TS, MSD1W_TS, MSD1*_TA*; vol 7 "Typed Surface" messages; Gen9 likewise.
// Formats that hardware cannot read this way are read with their conversion all the same. Out of bounds: reads give
// 0, 0, 0, 1, atomics 0, writes do nothing; on a null surface reads give zeros.
// Not modelled: 64-bit typed atomics and the read with status.
#pragma once

#include "shared/dataport/call.h"

namespace vitro::shared {

// Reads and writes of eight slots on a plane, as wholes. False: nothing has happened, it is no such message.
bool read_whole(DataPortCall&);
bool write_whole(DataPortCall&);

}  // namespace vitro::shared
