#pragma once
// The open permissions of a session, and how each was resolved. Pure.

#include "base/error.h"
#include "base/event/session_event.h"
#include "base/moment.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace oriel {

// What a person decides: yes (once) or no, one of the options, or answers to the questions.
struct Decision {
  std::optional<bool> is_allowed;
  std::string option_id;
  std::vector<std::string> answers;
  std::string by;                          // the principal
  std::optional<event::Reply> reply = {};  // of an answer that is a message
};

using Resolution = event::PermissionResolved;

// Whether all options that allow it hold for longer than once.
bool is_allowed_lastingly_only(const PermissionAsked& asked);

// The answer by rule; none: ask a person. A rule that allows does so once, and answers no question
// in words.
std::optional<PermissionAnswer> answer_by_rule(const PermissionAsked& asked, PermissionMode mode);

// What becomes of a new request: a rule resolves it, or it is pending.
struct Admission {
  std::variant<Resolution, PendingPermission> outcome;
  std::string notice;  // for people: why no rule applies; empty: none was expected to
};

// Belongs to one session. No clock.
class PermissionBook {
 public:
  // Resolves a request by the rule of `mode`, or adds it.
  Admission admit(const PermissionAsked& asked, PermissionMode mode, Moment now,
                  std::chrono::milliseconds timeout);

  // Adds a permission. A zero timeout never expires.
  PendingPermission ask(PermissionAsked asked, Moment now, std::chrono::milliseconds timeout);

  // The first answer counts. Fails if the permission is unknown or resolved, or if the decision is
  // not one of its options.
  Result<Resolution> decide(const std::string& permission_id, const Decision& decision);

  // The agent no longer waits for this permission (the agent's id), or for any.
  std::vector<Resolution> withdraw(std::string_view agent_id);
  std::vector<Resolution> withdraw_all();

  // Denies permissions without an answer in time.
  std::vector<Resolution> expire(SteadyTime now);
  std::optional<SteadyTime> next_expiry() const;

  std::vector<PendingPermission> pending() const;

  bool empty() const { return open_.empty(); }

 private:
  struct Open {
    PendingPermission permission;
    std::optional<SteadyTime> expires;
  };

  struct Past {
    std::string permission_id;
    PermissionStatus status;
    Decider by;
  };

  Resolution close(std::size_t position, PermissionStatus status, Decider by,
                   PermissionAnswer answer);

  std::vector<Open> open_;
  std::vector<Past> past_;  // the newest last; bounded
};

}  // namespace oriel
