// What happened, instruction by instruction: text, channels, operands before and results after. An eu::Observer that
// prints lines or collects JSON. Operands are shown as the instruction sees them, after region and modifiers.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "eu/executor.h"

namespace vitro::cli {

class Trace {
 public:
  Trace(const eu::Program& program, bool json) : program_(program), json_(json) {}

  // To be put into the executor of thread `thread`; the trace must outlive it and must not move.
  eu::Observer observer();
  // Which thread's instructions follow.
  void thread(int n) { thread_ = n; }

  // An instruction that faulted has no results; this shows what there is of it.
  void finish();

  const nlohmann::ordered_json& instructions() const { return instructions_; }

 private:
  void before(const eu::Thread&, const eu::Plan&, uint32_t enabled);
  void after(const eu::Thread&, const eu::Plan&, uint32_t enabled);
  void show();

  const eu::Program& program_;
  bool json_;
  int thread_ = 0;
  bool pending_ = false;  // an instruction was begun and is not shown
  eu::Thread previous_{};
  nlohmann::ordered_json entry_, instructions_ = nlohmann::ordered_json::array();
};

}  // namespace vitro::cli
