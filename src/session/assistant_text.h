#pragma once
// The assistant's text in one task: joins pieces to messages, and shows a growing message from time
// to time instead of with every piece.

#include "base/moment.h"

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace oriel {

// The text of a message to show. Replaces an earlier one with the same number.
struct ShownMessage {
  unsigned number = 0;  // in its task, from 1
  std::string text;

  bool operator==(const ShownMessage&) const = default;
};

// Belongs to one task. No clock: times are passed in.
class AssistantText {
 public:
  // Adds a piece and returns the number of its message.
  unsigned add(const std::string& message_id, const std::string& text, SteadyTime now);

  // Discards the unfinished pieces of one message, or of all if the id is empty. Returns each of
  // these messages with empty text, also if only its pieces were shown.
  std::vector<ShownMessage> drop(const std::string& message_id, SteadyTime now);

  // The message is complete. Returns it unless the same text was shown last and no piece came
  // since. Ignores a repetition, unless pieces of another message with this id came before it.
  std::optional<ShownMessage> finish(const std::string& message_id, std::string text,
                                     SteadyTime now);

  // Returns the message that has waited longest, if it has grown by a quarter since it was shown.
  // At most one message per interval.
  std::optional<ShownMessage> due(SteadyTime now);

  // Returns the messages that have grown since they were shown, a long one only if it has grown by
  // a quarter, so that many events within one message cost no multiple of its text each. Call
  // before any other event of the task.
  std::vector<ShownMessage> flush(SteadyTime now);

  // Completes all messages at the end of the task.
  std::vector<ShownMessage> finish_all(SteadyTime now);

  // When due() will return a message.
  std::optional<SteadyTime> next_due() const;

  // The text of the last complete message.
  const std::string& last_text() const { return last_text_; }

 private:
  struct Message {
    std::string id;
    unsigned number;
    std::string text;
    std::size_t shown;  // bytes of the text that were shown last
    SteadyTime waits_since;
  };

  std::vector<Message>::iterator find(const std::string& message_id);
  static bool has_grown_enough(const Message& message);
  SteadyTime due_at(const Message& message) const;
  ShownMessage show(Message& message, SteadyTime now);

  std::vector<Message> open_;  // few: agents write one message at a time
  std::unordered_set<std::string> finished_;
  unsigned count_ = 0;
  SteadyTime last_shown_;
  std::string last_text_;
};

}  // namespace oriel
