#pragma once
// The turns of a session that Oriel runs: what its events mean as a conversation. Pure.

#include "base/session_event.h"
#include "base/turn.h"
#include "journal/journal_engine.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

// Events as they are to be stored, the session's own and behind them what is told of turns, and the
// turns' documents.
struct ToldTurns {
  std::vector<SessionEvent> events;
  std::vector<Document> documents;
};

// What a person did not write but speak, or sent with files: the data of the message's event, or
// `said` in that of an answer's, with the keys of origin_of().
struct TurnOrigin {
  TurnSource source = TurnSource::kVoice;
  std::optional<WallTime> said_at;  // by the person's clock; none: when it came
  std::vector<TurnFile> files;
};

boost::json::object origin_of(const TurnOrigin& origin);

// A message is a command, and opens a task; what the agent says on the way is progress, its last
// words are the completion; what it asks and what a person answers are a question and an answer.
// Lives with its session.
class SessionTurns {
 public:
  SessionTurns(std::string session_id, std::string project_id)
      : session_id_(std::move(session_id)), project_id_(std::move(project_id)) {}

  // The session's next events; the first of them has this index.
  ToldTurns tell(std::vector<SessionEvent> events, std::int64_t first_index);

  // Questions of a process that is no more are dismissed.
  static ToldTurns dismiss(const std::vector<Turn>& turns);

 private:
  struct Work {
    std::int64_t first_index;
    ToldTurns told;
  };

  // The agent's message that is still growing, or is the last so far.
  struct Said {
    std::string task_id;
    std::int64_t number = 0;
    std::int64_t index = -1;  // of its newest event
    std::string text;
    WallTime at;
  };

  void hear(const SessionEvent& event, std::int64_t index, Work& work);
  void on_said(const SessionEvent& event, std::int64_t index, Work& work);
  void on_completion(const SessionEvent& event, Work& work);
  void on_asked(const SessionEvent& event, Work& work);
  void on_resolved(const SessionEvent& event, Work& work);
  void tell_progress(Work& work);
  Turn new_turn(TurnActor actor, TurnIntent intent, std::string text,
                const SessionEvent& event) const;
  static Turn add(Turn turn, Work& work, std::optional<std::int64_t> message_index = {});
  static void settle(Turn turn, std::string_view status, ToldTurns& told);

  std::string session_id_;
  std::string project_id_;
  Said said_;
  std::map<std::string, Turn> questions_;  // that are open, by permission
};

}  // namespace oriel
