#pragma once
// A request of an agent to a person, and the answer: permission for a tool (options), or questions
// in words. Values only.

#include "base/time.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// Who answers permission requests: a person, or a rule.
enum class PermissionMode { kAsk, kAllow, kDeny };

std::string_view name_of(PermissionMode mode);  // "ask", "allow", "deny"
std::optional<PermissionMode> parse_permission_mode(std::string_view name);
std::span<const std::string_view> permission_mode_names();  // all

enum class OptionKind { kAllowOnce, kAllowAlways, kRejectOnce, kRejectAlways };

// "allow_once", ...: the names of ACP.
std::string_view name_of(OptionKind kind);
std::optional<OptionKind> parse_option_kind(std::string_view name);

bool allows(OptionKind kind);

struct PermissionOption {
  std::string id;
  std::string label;
  OptionKind kind = OptionKind::kAllowOnce;
  std::string scope = {};  // what it allows from now on, a line for each rule; empty: unknown

  bool operator==(const PermissionOption&) const = default;
};

struct Question {
  std::string text;
  std::vector<std::string> choices;  // empty: any text
  bool takes_many = false;

  bool operator==(const Question&) const = default;
};

struct PermissionAsked {
  std::string id;                   // the agent's own, unique while it waits
  std::string tool_call_id;         // of the tool it would use; empty when it has none
  std::string title;                // what it would do, or the question, in one line
  boost::json::value input;         // of the tool
  boost::json::value details = {};  // other fields that the agent sent; null: none
  std::vector<PermissionOption> options;
  std::vector<Question> questions;

  bool operator==(const PermissionAsked&) const = default;
};

// The answer of a person or a rule to PermissionAsked.
struct PermissionAnswer {
  std::string option_id;             // one of its options; empty: refused without choosing one
  std::vector<std::string> answers;  // one for each of its questions; empty: refused

  bool operator==(const PermissionAnswer&) const = default;
};

// A permission without an answer.
struct PendingPermission {
  std::string permission_id;  // Oriel's own, unguessable
  PermissionAsked asked;
  WallTime asked_at;
  std::optional<WallTime> expires_at;

  bool operator==(const PendingPermission&) const = default;
};

// Who or what resolves a permission. kAgent: it no longer waits. kRestart: nobody waits any more.
enum class DeciderKind { kPrincipal, kRule, kTimeout, kAgent, kRestart };

struct Decider {
  DeciderKind kind = DeciderKind::kPrincipal;
  std::string principal = {};  // its name, of kPrincipal

  bool operator==(const Decider&) const = default;
};

// The principal's name, "rule", "timeout", "agent" or "restart". No principal has one of these
// names.
std::string_view name_of(const Decider& decider);
Decider parse_decider(std::string_view name);

// kAnswered is for questions. kExpired: nobody answered in time. kWithdrawn: the agent no longer
// waits.
enum class PermissionStatus { kPending, kAllowed, kDenied, kAnswered, kExpired, kWithdrawn };

std::string_view name_of(PermissionStatus status);  // "pending", ...
std::optional<PermissionStatus> parse_permission_status(std::string_view name);

// Whether a person, or a rule, has decided.
bool is_decided(PermissionStatus status);

// [{"option_id","label","kind","scope"}], without an empty "scope";
// [{"text","choices","takes_many"}].
boost::json::array to_json(const std::vector<PermissionOption>& options);
boost::json::array to_json(const std::vector<Question>& questions);

// Parse the output of to_json(). Missing and malformed members read as empty.
std::vector<PermissionOption> parse_options(const boost::json::value& array);
std::vector<Question> parse_questions(const boost::json::value& array);

// {"permission_id","tool_call_id","title","input","details","options":[...],"questions":[...],
// "asked_at","expires_at"}. Omits empty "details" and "scope".
boost::json::object to_json(const PendingPermission& permission);

// Parses the output of to_json(). The agent's own id is not on the wire: `asked.id` is the
// permission's. Missing and malformed members read as empty.
PendingPermission parse_permission(const boost::json::object& json);

}  // namespace oriel
