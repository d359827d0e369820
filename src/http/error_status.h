#pragma once
// The one table from ErrorKind to HTTP status.

#include "base/error_kind.h"

namespace oriel::http {

int status_of(ErrorKind kind);

}  // namespace oriel::http
