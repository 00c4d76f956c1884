// Shaders by chance. PRM: as shaders.h; render target writes: shared/dataport/colour_payload.h.
#include "shaders.h"

#include <algorithm>
#include <bit>

#include "writer.h"

namespace vitro::drawing {

namespace {

using isa::MessageAction, isa::MessageRow, isa::MessageShape, isa::Parameter;

constexpr unsigned sampler_sfid = 2, dcro_sfid = 9, dc0_sfid = 10, interpolator_sfid = 11, dc1_sfid = 12;
constexpr uint32_t header_present = 1 << 19;
constexpr unsigned most_parameters = 11;  // registers of a sampler's payload

constexpr uint32_t lengths(unsigned given, unsigned answered) { return given << 25 | answered << 20; }

class PixelShader {
 public:
  PixelShader(const isa::Model& m, Rng& r, const PixelForm& form, const Bound& bound)
      : w(m, r), rng(r), f(form), b(bound) {}

  std::string run() {
    if (f.kills) {
      w.line("(W) mov (1|M0) f1.0<1>:uw r1.14<0;1,0>:uw");
      if (f.lanes == 32) w.line("(W) mov (1|M0) f1.1<1>:uw r2.14<0;1,0>:uw");
    }
    w.width = std::min(f.lanes, 16u);
    const unsigned halves = f.lanes == 32 ? 2 : 1;
    for (unsigned half = 0; half < halves; ++half) {
      w.group = 16 * half;
      part(half, half + 1 == halves);
    }
    return w.text;
  }

 private:
  // --- what the thread is given
  unsigned setup() const { return f.start + f.push; }
  unsigned eights() const { return w.row(); }
  unsigned list() const {  // registers of a list
    return unsigned(std::popcount(f.barycentrics)) * 2 * eights() + (f.depth + f.w + f.coverage) * eights() + f.offsets;
  }
  void attribute(unsigned to) {
    const unsigned n = rng.below(f.attributes), c = rng.below(4), at = setup() + 2 * n + c / 2, sub = c % 2 * 4;
    const unsigned modes = unsigned(std::popcount(f.barycentrics));
    if (!modes || f.flat >> n & 1 || rng.one_in(12))
      return w.line("(W) mov {} r{}.0<1>:ud r{}.{}<0;1,0>:ud", w.exec(), to, at, sub + 3);
    w.line("(W) pln {} r{}.0<1>:f r{}.{}<0;1,0>:f r{}.0<8;8,1>:f", w.exec(), to, at, sub,
           first_ + rng.below(modes) * 2 * eights());
  }
  void give(unsigned to) {
    switch (rng.below(10)) {
      case 0:
        if (f.push)
          return w.line("(W) mov {} r{}.0<1>:ud r{}.{}<0;1,0>:ud", w.exec(), to, f.start + rng.below(f.push),
                        rng.below(8));
        break;
      case 1: return w.line("(W) mov {} r{}.0<1>:f {:.4f}:f", w.exec(), to, w.number());
      case 2: return place(to, rng.below(2));
      case 3: {
        const unsigned rest = list() - unsigned(std::popcount(f.barycentrics)) * 2 * eights();
        if (rest >= eights())
          return w.line("(W) mov {} r{}.0<1>:ud r{}.0<8;8,1>:ud", w.exec(), to, first_ + list() - rest);
        break;
      }
      case 4: return w.line("(W) mov {} r{}.0<1>:ud r0.{}<0;1,0>:ud", w.exec(), to, rng.below(5));
      default: break;
    }
    if (f.attributes) return attribute(to);
    w.line("(W) mov {} r{}.0<1>:f {:.4f}:f", w.exec(), to, w.number());
  }
  // The pixel's x or y.
  void place(unsigned to, unsigned y) {
    const unsigned scratch = payload_at + 16;
    w.line("(W) add {} r{}.0<1>:uw r{}.{}<2;4,0>:uw {:#x}:v", w.exec(), scratch, positions_, 4 + y,
           y ? 0x11001100 : 0x10101010);
    w.line("(W) mov {} r{}.0<1>:ud r{}.0<8;8,1>:uw", w.exec(), to, scratch);
  }

