// Adding up and printing what was executed. The report is for people (text, the largest numbers first) and for scripts
// (JSON, every number).
#include "device/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

namespace vitro::device {
namespace {

template <class To, class From>
void add_all(To& to, const From& from) {
  for (const auto& [key, count] : from) to[key] += count;
}

using Rows = std::vector<std::pair<std::string, uint64_t>>;

template <class Counts>
Rows rows_of(const Counts& counts) {
  Rows rows;
  for (const auto& [name, count] : counts) rows.emplace_back(std::string(name), count);
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  return rows;
}

Rows message_rows(const dispatch::Counts& counts) {
  std::map<std::string, uint64_t> named;
  for (const auto& [key, count] : counts.messages) named[fmt::format("sfid {}: {}", key.first, key.second)] += count;
  return rows_of(named);
}

Rows register_rows(const std::map<uint32_t, uint64_t>& registers) {
  std::map<std::string, uint64_t> named;
  for (const auto& [offset, count] : registers) named[fmt::format("{:#x}", offset)] += count;
  return rows_of(named);
}

Rows drain_rows(const pipeline::DrainCounts& drains) {
  std::map<std::string, uint64_t> named;
  for (size_t k = 0; k < drains.size(); ++k)
    if (drains[k]) named[std::string(pipeline::drain_reason_names[k])] = drains[k];
  return rows_of(named);
}

void append_section(std::string& out, std::string_view title, const Rows& rows) {
  if (rows.empty()) return;
  out += fmt::format("  {}\n", title);
  for (const auto& [name, count] : rows) out += fmt::format("    {:<52} {:>14}\n", name, count);
}

nlohmann::json object_of(const Rows& rows) {
  nlohmann::json object = nlohmann::json::object();
  for (const auto& [name, count] : rows) object[name] = count;
  return object;
}

double seconds(std::chrono::nanoseconds t) { return std::chrono::duration<double>(t).count(); }

constexpr std::array<std::string_view, engine_count> engine_names{"render", "copy", "video", "video_enhance"};

Rows batch_rows(const Tally& t) {
  Rows rows;
  for (size_t i = 0; i < engine_count; ++i)
    if (t.batches[i]) rows.emplace_back(engine_names[i], t.batches[i]);
  return rows;
}

Rows drawing_rows(const Tally& t) {
  return {{"draws", t.commands.draws},
          {"primitives assembled", t.scenes.assembled},
          {"primitives rasterised", t.scenes.rasterised},
          {"pixels shaded", t.scenes.pixels},
          {"pixels painted as rectangles", t.scenes.painted},
          {"pixel threads of 8 lanes", t.scenes.pixel_threads[0]},
          {"pixel threads of 16 lanes", t.scenes.pixel_threads[1]},
          {"pixel threads of 32 lanes", t.scenes.pixel_threads[2]},
          {"scenes", t.scenes.scenes},
          {"chunks", t.scenes.chunks},
          {"bins", t.scenes.bins},
          {"bytes of the largest scene", t.scenes.largest_scene}};
}

Rows tier_rows(const dispatch::Counts& c, const dispatch::TierCounts& tier) {
  return {{"kernels compiled", tier.compiled},
          {"kernels from the cache", tier.loaded},
          {"kernels fused with their routines", tier.fused},
          {"fused kernels from the cache", tier.fused_loaded},
          {"kernels that cannot be compiled", tier.failed},
          {"kernels that took too long to compile", tier.given_up},
          {"their instructions in machine code", tier.native},
          {"their instructions that call the interpreter", tier.called},
          {"their instructions left to the interpreter", tier.left},
          {"bytes of machine code", tier.code_bytes},
          {"threads run as machine code", c.compiled_threads},
          {"threads interpreted", c.threads - c.compiled_threads}};
}

void append_visa(std::string& out, const dispatch::Counts& c, const visa::DumpCounts& dumps) {
  append_section(out, "vISA",
                 {{"threads run from vISA", c.substituted_threads},
                  {"threads run from code", c.threads - c.substituted_threads},
                  {"findings", dumps.findings}});
  for (const std::string& name : dumps.matched) out += fmt::format("    from vISA: {}\n", name);
  for (const std::string& name : dumps.unmatched) out += fmt::format("    from code: {}\n", name);
}

}  // namespace

Tally& Tally::operator+=(const Tally& other) {
  add_all(commands.commands, other.commands.commands);
  add_all(commands.unsupported, other.commands.unsupported);
  add_all(commands.unknown_registers, other.commands.unknown_registers);
  add_all(commands.privileged, other.commands.privileged);
  commands.batches += other.commands.batches;
  commands.interrupts += other.commands.interrupts;
  commands.signals += other.commands.signals;
  commands.draws += other.commands.draws;
  for (size_t k = 0; k < commands.drains.size(); ++k) commands.drains[k] += other.commands.drains[k];
  threads += other.threads;
  scenes += other.scenes;
  misses += other.misses;
  for (size_t i = 0; i < engine_count; ++i) batches[i] += other.batches[i];
  faults += other.faults;
  add_all(fault_reasons, other.fault_reasons);
  streaming += other.streaming;
  return *this;
}

std::vector<std::string> Statistics::untold(const Tally& tally) {
  constexpr size_t most = 100;  // a program may make kernels without end
  std::vector<std::string> lines;
  if (tally.threads.illegal.empty()) return lines;
  const std::lock_guard guard(lock_);
  for (const auto& [name, count] : tally.threads.illegal)
    if (told_.size() < most && told_.insert(name).second) lines.push_back(name + " is passed over");
  return lines;
}

std::string Statistics::text(std::string_view device, unsigned workers, const dispatch::TierCounts& tier,
                             const std::optional<visa::DumpCounts>& dumps) const {
  const std::lock_guard guard(lock_);
  const Tally& t = total_;
  std::string out = fmt::format("vitro: {}, {} workers\n", device, workers);
  append_section(out, "batches", batch_rows(t));
  append_section(out, "commands", rows_of(t.commands.commands));
  append_section(
      out, "EU",
      {{"groups", t.threads.groups}, {"threads", t.threads.threads}, {"instructions", t.threads.instructions}});
  if (tier.compiled || tier.loaded || tier.failed || tier.given_up)
    append_section(out, "JIT", tier_rows(t.threads, tier));
  if (dumps) append_visa(out, t.threads, *dumps);
  if (t.commands.draws) append_section(out, "drawing", drawing_rows(t));
  append_section(out, "scenes drained", drain_rows(t.commands.drains));
  append_section(out, "instructions", rows_of(t.threads.opcodes));
  append_section(out, "messages", message_rows(t.threads));
  out += fmt::format("  time\n    {:<52} {:>12.6f} s\n    {:<52} {:>12.6f} s\n", "command streamer",
                     seconds(t.streaming - t.threads.spent), "EU threads", seconds(t.threads.spent));
  if (tier.compiled)
    out += fmt::format("    {:<52} {:>12.6f} s\n", "compiling, beside the others", tier.milliseconds / 1000);
  const uint64_t reads = t.misses.reads + t.threads.misses.reads, writes = t.misses.writes + t.threads.misses.writes;
  if (reads || writes) append_section(out, "accesses to unmapped addresses", {{"reads", reads}, {"writes", writes}});
  append_section(out, "unsupported", rows_of(t.commands.unsupported));
  append_section(out, "illegal opcodes, passed over", rows_of(t.threads.illegal));
  append_section(out, "registers without a meaning here", register_rows(t.commands.unknown_registers));
  append_section(out, "privileged, so without effect", rows_of(t.commands.privileged));
  append_section(out, "faults", rows_of(t.fault_reasons));
  return out;
}

std::string Statistics::json(std::string_view device, unsigned workers, const dispatch::TierCounts& tier,
                             const std::optional<visa::DumpCounts>& dumps) const {
  const std::lock_guard guard(lock_);
  const Tally& t = total_;
  nlohmann::json j;
  j["device"] = device;
  j["workers"] = workers;
  j["batches"] = object_of(batch_rows(t));
  j["commands"] = object_of(rows_of(t.commands.commands));
  j["groups"] = t.threads.groups;
  j["threads"] = t.threads.threads;
  j["instructions"] = t.threads.instructions;
  j["jit"] = {{"compiled", tier.compiled},
              {"cached", tier.loaded},
              {"fused", tier.fused},
              {"fused_cached", tier.fused_loaded},
              {"failed", tier.failed},
              {"given_up", tier.given_up},
              {"native_instructions", tier.native},
              {"called_instructions", tier.called},
              {"left_instructions", tier.left},
              {"code_bytes", tier.code_bytes},
              {"milliseconds", tier.milliseconds},
              {"compiled_threads", t.threads.compiled_threads},
              {"interpreted_threads", t.threads.threads - t.threads.compiled_threads}};
  if (dumps)
    j["visa"] = {{"threads", t.threads.substituted_threads},
                 {"matched", dumps->matched},
                 {"unmatched", dumps->unmatched},
                 {"findings", dumps->findings}};
  j["opcodes"] = object_of(rows_of(t.threads.opcodes));
  j["messages"] = object_of(message_rows(t.threads));
  j["seconds"] = {{"streamer", seconds(t.streaming - t.threads.spent)}, {"eu", seconds(t.threads.spent)}};
  j["unmapped"] = {{"reads", t.misses.reads + t.threads.misses.reads},
                   {"writes", t.misses.writes + t.threads.misses.writes}};
  j["unsupported"] = object_of(rows_of(t.commands.unsupported));
  j["illegal_opcodes"] = object_of(rows_of(t.threads.illegal));
  j["draws"] = t.commands.draws;
  j["primitives"] = {{"assembled", t.scenes.assembled}, {"rasterised", t.scenes.rasterised}};
  j["pixels"] = t.scenes.pixels;
  j["pixels_painted"] = t.scenes.painted;
  for (size_t w = 0; w < t.scenes.pixel_threads.size(); ++w)
    j["pixel_threads"][std::to_string(pipeline::pixel_lanes[w])] = t.scenes.pixel_threads[w];
  j["scenes"] = t.scenes.scenes;
  j["chunks"] = t.scenes.chunks;
  j["bins"] = t.scenes.bins;
  j["largest_scene_bytes"] = t.scenes.largest_scene;
  j["shares"] = nlohmann::json::array();
  for (const pipeline::WorkerShare& s : t.scenes.shares)
    j["shares"].push_back({{"chunks", s.chunks}, {"bins", s.bins}});
  j["scenes_drained"] = object_of(drain_rows(t.commands.drains));
  j["unknown_registers"] = object_of(register_rows(t.commands.unknown_registers));
  j["privileged"] = object_of(rows_of(t.commands.privileged));
  j["faults"] = object_of(rows_of(t.fault_reasons));
  return j.dump(2) + "\n";
}

}  // namespace vitro::device
