// What pragmas set: declared symbols, defines and defaults, for the whole file or for one kernel (PG-01, PG-02).
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "isa/pragmas_text.h"

namespace vitro::isa {

// .declare
struct Declaration {
  int line = 0;
  std::string file;                // as it starts a register's name: r, m, acc ...
  int count = 0;                   // registers the file has
  bool numbered = true;            // else the name has no number: ip, null
  int base = 0;                    // RegBase
  std::optional<int> sub;          // SubRegBase, in elements
  int element_size = 1;            // bytes
  std::string source_region;       // <v;w,h>, or empty
  std::string destination_region;  // <h>
  std::optional<Type> type;
};

template <class T>
struct PerType {
  std::optional<T> all;
  std::array<std::optional<T>, type_count> of{};
};

struct Scope {
  struct Define {
    int line;
    std::string text;
  };
  std::map<std::string, Declaration, std::less<>> declarations;
  std::map<std::string, Define, std::less<>> defines;
  PerType<int> exec_size;
  std::map<std::string, Type, std::less<>> register_type;  // by register file; "" for all
  PerType<std::string> source_region, destination_region;
};

// The scopes in force, innermost first: the kernel's, then the file's.
struct Scopes {
  Scope file;
  std::optional<Scope> kernel;

  Scope& innermost() { return kernel ? *kernel : file; }
  template <class F>
  auto first(F&& f) const -> decltype(f(file)) {
    if (kernel)
      if (auto found = f(*kernel)) return found;
    return f(file);
  }
  const Declaration* declaration(std::string_view symbol) const;
  const Scope::Define* define(std::string_view symbol) const;
  // By the destination's type; without one only the size set for all instructions counts.
  std::optional<int> exec_size(std::optional<Type> destination) const;
  // `file` as the register's name starts, "imm" for immediates.
  std::optional<Type> register_type(std::string_view file) const;
  std::optional<std::string> source_region(std::optional<Type>) const;
  std::optional<std::string> destination_region(std::optional<Type>) const;
};

// Replaces defined words, again and again until none is left.
TracedText replace_defines(const Scopes&, const TracedText&);

// Arguments of the pragmas; the cursor stands before them. They throw SyntaxError.
void declare(const Model&, Scopes&, Cursor&, int line);
void define(Scopes&, Cursor&, std::string_view text, int line);
void default_execution_size(const Model&, Scopes&, Cursor&, std::optional<Type>);
void default_register_type(const Model&, Scopes&, Cursor&, std::string_view file);
void default_region(Scopes&, Cursor&, std::optional<Type>, bool source);

// A type of the model by its name, in either case.
std::optional<Type> type_named(const Model&, std::string_view name);
// "r" for r12, "acc" for acc0; empty if the word names no register.
std::string_view register_file_of(const Model&, std::string_view word);
// Blanks go, and <0,1,0> becomes <0;1,0>.
std::string plain_region(std::string_view text);
// The register files a default type can be set for.
bool is_register_file(const Model&, std::string_view name);

}  // namespace vitro::isa
