#include "session/permission_book.h"

#include "base/id.h"
#include "base/text/quote.h"

#include <algorithm>

namespace oriel {
namespace {

constexpr std::size_t kMaxPast = 64;

bool allows(OptionKind kind) {
  return kind == OptionKind::kAllowOnce || kind == OptionKind::kAllowAlways;
}

// The plainest option that allows, or refuses: once rather than always.
std::string find_option(const PermissionAsked& asked, bool is_allowed) {
  const OptionKind once = is_allowed ? OptionKind::kAllowOnce : OptionKind::kRejectOnce;
  std::string found;
  for (const PermissionOption& option : asked.options) {
    if (option.kind == once) return option.id;
    if (found.empty() && allows(option.kind) == is_allowed) found = option.id;
  }
  return found;
}

Error invalid_answer(std::string message, std::string hint) {
  return {
      .kind = ErrorKind::kInvalidAnswer, .message = std::move(message), .hint = std::move(hint)};
}

std::string list_options(const PermissionAsked& asked) {
  std::string list;
  for (const PermissionOption& option : asked.options)
    list += (list.empty() ? "" : ", ") + option.id;
  return list;
}

Result<PermissionAnswer> answer_in_words(const PermissionAsked& asked, const Decision& decision) {
  if (decision.is_allowed == false) return PermissionAnswer{};
  if (decision.answers.size() != asked.questions.size()) {
    return invalid_answer("the agent asked " + std::to_string(asked.questions.size()) +
                              " questions, but " + std::to_string(decision.answers.size()) +
                              " answers were given",
                          "send \"answers\" with one text for each question, or \"decision\": "
                          "\"deny\" to answer none");
  }
  return PermissionAnswer{.option_id = {}, .answers = decision.answers};
}

Result<PermissionAnswer> answer_for(const PermissionAsked& asked, const Decision& decision) {
  if (!asked.questions.empty()) return answer_in_words(asked, decision);
  if (!decision.answers.empty()) {
    return invalid_answer("the agent asked for a permission, not a question",
                          "send \"decision\": \"allow\" or \"deny\", or an \"option_id\"");
  }
  if (decision.is_allowed) {
    const std::string option = find_option(asked, *decision.is_allowed);
    if (*decision.is_allowed && option.empty())
      return invalid_answer("none of its options allows it", "choose from " + list_options(asked));
    return PermissionAnswer{.option_id = option, .answers = {}};
  }
  const auto is_it = [&](const PermissionOption& option) {
    return option.id == decision.option_id;
  };
  if (std::none_of(asked.options.begin(), asked.options.end(), is_it)) {
    return invalid_answer(quote(decision.option_id) + " is not one of its options",
                          "choose from " + list_options(asked));
  }
  return PermissionAnswer{.option_id = decision.option_id, .answers = {}};
}

}  // namespace

std::optional<PermissionAnswer> answer_by_rule(const PermissionAsked& asked, PermissionMode mode) {
  if (mode == PermissionMode::kAsk) return std::nullopt;
  const bool is_allowed = mode == PermissionMode::kAllow;
  if (!asked.questions.empty()) {
    if (is_allowed) return std::nullopt;
    return PermissionAnswer{};
  }
  std::string option = find_option(asked, is_allowed);
  if (is_allowed && option.empty()) return std::nullopt;
  return PermissionAnswer{.option_id = std::move(option), .answers = {}};
}

std::string status_of(const PermissionAsked& asked, const PermissionAnswer& answer) {
  if (!answer.answers.empty()) return "answered";
  for (const PermissionOption& option : asked.options) {
    if (option.id == answer.option_id) return allows(option.kind) ? "allowed" : "denied";
  }
  return "denied";
}

PendingPermission PermissionBook::ask(PermissionAsked asked, Moment now,
                                      std::chrono::milliseconds timeout) {
  Open open{.permission = {.permission_id = "perm_" + random_id(),
                           .asked = std::move(asked),
                           .asked_at = now.wall,
                           .expires_at = {}},
            .expires = {}};
  if (timeout.count() > 0) {
    open.permission.expires_at = now.wall + timeout;
    open.expires = now.steady + timeout;
  }
  open_.push_back(open);
  return open.permission;
}

Result<Resolution> PermissionBook::decide(const std::string& permission_id,
                                          const Decision& decision) {
  for (std::size_t i = 0; i < open_.size(); ++i) {
    if (open_[i].permission.permission_id != permission_id) continue;
    const PermissionAsked& asked = open_[i].permission.asked;
    auto answer = answer_for(asked, decision);
    if (!answer) return answer.error();
    std::string status = status_of(asked, *answer);
    Resolution resolution = close(i, std::move(status), decision.by, *std::move(answer));
    resolution.said = decision.said;
    return resolution;
  }
  for (const Past& past : past_) {
    if (past.permission_id != permission_id) continue;
    return Error{.kind = ErrorKind::kAlreadyResolved,
                 .message = "this permission is " + past.status + " already, by " + past.by,
                 .hint = "the first answer counts; nothing more is to be done"};
  }
  return Error{.kind = ErrorKind::kUnknownPermission,
               .message = "the session has no permission " + quote(permission_id),
               .hint = "those that wait are in \"permissions\" of the session"};
}

Resolution PermissionBook::close(std::size_t position, std::string status, std::string by,
                                 PermissionAnswer answer) {
  Resolution resolution{.permission = std::move(open_[position].permission),
                        .status = std::move(status),
                        .by = std::move(by),
                        .answer = std::move(answer)};
  open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(position));
  if (past_.size() == kMaxPast) past_.erase(past_.begin());
  past_.push_back({.permission_id = resolution.permission.permission_id,
                   .status = resolution.status,
                   .by = resolution.by});
  return resolution;
}

std::vector<Resolution> PermissionBook::withdraw(std::string_view agent_id) {
  for (std::size_t i = 0; i < open_.size(); ++i) {
    if (open_[i].permission.asked.id == agent_id) return {close(i, "withdrawn", "agent", {})};
  }
  return {};
}

std::vector<Resolution> PermissionBook::withdraw_all() {
  std::vector<Resolution> resolutions;
  while (!open_.empty())
    resolutions.push_back(close(0, "withdrawn", "agent", {}));
  return resolutions;
}

std::vector<Resolution> PermissionBook::expire(SteadyTime now) {
  std::vector<Resolution> resolutions;
  for (std::size_t i = 0; i < open_.size();) {
    if (!open_[i].expires || *open_[i].expires > now) {
      ++i;
      continue;
    }
    PermissionAnswer refusal{.option_id = find_option(open_[i].permission.asked, false),
                             .answers = {}};
    resolutions.push_back(close(i, "expired", "timeout", std::move(refusal)));
  }
  return resolutions;
}

std::optional<SteadyTime> PermissionBook::next_expiry() const {
  std::optional<SteadyTime> next;
  for (const Open& open : open_) {
    if (open.expires && (!next || *open.expires < *next)) next = open.expires;
  }
  return next;
}

std::vector<PendingPermission> PermissionBook::pending() const {
  std::vector<PendingPermission> pending;
  for (const Open& open : open_)
    pending.push_back(open.permission);
  return pending;
}

}  // namespace oriel