  // --- messages
  void move_header(unsigned at, uint32_t dword_2) {
    w.line("(W) mov (8|M0) r{}.0<1>:ud r0.0<8;8,1>:ud", at);
    w.line("(W) mov (1|M0) r{}.2<1>:ud {:#x}:ud", at, dword_2);
  }
  bool long_descriptors() const { return w.m.row(isa::Op::sends) != nullptr; }  // Gen9
  // In the instruction or in a0.
  std::string descriptor(uint32_t desc) {
    if (desc >> 29 || !rng.one_in(40)) return fmt::format("{:#x}", desc);
    w.line("(W) mov (1|M0) a0.0<1>:ud {:#x}:ud", desc);
    return "a0.0";
  }
  void take_answer(unsigned registers, unsigned row) {
    for (unsigned n = 0; n < 2; ++n) {
      const unsigned from = answers_at + row * rng.below(std::max(1u, registers / row));
      w.line("(W) mov {} r{}.0<1>:ud r{}.0<8;8,1>:ud", w.exec(8 * row, 0), w.value(), from);
    }
  }
  void parameter(Parameter p, bool integers, unsigned reg) {
    switch (p) {
      case Parameter::u:
      case Parameter::v:
      case Parameter::r:
        if (integers) return w.put_integer(reg, 63);
        return w.put_float(reg, rng.one_in(5) ? 40.f : 1.f);
      case Parameter::ai: return integers ? w.put_integer(reg, 3) : w.put_float(reg, 2);
      case Parameter::lod: return integers ? w.put_integer(reg, 3) : w.put_float(reg, 3);
      case Parameter::bias: return w.put_float(reg, 2);
      case Parameter::mlod: return w.put_float(reg, 2);
      case Parameter::ref: return w.put_float(reg, 1);
      case Parameter::si: return w.put_integer(reg, 15);
      case Parameter::mcs_low:
      case Parameter::mcs_high: return w.put(reg);
      case Parameter::offu:
      case Parameter::offv: return w.put_integer(reg, 63);
      default: return w.put_float(reg, .1f);  // gradients
    }
  }
  void sample() {
    if (b.textures.empty() && b.loaded.empty()) return w.arithmetic();
    const auto rows = w.m.messages->functions[sampler_sfid].rows;
    const MessageRow* row = nullptr;
    do row = &rng.pick(rows);
    while (row->name.empty() || !row->sampler.surface || row->shape.action <= MessageAction::unsupported);
    unsigned count = 0;
    while (count < isa::max_parameters && row->sampler.parameters[count] != Parameter::none) ++count;
    if (count > 2 && rng.coin()) count = 2 + rng.below(count - 1);
    const bool header = rng.one_in(4);
    const unsigned lanes = w.width == 16 && header + count * 2 <= most_parameters && !rng.one_in(6) ? 16 : 8;
    const unsigned high = lanes < w.width ? 8 * rng.below(2) : 0, step = lanes / 8;
    const auto action = row->shape.action;
    const bool integers = action == MessageAction::load || action == MessageAction::load_multisampled ||
                          action == MessageAction::load_mcs || action == MessageAction::resinfo;
    const bool samples = action == MessageAction::sample || action == MessageAction::gather4;
    const bool plain = b.loaded.empty() || (!b.textures.empty() && (samples ? !rng.one_in(50) : rng.coin()));
    if (samples && !plain && !rng.one_in(50)) return w.arithmetic();
    const unsigned texture = rng.pick(plain ? b.textures : b.loaded);
    unsigned at = payload_at;
    if (header) move_header(at++, rng.below(0x1000) | (rng.one_in(3) ? rng.below(15) << 12 : 0) | rng.below(4) << 16);
    const unsigned keep = w.width;
    w.width = lanes, w.group += high;
    for (unsigned n = 0; n < count; ++n, at += step) parameter(row->sampler.parameters[n], integers, at);
    w.width = keep, w.group -= high;
    const bool half = long_descriptors() && rng.one_in(10) && !row->sampler.kills;
    const unsigned answered = half ? 4 : 4 * step + row->sampler.kills;
    const uint32_t desc = uint32_t(row->match.value) | texture | rng.below(b.samplers) << 8 |
                          (lanes == 16 ? 2u : 1u) << 17 | (header ? header_present : 0) | uint32_t(half) << 30 |
                          lengths(at - payload_at, answered);
    const std::string how = descriptor(desc);
    w.line("send {} r{} r{} {:#x} {}", w.exec(lanes, high), answers_at, payload_at, sampler_sfid, how);
    take_answer(answered, step);
  }
  // Reads of buffers, as the tables have them.
  void read() {
    if (b.buffers.empty()) return w.arithmetic();
    static constexpr unsigned sfids[] = {dcro_sfid, dc0_sfid, dc1_sfid};
    const unsigned sfid = rng.pick(sfids);
    for (int tries = 0; tries < 20; ++tries) {
      const MessageRow& row = rng.pick(w.m.messages->functions[sfid].rows);
      const auto fixed = uint32_t(row.match.mask);
      uint32_t desc = uint32_t(row.match.value) | (uint32_t(rng()) & 0x3F00 & ~fixed) | rng.pick(b.buffers);
      MessageShape s = isa::decode_message(*w.m.messages, sfid, desc).shape;
      const bool block = s.is_block();
      if ((!s.is_scattered() && !block) || s.is_write || s.is_atomic() || s.wide() || s.reserved_field ||
          s.space != isa::AddressSpace::surface)
        continue;
      if (block || rng.one_in(3)) desc |= header_present & ~fixed, s.header = true;
      const unsigned lanes = block ? 8 : s.slots, given = s.payload_registers(), answered = s.response_registers();
      if ((lanes != 8 && lanes != w.width) || answered > counters_at - answers_at || given > 16) continue;
      unsigned at = payload_at;
      if (s.header) {
        move_header(at, rng.below(64) * (block ? 1 : 4));
        w.line("(W) mov (1|M0) r{}.7<1>:ud 0xFFFF:ud", at++);
      }
      if (!block) w.put_integer(at, s.unit == 4 ? 0xFF : 0x3FC);
      w.line("send {} r{} r{} {:#x} {:#x}", w.exec(lanes, 0), answers_at, payload_at, sfid,
             desc | lengths(given, answered));
      return take_answer(answered, 1);
    }
  }
  void interpolate() {
    if (!f.pulls || !f.attributes || !f.barycentrics) return w.arithmetic();
    const MessageRow& row = rng.pick(w.m.messages->functions[interpolator_sfid].rows);
    const bool offsets = row.shape.action == MessageAction::interpolate_slot_offsets;
    const unsigned given = offsets ? 2 * w.row() : 1;
    for (unsigned n = 0; n < given; n += w.row()) w.put_integer(payload_at + n, 15);
    const uint32_t desc = uint32_t(row.match.value) | rng.below(256) | (w.width == 16 ? 1u << 16 : 0) |
                          rng.below(2) << 14 | (w.group ? 1u << 11 : 0) | lengths(given, 2 * w.row());
    w.line("send {} r{} r{} {:#x} {:#x}", w.exec(), answers_at, payload_at, interpolator_sfid, desc);
    const unsigned n = rng.below(f.attributes), c = rng.below(4);
    w.line("pln {} r{}.0<1>:f r{}.{}<0;1,0>:f r{}.0<8;8,1>:f", w.exec(), w.value(), setup() + 2 * n + c / 2, c % 2 * 4,
           answers_at);
  }
  // Each pixel to its own place, or operations whose order makes no difference.
  void write() {
    if (!f.has_uav) return w.arithmetic();
    const uint32_t kind = rng.below(3);
    const unsigned x = payload_at, y = payload_at + 2, data = payload_at + 4;
    if (kind == 0 && b.counters >= 0) {
      w.put_integer(x, 0xFC);
      w.put(x + w.row());
      return w.line(
          "send {} null r{} {:#x} {:#x}", w.exec(), x, dc1_sfid,
          0x2u << 14 | b.operation | (w.width == 8 ? 1u << 12 : 0) | unsigned(b.counters) | lengths(2 * w.row(), 0));
    }
    place(x, 0), place(y, 1);
    if (kind == 1 && b.raw >= 0) {
      const unsigned elements = 1 + rng.below(w.width == 16 ? 2 : 4);
      w.line("(W) shl {0} r{1}.0<1>:ud r{1}.0<8;8,1>:ud 7:ud", w.exec(), y);
      w.line("(W) add {} r{}.0<1>:ud r{}.0<8;8,1>:ud r{}.0<8;8,1>:ud", w.exec(), data, x, y);
      w.line("(W) shl {0} r{1}.0<1>:ud r{1}.0<8;8,1>:ud 4:ud", w.exec(), data);
      for (unsigned n = 0; n < elements; ++n) w.put(data + (1 + n) * w.row());
      const uint32_t off = 15u & ~((1u << elements) - 1);
      return w.line("send {} null r{} {:#x} {:#x}", w.exec(), data, dc1_sfid,
                    0x9u << 14 | off << 8 | (w.width == 16 ? 1u : 2u) << 12 | unsigned(b.raw) |
                        lengths((1 + elements) * w.row(), 0));
    }
    if (b.image < 0) return;
    const unsigned high = w.width == 16 ? rng.below(2) : 0;
    move_header(data, 0);
    w.line("(W) mov (1|M0) r{}.7<1>:ud r{}.7<0;1,0>:ud", data, positions_);
    w.line("(W) mov (8|M0) r{}.0<1>:ud r{}.0<8;8,1>:ud", data + 1, x + high);
    w.line("(W) mov (8|M0) r{}.0<1>:ud r{}.0<8;8,1>:ud", data + 2, y + high);
    w.line("(W) mov (8|M0) r{}.0<1>:ud 0:ud", data + 3);
    for (unsigned n = 0; n < 4; ++n)
      w.line("(W) mov (8|M0) r{}.0<1>:ud r{}.0<8;8,1>:ud", data + 4 + n, w.value() + high);
    w.line("send {} null r{} {:#x} {:#x}", w.exec(8, 8 * high), data, dc1_sfid,
           0xDu << 14 | (1 + high) << 12 | header_present | unsigned(b.image) | lengths(8, 0));
  }
  void read_target() {
    if (!f.reads_target || !b.targets) return w.arithmetic();
    const unsigned registers = 4 * w.row();
    move_header(payload_at, 0);
    w.line("(W) mov (8|M0) r{}.0<1>:ud r{}.0<8;8,1>:ud", payload_at + 1, positions_);
    w.line("send {} r{} r{} 0x5 {:#x}", w.exec(), answers_at, payload_at,
           0xDu << 14 | header_present | (w.width == 8 ? 1u << 8 : 0) | (w.group ? 1u << 11 : 0) |
               rng.below(b.targets) | lengths(2, registers));
    take_answer(registers, w.row());
  }
  void kill() {
    if (!f.kills) return w.arithmetic();
    w.line("(f1.0) cmp {} ({})f1.0 null<1>:f {} {:.4f}:f", w.exec(), rng.coin() ? "ge" : "lt",
           Writer::whole(w.value(), "f"), w.number());
  }
  void other() {
    switch (rng.below(8)) {
      case 0:
      case 1:
      case 2: return sample();
      case 3: return read();
      case 4: return interpolate();
      case 5: return write();
      case 6: return kill();
      default: return read_target();
    }
  }

