// Binding memory for vitro exec, and messages from groups of threads to shared functions; see surroundings.h.
#include "cli/surroundings.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstring>
#include <new>

namespace vitro::cli {
namespace {

bool number(const std::string& text, uint64_t& value) { return CLI::detail::lexical_cast(text, value); }

}  // namespace

Result<Mapping> parse_mapping(const std::string& text) {
  Mapping m;
  const size_t equals = text.find('=');
  if (equals == text.npos || !number(text.substr(0, equals), m.address) || equals + 1 == text.size())
    return failure(fmt::format("{}: not ADDRESS=FILE, ADDRESS=FILE:rw or ADDRESS=zero:BYTES", text));
  m.file = text.substr(equals + 1);
  if (m.file.starts_with("zero:")) {
    uint64_t bytes = 0;
    if (!number(m.file.substr(5), bytes) || bytes == 0 || bytes > uint64_t{1} << 32)
      return failure(fmt::format("{}: zero: takes a number of bytes", text));
    m.file.clear(), m.writable = true;
    m.bytes.resize(bytes);
  } else if (m.file.ends_with(":rw")) {
    m.file.resize(m.file.size() - 3), m.writable = true;
  }
  return m;
}

Result<ShownMemory> parse_shown_memory(const std::string& text) {
  ShownMemory m;
  const size_t colon = text.find(':');
  if (colon == text.npos || !number(text.substr(0, colon), m.address) || !number(text.substr(colon + 1), m.bytes) ||
      m.bytes == 0 || m.bytes % 4)
    return failure(fmt::format("{}: not ADDRESS:BYTES with a multiple of four bytes", text));
  return m;
}

Surroundings::Surroundings(const gen::Machine& machine, std::vector<Mapping> mappings, uint64_t surface_base,
                           uint32_t binding_table)
    : machine_(machine), mappings_(std::move(mappings)), view_(nullptr), urb_(machine.urb, machine.urb_bytes) {
  std::vector<memory::Range> ranges;
  for (Mapping& m : mappings_) ranges.push_back({m.address, m.bytes.size(), m.bytes.data(), !m.writable});
  space_.bind(ranges);
  view_ = memory::View(space_.table(), true);
  environment_.memory = &view_;
  environment_.bases.surface.address = surface_base;
  environment_.binding_table = binding_table;
}

Surroundings::~Surroundings() {
  for (const auto& [storage, row] : contexts_) {
    row->destroy(storage);
    ::operator delete(storage, std::align_val_t(row->alignment));
  }
}

void Surroundings::install(eu::SharedFunctions& functions) {
  eu::SharedFunctions own{};
  for (const dispatch::FunctionRow& row : machine_.functions) {
    void* storage = ::operator new(row.bytes, std::align_val_t(row.alignment));
    row.construct(storage, environment_, own);
    contexts_.emplace_back(storage, &row);
  }
  for (size_t sfid = 0; sfid < own.size(); ++sfid)
    if (own[sfid].handle) {
      grouped_[sfid] = {own[sfid], this};
      functions[sfid] = {handle, &grouped_[sfid]};
    }
  functions[shared::urb_sfid] = urb_.function();
}

eu::Reply Surroundings::handle(void* context, eu::Thread& sender, eu::Message& message, std::string& reason) {
  const Grouped& g = *static_cast<Grouped*>(context);
  Surroundings& s = *g.owner;
  if (const auto group = s.groups_.find(&sender); group != s.groups_.end()) s.environment_.slm = s.slm_[group->second];
  const eu::Reply reply = g.function.handle(g.function.context, sender, message, reason);
  if (s.view_.must_fault()) s.view_ = memory::View(s.space_.table(), true);  // one thread's mistake is not the next's
  return reply;
}

void Surroundings::seat(const eu::Thread& thread, uint32_t group) {
  groups_[&thread] = group;
  slm_[group].resize(slm_bytes);
}

std::vector<Surroundings::Writable> Surroundings::writable() const {
  std::vector<Writable> all;
  for (const Mapping& m : mappings_)
    if (m.writable) all.push_back({m.address, false, m.bytes});
  for (const auto& [group, bytes] : slm_) all.push_back({group, true, bytes});
  return all;
}

std::vector<uint32_t> Surroundings::dwords(const ShownMemory& shown) const {
  memory::View view(space_.table());
  std::vector<uint32_t> v(shown.bytes / 4);
  view.read(shown.address, std::as_writable_bytes(std::span(v)));
  if (view.misses().first) v.clear();
  return v;
}

}  // namespace vitro::cli
