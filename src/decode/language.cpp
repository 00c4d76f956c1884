// Putting a language together: fields from layouts and tables, names of values, lists and pointers. PRM: see packet.h.
// It happens once for each generation, when somebody wants to print something.
#include "decode/language.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <functional>

#include "commands/interface_descriptor.h"
#include "commands/three_d_layout_tables.h"
#include "decode/tables.h"
#include "formats/format.h"
#include "pipeline/topology_name.h"
#include "state/descriptions.h"
#include "state/three_d_objects.h"

namespace vitro::decode {
namespace {

// clang-format off
struct Code { uint8_t code; std::string_view name; };
constexpr Code blend_factors[] = {
#define BLEND_FACTOR(code, name, expression) {code, #name},
#include "shared/dataport/blend.def"
};
constexpr Code blend_functions[] = {
#define BLEND_FUNCTION(code, name, plain, expression) {code, #name},
#include "shared/dataport/blend.def"
};
constexpr Code logic_operations[] = {
#define LOGIC_OP(code, name, expression) {code, #name},
#include "shared/dataport/blend.def"
};
// clang-format on

// Lists whose home is a table of what is executed. `keep` keeps a name that is made here.
using Keep = std::function<std::string_view(std::string)>;
std::string in_capitals(std::string_view name) {
  std::string s(name);
  std::transform(s.begin(), s.end(), s.begin(), [](unsigned char c) { return char(std::toupper(c)); });
  return s;
}
template <size_t n>
void add_codes(Values& v, const Keep& keep, const Code (&codes)[n]) {
  for (const Code& c : codes) v.add(c.code, keep(in_capitals(c.name)));
}
// "0 NAME; 1 NAME"
void add_names(Values& v, std::string_view list) {
  while (!list.empty()) {
    std::string_view one = list.substr(0, list.find(';'));
    list.remove_prefix(std::min(list.size(), one.size() + 1));
    one.remove_prefix(std::min(one.size(), one.find_first_not_of(' ')));
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(one.data(), one.data() + one.size(), number);
    if (error == std::errc() && end < one.data() + one.size()) v.add(number, one.substr(size_t(end + 1 - one.data())));
  }
}

struct Elsewhere {
  std::string_view name;
  void (*add)(Values&, const Keep&);
};
constexpr Elsewhere elsewhere[] = {
    {"formats",
     [](Values& v, const Keep&) {
       for (const formats::Format& f : formats::all()) v.add(f.code, f.name);
     }},
    {"topologies",
     [](Values& v, const Keep& keep) {
       for (unsigned code = 0; code < 64; ++code)
         if (std::string name = pipeline::topology_name(code); !name.empty()) v.add(code, keep(std::move(name)));
     }},
    {"blend_factors", [](Values& v, const Keep& keep) { add_codes(v, keep, blend_factors); }},
    {"blend_functions", [](Values& v, const Keep& keep) { add_codes(v, keep, blend_functions); }},
    {"raster_operations",
     [](Values& v, const Keep& keep) {
       // All are operations; some have names.
       Values names;
       add_names(names, value_list("raster_operation_names"));
       for (unsigned code = 0; code < 256; ++code)
         v.add(code, keep(fmt::format("{:#04x}{}{}", code, names.find(code).empty() ? "" : " ", names.find(code))));
     }},
    {"logic_operations", [](Values& v, const Keep& keep) { add_codes(v, keep, logic_operations); }},
};

// Values of which each stands for a bit: any of them together are a value, too.
void add_unions(Values& v, const Keep& keep) {
  for (const auto& [bit, name] : v.all())
    for (const auto& [others, names] : v.all())
      if (others < bit) v.add(others | bit, keep(std::string(names).append(" | ").append(name)));
}

struct Spelled {
  std::string_view spec;
  Form form;
};
constexpr Spelled spelled[] = {{"number", Form::number},
                               {"signed", Form::signed_number},
                               {"hex", Form::address},
                               {"register", Form::reg},
                               {"float", Form::real}};

struct BaseName {
  std::string_view name;
  Base base;
};
constexpr BaseName base_names[] = {{"general", Base::general},         {"surface", Base::surface},
                                   {"dynamic", Base::dynamic},         {"indirect", Base::indirect},
                                   {"instruction", Base::instruction}, {"bindless", Base::bindless}};
Base base_named(std::string_view name) {
  for (const BaseName& b : base_names)
    if (b.name == name) return b.base;
  return Base::none;
}

struct ActionRow {
  std::string_view packet;
  Action action;
};
constexpr ActionRow actions[] = {{"MI_BATCH_BUFFER_START", Action::start_batch},
                                 {"MI_BATCH_BUFFER_END", Action::end_batch},
                                 {"STATE_BASE_ADDRESS", Action::set_bases},
                                 {"3DPRIMITIVE", Action::draw}};

// An entry of 3DSTATE_SO_DECL_LIST: one declaration for each of the four streams.
constexpr auto so_decl_fields = [] {
  auto fields = described_fields<commands::three_d::every::so_decl>;
  for (DescribedField& f : fields) f.count = 4, f.stride = 16;
  return fields;
}();
constexpr PacketDescription so_decl_entry{"SO_DECL_ENTRY", 0, 0, 2, so_decl_fields};
// A dword of 3DSTATE_GATHER_CONSTANT_*: two entries.
constexpr auto gather_fields = [] {
  auto fields = described_fields<commands::three_d::every::gather_constant_entry>;
  for (DescribedField& f : fields) f.count = 2, f.stride = 16;
  return fields;
}();
constexpr PacketDescription gather_constant_pair{"GATHER_CONSTANT_PAIR", 0, 0, 1, gather_fields};

namespace s = state::every;
namespace t = commands::three_d::every;
namespace d = commands::descriptor_fields;
// State objects and elements of lists that layouts describe.
const PacketDescription* const objects_gen6[] = {&state::describe_surface_gen6(), &state::describe_sampler_gen6(),
                                                 &description_of<d::gen6>};
std::array<const PacketDescription*, 14> objects_since_gen8(const PacketDescription& surface,
                                                            const PacketDescription& sampler,
                                                            const PacketDescription& descriptor,
                                                            const PacketDescription& color_calc) {
  return {&surface,
          &sampler,
          &descriptor,
          &color_calc,
          &description_of<s::blend_state>,
          &description_of<s::blend_state_entry>,
          &description_of<s::cc_viewport>,
          &description_of<s::sf_clip_viewport>,
          &description_of<s::scissor_rect>,
          &description_of<t::vertex_buffer_state>,
          &description_of<t::vertex_element_state>,
          &so_decl_entry,
          &description_of<t::binding_table_edit_entry>,
          &gather_constant_pair};
}
const auto objects_gen8 = objects_since_gen8(state::describe_surface_gen8(), state::describe_sampler_gen8(),
                                             description_of<d::gen8>, description_of<state::gen8::color_calc_state>);
const auto objects_gen9 = objects_since_gen8(state::describe_surface_gen9(), state::describe_sampler_gen9(),
                                             description_of<d::gen9>, description_of<state::gen9::color_calc_state>);

bool holds(std::string_view row, std::string_view name) { return row == "*" || row == name; }

}  // namespace

const Generation gen6{G6, objects_gen6}, gen8{G8, objects_gen8}, gen9{G9, objects_gen9};

Language::Language(const Generation& generation, const registers::Table& registers, std::span<const Source> commands)
    : registers_(registers) {
  const auto in_table = [&](std::string_view name) -> const PacketDescription* {
    for (const TablePacket& p : packet_table())
      if (p.kind == RowKind::command && (p.generations & generation.bit) && p.description.name == name)
        return &p.description;
    return nullptr;
  };
  for (const PacketDescription* d : generation.objects) describe(objects_.emplace_back(), *d, generation);
  for (const TablePacket& p : packet_table())
    if (p.kind == RowKind::object && (p.generations & generation.bit))
      describe(objects_.emplace_back(), p.description, generation);
  for (const Source& s : commands) {
    // The inventory lists some that others execute.
    const auto& before = by_header_[s.header];
    if (std::any_of(before.begin(), before.end(), [&](const Packet* p) { return (s.engines & ~p->engines) == 0; }))
      continue;
    Packet& p = commands_.emplace_back();
    const PacketDescription* d = s.description ? s.description : in_table(s.name);
    p.name = s.name;
    p.header = s.header;
    p.mask = s.mask;
    p.engines = s.engines;
    p.length = s.length;
    if (d) describe(p, *d, generation);
    for (const ActionRow& a : actions)
      if (a.packet == p.name) p.action = a.action;
    by_header_[s.header].push_back(&p);
  }
  join_lists(generation);
  join_pointers(generation);
}

void Language::describe(Packet& p, const PacketDescription& d, const Generation& g) {
  p.name = d.name;
  p.dwords = d.dwords;
  p.described = true;
  const auto add = [&](std::span<const DescribedField> fields) {
    for (const DescribedField& f : fields)
      p.fields.push_back({f.name, f.bits, f.count, f.stride, Form(f.form), 0, nullptr});
  };
  add(d.fields);
  for (const TablePacket& t : packet_table()) {
    if (t.kind != RowKind::parts || !(t.generations & g.bit) || t.description.name != d.name) continue;
    std::erase_if(p.fields, [&](const Field& f) { return f.name == t.whole; });
    add(t.description.fields);
  }
  std::stable_sort(p.fields.begin(), p.fields.end(),
                   [](const Field& a, const Field& b) { return a.bits.lo < b.bits.lo; });
  describe_values(p, g);
  size_t reach = p.mask ? 1 : 0;
  for (const Field& f : p.fields) reach = std::max(reach, size_t(f.at(f.count - 1u).hi / 32) + 1);
  p.reserved.assign(reach, ~0u);
  if (!p.reserved.empty()) p.reserved[0] &= ~(p.mask | p.length.field);
  for (const Field& f : p.fields)
    for (unsigned n = 0; n < f.count; ++n)
      for (int bit = f.at(n).lo; bit <= f.at(n).hi; ++bit)
        if (size_t(bit / 32) < p.reserved.size()) p.reserved[size_t(bit / 32)] &= ~(1u << bit % 32);
}

void Language::describe_values(Packet& p, const Generation& g) {
  for (const ValueRow& row : value_table()) {
    if (!(row.generations & g.bit) || !holds(row.packet, p.name)) continue;
    for (Field& f : p.fields) {
      if (f.name != row.field) continue;
      const std::string_view spec = row.spec;
      const auto plain =
          std::find_if(std::begin(spelled), std::end(spelled), [&](const Spelled& s) { return s.spec == spec; });
      if (plain != std::end(spelled)) {
        f.form = plain->form;
      } else if (spec[0] == 'u' || spec[0] == 's') {
        f.form = spec[0] == 'u' ? Form::fixed : Form::signed_fixed;
        f.fraction = uint8_t(std::stoi(std::string(spec.substr(spec.find('.') + 1))));
      } else {
        f.form = Form::named;
        f.values = values(spec);
      }
    }
  }
}

const Values* Language::values(std::string_view spec) {
  const auto found = values_.find(spec);
  if (found != values_.end()) return &found->second;
  Values& v = values_[std::string(spec)];
  const Keep keep = [this](std::string name) { return std::string_view(names_.emplace_back(std::move(name))); };
  if (spec[0] == '|') {
    add_names(v, spec.substr(1));
    add_unions(v, keep);
    return &v;
  }
  if (spec[0] != '@') {
    add_names(v, spec);
    return &v;
  }
  add_names(v, value_list(spec.substr(1)));
  for (const Elsewhere& e : elsewhere)
    if (e.name == spec.substr(1)) e.add(v, keep);
  return &v;
}

void Language::join_lists(const Generation& g) {
  for (const ListRow& row : list_table())
    if (row.generations & g.bit)
      for (std::deque<Packet>* all : {&commands_, &objects_})
        for (Packet& p : *all)
          if (p.name == row.packet) p.list = find_object(row.object), p.list_from = uint16_t(row.from);
}

// "3", "Field", "PACKET.Field", with "*3", "/32" and "+1" behind.
Count Language::count_of(const Packet& p, std::string_view text) {
  Count c;
  const auto take = [&](char sign, unsigned& to) {
    const size_t at = text.rfind(sign);
    if (at == text.npos || at + 1 == text.size() || !std::isdigit(static_cast<unsigned char>(text[at + 1]))) return;
    to = unsigned(std::stoul(std::string(text.substr(at + 1))));
    text = text.substr(0, at);
  };
  take('+', c.more);
  take('*', c.factor);
  take('/', c.divisor);
  if (text.empty()) return c;
  if (std::isdigit(static_cast<unsigned char>(text[0])) && text.find('.') == text.npos) {
    c.more += unsigned(std::stoul(std::string(text)));
    return c;
  }
  const size_t dot = text.find('.');
  if (dot == text.npos) {
    c.field = p.find(text);
    return c;
  }
  for (Packet& other : commands_) {
    const int field = other.name == text.substr(0, dot) ? other.find(text.substr(dot + 1)) : -1;
    if (field < 0) continue;
    const auto [at, fresh] = remembered_.emplace(std::string(text), uint16_t(remembered_.size()));
    c.remembered = at->second;
    if (fresh) other.remembers.emplace_back(uint16_t(field), at->second);
  }
  return c;
}

void Language::join_pointers(const Generation& g) {
  for (const PointerRow& row : pointer_table()) {
    if (!(row.generations & g.bit)) continue;
    for (std::deque<Packet>* all : {&commands_, &objects_})
      for (Packet& p : *all) {
        const int field = p.name == row.packet ? p.find(row.field) : -1;
        if (field < 0) continue;
        Pointer to{.field = uint16_t(field), .when = p.find(row.when), .base = base_named(row.base)};
        to.target = row.target == "kernel"          ? Target::kernel
                    : row.target == "binding table" ? Target::binding_table
                                                    : Target::object;
        to.object = find_object(to.target == Target::binding_table ? "RENDER_SURFACE_STATE" : row.target);
        to.count = count_of(p, row.count);
        p.counted_elsewhere |= to.count.remembered >= 0;
        p.pointers.push_back(to);
      }
  }
}

const Packet* Language::find(uint32_t header, commands::Engine engine) const {
  const uint32_t mask = commands::header_mask(header);
  const auto found = mask ? by_header_.find(header & mask) : by_header_.end();
  if (found == by_header_.end()) return nullptr;
  for (const Packet* p : found->second)
    if (p->engines & commands::set_of(engine)) return p;
  return found->second.front();
}

const Packet* Language::find_object(std::string_view name) const {
  for (const Packet& p : objects_)
    if (p.name == name) return &p;
  return nullptr;
}

std::string register_name(const registers::Table& table, uint64_t mmio) {
  if (mmio > ~0u) return {};
  const registers::Found found = registers::find(table, uint32_t(mmio));
  if (!found.reg) return {};
  return found.dword ? fmt::format("{}+{}", found.reg->name, 4 * found.dword) : std::string(found.reg->name);
}

}  // namespace vitro::decode
