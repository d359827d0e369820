#pragma once
// Errors that a caller handles: what failed (`message`) and what to do about it (`hint`).

#include "base/error_kind.h"

#include <boost/assert/source_location.hpp>
#include <boost/system/result.hpp>

#include <stdexcept>
#include <string>

namespace oriel {

struct Error {
  ErrorKind kind = ErrorKind::kUnknown;
  std::string message;
  std::string hint;

  bool operator==(const Error&) const = default;
};

// Message and hint in one line.
inline std::string describe(const Error& error) {
  if (error.hint.empty()) return error.message;
  const bool is_sentence = error.message.ends_with('.');
  return error.message + (is_sentence ? " " : "; ") + error.hint;
}

template <class T>
using Result = boost::system::result<T, Error>;

// Called by Result::value() on an error: an unchecked access is a bug.
[[noreturn]] inline void throw_exception_from_error(const Error& error,
                                                    const boost::source_location&) {
  throw std::runtime_error(error.message);
}

}  // namespace oriel
