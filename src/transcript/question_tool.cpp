#include "transcript/question_tool.h"

#include "base/text/json_line.h"
#include "base/text/json_text.h"

#include <boost/json/array.hpp>

#include <algorithm>
#include <array>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::array<std::string_view, 5> kQuestionTools = {
    "AskUserQuestion", "ExitPlanMode", "AskUser", "ExitSpecMode", "request_user_input"};

std::string joined(std::string first, std::string_view second) {
  if (!first.empty() && !second.empty()) first += "\n";
  return first.append(second);
}

std::vector<std::string> choices_of(const json::value& question) {
  std::vector<std::string> choices;
  for (const json::value& option : elements_of(member(question, "options"))) {
    const std::string_view label =
        option.is_string() ? text_of(option) : text_of(member(option, "label"));
    if (!label.empty()) choices.emplace_back(label);
  }
  return choices;
}

}  // namespace

bool is_question_tool(std::string_view tool_name) {
  return std::find(kQuestionTools.begin(), kQuestionTools.end(), tool_name) != kQuestionTools.end();
}

std::string question_text(std::string_view tool_name, const json::value& input) {
  std::string text;
  for (const json::value& question : elements_of(member(input, "questions")))
    text = joined(std::move(text), text_of(member(question, "question")));
  for (const std::string_view key : {"plan", "questionnaire", "question"}) {
    if (text.empty()) text = text_of(member(input, key));
  }
  return text.empty() ? std::string(tool_name) : text;
}

ToolQuestion tool_question(std::string_view tool_name, std::string_view tool_call_id,
                           const json::value& input) {
  ToolQuestion asked{.tool_name = std::string(tool_name),
                     .tool_call_id = std::string(tool_call_id),
                     .input = input,
                     .questions = {},
                     .status = QuestionStatus::kPending};
  for (const json::value& question : elements_of(member(input, "questions")))
    asked.questions.push_back({.text = text_at(question, "question"),
                               .choices = choices_of(question),
                               .takes_many = is_true(member(question, "multiSelect"))});
  return asked;
}

std::string answer_text(const json::value& response) {
  const json::object* answers = member(response, "answers").if_object();
  if (!answers) return {};
  std::string text;
  for (const auto& [question, answer] : *answers) {
    const std::string given = content_text(answer);
    const std::string line = answers->size() == 1 ? given : std::string(question) + ": " + given;
    text = joined(std::move(text), line);
  }
  return text;
}

std::string output_text(const json::value& response) {
  if (!response.is_object()) return content_text(response);
  if (std::string answers = answer_text(response); !answers.empty()) return answers;
  if (member(response, "stdout").is_string())
    return joined(std::string(text_of(member(response, "stdout"))),
                  text_of(member(response, "stderr")));
  if (!member(response, "content").is_null()) return content_text(member(response, "content"));
  return json_text(response);
}

}  // namespace oriel
