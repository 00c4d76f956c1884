// Rules of messages: surfaces, block sizes, payloads of atomics, lengths of raw sends, and how long raw operands are.
// Documents: the instruction pages of data port, sampler, SVM, URB and VME instructions.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "visa/check_context.h"

namespace vitro::visa {
namespace {

using enum Verdict;
using C = OperandClass;

template <class F>
void each_surface(const CheckContext& c, F f) {
  for (const Field& x : c.row.fields)
    if (x.kind == FieldKind::surface) f(c.all[x.operand]);
}

void surface(const CheckContext& c, Report& report) {
  each_surface(c, [&](const Operand& s) {
    if (s.id < predefined_surfaces && (c.row.refused_surfaces >> s.id & 1))
      report(s, fmt::format("{} does not take {}", c.row.mnemonic, predefined_surface_names[s.id]));
  });
}

constexpr uint32_t bindless_surface = 4;
void bindless(const CheckContext& c, Report& report) {
  each_surface(c, [&](const Operand& s) {
    if (s.id == bindless_surface && c.of.device == bdw) report(s, "Broadwell has no bindless surfaces");
  });
}

// Media blocks: the height goes down as the width goes up.
constexpr struct { uint32_t width, height; } media_blocks[] = {{4, 64}, {8, 32}, {16, 16}, {32, 8}, {64, 4}};
constexpr uint32_t most_block_bytes = 256, most_planes = 4;

void media_block(const CheckContext& c, Report& report) {
  const Operand* wide = c.field("wide");
  if (!wide) return;
  const uint64_t w = wide->value, h = c.value("high");
  const auto b = std::ranges::find_if(media_blocks, [&](const auto& x) { return w <= x.width; });
  if (w < 1 || h < 1 || b == std::end(media_blocks) || h > b->height || w * h > most_block_bytes)
    report(*wide, fmt::format("no block has {} by {} bytes", w, h));
}

void media_plane(const CheckContext& c, Report& report) {
  const Operand* plane = c.field("plane");
  if (plane && plane->value >= most_planes) report(*plane, fmt::format("there is no plane {}", plane->value));
}

// What atomics take, by code: how many sources, and their types; nothing: no such operation.
constexpr Types ud = types(Type::ud), d = types(Type::d), f = types(Type::f);
constexpr struct {
  uint8_t sources;
  Types types;
} atomics[] = {{1, ud | d}, {1, ud | d}, {0, ud}, {0, ud}, {1, ud}, {1, ud}, {1, ud}, {2, ud}, {1, ud}, {1, ud},
               {1, ud},     {1, d},      {1, d},  {0, ud}, {},      {},      {1, f},  {1, f},  {2, f}};
static_assert(std::size(atomics) == std::size(atomic_names));

// The operation of an atomic; nullptr: it is none.
const Operand* atomic(const CheckContext& c) {
  for (const TextItem& t : c.row.items)
    if (t.style == Style::atomic) return c.all + c.row.fields[t.field].operand;
  return nullptr;
}

void atomic_sources(const CheckContext& c, Report& report) {
  const Operand* op = atomic(c);
  if (!op) return;
  const auto& a = atomics[op->value & 31];
  const auto last = std::ranges::find_if(c.operands, [](const OperandFacts& o) { return o.field->written; });
  const OperandFacts* sources[2] = {&*last - 2, &*last - 1};  // they stand before the destination
  for (uint32_t n = 0; n < 2; ++n)
    if (n >= a.sources && sources[n]->operand->id != 0)
      report(*sources[n], fmt::format("{} has no source {}", atomic_names[op->value & 31], n));
}

void atomic_types(const CheckContext& c, Report& report) {
  if (c.row.op != Op::dword_atomic) return;
  const uint64_t op = atomic(c)->value & 31;
  const auto& a = atomics[op];
  for (const OperandFacts& o : c.operands) {
    const bool offsets = &o == c.operands.data();
    if (o.operand->id != 0 && !has(offsets ? ud : a.types, o.type))
      report(o, fmt::format("{} of {} are {}, found {}", offsets ? "offsets" : "operands", atomic_names[op],
                            type_list(offsets ? ud : a.types), row(o.type).name));
  }
}

struct Range {
  std::string_view field;
  uint64_t least, most;
};
void in_range(const CheckContext& c, Report& report, std::span<const Range> ranges) {
  for (const Range& r : ranges) {
    const Operand* o = c.field(r.field);
    if (o && (o->value < r.least || o->value > r.most))
      report(*o, fmt::format("{} is {}: it goes from {} to {}", r.field, o->value, r.least, r.most));
  }
}

void raw_lengths(const CheckContext& c, Report& report) {
  constexpr Range send[] = {{"src", 1, 15}, {"dst", 0, 16}},
                  sends[] = {{"src0", 1, 32}, {"src1", 0, 32}, {"dst", 0, 32}};
  if (c.field("src"))
    in_range(c, report, send);
  else if (c.field("src0"))
    in_range(c, report, sends);
}

void descriptor_lengths(const CheckContext& c, Report& report) {
  if (!c.field("src")) return;
  for (const OperandFacts& o : c.operands) {
    if (!o.is(C::immediate)) continue;
    const uint64_t message = o.operand->value >> 25 & 15, response = o.operand->value >> 20 & 31;
    if (message > c.value("src")) report(o, fmt::format("the message has {} registers", message));
    if (response > c.value("dst")) report(o, fmt::format("the response has {} registers", response));
  }
}

void urb_write(const CheckContext& c, Report& report) {
  constexpr Range ranges[] = {{"outputs", 1, 8}, {"offset", 0, 2047}};
  if (c.row.op == Op::urb_write_3d) in_range(c, report, ranges);
}

void vme_modes(const CheckContext& c, Report& report) {
  constexpr Range stream[] = {{"stream", 0, 3}};
  in_range(c, report, stream);
  const Operand* search = c.field("search");
  if (search && search->value != 0 && search->value != 1 && search->value != 3 && search->value != 7)
    report(*search, fmt::format("there is no search {}", search->value));
}

// What video analytics compute of minimum and maximum: both, or one of them.
void extremes(const CheckContext& c, Report& report) {
  if (c.row.op != Op::va_minmax && c.row.op != Op::va_minmaxfilter) return;
  const OperandFacts& mode = c.operands[c.operands.size() - 2];  // before the destination
  if (mode.is(C::immediate) && mode.operand->value >= std::size(extremes_names))
    report(mode, fmt::format("{} has no mode {}", c.row.mnemonic, mode.operand->value));
}

// Flags of 3D sampler instructions.
constexpr uint64_t pixel_null_mask = 1 << 8, coarse_pixels = 1 << 9;

const Operand* sampler_flags(const CheckContext& c) {
  for (const TextItem& t : c.row.items)
    if (t.style == Style::sampler_flags) return c.all + c.row.fields[t.field].operand;
  return nullptr;
}
void null_mask(const CheckContext& c, Report& report) {
  const Operand* o = sampler_flags(c);
  if (o && (o->value & pixel_null_mask) && c.of.device == bdw) report(*o, "Broadwell has no pixel null mask");
}
void coarse(const CheckContext& c, Report& report) {
  constexpr Op compensated[] = {Op::sample_3d, Op::sample_b, Op::sample_c, Op::sample_b_c, Op::lod};
  const Operand* o = sampler_flags(c);
  if (o && (o->value & coarse_pixels) && std::ranges::find(compensated, c.row.op) == std::end(compensated))
    report(*o, fmt::format("{} compensates no LOD", c.row.mnemonic));
}

void eight_blocks(const CheckContext& c, Report& report) {
  if (c.row.op != Op::svm_gather && c.row.op != Op::svm_scatter) return;
  const uint64_t blocks = block_counts[c.value("count")], bytes = block_sizes[c.value("size")];
  if (blocks == 8 && (bytes == 8 || c.size != 8))
    report(*c.field("count"), "8 blocks are of 1 or 4 bytes, for 8 channels");
}

uint32_t extent(const CheckContext& c, Extent e) {
  const auto code = [&](std::span<const uint8_t> values, uint64_t v) { return v < values.size() ? values[v] : 0u; };
  switch (e) {
    case Extent::unknown: return 0;
    case Extent::dwords: return c.size * 4;
    case Extent::addresses: return c.size * 8;
    case Extent::owords: return code(oword_counts, c.value("size") & 7) * 16;
    case Extent::counted: return code(scatter_counts, c.value("count") & 15) * 4;
    case Extent::channels:
      return (uint32_t(std::popcount(c.value("ch") & 15)) - 1) * std::max(c.size, 8u) * 4 + c.size * 4;
    case Extent::blocks: {
      const uint32_t bytes = code(block_sizes, c.value("size")), blocks = code(block_counts, c.value("count"));
      return c.size * (bytes == 1 ? std::max(blocks, 4u) : bytes * blocks);
    }
    case Extent::atomic: return c.size * (c.value("what") >> 5 == 2 ? 8 : 4);
  }
  return 0;
}

void raw_extent(const CheckContext& c, Report& report, bool written) {
  for (const OperandFacts& o : c.operands) {
    if (!o.is(C::raw) || o.operand->id == 0 || o.field->written != written || o.field->extent == Extent::unknown)
      continue;
    const uint32_t bytes = c.of.variable(o.operand->id).bytes, wanted = extent(c, o.field->extent);
    if (o.operand->value < bytes && o.operand->value + wanted > bytes)
      report(o, fmt::format("{} bytes from byte {} of {}, which has {}", wanted, o.operand->value,
                            c.of.name(o.operand->id), bytes));
  }
}
void written_extent(const CheckContext& c, Report& report) { raw_extent(c, report, true); }
void read_extent(const CheckContext& c, Report& report) { raw_extent(c, report, false); }

constexpr Rule table[] = {
    {"VM-01", error, "a message takes a surface that it can reach: local memory is not sampled, nor read by owords",
     f_surface, surface},
    {"VM-02", error, "Broadwell has no bindless surfaces", f_surface, bindless},
    {"VM-03", error, "a media block has 1 to 64 bytes by 1 to 64 lines, at most 256 bytes", f_surface, media_block},
    {"VM-04", error, "a media block is of plane 0 to 3", f_surface, media_plane},
    {"VM-05", error, "the sources that an atomic operation does not have are %null", f_raw, atomic_sources},
    {"VM-06", error, "operands of dword_atomic have the type of the operation, offsets UD", f_raw, atomic_types},
    {"VM-07", error, "raw sends have 1 to 15 and 0 to 16 registers, split ones up to 32", f_raw, raw_lengths},
    {"VM-08", error, "the lengths in an immediate descriptor are at most those of the raw send", f_raw | f_immediate,
     descriptor_lengths},
    {"VM-09", error, "URB writes have 1 to 8 outputs and an offset up to 2047", f_raw, urb_write},
    {"VM-10", error, "motion estimation has stream modes 0 to 3 and searches 0, 1, 3, 7", f_raw, vme_modes},
    {"VM-11", error, "Broadwell has no pixel null mask", f_raw, null_mask},
    {"VM-12", error, "the LOD of coarse pixels is compensated by sample, b, c, b_c and lod only", f_raw, coarse},
    {"VM-13", differs, "8 blocks are of 4 bytes, or of one, for 8 channels: the finalizer takes other sizes", f_raw,
     eight_blocks},
    {"VM-14", undefined, "all that a message writes to a raw operand lies in its variable", f_raw, written_extent},
    {"VM-14.1", differs,
     "all that a message reads of a raw operand lies in its variable: the compiler stores 8 bytes by an oword", f_raw,
     read_extent},
    {"VM-15", error, "minima and maxima have modes 0 to 2: both, the maximum, the minimum", f_immediate, extremes},
};

}  // namespace

std::span<const Rule> message_rules() { return table; }

}  // namespace vitro::visa
