// Tables of shared functions whose rows write into the ledger of rows that ran, for tests: a copy of a generation's
// layout in which a recording function stands in front of each row's own. A row counts when it was carried out; one
// that is unsupported, when it was refused as that. No part of the machine.
#pragma once

#include <deque>

#include "base/rows_ran_test.h"
#include "eu/bench_test.h"
#include "shared/dataport/dataport.h"
#include "shared/gateway.h"
#include "shared/sampler/call.h"
#include "shared/spawner.h"
#include "shared/urb.h"

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

// --- messages, by their rows in the tables

inline std::string generation_of(const isa::MessageTables& t) {
  return &t == &isa::messages_gen6 ? "Gen6" : &t == &isa::messages_gen8 ? "Gen8" : "Gen9";
}
inline const char* part_of(size_t sfid) {
  return sfid == Gateway::sfid   ? "gateway"
         : sfid == urb_sfid      ? "URB"
         : sfid == Spawner::sfid ? "spawner"
                                 : "data ports";
}
inline TableRow table_row(const isa::MessageTables& tables, size_t sfid, const isa::MessageRow& row) {
  return {part_of(sfid), generation_of(tables), fmt::format("{} {}", sfid, tables.functions[sfid].name),
          std::string(row.name)};
}
// Notes what became of a message.
inline void note(const isa::MessageTables& tables, size_t sfid, uint32_t desc, eu::Reply reply,
                 const std::string& reason) {
  constexpr uint32_t chooses = 0x4007FF00;  // not the binding table index, the lengths and the header's presence
  const bool port = part_of(sfid) == std::string_view("data ports");
  if (const isa::MessageRow* row = isa::find_message(tables, unsigned(sfid), desc))
    note(table_row(tables, sfid, *row), reply, reason, desc & (port ? chooses : 0x7FFFF));
}
// A shared function behind one that notes; they live as long as the process.
inline eu::SharedFunction noted(const eu::SharedFunction& f, const isa::MessageTables& tables, size_t sfid) {
  struct Noted {
    eu::SharedFunction function;
    const isa::MessageTables& tables;
    size_t sfid;
  };
  static std::deque<Noted> all;
  static std::mutex lock;
  const std::lock_guard guard(lock);
  eu::SharedFunction outer = f;
  outer.context = &all.emplace_back(Noted{f, tables, sfid});
  outer.handle = [](void* context, eu::Thread& t, eu::Message& m, std::string& reason) {
    const Noted& n = *static_cast<Noted*>(context);
    const eu::Reply reply = n.function.handle(n.function.context, t, m, reason);
    note(n.tables, n.sfid, m.desc, reply, reason);
    return reply;
  };
  if (f.gone)
    outer.gone = [](void* context, eu::Thread& t) {
      const Noted& n = *static_cast<Noted*>(context);
      n.function.gone(n.function.context, t);
    };
  outer.locate = nullptr;
  outer.quick = nullptr;
  return outer;
}

template <class Layout>
struct Recording {
  const Layout* original;
  std::string generation;
  Layout layout;
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

}  // namespace vitro::shared::test
