// The environment of this process as it began, and of its children (see environment.h). Fixed buffers only.
#include "i915/preload/environment.h"

#include <climits>
#include <cstdlib>
#include <cstring>

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
constinit Kept kept[] = {{"VITRO_DEVICE"},     {"VITRO_THREADS"},  {"VITRO_STATS"},      {"VITRO_STRICT"},
                         {"VITRO_STATS_FILE"}, {"VITRO_TRACE"},    {"VITRO_HANG_LIMIT"}, {"VITRO_JIT"},
                         {"VITRO_JIT_CACHE"},  {"VITRO_JIT_DUMP"}, {"VITRO_JIT_PERF"},   {"VITRO_JIT_GDB"},
                         {"VITRO_CACHE_DIR"}};
static_assert(sizeof kept / sizeof kept[0] + 2 <= ChildEnvironment::added);

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

bool names_library(const char* list, const char* library) {
  const size_t length = strlen(library);
  for (const char* found = list; (found = strstr(found, library)); found += length) {
    const bool begins = found == list || found[-1] == ':' || found[-1] == ' ';
    if (begins && (found[length] == 0 || found[length] == ':' || found[length] == ' ')) return true;
  }
  return false;
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

char* const* complete(ChildEnvironment& space, char* const variables[]) {
  const char* library = library_path();
  if (!*library) return variables;
  size_t count = 0;
  bool preloaded = false, present[sizeof kept / sizeof kept[0]] = {};
  for (; variables && variables[count]; ++count) {
    char* text = variables[count];
    if (const char* list = value_of(text, "LD_PRELOAD"); list && !preloaded) {
      preloaded = true;
      if (!names_library(list, library)) {
        const size_t needed = strlen("LD_PRELOAD=") + strlen(library) + 1 + strlen(list) + 1;
        if (needed > sizeof space.preload) return variables;
        text = space.preload;
        strcpy(text, "LD_PRELOAD=");
        strcat(text, library);
        if (*list) strcat(strcat(text, ":"), list);
      }
    }
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; ++i) present[i] |= value_of(text, kept[i].name) != nullptr;
    space.list[count] = text;
  }
  if (!preloaded && strlen("LD_PRELOAD=") + strlen(library) < sizeof space.preload) {
    strcpy(space.preload, "LD_PRELOAD=");
    strcat(space.preload, library);
    space.list[count++] = space.preload;
  }
  for (size_t i = 0; i < sizeof kept / sizeof kept[0]; ++i)
    if (!present[i] && kept[i].text[0]) space.list[count++] = kept[i].text;
  space.list[count] = nullptr;
  return space.list;
}

}  // namespace vitro::preload
