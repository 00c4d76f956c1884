// Tables of shared functions whose rows write into the ledger of rows that ran, for tests: a copy of a generation's
// layout in which a recording function stands in front of each row's own. A row counts when it was carried out; one
// that is unsupported, when it was refused as that. No part of the machine.
#pragma once

#include <deque>

#include "base/host_floats.h"
#include "base/rows_ran_test.h"
#include "eu/bench_test.h"
#include "shared/dataport/dataport.h"
#include "shared/gateway.h"
#include "shared/pixel_interpolator.h"
#include "shared/sampler/sampler.h"
#include "shared/spawner.h"
#include "shared/urb.h"

namespace vitro::shared::test {

using vitro::test::ledger, vitro::test::TableRow;

inline void note(TableRow row, eu::Reply reply, uint32_t descriptor) {
  if (reply == eu::Reply::done || reply == eu::Reply::accepted)
    ledger().record(std::move(row), true, descriptor);
  else if (reply == eu::Reply::unsupported)
    ledger().record(std::move(row), false, descriptor);
}

// --- messages, by their rows in the tables

inline std::string generation_of(const isa::MessageTables& t) {
  return &t == &isa::messages_gen6 ? "Gen6" : &t == &isa::messages_gen8 ? "Gen8" : "Gen9";
}
inline const char* part_of(size_t sfid) {
  return sfid == sampler_sfid              ? "sampler"
         : sfid == Gateway::sfid           ? "gateway"
         : sfid == urb_sfid                ? "URB"
         : sfid == Spawner::sfid           ? "spawner"
         : sfid == pixel_interpolator_sfid ? "pixel interpolator"
                                           : "data ports";
}
inline TableRow table_row(const isa::MessageTables& tables, size_t sfid, const isa::MessageRow& row) {
  return {part_of(sfid), generation_of(tables), fmt::format("{} {}", sfid, tables.functions[sfid].name),
          std::string(row.name)};
}
// Notes what became of a message.
inline void note(const isa::MessageTables& tables, size_t sfid, uint32_t desc, eu::Reply reply) {
  constexpr uint32_t chooses = 0x4007FF00;  // not the binding table index, the lengths and the header's presence
  const bool port = part_of(sfid) == std::string_view("data ports");
  if (const isa::MessageRow* row = isa::find_message(tables, unsigned(sfid), desc))
    note(table_row(tables, sfid, *row), reply, desc & (port ? chooses : 0x7FFFF));
}
// What says that it computes no floats is carried out in modes in which anybody would see that it does.
inline uint32_t modes_for(const isa::MessageTables& tables, size_t sfid, uint32_t desc) {
  const isa::MessageRow* row = isa::find_message(tables, unsigned(sfid), desc);
  const bool computes = !row || isa::computes_floats(row->shape.action);
  return computes ? HostFloats::plain : HostFloats::flush | HostFloats::up;
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
    const HostFloats floats(modes_for(n.tables, n.sfid, m.desc));
    const eu::Reply reply = n.function.handle(n.function.context, t, m, reason);
    note(n.tables, n.sfid, m.desc, reply);
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

}  // namespace vitro::shared::test
