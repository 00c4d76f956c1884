// Finding routines by their keys, and putting their code where it can run. PRM: none.
#include "code/routines.h"

#include <string_view>

#include "code/image.h"

namespace vitro::code {

Routine* Routines::find(std::span<const std::byte> key) {
  const std::string_view name(reinterpret_cast<const char*>(key.data()), key.size());
  const std::lock_guard guard(lock_);
  if (const auto at = all_.find(name); at != all_.end()) return at->second.get();
  if (all_.size() >= most_) return nullptr;
  auto made = std::make_unique<Routine>();
  made->key.assign(key.begin(), key.end());
  return all_.emplace(name, std::move(made)).first->second.get();
}

bool load(Routine& routine, std::span<const std::byte> bytes) {
  const std::optional<Image> image = to_image(bytes);
  if (!image) return false;
  auto pages = std::make_unique<const Pages>(image->code);
  if (!pages->at()) return false;
  const auto start = reinterpret_cast<uintptr_t>(pages->at()) + image->start;
  routine.vectors = pages->at();
  routine.pages = std::move(pages);
  routine.code.store(reinterpret_cast<RoutineCode>(start), std::memory_order_release);
  return true;
}

}  // namespace vitro::code
