#pragma once
// The entries of one line while it is parsed. They share time, session and directory; each has an
// id of its own.

#include "transcript/transcript_entry.h"

#include <string>
#include <utility>
#include <vector>

namespace oriel {

class EntryList {
 public:
  // The fields that all entries share. Its id is the line's.
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

  TranscriptEntry common_;  // moved into the first entry: most lines have one
  std::vector<TranscriptEntry> entries_;
};

// Adds a kToolUse, or a kQuestion if the tool asks a person.
void add_tool_use(EntryList& entries, std::string_view tool_call_id, std::string_view tool_name,
                  const boost::json::value& input);

}  // namespace oriel
