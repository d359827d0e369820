#include "supervisor/observers/redact_observed.h"

#include "base/event/redact.h"

namespace oriel {

void redact(HookEvent& hook, const Redactor& redactor) {
  for (std::string* const text : {&hook.reason, &hook.prompt, &hook.last_text, &hook.message})
    redactor.mask(*text);
  redact(hook.tool_input, redactor);
  redact(hook.tool_response, redactor);
}

void redact(std::vector<TranscriptEntry>& entries, const Redactor& redactor) {
  for (TranscriptEntry& entry : entries) {
    redactor.mask(entry.text);
    redact(entry.input, redactor);
  }
}

}  // namespace oriel
