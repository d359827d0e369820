#pragma once
// What a function says when it cannot do what it was asked and the caller should decide.
// Every error says what happened (`message`) and what to do about it (`hint`); `code` is stable,
// for programs.

#include <boost/assert/source_location.hpp>
#include <boost/system/result.hpp>

#include <stdexcept>
#include <string>

namespace oriel {

struct Error {
  std::string code;  // snake_case, such as "invalid_filter"
  std::string message;
  std::string hint;

  bool operator==(const Error&) const = default;
};

// In one line, for a person.
inline std::string describe(const Error& error) {
  if (error.hint.empty()) return error.message;
  const bool is_sentence = error.message.ends_with('.');
  return error.message + (is_sentence ? " " : "; ") + error.hint;
}

template <class T>
using Result = boost::system::result<T, Error>;

// Called by Result::value() when there is none: asking for it unchecked is a fault.
[[noreturn]] inline void throw_exception_from_error(const Error& error,
                                                    const boost::source_location&) {
  throw std::runtime_error(error.message);
}

}  // namespace oriel
