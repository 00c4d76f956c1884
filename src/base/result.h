// Results between modules: a value or an Error that says what was wrong with the input. Our own bugs are asserts.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace vitro {

// Bad input to a tool or a decoder, in words a user can act on.
struct Error {
  std::string message;
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> failure(std::string message) { return tl::unexpected<Error>(Error{std::move(message)}); }

}  // namespace vitro
