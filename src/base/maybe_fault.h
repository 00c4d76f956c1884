// A Fault or, nearly always, none: as small as a pointer, for what is called for each primitive and block. PRM: none.
// An std::optional of something as large as a Fault costs more than many of those calls do themselves.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "base/fault.h"

namespace vitro {

class MaybeFault {
 public:
  MaybeFault() = default;
  MaybeFault(std::nullopt_t) {}
  MaybeFault(Fault f) : fault_(std::make_unique<Fault>(std::move(f))) {}
  MaybeFault(std::optional<Fault> f) {
    if (f) fault_ = std::make_unique<Fault>(std::move(*f));
  }
  explicit operator bool() const { return fault_ != nullptr; }
  Fault& operator*() const { return *fault_; }
  Fault* operator->() const { return fault_.get(); }

 private:
  std::unique_ptr<Fault> fault_{};
};

}  // namespace vitro
