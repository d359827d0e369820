#pragma once
// The latest state of something that outlives its events, such as a session.

#include <string>

namespace oriel {

// Stored with events, and not subject to retention.
struct Document {
  std::string key;
  std::string value;  // empty: removes the document

  bool operator==(const Document&) const = default;
};

}  // namespace oriel
