// How fast bytes of batches become text, JSON and a page: packets as drivers write them, thousands of each. Prints
// MB/s of processor time; exits with 1 if text is made at less than 10 MB/s.
#include <fmt/format.h>

#include <ctime>
#include <memory>
#include <vector>

#include "commands/media_layouts.h"
#include "commands/mi_layouts.h"
#include "commands/pipe.h"
#include "commands/three_d_layout_tables.h"
#include "decode/printer.h"
#include "gen/machine.h"

using namespace vitro;

namespace {

constexpr size_t wanted_bytes = 10 << 20;
constexpr double least = 10;  // MB/s
constexpr uint64_t start = 0x100000;

template <const auto& layout>
void add(std::vector<uint32_t>& batch) {
  const size_t at = batch.size();
  batch.resize(at + size_t(layout.dwords));
  typename std::remove_cvref_t<decltype(layout)>::Struct s{};
  pack(layout, s, std::span(batch).subspan(at));
  for (size_t d = at + 1; d < batch.size(); ++d) batch[d] |= uint32_t(d * 0x01000193 & 0x00010101);
}

// A draw and a dispatch after the other, without the pointers they would have.
std::vector<uint32_t> make_batch() {
  namespace t = commands::three_d::every;
  namespace g = commands::gen9;
  std::vector<uint32_t> batch;
  while (batch.size() * 4 < wanted_bytes) {
    add<g::pipe_control>(batch);
    add<t::vs>(batch);
    add<t::clip>(batch);
    add<commands::three_d::gen9::ps>(batch);
    add<t::vf_topology>(batch);
    add<g::mi_store_register_mem>(batch);
    add<t::primitive>(batch);
    add<commands::media_fields::gpgpu_walker>(batch);
    batch.insert(batch.end(), {0, 0, 0x11000003, 0x2600, 5, 0x2608, 6});  // MI_NOOP, MI_LOAD_REGISTER_IMM
  }
  batch.push_back(0x05000000);
  return batch;
}

}  // namespace

int main() {
  std::vector<uint32_t> batch = make_batch();
  const gen::Machine& machine = gen::machine(*gen::find_device("kbl"));
  const decode::Language& language = machine.commands.language();
  memory::View view(std::make_shared<memory::Table>(std::vector<memory::Range>{
      {.start = start, .bytes = batch.size() * 4, .host = reinterpret_cast<std::byte*>(batch.data())}}));
  const auto measure = [&](const char* what, auto make) {
    uint64_t bytes = 0;
    const std::clock_t began = std::clock();
    const std::unique_ptr<decode::Printer> printer = make([&](std::string_view more) { bytes += more.size(); });
    decode::Walker walker(language, machine.model, {.follow = false}, [&](const decode::Item& i) { printer->item(i); });
    decode::Context context;
    const decode::Summary s = walker.walk(view, view, context, {.address = start});
    printer->finish();
    const double took = double(std::clock() - began) / CLOCKS_PER_SEC;
    const double speed = double(s.dwords * 4) / took / 1e6;
    fmt::print("{:<8}{:8.1f} MB/s of batch, {:8.1f} MB/s of output, {} commands\n", what, speed,
               double(bytes) / took / 1e6, s.commands);
    return speed;
  };
  const double text =
      measure("text", [&](decode::Output o) { return decode::text_printer(language, std::move(o), false, false); });
  measure("brief", [&](decode::Output o) { return decode::text_printer(language, std::move(o), false, true); });
  measure("json", [&](decode::Output o) { return decode::json_printer(language, std::move(o)); });
  measure("html", [&](decode::Output o) { return decode::html_printer(language, std::move(o), "bench"); });
  return text < least ? 1 : 0;
}
