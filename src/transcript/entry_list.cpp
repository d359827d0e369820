#include "transcript/entry_list.h"

#include "transcript/question_tool.h"

namespace oriel {

void add_tool_use(EntryList& entries, std::string_view tool_call_id, std::string_view tool_name,
                  const boost::json::value& input) {
  const bool asks = is_question_tool(tool_name);
  TranscriptEntry& entry = entries.add(asks ? EntryKind::kQuestion : EntryKind::kToolUse);
  entry.tool_call_id = tool_call_id;
  entry.tool_name = tool_name;
  entry.input = input;
  if (asks) entry.text = question_text(tool_name, input);
}

}  // namespace oriel
