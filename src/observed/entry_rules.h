#pragma once
// What a transcript's entry changes in the conversation of its agent. The transcript is late, and
// right: where it differs from hooks, it counts. Pure.

#include "observed/conversation.h"
#include "transcript/transcript_entry.h"

#include <string_view>
#include <vector>

namespace oriel {

struct EntryContext {
  bool is_repeat = false;     // TranscriptProgress says so
  bool is_last_text = false;  // as is_last_text() says
};

// An entry of the agent itself, not of a sub-agent.
void apply_entry(const TranscriptEntry& entry, const EntryContext& context,
                 Conversation& conversation);

// Whether this entry is the agent's last text before it stops, as far as these entries show.
bool is_last_text(const std::vector<TranscriptEntry>& entries, std::size_t index);

// What an entry of this kind triggers, for state transitions.
std::string_view trigger_of(EntryKind kind);

}  // namespace oriel
