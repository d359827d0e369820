#pragma once
// What of a session's workspace is on the git remote, as every node knows it. Pure.

#include "base/error.h"
#include "base/time.h"

#include <string>
#include <string_view>

namespace oriel {

struct PushedWorkspace {
  std::string commit;
  WallTime time;  // of the files

  bool operator==(const PushedWorkspace&) const = default;
};

// "pushed/<session_id>"
std::string pushed_document_key(std::string_view session_id);

std::string to_pushed_document(const PushedWorkspace& pushed);

// Parses the output of to_pushed_document(). Error: bad_document.
Result<PushedWorkspace> parse_pushed_document(std::string_view text);

}  // namespace oriel
