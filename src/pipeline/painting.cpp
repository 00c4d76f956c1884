// Finding out what draws paint, and painting rectangles. PRM: as painting.h.
#include "pipeline/painting.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "eu/affine.h"
#include "pipeline/block.h"
#include "shared/bindings.h"
#include "shared/dataport/colour_payload.h"
#include "shared/sampler/sampler.h"

namespace vitro::pipeline {

namespace {

using isa::MessageAction, isa::Parameter;
using memory::Tiling;
using shared::SurfaceFacts, shared::SurfaceKey;

bool sends(const eu::Plan& p) {
  return p.row && (p.row->format == isa::Format::send || p.row->format == isa::Format::split_send);
}
bool does(const eu::Plan& p, MessageAction action) {
  return p.knows_message() && p.message.row && !p.message.shape.reserved_field && p.message.shape.action == action;
}
eu::Message message_of(const eu::Plan& p) {
  return {.desc = p.instruction.desc.imm, .ex_desc = p.instruction.ex_desc.imm};
}

// A payload's register, as a byte of the register file; nothing if it was not sent.
std::optional<unsigned> payload_at(const eu::Plan& p, unsigned n) {
  const eu::Message m = message_of(p);
  const bool split = p.row->format == isa::Format::split_send;
  if (n >= m.mlen() + (split ? m.ex_mlen() : 0)) return std::nullopt;
  const isa::Operand& from = p.instruction.src[n < m.mlen() ? 0 : 1];
  const unsigned at = eu::payload_register(p.instruction, n) * unsigned(eu::reg_bytes);
  if (from.file != isa::RegFile::grf || from.indirect || at >= unsigned(eu::grf_count * eu::reg_bytes))
    return std::nullopt;
  return at;
}

// --- what code does

struct Finder {
  const PaintingQuestion& q;
  eu::AffineThread& thread;
  const std::array<shared::PixelThread::Subspan, 4> subspans = model_subspans(q.pixels);
  PaintingCode found{};
  unsigned channels = 0;  // of texels, that the load gives

  // Numbers of a parameter, one for each lane, that are all as `is` says of lane n.
  template <class Is>
  bool each_lane(const eu::Plan& p, Parameter which, Is is) const {
    const isa::MessageShape& shape = p.message.shape;
    const int position = p.message.row->sampler.position(which);
    for (unsigned l = 0; l < q.layout.lanes(); ++l) {
      eu::AffineValue v{.kind = eu::AffineValue::Kind::number};  // what is not sent is zero
      const unsigned first = position < 0 ? 0 : shape.parameter_register(unsigned(position));
      if (position >= 0 && payload_at(p, first + shape.row_registers() - 1))
        if (const auto at = payload_at(p, first + l / 8)) v = thread.element(*at + l % 8 * 4, isa::Type::d);
      if (!is(l, v)) return false;
    }
    return true;
  }
  bool load(const eu::Plan& p) {
    const eu::Message m = message_of(p);
    const isa::MessageRow& row = *p.message.row;
    const isa::MessageShape& shape = p.message.shape;
    const unsigned lanes = q.layout.lanes();
    if (m.header() || shape.half || shape.slots != lanes || unsigned(p.lanes) != lanes) return false;
    if (shape.space == isa::AddressSpace::bindless || row.sampler.position(Parameter::si) >= 0) return false;
    if (p.instruction.dst.file != isa::RegFile::grf || p.instruction.dst.indirect) return false;
    found.source = isa::surface_index(m.desc);
    bool first = true;
    const auto at_place = [&](bool across, int32_t& distance) {
      first = true;
      return [&, across](unsigned l, const eu::AffineValue& v) {
        if (!(across ? v.is_x() : v.is_y())) return false;
        const shared::PixelThread::Subspan& s = subspans[l / shared::lanes_of_subspan];
        const auto n = int32_t(v.whole() - (across ? s.x + (l & 1) : s.y + (l >> 1 & 1)));
        if (first) distance = n;
        first = false;
        return n == distance;
      };
    };
    const auto same = [&](uint32_t& number) {
      first = true;
      return [&](unsigned, const eu::AffineValue& v) {
        if (!v.is_constant() || v.whole() < 0) return false;
        if (first) number = uint32_t(v.whole());
        first = false;
        return v.whole() == int64_t(number);
      };
    };
    if (!each_lane(p, Parameter::u, at_place(true, found.dx)) ||
        !each_lane(p, Parameter::v, at_place(false, found.dy)) || !each_lane(p, Parameter::r, same(found.slice)) ||
        !each_lane(p, Parameter::lod, same(found.level)))
      return false;
    const unsigned eights = lanes / 8;
    found.copies = true;
    channels = std::min(4u, m.rlen() / eights);
    for (unsigned n = 0; n < m.rlen(); ++n) {
      const unsigned reg = p.instruction.dst.reg + n;
      if (reg >= unsigned(eu::grf_count)) return false;
      for (unsigned l = 0; l < 8; ++l)
        thread.set_mark(reg * unsigned(eu::reg_bytes) + l * 4, mark_of(n / eights, n % eights * 8 + l));
    }
    return true;
  }
  static uint32_t mark_of(unsigned component, unsigned lane) { return component << 8 | lane; }

