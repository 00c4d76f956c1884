// Messages that see a surface as rows: media blocks, transposed reads, surface information, and Gen6's streamed vertex
// buffer writes. PRM: Gen8 vol 2a MSD1R_MB, MSD1W_MB, MSD1R_TT, MDC_VLSO; vol 7 "Media Block Read/Write"; Gen6 vol 4
// part 1 "Streamed Vertex Buffer Write".
// A media block is a rectangle of bytes by rows at any signed place; for it, the surface's Width counts dwords. What is
// read outside is what stands at the edge (whole elements of the surface's format, so that colours stay together), what
// is written outside is dropped. Fields of interlaced pictures are every second row: the descriptor can override what
// the surface says. The channels only say whether the message is sent at all.
// Choices where documents are silent: a transposed block has the columns of a media block of dwords as its rows, each
// padded to a power of two; the surface information is what the sampler's resinfo gives for level 0.
// Not modelled: register pitch control, luma-aware edges of YUV formats, the planes of planar surfaces.
#include <algorithm>
#include <bit>

#include "formats/format.h"
#include "memory/tiling.h"
#include "shared/dataport/lanes.h"

namespace vitro::shared {
namespace {

constexpr Bits block_width{5, 0}, block_height{21, 16};  // of M0.2, less one

// The rectangle of a message on its surface.
struct Rectangle {
  const state::Surface& surface;
  int64_t x = 0, y = 0;
  unsigned width = 0, height = 0;
  int64_t row_bytes = 0, rows = 0;  // of the surface, as the message sees it
  unsigned step = 1, first = 0;     // lines between its rows, and the first
  unsigned element = 1;             // bytes that edges repeat
  uint32_t pitch = 0;

