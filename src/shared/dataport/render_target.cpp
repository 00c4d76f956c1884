// Render target messages of the render cache (SFID 5). PRM: Gen8 vol 2a MSD_RTW_*; Gen9 render target read. They need
// the pixel pipeline, which does not stand yet: each is a Fault by its name.
#include "shared/dataport/messages.h"

namespace vitro::shared {

eu::Reply render_target_write(DataPortCall& c) { return c.fault("unsupported: render target write"); }
eu::Reply render_target_read(DataPortCall& c) { return c.fault("unsupported: render target read"); }

}  // namespace vitro::shared
