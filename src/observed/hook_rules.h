#pragma once
// Applies hooks to the conversation of an agent. Hooks are early, and may be lost, repeated and out
// of order. Pure.

#include "observed/conversation.h"
#include "observed/hook.h"

namespace oriel {

// A hook of the agent itself, not of a sub-agent. Ignores the start and the end of a session.
void apply_hook(const HookEvent& hook, Conversation& conversation);

// Of a change of state that such a hook causes.
StateTrigger trigger_of(HookKind kind);

}  // namespace oriel
