#pragma once
// Applies transcript entries to the conversation of an agent. The transcript is late but
// authoritative: it overrides hooks. Pure.

#include "observed/conversation.h"
#include "transcript/transcript_entry.h"

#include <vector>

namespace oriel {

struct EntryContext {
  bool is_repeat = false;     // as in TranscriptProgress
  bool is_last_text = false;  // result of is_last_text()
};

// An entry of the agent itself, not of a sub-agent.
void apply_entry(const TranscriptEntry& entry, const EntryContext& context,
                 Conversation& conversation);

// Whether this entry is the agent's last text before it stops, as far as these entries show.
bool is_last_text(const std::vector<TranscriptEntry>& entries, std::size_t index);

// Of a change of state that such an entry causes.
StateTrigger trigger_of(EntryKind kind);

}  // namespace oriel
