#pragma once
// What the assistant says in one turn: pieces become messages, and a message is shown again while
// it grows, but not with every piece.

#include "session/moment.h"

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace oriel {

// A message as it is to be shown now; one of the same number replaces it.
struct ShownMessage {
  unsigned number = 0;  // in its turn, from 1
  std::string text;

  bool operator==(const ShownMessage&) const = default;
};

// Belongs to one turn. No clock: times are passed in.
class AssistantText {
 public:
  // Adds a piece and returns the number of its message.
  unsigned add(const std::string& message_id, const std::string& text, SteadyTime now);

  // The pieces that are not finished are void: of one message, or of all if the id is empty. What
  // was shown of them is to be shown empty.
  std::vector<ShownMessage> drop(const std::string& message_id);

  // The message is whole. Returns it unless just that text was shown last. A repetition is ignored.
  std::optional<ShownMessage> finish(const std::string& message_id, const std::string& text);

  // What has grown since it was shown, due by time; nothing when none is.
  std::vector<ShownMessage> due(SteadyTime now);

  // What has grown since it was shown, whatever the time: before any other event of the turn.
  std::vector<ShownMessage> flush();

  // Whole messages and parts alike become final: at the turn's end.
  std::vector<ShownMessage> finish_all();

  // When due() will have something to return.
  std::optional<SteadyTime> next_due() const;

  // The text of the last message that has one.
  const std::string& last_text() const { return last_text_; }

 private:
  struct Message {
    std::string id;
    unsigned number;
    std::string text;
    std::string shown;
    SteadyTime show_at;
  };

  Message& open(const std::string& message_id, SteadyTime now);
  std::optional<ShownMessage> show(Message& message);

  std::vector<Message> open_;  // few: agents write one message at a time
  std::unordered_set<std::string> finished_;
  unsigned count_ = 0;
  std::string last_text_;
};

}  // namespace oriel
