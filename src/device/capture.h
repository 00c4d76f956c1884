// A recording made of the batches of a device while they are executed (`vitro run --capture`). Each batch is executed a
// second time, by a device of the capture's own and in its own copy of memory, before the program's: so the file holds
// what a replay needs and no more, whatever the program does meanwhile, and can say what a replay must find. No part of
// the machine by itself.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "device/device.h"
#include "recording/recorder.h"

namespace vitro::device {

class Capture {
 public:
  // `options`: those of the device whose batches are recorded.
  Capture(const gen::Device& device, const Options& options);
  ~Capture();
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  // Before the batch is executed. `context`: any number that tells it from others.
  void record(uint64_t context, const Batch& batch, const std::function<bool()>& stop);

 private:
  bool open();  // at the first batch: a program that has none writes no file
  void give_up(const std::string& why);

  std::mutex lock_;
  CaptureOptions options_;
  std::string file_{};
  bool given_up_ = false;
  Device device_;
  std::unique_ptr<recording::Recorder> recorder_{};
  std::map<uint64_t, std::shared_ptr<Context>> contexts_{};
};

}  // namespace vitro::device
