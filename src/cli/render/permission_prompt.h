#pragma once
// Asks for a permission at the keyboard.

#include "base/error.h"
#include "base/event/agent_event.h"
#include "base/event/permission_view.h"
#include "base/event/session_event.h"

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

// Whether this request body allows what is asked.
bool is_allowance(const PermissionAsked& asked, const boost::json::object& body);

// One line: its options, or the choices of its first question.
std::string possible_answers(const PermissionAsked& asked);

// All lines: every field, then the options. Lasting options come separately, with their scope.
std::string permission_text(const PermissionAsked& asked, bool is_colored, std::size_t width);

// Who answered it, such as " by ann" or " elsewhere"; empty if nobody did.
std::string by_whom(const event::PermissionResolved& resolved);

class PermissionPrompt {
 public:
  PermissionPrompt(PermissionAsked asked, bool is_colored, std::size_t width);

  const std::string& id() const { return asked_.id; }

  // The lines of the question, at most kFoldRows of them. "m" shows the rest; a folded permission
  // cannot be allowed.
  std::string heading() const;

  void unfold() { is_folded_ = false; }

  // The text before the cursor: "Allow? [y, n, 1-3] ".
  std::string question() const;

  struct Reply {
    std::optional<boost::json::object> body;  // none: ask again
    std::string text;                         // shown before: an error or the next question
  };

  Reply take(std::string_view line);

 private:
  std::string rows(std::size_t first, std::size_t last) const;
  std::string options() const;
  std::string more_lines() const;
  std::string choices_of_question() const;

  std::size_t hidden_rows() const { return is_folded_ ? view_.rows.size() - kFoldRows : 0; }

  PermissionAsked asked_;
  bool is_colored_;
  PermissionView view_;
  bool is_folded_;
  std::vector<std::string> answers_;  // to the questions so far
};

}  // namespace oriel
