#pragma once
// The agent's questions that wait for an answer, and how each was resolved.

#include "base/moment.h"
#include "session/session_state.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// What a person decides: yes or no, one of the options, or answers to the questions.
struct Decision {
  std::optional<bool> is_allowed;
  std::string option_id;
  std::vector<std::string> answers;
  std::string by;                 // who
  boost::json::object said = {};  // of an answer that was spoken or sent with files: its turn
};

struct Resolution {
  PendingPermission permission;
  std::string status;  // allowed, denied, answered, expired or withdrawn
  std::string by;      // who decided; "rule", "timeout", "agent"
  PermissionAnswer answer;
  boost::json::object said = {};  // the decision's
};

// What the rule says to a question; none: ask a person. Allowing answers no question that needs
// words.
std::optional<PermissionAnswer> answer_by_rule(const PermissionAsked& asked, PermissionMode mode);

// "allowed" or "denied", by the kind of the option; "answered" for words.
std::string status_of(const PermissionAsked& asked, const PermissionAnswer& answer);

// Belongs to one session. No clock.
class PermissionBook {
 public:
  // Notes that the agent waits; a zero timeout waits for ever.
  PendingPermission ask(PermissionAsked asked, Moment now, std::chrono::milliseconds timeout);

  // Takes the first answer. Refused: unknown, resolved before (by whom, how), or not one of the
  // options.
  Result<Resolution> decide(const std::string& permission_id, const Decision& decision);

  // The agent does not wait for this one (by its own id), or for any, any more.
  std::vector<Resolution> withdraw(std::string_view agent_id);
  std::vector<Resolution> withdraw_all();

  // Those nobody answered in time: refused.
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
    std::string status;
    std::string by;
  };

  Resolution close(std::size_t position, std::string status, std::string by,
                   PermissionAnswer answer);

  std::vector<Open> open_;
  std::vector<Past> past_;  // the newest last; bounded
};

}  // namespace oriel
