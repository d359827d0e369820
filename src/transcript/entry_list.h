#pragma once
// The entries of one line while it is parsed: they share who, where and when, and have ids of their
// own.

#include "transcript/transcript_entry.h"

#include <string>
#include <utility>
#include <vector>

namespace oriel {

class EntryList {
 public:
  // What all entries have; its id is the line's.
  explicit EntryList(TranscriptEntry common) : common_(std::move(common)) {}

  TranscriptEntry& add(EntryKind kind, std::string text = {}) {
    TranscriptEntry entry = entries_.empty() ? std::move(common_) : another();
    entry.kind = kind;
    entry.text = std::move(text);
    entries_.push_back(std::move(entry));
    return entries_.back();
  }

  TranscriptLine take() { return {.entries = std::move(entries_), .skipped = {}}; }

 private:
  TranscriptEntry another() const {
    const TranscriptEntry& first = entries_.front();
    TranscriptEntry entry;
    entry.id = first.id + "#" + std::to_string(entries_.size() + 1);
    entry.time = first.time;
    entry.prompt_id = first.prompt_id;
    entry.session_id = first.session_id;
    entry.cwd = first.cwd;
    entry.is_sidechain = first.is_sidechain;
    return entry;
  }

  TranscriptEntry common_;  // the first entry takes it: most lines have one
  std::vector<TranscriptEntry> entries_;
};

// A tool's call: kQuestion if the tool asks the person.
void add_tool_use(EntryList& entries, std::string_view tool_call_id, std::string_view tool_name,
                  const boost::json::value& input);

}  // namespace oriel
