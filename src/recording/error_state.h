// The error state that i915 keeps after a hang (/sys/class/drm/card0/error), as a recording: for each engine that had
// one the batch that it ran, the memory that was kept with it, and the place where it stood. Source: Linux
// i915_gpu_error.c; the older form with a line per dword is read, too.
#pragma once

#include <memory>
#include <string_view>

#include "base/result.h"
#include "recording/recording.h"
#include "recording/source.h"

namespace vitro::recording {

bool is_error_state(std::string_view beginning);
Result<std::unique_ptr<Reader>> read_error_state(std::unique_ptr<Source> source, const Options& options);

}  // namespace vitro::recording
