// Fuzz target: any bytes as a batch, with its state and kernels, decoded for each device and engine, as text, as JSON
// and as a page. Whatever it is, reading it ends, and every printer closes what it opened.
#include <cstring>
#include <memory>
#include <vector>

#include "batch.h"
#include "decode/printer.h"
#include "fuzz.h"
#include "gen/machine.h"
#include "memory/view.h"

using namespace vitro;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < fuzz::header_bytes) return 0;
  const gen::Device& device = gen::devices()[data[0] % gen::devices().size()];
  const gen::Machine& machine = gen::machine(device);
  const decode::Language& language = machine.commands.language();
  std::vector<std::byte> object(fuzz::object_bytes);
  std::memcpy(object.data(), data + fuzz::header_bytes, std::min(size - fuzz::header_bytes, fuzz::image_bytes));
  memory::View view(std::make_shared<memory::Table>(
      std::vector<memory::Range>{{.start = fuzz::base, .bytes = object.size(), .host = object.data()}}));

  std::string text, json, page;
  const auto to = [](std::string& s) { return [&s](std::string_view more) { s += more; }; };
  const std::unique_ptr<decode::Printer> printers[] = {
      decode::text_printer(language, to(text), data[1] & 8, data[1] & 16), decode::json_printer(language, to(json)),
      decode::html_printer(language, to(page), "fuzz")};
  uint64_t items = 0;
  decode::Walker walker(language, machine.model, {.most_commands = 20'000}, [&](const decode::Item& i) {
    ++items;
    for (const auto& p : printers) p->item(i);
  });
  decode::Context context;
  walker.walk(view, view, context,
              {.engine = commands::Engine(data[1] & 3), .address = fuzz::base, .ring = (data[1] & 4) != 0});
  for (const auto& p : printers) p->finish();
  fuzz::must_hold(items == 0 || !text.empty(), machine.model, "what is read is shown");
  fuzz::must_hold(json.empty() || json.back() == '\n', machine.model, "JSON ends with a line");
  int open = 0;
  bool quoted = false;
  for (size_t n = 0; n < json.size(); ++n) {
    if (json[n] == '\\')
      ++n;
    else if (json[n] == '"')
      quoted = !quoted;
    else if (!quoted)
      open += (json[n] == '{' || json[n] == '[') - (json[n] == '}' || json[n] == ']');
    if (json[n] == '\n') fuzz::must_hold(open == 0 && !quoted, machine.model, "each line is an object");
  }
  fuzz::must_hold(page.find("start();\n</script>\n</html>") != page.npos, machine.model, "the page is whole");
  return 0;
}
