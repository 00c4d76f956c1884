// Making the list of libraries that are loaded before a program's own (see preload_list.h).
#include "base/preload_list.h"

#include <cstring>
#include <string_view>

namespace vitro {

namespace {

constexpr const char* separators = ": ";  // those of the loader

// Calls `visit` with each library of a list.
template <class Visit>
void for_each(const char* list, Visit visit) {
  while (*list) {
    const size_t length = strcspn(list, separators);
    if (length) visit(std::string_view(list, length));
    list += length + (list[length] != 0);
  }
}

bool is_sanitizer(std::string_view library) {
  const size_t slash = library.rfind('/');
  if (slash != library.npos) library.remove_prefix(slash + 1);
  SanitizerLibrary name;
  if (library.size() >= sizeof name.name) return false;
  memcpy(name.name, library.data(), library.size());
  return vitro::is_sanitizer(name.name);
}

class List {
 public:
  List(char* text, size_t size) : text_(text), size_(size) {
    if (size) *text = 0;
  }
  void add(std::string_view library) {
    if (length_ + library.size() + 2 > size_) fits_ = false;
    if (!fits_) return;
    if (length_) text_[length_++] = ':';
    memcpy(text_ + length_, library.data(), library.size());
    text_[length_ += library.size()] = 0;
  }
  bool fits() const { return fits_; }

 private:
  char* text_;
  size_t size_, length_ = 0;
  bool fits_ = true;
};

}  // namespace

bool make_preload_list(const Preload& preload, char* text, size_t size, SanitizerLibrary& added) {
  const std::string_view library = preload.library;
  bool has_library = false, has_sanitizer = false;
  for_each(preload.list, [&](std::string_view entry) { has_library |= entry == library; });
  // A list without ours is the program's own; in one of ours the first of that name is the added one.
  const char* of_parent = nullptr;
  for_each(preload.list, [&](std::string_view entry) {
    if (has_library && !of_parent && *preload.added && entry == preload.added)
      of_parent = entry.data();
    else
      has_sanitizer |= is_sanitizer(entry);
  });

  List list(text, size);
  added = {};
  // Two run times in one process do not work: the user's choice counts.
  if (*preload.sanitizer && !has_sanitizer && strlen(preload.sanitizer) < sizeof added.name) {
    strcpy(added.name, preload.sanitizer);
    list.add(preload.sanitizer);
  }
  for_each(preload.list, [&](std::string_view entry) {
    if (entry.data() != of_parent && is_sanitizer(entry)) list.add(entry);
  });
  if (!has_library) list.add(library);
  for_each(preload.list, [&](std::string_view entry) {
    if (entry.data() != of_parent && !is_sanitizer(entry)) list.add(entry);
  });
  return list.fits();
}

}  // namespace vitro
