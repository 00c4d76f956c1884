// Filling the cache of resolved images. PRM: "Binding Table", Gen9 bindless surfaces.
#include "shared/image/images.h"

namespace vitro::shared {

void Images::refresh(std::unique_ptr<Entry>& e, unsigned index) {
  if (!e) e = std::make_unique<Entry>();
  e->dispatch = environment_.dispatch_number;
  e->image = resolve(state::read_bound_surface(layout_, *environment_.memory, environment_.bases,
                                               environment_.binding_table, index, &environment_.reads));
}

void Images::refresh_bindless(std::unique_ptr<Entry>& e, uint32_t ex_desc) {
  if (!e) e = std::make_unique<Entry>();
  e->dispatch = environment_.dispatch_number, e->handle = ex_desc >> 12;
  e->image = resolve(
      state::read_bindless_surface(layout_, *environment_.memory, environment_.bases, ex_desc, &environment_.reads));
}

}  // namespace vitro::shared