  unsigned register_pitch() const { return std::max(4u, std::bit_ceil(width)); }
  unsigned registers() const { return (register_pitch() * height + eu::reg_bytes - 1) / eu::reg_bytes; }
};

Rectangle rectangle_of(const DataPortCall& c) {
  const state::Surface& s = c.surface();
  const uint32_t size = c.header_dword(2);
  Rectangle r{.surface = s,
              .x = int32_t(c.header_dword(0)),
              .y = int32_t(c.header_dword(1)),
              .width = eu::field(size, block_width) + 1,
              .height = eu::field(size, block_height) + 1,
              .row_bytes = int64_t(s.width()) * 4,
              .rows = s.height(),
              .step = s.vertical_line_stride ? 2u : 1u,
              .first = s.vertical_line_stride && s.vertical_line_stride_offset ? 1u : 0u};
  if (c.field(isa::FieldRole::line_override)) {
    r.step = c.field(isa::FieldRole::line_stride) ? 2 : 1;
    r.first = r.step == 2 && c.field(isa::FieldRole::line_offset) ? 1 : 0;
    if (r.step == 2) r.rows = std::max<int64_t>(1, r.rows / 2);  // the surface is the frame, not the field
  }
  if (const formats::Format* f = formats::find(s.format); f && f->bytes()) r.element = f->bytes();
  r.pitch = s.tiling() == state::TileMode::w ? s.pitch() / 2 : s.pitch();
  return r;
}

// As many of the bytes from x on as stand together in memory.
unsigned together(const Rectangle& r, uint64_t x, unsigned wanted) {
  const state::TileMode tiling = r.surface.tiling();
  if (tiling == state::TileMode::linear) return wanted;
  return tiling == state::TileMode::w ? 1 : std::min(wanted, 16 - unsigned(x % 16));
}
uint64_t address_of(const Rectangle& r, uint64_t x, uint64_t y) {
  const state::Surface& s = r.surface;
  const uint64_t line = y * r.step + r.first;
  return s.base + memory::tiled_offset(s.tiling(), uint32_t(x) + s.x_offset() * r.element,
                                       uint32_t(line) + s.y_offset(), r.pitch, r.element * 8);
}

// What stands at (x, y), from the nearest element inside.
uint64_t nearest(const Rectangle& r, int64_t x) {
  if (x >= 0 && x < r.row_bytes) return uint64_t(x);
  const int64_t element = std::min<int64_t>(r.element, r.row_bytes), part = ((x % element) + element) % element;
  return uint64_t(x < 0 ? part : (r.row_bytes - 1) / element * element + part);
}

void read_row(DataPortCall& c, const Rectangle& r, unsigned row, std::byte* to) {
  const uint64_t y = uint64_t(std::clamp<int64_t>(r.y + row, 0, r.rows - 1));
  for (unsigned done = 0; done < r.width;) {
    const int64_t x = r.x + done;
    unsigned n = 1;
    if (x >= 0 && x < r.row_bytes)
      n = together(r, uint64_t(x), unsigned(std::min<int64_t>(r.width - done, r.row_bytes - x)));
    c.memory().read(address_of(r, nearest(r, x), y), {to + done, n});
    done += n;
  }
}
void write_row(DataPortCall& c, const Rectangle& r, unsigned row, const std::byte* from) {
  const int64_t y = r.y + row;
  if (y < 0 || y >= r.rows) return;
  for (unsigned done = 0; done < r.width;) {
    const int64_t x = r.x + done;
    unsigned n = 1;
    if (x >= 0 && x < r.row_bytes) {
      n = together(r, uint64_t(x), unsigned(std::min<int64_t>(r.width - done, r.row_bytes - x)));
      c.memory().write(address_of(r, uint64_t(x), uint64_t(y)), {from + done, n});
    }
    done += n;
  }
}

constexpr unsigned max_registers = 16;
using Registers = std::array<std::byte, max_registers * eu::reg_bytes>;

// Answers with a block of so many registers, into which `place` puts rows that were read.
template <class Place>
eu::Reply read_block(DataPortCall& c, const Rectangle& r, unsigned registers, Place place) {
  if (registers > max_registers) return c.unsupported("a block of {} registers", registers);
  if (!c.has(1, registers)) return eu::Reply::faulted;
  if (!c.channels || !c.answers()) return c.done();
  Registers data{};
  for (unsigned row = 0; row < r.height && !r.surface.is_null(); ++row) {
    std::array<std::byte, 64> line{};
    read_row(c, r, row, line.data());
    place(data.data(), row, line);
  }
  std::memcpy(c.out(0), data.data(), registers * eu::reg_bytes);
  return c.done();
}

}  // namespace

template <>
eu::Reply act<isa::MessageAction::media_block_read>(DataPortCall& c) {
  const Rectangle r = rectangle_of(c);
  return read_block(c, r, r.registers(), [&](std::byte* to, unsigned row, const auto& line) {
    std::memcpy(to + row * r.register_pitch(), line.data(), r.width);
  });
}

template <>
eu::Reply act<isa::MessageAction::media_block_write>(DataPortCall& c) {
  const Rectangle r = rectangle_of(c);
  if (r.registers() > max_registers) return c.unsupported("a block of {} registers", r.registers());
  if (!c.has(1 + r.registers())) return eu::Reply::faulted;
  if (!c.channels || r.surface.is_null()) return c.done();
  Registers data;
  c.copy(1, r.registers(), data.data());
  for (unsigned row = 0; row < r.height; ++row) write_row(c, r, row, data.data() + row * r.register_pitch());
  return c.done();
}

template <>
eu::Reply act<isa::MessageAction::transpose_read>(DataPortCall& c) {
  const Rectangle r = rectangle_of(c);
  const unsigned columns = (r.width + 3) / 4, column_dw = std::bit_ceil(r.height);
  const unsigned registers = (columns * column_dw * 4 + eu::reg_bytes - 1) / eu::reg_bytes;
  return read_block(c, r, registers, [&](std::byte* to, unsigned row, const auto& line) {
    for (unsigned column = 0; column < columns; ++column)
      std::memcpy(to + (column * column_dw + row) * 4, line.data() + column * 4, 4);
  });
}

template <>
eu::Reply act<isa::MessageAction::surface_info>(DataPortCall& c) {
  if (!c.channels || !c.answers()) return c.done();
  const state::Surface& s = c.surface();
  std::array<uint32_t, 8> info{};
  if (!s.is_null()) {
    info[0] = s.is_buffer() ? uint32_t(s.entries()) : s.width();
    info[1] = s.is_buffer() ? 0 : s.height();
    info[2] = s.type == state::SurfaceType::three_d ? s.depth() : s.is_array() ? s.layers() : 0;
    info[3] = s.is_buffer() ? 0 : s.levels();
  }
  std::memcpy(c.out(0), info.data(), sizeof info);
  return c.done();
}

// One vertex element in M0.0 to M0.3 goes to the buffer entry with the index in M0.5, as wide as the format.
template <>
eu::Reply act<isa::MessageAction::vertex_buffer_write>(DataPortCall& c) {
  const state::Surface& s = c.surface();
  const formats::Format* f = formats::find(s.format);
  const uint64_t index = c.dword(0, 5);
  if (!c.channels || s.is_null() || index >= s.entries()) return c.done();
  const unsigned bytes = std::min(f ? f->bytes() : 16u, 16u);
  c.memory().write(s.base + index * s.pitch(), {c.reg(0), bytes});
  return c.done();
}

}  // namespace vitro::shared
