#pragma once
// What a hook changes in the conversation of its agent. Hooks are early, and may be lost, repeated
// and out of order. Pure.

#include "observed/conversation.h"
#include "observed/hook.h"

namespace oriel {

// A hook of the agent itself, not of a sub-agent. The start and the end of a session change
// nothing.
void apply_hook(const HookEvent& hook, Conversation& conversation);

}  // namespace oriel
