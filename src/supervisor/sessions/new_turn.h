#pragma once
// A message that a person did not type: spoken, or sent with files.

#include "base/event/turn.h"
#include "session/session.h"

#include <filesystem>
#include <string>

namespace oriel {

struct NewTurn {
  std::string session_id;
  std::string text;  // empty: files without words
  TurnOrigin origin;
  std::string request_id;
  std::string by = {};     // the principal
  bool may_answer = true;  // the principal may answer questions
};

// The message for the session. The agent finds the files in `directory`.
UserMessage to_message(NewTurn turn, const std::filesystem::path& directory);

}  // namespace oriel
