// The environment of this process as it began, and of its children (see environment.h). Fixed buffers only.
#include "i915/preload/environment.h"

#include <climits>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "base/preload_list.h"
#include "i915/preload/paths.h"

extern char** environ;

namespace vitro::preload {

namespace {

// "NAME=value" of each, kept because the program may clear or overwrite its environment.
struct Kept {
  const char* name;
  bool read = false;
  char text[PATH_MAX + 32] = {};
};
constinit Kept kept[] = {{"VITRO_DEVICE"},     {"VITRO_THREADS"},    {"VITRO_STATS"},
                         {"VITRO_STRICT"},     {"VITRO_STATS_FILE"}, {"VITRO_TRACE"},
                         {"VITRO_HANG_LIMIT"}, {"VITRO_JIT"},        {"VITRO_JIT_CACHE"},
                         {"VITRO_JIT_DUMP"},   {"VITRO_JIT_PERF"},   {"VITRO_JIT_GDB"},
                         {"VITRO_CACHE_DIR"},  {"VITRO_RUN"},        {"VITRO_EXECUTE"},
                         {"VITRO_PNG_AFTER"},  {"VITRO_CAPTURE"},    {"VITRO_CAPTURE_RESULTS"},
                         {"VITRO_VISA"}};
static_assert(sizeof kept / sizeof kept[0] + 2 <= ChildEnvironment::added);  // and the two about LD_PRELOAD

// Idempotent, so that threads that meet here do no harm.
void read(Kept& variable) {
  const size_t name = strlen(variable.name);
  const char* value = getenv(variable.name);
  if (value && name + 1 + strlen(value) < sizeof variable.text) {
    memcpy(variable.text, variable.name, name);
    variable.text[name] = '=';
    strcpy(variable.text + name + 1, value);
  }
  __atomic_store_n(&variable.read, true, __ATOMIC_RELEASE);
}

// The loader runs this before main and hands over the environment by then complete.
[[gnu::constructor]] void remember() {
  for (Kept& variable : kept) read(variable);
}

// The text after "NAME=", or nullptr if `text` is another variable.
const char* value_of(const char* text, const char* name) {
  const size_t length = strlen(name);
  return strncmp(text, name, length) == 0 && text[length] == '=' ? text + length + 1 : nullptr;
}

// "NAME=value" in `text`, which has the space.
void set(char* text, const char* name, const char* value) {
  strcpy(text, name);
  strcat(strcat(text, "="), value);
}

}  // namespace

const char* option(const char* name) {
  for (Kept& variable : kept) {
    if (strcmp(variable.name, name) != 0) continue;
    if (!__atomic_load_n(&variable.read, __ATOMIC_ACQUIRE)) {
      if (!environ) return nullptr;  // the C library is not there yet
      read(variable);
    }
    const char* value = variable.text[0] ? variable.text + strlen(name) + 1 : nullptr;
    return value && *value ? value : nullptr;
  }
  return nullptr;
}

size_t environment_count(char* const variables[]) {
  size_t count = 0;
  while (variables && variables[count]) ++count;
  return count;
}

char* const* complete(ChildEnvironment& space, char* const variables[], const SanitizerLibrary& sanitizer) {
  Preload preload{.library = library_path(), .sanitizer = sanitizer.name};
  if (!*preload.library) return variables;
  size_t count = 0;
  size_t list_at = SIZE_MAX, added_at = SIZE_MAX;
  bool present[sizeof kept / sizeof kept[0]] = {};
  for (; variables && variables[count]; ++count) {
    char* text = variables[count];
    if (const char* list = value_of(text, "LD_PRELOAD"); list && list_at == SIZE_MAX)
      preload.list = list, list_at = count;
    if (const char* added = value_of(text, added_sanitizer_variable); added && added_at == SIZE_MAX)
      preload.added = added, added_at = count;
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; ++i) present[i] |= value_of(text, kept[i].name) != nullptr;
    space.list[count] = text;
  }

  SanitizerLibrary added;
  constexpr size_t name_size = sizeof "LD_PRELOAD=" - 1;
  set(space.preload, "LD_PRELOAD", "");
  if (!make_preload_list(preload, space.preload + name_size, sizeof space.preload - name_size, added)) return variables;
  if (list_at == SIZE_MAX) list_at = count++, space.list[list_at] = space.preload;
  // The very text stays where nothing changes, so that a complete environment is recognised.
  if (strcmp(space.list[list_at], space.preload) != 0) space.list[list_at] = space.preload;
  if (strcmp(added.name, preload.added) != 0) {
    if (added_at == SIZE_MAX) added_at = count++;
    set(space.sanitizer, added_sanitizer_variable, added.name);
    space.list[added_at] = space.sanitizer;
  }
  for (size_t i = 0; i < sizeof kept / sizeof kept[0]; ++i)
    if (!present[i] && kept[i].text[0]) space.list[count++] = kept[i].text;
  space.list[count] = nullptr;
  return space.list;
}

}  // namespace vitro::preload
