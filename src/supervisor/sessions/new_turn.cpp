#include "supervisor/sessions/new_turn.h"

#include "supervisor/sessions/file_prompt.h"

#include <utility>

namespace oriel {

UserMessage to_message(NewTurn turn, const std::filesystem::path& directory) {
  UserMessage message;
  message.prompt = prompt_with_files(turn.text, turn.origin.files, directory);
  message.text = turn.text.empty() ? text_of_files(turn.origin.files) : std::move(turn.text);
  message.request_id = std::move(turn.request_id);
  message.by = std::move(turn.by);
  message.may_answer = turn.may_answer;
  message.origin = std::move(turn.origin);
  return message;
}

}  // namespace oriel
