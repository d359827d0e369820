#pragma once
// What an append asks the journal to store.

#include "base/error.h"
#include "base/event/record.h"
#include "journal/document.h"

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace oriel {

// A condition of a proposal: the document has this value when the proposal's turn comes. In a
// cluster several nodes propose at once, and guards decide between them.
struct Guard {
  std::string key;
  std::string value;  // empty: there is no such document

  bool operator==(const Guard&) const = default;
};

// Stored together and without other events between, or not at all.
struct Proposal {
  NewRecords records;  // without sequence and index
  std::vector<Document> documents = {};
  std::vector<Guard> guards = {};

  // Called on the journal's thread once it is stored, before its records are published.
  std::function<void()> on_stored = {};

  bool is_empty() const { return records.empty() && documents.empty(); }

  // Memory use, for limits in bytes.
  std::size_t bytes() const;
};

using AppendResult = Result<std::vector<RecordPtr>>;

// Completes an append. Called once, on any thread.
struct AppendHandler {
  std::function<void(AppendResult)> complete;
  std::function<void()> on_stored = {};  // that of the proposal

  void operator()(AppendResult result) const { complete(std::move(result)); }
};

}  // namespace oriel
