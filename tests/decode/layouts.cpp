// Prints what the decoder knows of a generation's packets as JSON, for tools/compare_genxml: layouts DEVICE. Every
// command and state object with its fields, where they stand, and what their values are called.
#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "decode/language.h"
#include "gen/machine.h"

using namespace vitro;
using Json = nlohmann::ordered_json;

namespace {

constexpr const char* forms[] = {"number", "flag",         "signed", "real",    "address",
                                 "fixed",  "signed fixed", "named",  "register"};

Json to_json(const decode::Packet& p) {
  Json fields = Json::array();
  for (const decode::Field& f : p.fields) {
    Json one{{"name", f.name},
             {"lo", f.bits.lo},
             {"hi", f.bits.hi},
             {"scale", f.bits.scale},
             {"count", f.count},
             {"stride", f.stride},
             {"form", forms[int(f.form)]},
             {"fraction", f.fraction}};
    if (f.values)
      for (const auto& [value, name] : f.values->all()) one["values"][std::to_string(value)] = name;
    fields.push_back(std::move(one));
  }
  Json j{{"name", p.name}, {"header", p.header}, {"dwords", p.dwords}, {"described", p.described}, {"fields", fields}};
  if (p.list) j["list"] = {{"object", p.list->name}, {"from", p.list_from}};
  return j;
}

}  // namespace

int main(int argc, char** argv) {
  const gen::Device* device = argc == 2 ? gen::find_device(argv[1]) : nullptr;
  if (!device) {
    fmt::print(stderr, "usage: layouts DEVICE\n");
    return 2;
  }
  const decode::Language& language = gen::machine(*device).commands.language();
  Json all{{"commands", Json::array()}, {"objects", Json::array()}};
  for (const decode::Packet& p : language.commands()) all["commands"].push_back(to_json(p));
  for (const decode::Packet& p : language.objects()) all["objects"].push_back(to_json(p));
  fmt::print("{}\n", all.dump(1));
  return 0;
}
