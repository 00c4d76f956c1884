// Tables of shared functions whose rows write into the ledger of rows that ran, for tests: a copy of a generation's
// layout in which a recording function stands in front of each row's own. A row counts when it was carried out; one
// that is unsupported, when it was refused as that. No part of the machine.
#pragma once

#include <deque>

#include "base/rows_ran_test.h"
#include "eu/bench_test.h"
#include "shared/dataport/call.h"
#include "shared/dataport/messages.h"
#include "shared/sampler/call.h"
#include "shared/urb_call.h"

namespace vitro::shared::test {

using vitro::test::ledger, vitro::test::TableRow;

inline bool refused(eu::Reply reply, const std::string& reason) {
  return reply == eu::Reply::faulted && reason.find("unsupported: ") != std::string::npos;
}
inline void note(TableRow row, eu::Reply reply, const std::string& reason, uint32_t descriptor) {
  if (reply == eu::Reply::done || reply == eu::Reply::accepted)
    ledger().record(std::move(row), true, descriptor);
  else if (refused(reply, reason))
    ledger().record(std::move(row), false, descriptor);
}

template <class Layout>
struct Recording {
  const Layout* original;
  std::string generation;
  Layout layout;
  std::deque<std::vector<DataPortMessage>> messages{};  // of data ports, which the layout only refers to
};
// The copies of layouts of one kind; they live as long as the process.
template <class Layout>
std::deque<Recording<Layout>>& recordings() {
  static std::deque<Recording<Layout>> all;
  return all;
}
inline std::mutex recordings_lock;
template <class Layout>
const Recording<Layout>* recording_with(const Layout& copy) {
  const std::lock_guard guard(recordings_lock);
  for (const Recording<Layout>& r : recordings<Layout>())
    if (&r.layout == &copy) return &r;
  return nullptr;
}
// Makes the copy of a layout at its first use; a layout that is no generation's is left as it is.
template <class Layout, class Change>
const Layout& recording_of(const Layout& original, const std::string& generation, Change change) {
  const std::lock_guard guard(recordings_lock);
  if (generation.empty()) return original;
  for (const Recording<Layout>& r : recordings<Layout>())
    if (r.original == &original && r.generation == generation) return r.layout;
  Recording<Layout>& r = recordings<Layout>().emplace_back(Recording<Layout>{&original, generation, original});
  change(r);
  return r.layout;
}

// --- data ports

inline std::string generation_of(const DataPortLayout& l) {
  return &l == &dataport_gen6 ? "Gen6" : &l == &dataport_gen8 ? "Gen8" : &l == &dataport_gen9 ? "Gen9" : "";
}
inline TableRow table_row(const DataPortLayout& original, size_t sfid, const DataPortMessage& m) {
  return {"data ports", generation_of(original), fmt::format("{} {}", sfid, original.functions[sfid].name),
          std::string(m.name)};
}
inline eu::Reply run_recorded(DataPortCall& c) {
  const auto& r = *recording_with(c.port.layout);
  for (size_t sfid = 0; sfid < r.layout.functions.size(); ++sfid) {
    const auto& copies = r.layout.functions[sfid].messages;
    if (copies.empty() || &c.row < &copies.front() || &c.row > &copies.back()) continue;
    const DataPortMessage& m = r.original->functions[sfid].messages[size_t(&c.row - copies.data())];
    const eu::Reply reply = m.run(c);
    constexpr uint32_t chooses = 0x4007FF00;  // not the binding table index, the lengths and the header's presence
    note(table_row(*r.original, sfid, m), reply, c.reason, c.desc & chooses);
    return reply;
  }
  return c.fault("a row of no table");
}
inline const DataPortLayout& recording(const DataPortLayout& original) {
  return recording_of(original, generation_of(original), [](Recording<DataPortLayout>& r) {
    for (DataPortFunction& f : r.layout.functions) {
      auto& copies = r.messages.emplace_back(f.messages.begin(), f.messages.end());
      for (DataPortMessage& m : copies) m.run = run_recorded;
      f.messages = copies;
    }
  });
}
inline bool executes(const DataPortMessage& m) {
  return m.run != undescribed && m.run != render_target_write && m.run != render_target_read;
}

// --- sampling engine

inline std::string generation_of(const SamplerEngineLayout& l) {
  return &l == &sampler_engine_gen6   ? "Gen6"
         : &l == &sampler_engine_gen8 ? "Gen8"
         : &l == &sampler_engine_gen9 ? "Gen9"
                                      : "";
}
inline TableRow table_row(const SamplerEngineLayout& original, const SamplerMessage& m) {
  return {"sampler", generation_of(original), "2 sampler", std::string(m.name)};
}
inline eu::Reply run_recorded(SamplerCall& c) {
  const auto& r = *recording_with(c.engine.layout);
  const SamplerMessage& m = r.original->messages[size_t(&c.row - r.layout.messages.data())];
  const eu::Reply reply = m.run(c);
  note(table_row(*r.original, m), reply, c.reason, 0);
  return reply;
}
inline const SamplerEngineLayout& recording(const SamplerEngineLayout& original) {
  return recording_of(original, generation_of(original), [](Recording<SamplerEngineLayout>& r) {
    for (SamplerMessage& m : r.layout.messages)
      if (m.run) m.run = run_recorded;
  });
}

// --- URB: Gen8 and Gen9 have one layout

inline TableRow table_row(const std::string& generation, const UrbMessage& m) {
  return {"URB", generation, "6 URB", std::string(m.name)};
}
inline eu::Reply run_recorded(UrbCall& c) {
  const auto& r = *recording_with(c.urb.layout);
  const UrbMessage& m = r.original->messages[size_t(&c.row - r.layout.messages.data())];
  const eu::Reply reply = m.run(c);
  constexpr uint32_t chooses = 0x3800F;  // opcode, swizzle, offsets, masks
  note(table_row(r.generation, m), reply, c.reason, c.message.desc & chooses);
  return reply;
}
inline const UrbLayout& recording(const UrbLayout& original, const std::string& generation) {
  return recording_of(original, generation, [](Recording<UrbLayout>& r) {
    for (UrbMessage& m : r.layout.messages)
      if (m.run) m.run = run_recorded;
  });
}

// --- gateway and spawner: no tables to look into, so their messages are listed here

inline constexpr const char* gateway_messages[] = {"OpenGateway", "CloseGateway",       "ForwardMsg",   "GetTimeStamp",
                                                   "BarrierMsg",  "UpdateGatewayState", "MMIOReadWrite"};
inline constexpr const char* spawner_messages[] = {"dereference", "spawn"};

}  // namespace vitro::shared::test