  bool write(const eu::Plan& p) {
    const eu::Message m = message_of(p);
    const shared::ColourPayload parts(p.message.shape);
    const unsigned lanes = q.layout.lanes();
    if (!p.instruction.eot || m.header() || !parts.supported() || parts.dual || parts.half || parts.first ||
        parts.lanes != lanes || unsigned(p.lanes) != lanes)
      return false;
    found.target = isa::surface_index(m.desc);
    if (!found.copies) return parts.replicated ? is_one_colour(p, parts) : is_same_colour(p, parts);
    if (parts.replicated) return false;
    for (unsigned c = 0; c < channels; ++c) {
      bool all = true;
      for (unsigned l = 0; l < lanes && all; ++l) {
        const auto at = payload_at(p, parts.colour_at() + c * parts.row + l / 8);
        const eu::AffineValue v = at ? thread.element(*at + l % 8 * 4, isa::Type::ud) : eu::AffineValue{};
        all = v.kind == eu::AffineValue::Kind::mark && v.mark == mark_of(c, l);
      }
      found.components |= unsigned(all) << c;
    }
    return true;
  }
  bool is_one_colour(const eu::Plan& p, const shared::ColourPayload& parts) const {
    const auto at = payload_at(p, parts.colour_at());
    return at && thread.is_same(*at, 4 * sizeof(uint32_t));
  }
  // In all lanes.
  bool is_same_colour(const eu::Plan& p, const shared::ColourPayload& parts) const {
    for (unsigned c = 0; c < 4; ++c) {
      std::optional<uint32_t> colour;
      for (unsigned l = 0; l < q.layout.lanes(); ++l) {
        const auto reg = payload_at(p, parts.colour_at() + c * parts.row + l / 8);
        const unsigned at = reg.value_or(0) + l % 8 * 4;
        if (!reg || !thread.is_same(at, sizeof(uint32_t))) return false;
        uint32_t v;
        std::memcpy(&v, thread.thread.grf.data() + at, sizeof v);
        if (colour.value_or(v) != v) return false;
        colour = v;
      }
    }
    return true;
  }
  bool run() {
    const eu::Plan* p = thread.next_message();
    if (p && does(*p, MessageAction::load)) {
      if (!load(*p)) return false;
      thread.pass(*p);
      p = thread.next_message();
    }
    return p && does(*p, MessageAction::render_target_write) && write(*p);
  }
};

// --- between which surfaces

// Whether texels come back as they were: their channels are all there is, and codes of integers or of parts of one.
bool comes_back(const formats::TexelLayout& t, unsigned components) {
  unsigned bits = 0;
  for (unsigned n = 0; n < t.channel_count; ++n) {
    const formats::Channel& c = t.channels[n];
    using enum formats::Kind;
    const bool whole = c.kind == uint || c.kind == sint || (c.kind == unorm && c.width <= 16);
    if (!whole || c.component > formats::Component::a || !(components >> unsigned(c.component) & 1)) return false;
    bits += c.width;
  }
  return !t.srgb && bits == 8u * t.bytes;
}

bool take_side(const shared::Image& image, const SurfaceKey& k, const SurfaceFacts& f, uint32_t slice,
               Painting::Side& side) {
  if (k.one_dimension || k.strided || k.levels || slice >= uint32_t(f.slices)) return false;
  if (slice && !k.layered) return false;
  const uint32_t along = k.layered ? (slice + uint32_t(f.first_slice)) * uint32_t(f.slice_step) : 0;
  side = {f.host, image.pitch, k.tiling, uint32_t(f.x), uint32_t(f.y), f.width, f.height};
  (k.slices_across ? side.x : side.y) += along;
  return true;
}

// Memory from the first row of tiles that has some of a rectangle of texels to the last.
struct Reach {
  const std::byte *first, *end;
  Reach(const Painting::Side& s, const Rectangle& texels, uint32_t bytes) {
    const uint32_t rows = memory::tile_shape(s.tiling, bytes * 8).height;
    const uint32_t y0 = (s.y + uint32_t(texels.y0)) / rows * rows, y1 = (s.y + uint32_t(texels.y1) - 1) / rows * rows;
    first = s.host + size_t(y0) * s.pitch;
    end = s.host + size_t(y1 + rows) * s.pitch + size_t(s.x) * bytes;
  }
};

Rectangle moved(const Rectangle& r, int32_t dx, int32_t dy) { return {r.x0 + dx, r.y0 + dy, r.x1 + dx, r.y1 + dy}; }
bool lies_in(const Rectangle& r, const Painting::Side& s) {
  return r.x0 >= 0 && r.y0 >= 0 && r.x1 <= s.width && r.y1 <= s.height;
}
memory::TileRectangle bytes_of(const Painting::Side& s, const Rectangle& r, uint32_t bytes) {
  return {(s.x + uint32_t(r.x0)) * bytes, s.y + uint32_t(r.y0), uint32_t(r.x1 - r.x0) * bytes, uint32_t(r.y1 - r.y0)};
}

}  // namespace

// Without perspective they are.
bool has_finite_barycentrics(const Primitive& p) {
  const auto is_small = [](const Plane& l) {
    constexpr float most = 0x1p60f;
    return std::fabs(l.dx) < most && std::fabs(l.dy) < most && std::fabs(l.c) < most;
  };
  const bool flat = p.inverse_w.dx == 0 && p.inverse_w.dy == 0 && p.inverse_w.c == 1 && p.inverse_ws[0] == 1 &&
                    p.inverse_ws[1] == 1 && p.inverse_ws[2] == 1;
  return flat && p.object.kind != ObjectKind::point && is_small(p.l1) && is_small(p.l2) && is_small(p.n1) &&
         is_small(p.n2);
}

bool may_paint(const eu::Program& program) {
  unsigned loads = 0, writes = 0;
  for (const eu::Plan& p : program.plans()) {
    if (!p.row || p.row->format > isa::Format::split_send) return false;
    if (!sends(p)) continue;
    loads += does(p, MessageAction::load), writes += does(p, MessageAction::render_target_write);
    if (!does(p, MessageAction::load) && !does(p, MessageAction::render_target_write)) return false;
  }
  return loads <= 1 && writes == 1;
}

std::array<shared::PixelThread::Subspan, 4> model_subspans(const Rectangle& pixels) {
  // Apart, in ways that no code would know of: what a lane takes from another one's subspan is not its own place.
  constexpr uint16_t apart[4][2] = {{0, 0}, {6, 10}, {10, 18}, {18, 6}};
  std::array<shared::PixelThread::Subspan, 4> all{};
  for (size_t n = 0; n < 4; ++n)
    all[n] = {uint16_t((pixels.x0 & ~1) + apart[n][0]), uint16_t((pixels.y0 & ~1) + apart[n][1])};
  return all;
}

std::optional<PaintingCode> follow(const PaintingQuestion& q, const eu::Thread& model) {
  const PixelLayout& l = q.layout;
  if (l.lanes() > 16 || l.own > l.start) return std::nullopt;
  const Rectangle& r = q.pixels;
  eu::AffineThread thread(q.stage.state.kernel->program, {0, 0, r.x1 - 1 - (r.x0 & ~1), r.y1 - 1 - (r.y0 & ~1)});
  thread.thread = model;
  // r0 but for the number of the thread, positions of subspans, barycentrics, constants and setup data.
  constexpr unsigned reg = eu::reg_bytes;
  thread.set_same(0, 2 * reg);
  thread.set_unknown(5 * 4, 4);
  for (unsigned n = 0; n < l.lanes() / 4; ++n) {
    thread.set_number(reg + 8 + 4 * n, isa::Type::uw, 1, 0);
    thread.set_number(reg + 8 + 4 * n + 2, isa::Type::uw, 0, 1);
  }
  thread.set_unknown(reg + 8 + l.lanes(), 4 * (4 - l.lanes() / 4));
  if (q.finite_barycentrics)
    thread.set_finite(2 * reg, unsigned(std::popcount(l.barycentrics)) * 2 * l.lanes() / 8 * reg);
  thread.set_same(l.start * reg, (l.push_registers + 2 * l.attributes) * reg);
  Finder finder{q, thread};
  if (!finder.run()) return std::nullopt;
  return finder.found;
}

std::optional<Painting> find_painting(const PaintingQuestion& q, const PaintingCode& code, memory::View& memory) {
  shared::Environment environment{
      .memory = &memory, .bases = q.draw.bases, .binding_table = q.stage.state.binding_table};
  environment.bindings = q.stage.state.bindings.get();
  shared::Surfaces surfaces(*q.draw.traits->surfaces, environment);
  const shared::RenderTarget& target = surfaces.bound(code.target).target(memory);
  if (!target.unsupported.empty() || !target.in_lanes || target.image.samples > 1 || target.mcs_bytes)
    return std::nullopt;
  Painting p{.copies = code.copies, .dx = code.dx, .dy = code.dy, .bytes = target.key.texel.bytes};
  const uint32_t slice = target.key.layered && q.layer < target.slices ? q.layer : 0;
  if (!take_side(target.image, target.key, target.facts, slice, p.to)) return std::nullopt;
  if (!code.copies) return p.holds(q.pixels) ? std::optional(p) : std::nullopt;

  const shared::Image& source = surfaces.bound(code.source).image();
  SurfaceKey key{};
  SurfaceFacts facts{};
  if (!source.plain_selects || code.level >= source.level_count ||
      !shared::find_surface(memory, source, code.level, memory::Access::read, key, facts))
    return std::nullopt;
  if (source.format != target.image.format || !comes_back(key.texel, code.components)) return std::nullopt;
  if (!take_side(source, key, facts, code.slice, p.from) || !p.holds(q.pixels)) return std::nullopt;
  const Reach read(p.from, moved(q.pixels, p.dx, p.dy), p.bytes), written(p.to, q.pixels, p.bytes);
  if (read.first < written.end && written.first < read.end) return std::nullopt;
  return p;
}

bool Painting::holds(const Rectangle& pixels) const {
  return lies_in(pixels, to) && (!copies || lies_in(moved(pixels, dx, dy), from));
}

void Painting::copy(const Rectangle& pixels) const {
  const unsigned bits = bytes * 8;
  const memory::TileRectangle read = bytes_of(from, moved(pixels, dx, dy), bytes),
                              written = bytes_of(to, pixels, bytes);
  const auto at = [](const Side& s, const memory::TileRectangle& r) { return s.host + size_t(r.y) * s.pitch + r.x; };
  if (from.tiling == Tiling::linear)
    return memory::copy_to_tiled(to.tiling, to.host, to.pitch, written, at(from, read), from.pitch, bits);
  if (to.tiling == Tiling::linear)
    return memory::copy_from_tiled(from.tiling, from.host, from.pitch, read, at(to, written), to.pitch, bits);
  constexpr uint32_t rows_at_once = 16;
  std::array<std::byte, size_t(bin_px) * sizeof(Texel) * rows_at_once> rows;
  for (uint32_t y = 0; y < written.height; y += rows_at_once) {
    const uint32_t n = std::min(rows_at_once, written.height - y);
    memory::copy_from_tiled(from.tiling, from.host, from.pitch, {read.x, read.y + y, read.width, n}, rows.data(),
                            read.width, bits);
    memory::copy_to_tiled(to.tiling, to.host, to.pitch, {written.x, written.y + y, written.width, n}, rows.data(),
                          written.width, bits);
  }
}

void Painting::fill(const Rectangle& pixels, const Texel& texel) const {
  std::array<std::byte, size_t(bin_px) * sizeof(Texel)> row;  // is every row
  for (size_t at = 0; at < size_t(bin_px) * bytes; at += bytes) std::memcpy(&row[at], texel.data(), bytes);
  memory::copy_to_tiled(to.tiling, to.host, to.pitch, bytes_of(to, pixels, bytes), row.data(), 0, bytes * 8);
}

Painting::Texel Painting::read(int x, int y) const {
  Texel texel{};
  const memory::TileRectangle r = bytes_of(to, {x, y, x + 1, y + 1}, bytes);
  memory::copy_from_tiled(to.tiling, to.host, to.pitch, r, texel.data(), bytes, bytes * 8);
  return texel;
}

}  // namespace vitro::pipeline
