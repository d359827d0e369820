#pragma once
// Tools by which an agent asks a person, and the texts of their input and output.

#include "base/event/turn_data.h"

#include <boost/json/value.hpp>

#include <string>
#include <string_view>

namespace oriel {

// AskUserQuestion, ExitPlanMode (Claude Code), AskUser (Droid), request_user_input (Codex), ...
bool is_question_tool(std::string_view tool_name);

// The questions, or the plan that needs approval.
std::string question_text(std::string_view tool_name, const boost::json::value& input);

// The call as a pending question.
ToolQuestion tool_question(std::string_view tool_name, std::string_view tool_call_id,
                           const boost::json::value& input);

// The person's choices, from {"answers":{QUESTION:ANSWER}}; empty: there are none.
std::string answer_text(const boost::json::value& response);

// The text of a tool's output: a string, text blocks, answers, stdout and stderr, or else its JSON.
std::string output_text(const boost::json::value& response);

}  // namespace oriel
