#pragma once
// Masks secrets in hooks and entries before any rule is applied. Equal texts are masked equally, so
// that they still match. Pure.

#include "base/text/redactor.h"
#include "observed/hook.h"
#include "transcript/transcript_entry.h"

#include <vector>

namespace oriel {

void redact(HookEvent& hook, const Redactor& redactor);
void redact(std::vector<TranscriptEntry>& entries, const Redactor& redactor);

}  // namespace oriel
