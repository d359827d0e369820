#pragma once
// The entries of one line while it is parsed: they share who, where and when, and have ids of their
// own.

#include "turn/transcript_entry.h"

#include <string>
#include <utility>
#include <vector>

namespace oriel {

class EntryList {
 public:
  // What all entries have; its id is the line's.
  explicit EntryList(TranscriptEntry common) : common_(std::move(common)) {}

  TranscriptEntry& add(EntryKind kind, std::string text = {}) {
    TranscriptEntry entry = common_;
    entry.kind = kind;
    entry.text = std::move(text);
    if (!entries_.empty()) entry.id += "#" + std::to_string(entries_.size() + 1);
    entries_.push_back(std::move(entry));
    return entries_.back();
  }

  TranscriptLine take() { return {.entries = std::move(entries_), .skipped = {}}; }

 private:
  TranscriptEntry common_;
  std::vector<TranscriptEntry> entries_;
};

// A tool's call: kQuestion if the tool asks the person.
void add_tool_use(EntryList& entries, std::string_view tool_call_id, std::string_view tool_name,
                  const boost::json::value& input);

}  // namespace oriel
