#pragma once
// The one table from ErrorKind to HTTP status.

#include "base/error_kind.h"

namespace oriel::http {

// Every status that an error can have. An enum, so that a table of all of them can be checked by
// the compiler.
enum class ErrorStatus {
  kBadRequest = 400,
  kUnauthorized = 401,
  kForbidden = 403,
  kNotFound = 404,
  kMethodNotAllowed = 405,
  kRequestTimeout = 408,
  kConflict = 409,
  kGone = 410,
  kContentTooLarge = 413,
  kUnsupportedMediaType = 415,
  kTooManyRequests = 429,
  kHeaderTooLarge = 431,
  kInternalError = 500,
  kNotImplemented = 501,
  kBadGateway = 502,
  kUnavailable = 503,
  kUnsupportedVersion = 505,
};

ErrorStatus error_status_of(ErrorKind kind);

inline int status_of(ErrorKind kind) {
  return static_cast<int>(error_status_of(kind));
}

}  // namespace oriel::http
