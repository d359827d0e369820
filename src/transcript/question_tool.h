#pragma once
// Tools that ask the person who sits before the agent, and what their input and output say.

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <string>
#include <string_view>

namespace oriel {

// AskUserQuestion, ExitPlanMode (Claude Code), AskUser (Droid), request_user_input (Codex), ...
bool is_question_tool(std::string_view tool_name);

// What is asked, as text: the questions, or the plan.
std::string question_text(std::string_view tool_name, const boost::json::value& input);

// {"tool_name","tool_call_id","input","questions":[{"text","choices":[...],"takes_many"}]}
boost::json::object question_data(std::string_view tool_name, std::string_view tool_call_id,
                                  const boost::json::value& input);

// What the person chose, of the answer's structure (`answers`: {question: answer}); empty when it
// has none.
std::string answer_text(const boost::json::value& response);

// A tool's output as text: a string, text blocks, stdout, or else its JSON.
std::string output_text(const boost::json::value& response);

}  // namespace oriel