  // --- the end
  void component(unsigned to, unsigned from, unsigned lanes, bool half) {
    if (half)
      w.line("(W) mov {} r{}.0<1>:hf r{}.0<16;8,2>:hf", w.exec(lanes, 0), to, from);
    else
      w.line("(W) mov {} r{}.0<1>:ud r{}.0<8;8,1>:ud", w.exec(lanes, 0), to, from);
  }
  // A render target write of 16 or 8 lanes; of two colours, one for each eight.
  void colours(unsigned target, bool last, bool ends) {
    const bool header = b.targets > 1 || f.computes_stencil || rng.one_in(3);
    const unsigned lanes = f.dual ? 8 : w.width, parts = f.dual ? w.width / 8 : 1;
    const bool half = long_descriptors() && !f.dual && rng.one_in(10);
    const bool replicated = !half && !f.dual && lanes == 16 && !f.omask && !f.computes_depth && rng.one_in(30);
    const bool alpha = header && !replicated && b.targets > 1 && rng.one_in(3);
    const unsigned row = half ? 1 : lanes / 8;
    for (unsigned part = 0; part < parts; ++part) {
      unsigned at = last_payload_at;
      if (header) {
        move_header(at, target);
        const uint32_t more = (alpha ? 1u << 11 : 0) | (f.computes_stencil ? 1u << 14 : 0);
        if (more) w.line("(W) or (1|M0) r{0}.0<1>:ud r{0}.0<0;1,0>:ud {1:#x}:ud", at, more);
        w.line("(W) mov (8|M0) r{}.0<1>:ud r{}.0<8;8,1>:ud", at + 1, positions_);
        at += 2;
      }
      const auto from = [&] { return w.value() + (f.dual ? part : 0); };
      if (alpha) component(at, from(), lanes, half), at += row;
      if (f.omask && !replicated) w.line("(W) mov {} r{}.0<1>:uw r{}.0<16;8,2>:uw", w.exec(), at, w.value()), ++at;
      if (replicated) {
        w.line("(W) mov (8|M0) r{}.0<1>:ud r{}.0<8;8,1>:ud", at, w.value()), ++at;
      } else {
        for (unsigned n = 0; n < (f.dual ? 8u : 4u); ++n) component(at, from(), lanes, half), at += row;
      }
      if (f.computes_depth) {
        if (rng.coin())
          w.line("(W) mov {} r{}.0<1>:f {:.4f}:f", w.exec(lanes, 0), at, float(rng.below(1001)) / 1000);
        else
          component(at, from(), lanes, false);
        at += lanes / 8;
      }
      if (f.computes_stencil) w.line("(W) mov (8|M0) r{}.0<1>:ud r{}.0<8;8,1>:ud", at, w.value()), ++at;
      const uint32_t subtype = f.dual ? 2 + part : replicated ? 1 : lanes == 16 ? 0 : 4;
      const bool end = ends && part + 1 == parts;
      const std::string how =
          descriptor(0xCu << 14 | subtype << 8 | uint32_t(last) << 12 | (w.group ? 1u << 11 : 0) |
                     (header ? header_present : 0) | uint32_t(half) << 30 | target | lengths(at - last_payload_at, 0));
      w.line("{}sendc {} null r{} {:#x} {}{}", f.kills ? "(f1.0) " : "", w.exec(lanes, f.dual ? 8 * part : 0),
             last_payload_at, end ? 0x25 : 0x5, how, end ? " {EOT}" : "");
    }
  }
  void part(unsigned half, bool last) {
    positions_ = 1 + half;
    first_ = 1 + (f.lanes == 32 ? 2 : 1) + half * list();
    w.begin(setup() + 2 * f.attributes, 3 + rng.below(7), [&](unsigned to) { give(to); });
    w.statements(rng.below(9), [&] { other(); });
    for (unsigned t = 0; t < std::max(1u, b.targets); ++t) colours(t, t + 1 >= b.targets, last && t + 1 >= b.targets);
  }

