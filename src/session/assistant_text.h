#pragma once
// What the assistant says in one task: pieces become messages, and a message is shown again while
// it grows, but not with every piece.

#include "base/moment.h"

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace oriel {

// A message as it is to be shown now; one of the same number replaces it.
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

  // The pieces that are not finished are void: of one message, or of all if the id is empty. Each
  // of these is to be shown empty, also where only its pieces were shown.
  std::vector<ShownMessage> drop(const std::string& message_id, SteadyTime now);

  // The message is whole. Returns it unless just that text was shown last and no piece came since.
  // A repetition is ignored, unless pieces of another message under this id came before it.
  std::optional<ShownMessage> finish(const std::string& message_id, const std::string& text,
                                     SteadyTime now);

  // What has grown since it was shown, due by time: one message at most in any interval, the one
  // that has waited longest.
  std::optional<ShownMessage> due(SteadyTime now);

  // What has grown since it was shown, whatever the time: before any other event of the task.
  std::vector<ShownMessage> flush(SteadyTime now);

  // Parts become whole messages: at the task's end.
  std::vector<ShownMessage> finish_all(SteadyTime now);

  // When due() will have something to return.
  std::optional<SteadyTime> next_due() const;

  // The text of the last whole message.
  const std::string& last_text() const { return last_text_; }

 private:
  struct Message {
    std::string id;
    unsigned number;
    std::string text;
    std::size_t shown;  // how much of the text was shown last
    SteadyTime waits_since;
  };

  std::vector<Message>::iterator find(const std::string& message_id);
  static bool has_grown(const Message& message);
  SteadyTime due_at(const Message& message) const;
  ShownMessage show(Message& message, SteadyTime now);

  std::vector<Message> open_;  // few: agents write one message at a time
  std::unordered_set<std::string> finished_;
  unsigned count_ = 0;
  SteadyTime last_shown_;
  std::string last_text_;
};

}  // namespace oriel
