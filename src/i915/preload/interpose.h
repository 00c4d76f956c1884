// The door: how a function of ours takes the place of one or several of the C library's, and how it finds the function
// it replaced. Our functions have names of their own (vitro_open), so that the C library's declarations, inline
// variants and attributes do not interfere; INTERPOSE gives such a function its public names in the object file.
#pragma once

#define VITRO_TEXT_(x) #x

// `function` must be extern "C" and defined in the same file. Several names may share one function: on x86-64 the
// variants with 64-bit offsets are the same functions.
#define INTERPOSE(name, function)                                                                \
  asm(".globl " VITRO_TEXT_(name) "\n.type " VITRO_TEXT_(name) ", @function\n.set " VITRO_TEXT_( \
      name) ", " VITRO_TEXT_(function) "\n")

namespace vitro::preload {

// The next definition of `name` behind ours, looked up once per place and kept in `slot`; safe in any thread at any
// time. `version` is needed where the C library keeps several definitions apart by it.
void* find_next(const char* name, const char* version, void** slot);

// NEXT(fopen)(path, mode): the function that INTERPOSE(fopen, ...) hides.
#define NEXT(name) NEXT_AS(name, decltype(&::name))
#define NEXT_AS(name, type) NEXT_VERSION(name, type, nullptr)
#define NEXT_VERSION(name, type, version)                                                          \
  ([]() -> type {                                                                                  \
    static void* slot = nullptr;                                                                   \
    return reinterpret_cast<type>(::vitro::preload::find_next(VITRO_TEXT_(name), version, &slot)); \
  }())

}  // namespace vitro::preload
