#pragma once
// Asks for a permission at the keyboard.

#include "base/agent_event.h"
#include "base/error.h"

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// The request body for one word: allow, deny, or an option's number, id or label. The error lists
// the possible answers.
Result<boost::json::object> answer_body(const PermissionAsked& asked, std::string_view word);

// The request body for answers to its questions, in order. The error says how many there are.
Result<boost::json::object> answers_body(const PermissionAsked& asked,
                                         const std::vector<std::string>& answers);

// One line: its options, or the choices of its first question.
std::string possible_answers(const PermissionAsked& asked);

class PermissionPrompt {
 public:
  explicit PermissionPrompt(PermissionAsked asked) : asked_(std::move(asked)) {}

  const std::string& id() const { return asked_.id; }

  // The question, in lines.
  std::string heading(bool is_colored, std::size_t width) const;

  // The text before the cursor: "Allow? [y, n, 1-3] ".
  std::string question() const;

  struct Reply {
    std::optional<boost::json::object> body;  // none: ask again
    std::string text;                         // shown before: an error or the next question
  };

  Reply take(std::string_view line);

 private:
  std::string choices_of_question() const;

  PermissionAsked asked_;
  std::vector<std::string> answers_;  // to the questions so far
};

}  // namespace oriel
