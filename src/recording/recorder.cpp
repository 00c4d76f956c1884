// Memory, page tables, context images and submissions of a recording that is made; see recorder.h. Sources: as for
// aub.h; the context image as Linux intel_lrc.c and Mesa's gfx8_context.h have it.
#include "recording/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "recording/context_image.h"

namespace vitro::recording {
namespace {

using memory::page_bytes;

constexpr uint64_t most_memory = uint64_t{64} << 30;
constexpr uint64_t entry_present = 1, entry_writable = 2;
constexpr unsigned index_bits = 9, page_bits = 12, root_level = 4;
constexpr uint64_t ring_bytes = page_bytes, status_page_bytes = page_bytes, image_bytes = page_bytes;
constexpr uint64_t old_ring = 0x7FFF0000;  // where no object of the aliasing PPGTT is likely to be
constexpr uint32_t load_register_imm = 0x11001000, batch_buffer_end = 0x05000000;
constexpr uint32_t batch_buffer_start = 0x18800100;  // in the PPGTT
constexpr uint32_t descriptor_flags = 0x119;         // valid, four levels, PPGTT
constexpr uint32_t gfx_mode = 0x29C, gfx_mode_execlists = 0x80008000;
constexpr uint32_t head_index = 5, tail_index = 7;  // dwords of the image

std::span<const std::byte> bytes_of(const std::byte* p) { return {p, size_t(page_bytes)}; }

// The register state of a context: pairs of offset and value, at the indices that drivers and tools expect.
std::vector<uint32_t> make_image(uint32_t base, uint64_t ring, uint64_t pml4) {
  std::vector<uint32_t> image(image_bytes / 4);
  size_t at = 1;
  const auto load = [&](std::initializer_list<std::pair<uint32_t, uint32_t>> pairs) {
    image[at++] = load_register_imm | uint32_t(2 * pairs.size() - 1);
    for (const auto& [offset, value] : pairs) image[at++] = base + offset, image[at++] = value;
  };
  load({{0x244, 0x90009},  // context control: no synchronous switch, no restore of the engine
        {ring_head, 0},
        {ring_tail, 0},
        {ring_start, uint32_t(ring)},
        {ring_control, uint32_t(ring_bytes - page_bytes) | 1},
        {0x168, 0},
        {0x140, 0},
        {0x110, 0},
        {0x11C, 0},
        {0x114, 0},
        {0x118, 0},
        {0x1C0, 0},
        {0x1C4, 0},
        {0x1C8, 0}});
  at = 0x21;
  load({{0x3A8, 0},
        {0x28C, 0},
        {0x288, 0},
        {0x284, 0},
        {0x280, 0},
        {0x27C, 0},
        {0x278, 0},
        {0x274, uint32_t(pml4 >> 32)},
        {pdp0_low, uint32_t(pml4)}});
  image[at + 12] = batch_buffer_end;
  return image;
}

}  // namespace

Recorder::Recorder(Sink sink, RecorderOptions options)
    : options_(std::move(options)),
      writer_(std::move(sink), options_.zstd),
      physical_(std::make_shared<Pages>(most_memory)) {
  if (options_.old_form)
    writer_.old_header(options_.pci_id, options_.program);
  else
    writer_.trace_header(options_.pci_id, options_.program);
}

uint64_t Recorder::new_pages(uint64_t bytes) {
  const uint64_t at = next_physical_;
  next_physical_ += (bytes + page_bytes - 1) / page_bytes * page_bytes;
  return at;
}

Recorder::Context& Recorder::context(uint64_t key) {
  const auto [at, is_new] = contexts_.try_emplace(key);
  if (is_new) {
    at->second.number = uint32_t(contexts_.size());
    at->second.pml4 = new_pages(page_bytes);
  }
  return at->second;
}

std::optional<uint64_t> Recorder::place(const memory::Range& range) {
  const auto known = blocks_.find(range.host);
  if (known != blocks_.end() && known->second.bytes >= range.bytes) return known->second.address;
  // Others that were here are gone.
  auto at = blocks_.upper_bound(range.host);
  if (at != blocks_.begin() && std::prev(at)->first + std::prev(at)->second.bytes > range.host) --at;
  while (at != blocks_.end() && at->first < range.host + range.bytes) at = blocks_.erase(at);
  const Block block{range.bytes, new_pages(range.bytes)};
  for (uint64_t n = 0; n < block.bytes; n += page_bytes)
    if (!physical_->page(block.address + n)) return std::nullopt;
  blocks_[range.host] = block;
  return block.address;
}

// The program's memory to the copy and to the file, page by page where they differ, `all`: where they do not, too.
bool Recorder::copy(const memory::Range& range, uint64_t address, bool all) {
  std::array<std::byte, page_bytes> last;
  for (uint64_t n = 0; n < range.bytes; n += page_bytes) {
    std::byte* const kept = physical_->page(address + n);
    if (!kept) return false;
    const std::byte* now = range.host + n;
    const uint64_t bytes = std::min(page_bytes, range.bytes - n);
    if (bytes < page_bytes) {
      last = {};
      std::memcpy(last.data(), now, bytes);
      now = last.data();
    }
    if (!all && std::memcmp(kept, now, page_bytes) == 0) continue;
    // The program may go on changing it: what is put down is what is executed.
    std::memcpy(kept, now, page_bytes);
    if (options_.old_form)
      writer_.old_data(range.start + n, bytes_of(kept));
    else
      writer_.memory(aub::physical, address + n, bytes_of(kept));
  }
  return true;
}

uint64_t Recorder::table(Context& c, unsigned level, uint64_t start) {
  if (level == root_level) return c.pml4;
  const unsigned shift = page_bits + index_bits * level;
  const uint64_t key = start >> shift << shift | level;
  const auto [at, is_new] = c.tables.try_emplace(key);
  if (is_new) {
    at->second = new_pages(page_bytes);
    const uint64_t entry = at->second | entry_present | entry_writable;
    const uint64_t index = start >> shift & ((1 << index_bits) - 1);
    const uint64_t where = table(c, level + 1, start) + 8 * index;
    const auto bytes = std::as_bytes(std::span(&entry, 1));
    static_cast<void>(physical_->write(where, bytes));
    writer_.memory(aub::physical, where, bytes);
  }
  return at->second;
}

void Recorder::map(Context& c, uint64_t start, uint64_t address, uint64_t bytes) {
  std::vector<uint64_t> entries;
  const uint64_t pages = (bytes + page_bytes - 1) / page_bytes;
  for (uint64_t n = 0; n < pages;) {
    const uint64_t at = start + n * page_bytes;
    const uint64_t index = at >> page_bits & ((1 << index_bits) - 1);
    const uint64_t count = std::min(pages - n, (uint64_t{1} << index_bits) - index);
    entries.clear();
    for (uint64_t k = 0; k < count; ++k)
      entries.push_back((address + (n + k) * page_bytes) | entry_present | entry_writable);
    const uint64_t where = table(c, 1, at) + 8 * index;
    static_cast<void>(physical_->write(where, std::as_bytes(std::span(entries))));
    writer_.memory(aub::physical, where, std::as_bytes(std::span(entries)));
    n += count;
  }
}

void Recorder::write_ggtt(uint64_t address, std::span<const uint32_t> dwords, uint32_t hint) {
  writer_.memory(aub::ggtt, address, std::as_bytes(dwords), hint);
}

// Ring, status page and image of a context on an engine.
uint64_t Recorder::ring(Context& c, commands::Engine engine) {
  const auto [at, is_new] = c.rings.try_emplace(engine);
  if (!is_new) return at->second;
  constexpr uint64_t bytes = ring_bytes + status_page_bytes + image_bytes;
  const uint64_t start = at->second = next_ggtt_;
  next_ggtt_ += bytes;
  const uint64_t physical = new_pages(bytes);
  std::vector<uint64_t> entries;
  for (uint64_t n = 0; n < bytes; n += page_bytes) entries.push_back((physical + n) | entry_present);
  writer_.memory(aub::ggtt_entry, start / page_bytes * PageTables::ggtt_entry_bytes, std::as_bytes(std::span(entries)));
  const uint32_t base = engine_bases[size_t(engine)];
  const std::vector<uint32_t> empty(page_bytes / 4);
  write_ggtt(start, empty, aub::hint_ring);
  write_ggtt(start + ring_bytes, empty, aub::hint_context + uint32_t(engine));
  write_ggtt(start + ring_bytes + status_page_bytes, make_image(base, start, c.pml4),
             aub::hint_context + uint32_t(engine));
  writer_.write_register(base + gfx_mode, gfx_mode_execlists);
  return start;
}

void Recorder::submit(Context& c, const Batch& b) {
  const uint64_t address = memory::to_canonical(b.address);
  if (options_.old_form) {
    const std::array<uint32_t, 2> commands{batch_buffer_start, uint32_t(b.address)};
    writer_.old_commands(b.engine, old_ring, commands);
    return;
  }
  const uint64_t start = ring(c, b.engine);
  const uint64_t image = start + ring_bytes + status_page_bytes;
  const std::array<uint32_t, 4> commands{batch_buffer_start | 1, uint32_t(address), uint32_t(address >> 32), 0};
  write_ggtt(start, commands, aub::hint_ring);
  write_ggtt(image + 4 * head_index, std::array<uint32_t, 1>{0});
  write_ggtt(image + 4 * tail_index, std::array<uint32_t, 1>{uint32_t(sizeof commands)});
  const uint32_t base = engine_bases[size_t(b.engine)];
  for (const uint32_t dword : {0u, 0u, c.number, uint32_t(start + ring_bytes) | descriptor_flags})
    writer_.write_register(base + execlist_submit_port, dword);
  constexpr uint32_t active = 1 << 4;
  writer_.poll_register(base + execlist_status, active, 0);
}

template <class F>
void Recorder::for_each_page(const Batch& batch, F&& visit) {
  for (const memory::Range& r : batch.objects) {
    const std::optional<uint64_t> address = place(r);
    if (!address || r.read_only) continue;
    for (uint64_t n = 0; n < r.bytes; n += page_bytes) visit(r.start + n, *address + n);
  }
}

std::shared_ptr<const memory::Table> Recorder::begin(const Batch& batch) {
  current_ = &context(options_.old_form ? 0 : batch.context);
  memory::AddressSpace space;
  std::vector<memory::Range> copies;
  for (const memory::Range& r : batch.objects) {
    const std::optional<uint64_t> address = place(r);
    if (!address) return nullptr;
    // What was mapped here before goes; the old form has memory by virtual addresses.
    auto& mapped = current_->mapped;
    const auto known = mapped.find(r.start);
    const bool is_new = known == mapped.end() || known->second.address != *address || known->second.bytes != r.bytes;
    if (is_new) {
      auto at = mapped.upper_bound(r.start);
      if (at != mapped.begin() && std::prev(at)->first + std::prev(at)->second.bytes > r.start) --at;
      while (at != mapped.end() && at->first < r.end()) at = mapped.erase(at);
      mapped[r.start] = {r.bytes, *address};
      if (!options_.old_form) map(*current_, r.start, *address, r.bytes);
    }
    if (!copy(r, *address, options_.old_form && is_new)) return nullptr;
    for (uint64_t n = 0; n < r.bytes;) {  // as far as the copy is in one piece
      const uint64_t piece = std::min(r.bytes - n, Pages::chunk_bytes - (*address + n) % Pages::chunk_bytes);
      copies.push_back({r.start + n, piece, physical_->page(*address + n), r.read_only, physical_});
      n += piece;
    }
  }
  space.bind(copies);
  writer_.comment(fmt::format("vitro: timestamp {:#x}", batch.timestamp));
  submit(*current_, batch);
  if (options_.expectations) {
    before_.clear();
    for_each_page(batch, [&](uint64_t, uint64_t address) {
      const std::byte* const p = physical_->page(address);
      before_.insert(before_.end(), p, p + page_bytes);
    });
  }
  return space.table();
}

void Recorder::end(const Batch& batch, const std::string& fault) {
  if (!fault.empty()) {
    writer_.comment("vitro: " + fault);
  } else if (options_.expectations) {
    size_t at = 0;
    for_each_page(batch, [&](uint64_t start, uint64_t address) {
      const std::byte* const p = physical_->page(address);
      if (std::memcmp(before_.data() + at, p, page_bytes) != 0)
        writer_.expect(options_.old_form ? aub::local : aub::physical, options_.old_form ? start : address,
                       bytes_of(p));
      at += page_bytes;
    });
  }
}

}  // namespace vitro::recording
