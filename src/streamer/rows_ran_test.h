// Command sets whose rows write into the ledger of rows that ran, for tests. A row counts for an engine when its
// handler succeeded there; one that is unsupported, when it was refused by name. No part of the machine.
#pragma once

#include <memory>

#include "base/rows_ran_test.h"
#include "streamer/streamer.h"

namespace vitro::streamer::bench {

struct RecordingSet {
  const CommandSet& original;
  CommandSet set;
};

Outcome run_recorded(Execution& e, std::span<const uint32_t> packet);

inline std::vector<Row> recording_rows(const CommandSet& original) {
  std::vector<Row> rows(original.rows().begin(), original.rows().end());
  for (Row& r : rows)
    if (r.effect == Effect::execute) r.run = run_recorded;
  return rows;
}
// One for each generation; rows stand in the same order as in the original.
inline const RecordingSet& recording(const CommandSet& original) {
  static const std::vector<Row> rows[] = {recording_rows(commands_gen6), recording_rows(commands_gen8),
                                          recording_rows(commands_gen9)};
  const auto made = [](const CommandSet& o, size_t n) {
    return RecordingSet{o, CommandSet(o.name, o.registers, o.traits, {rows[n]}, {}, o.generation)};
  };
  static const RecordingSet sets[] = {made(commands_gen6, 0), made(commands_gen8, 1), made(commands_gen9, 2)};
  for (const RecordingSet& s : sets)
    if (&s.original == &original || &s.set == &original) return s;
  throw std::invalid_argument("no set of a generation");
}

inline test::TableRow table_row(const CommandSet& set, const Row& row, commands::Engine engine) {
  return {"commands", std::string(set.name), std::string(commands::engine_names[size_t(engine)]),
          std::string(row.name)};
}

inline Outcome run_recorded(Execution& e, std::span<const uint32_t> packet) {
  const Row* own = e.row;
  Outcome done = recording(e.commands).original.rows()[size_t(own - e.commands.rows().data())].run(e, packet);
  if (done) test::ledger().record(table_row(e.commands, *own, e.state.engine), true);
  return done;
}

}  // namespace vitro::streamer::bench
