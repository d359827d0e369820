#pragma once
// A permission asked at the keyboard: what is shown, and what a typed line means.

#include "base/agent_event.h"
#include "base/error.h"

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// The body that answers it, from one word: allow, deny, an option's number, id or label. The error
// lists what is possible.
Result<boost::json::object> answer_body(const PermissionAsked& asked, std::string_view word);

// The body that answers its questions, in their order. The error says how many there are.
Result<boost::json::object> answers_body(const PermissionAsked& asked,
                                         const std::vector<std::string>& answers);

// One line: its options, or the choices of its first question.
std::string possible_answers(const PermissionAsked& asked);

class PermissionPrompt {
 public:
  explicit PermissionPrompt(PermissionAsked asked) : asked_(std::move(asked)) {}

  const std::string& id() const { return asked_.id; }

  // What is asked, in lines.
  std::string heading(bool is_colored, std::size_t width) const;

  // What stands before the cursor: "Allow? [y, n, 1-3] ", without the choices of its question.
  std::string question() const;

  struct Reply {
    std::optional<boost::json::object> body;  // none: ask again
    std::string text;                         // to be shown before: a problem, the next question
  };

  Reply take(std::string_view line);

 private:
  std::string choices_of_question() const;

  PermissionAsked asked_;
  std::vector<std::string> answers_;  // of the questions so far
};

}  // namespace oriel