  Writer w;
  Rng& rng;
  const PixelForm& f;
  const Bound& b;
  unsigned positions_ = 1, first_ = 2;  // registers of a half's masks and of its list
};

}  // namespace

std::string random_pixel_shader(const isa::Model& m, Rng& rng, const PixelForm& form, const Bound& bound) {
  return PixelShader(m, rng, form, bound).run();
}

std::string random_vertex_shader(const isa::Model& m, Rng& rng, const VertexForm& f) {
  Writer w(m, rng);
  w.width = 8;
  const unsigned inputs = f.start + f.push, registers = 4 * f.inputs;
  w.begin(inputs + registers, 5 + rng.below(6), [&](unsigned to) {
    if (f.push && rng.one_in(5))
      return w.line("(W) mov (8|M0) r{}.0<1>:ud r{}.{}<0;1,0>:ud", to, f.start + rng.below(f.push), rng.below(8));
    w.line("(W) mov (8|M0) r{}.0<1>:ud r{}.0<8;8,1>:ud", to, inputs + rng.below(registers));
  });
  if (rng.coin()) w.statements(rng.below(6), [&] { w.arithmetic(); });
  for (unsigned slot = 0; slot < f.slots; ++slot) {
    const bool last = slot + 1 == f.slots;
    const unsigned at = last_payload_at;
    w.line("(W) mov (8|M0) r{}.0<1>:ud r1.0<8;8,1>:ud", at);
    for (unsigned c = 0; c < 4; ++c) {
      if (slot == 1) {  // the position is the first element
        w.line("(W) mov (8|M0) r{}.0<1>:ud r{}.0<8;8,1>:ud", at + 1 + c, inputs + c);
      } else if (slot == 0) {
        const unsigned most = c == 1 ? f.layers : f.viewports;
        if (!f.header || c == 0 || (c < 3 && most == 1))
          w.line("(W) mov (8|M0) r{}.0<1>:ud 0:ud", at + 1 + c);
        else if (c == 3)
          w.line("(W) mul (8|M0) r{}.0<1>:f r{}.0<8;8,1>:f 4.0:f", at + 1 + c, w.value());
        else
          w.line("(W) and (8|M0) r{}.0<1>:ud r{}.0<8;8,1>:ud {:#x}:ud", at + 1 + c, w.value(), most - 1);
      } else {
        w.line("(W) mov (8|M0) r{}.0<1>:ud r{}.0<8;8,1>:ud", at + 1 + c,
               rng.coin() ? w.value() : inputs + rng.below(registers));
      }
    }
    w.line("send (8|M0) null r{} {:#x} {:#x}{}", at, last ? 0x26 : 0x6, 0x0A080007u | slot << 4, last ? " {EOT}" : "");
  }
  return w.text;
}

}  // namespace vitro::drawing
