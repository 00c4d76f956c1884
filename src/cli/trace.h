// What happened, instruction by instruction: text, channels, operands before and results after. An eu::Observer that
// prints lines or collects JSON. Operands are shown as the instruction sees them, after region and modifiers.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "eu/executor.h"

namespace vitro::cli {

class Trace {
 public:
  // Of one thread. With `json` instructions are appended there, which the traces of all threads may share.
  Trace(const eu::Program& program, int thread, nlohmann::ordered_json* json)
      : program_(program), thread_(thread), json_(json) {}

  // To be put into the thread's executor; the trace must outlive it and must not move.
  eu::Observer observer();

  // An instruction that faulted has no results; this shows what there is of it.
  void finish();

 private:
  void before(const eu::Thread&, const eu::Plan&, uint32_t enabled);
  void after(const eu::Thread&, const eu::Plan&, uint32_t enabled);
  void show();

  const eu::Program& program_;
  int thread_;
  nlohmann::ordered_json* json_;
  bool pending_ = false;  // an instruction was begun and is not shown
  eu::Thread previous_{};
  nlohmann::ordered_json entry_;
};

}  // namespace vitro::cli
