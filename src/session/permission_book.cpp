#include "session/permission_book.h"

#include "base/id.h"
#include "base/text/quote.h"

#include <algorithm>

namespace oriel {
namespace {

constexpr std::size_t kMaxPast = 64;
constexpr std::string_view kLastingOnly =
    "permissions = \"allow\" allows once only, and every option that allows this lasts: a person "
    "has "
    "to answer";

// The option that allows once. Empty: there is none; what lasts is allowed by its id only.
std::string find_allowing(const PermissionAsked& asked) {
  for (const PermissionOption& option : asked.options) {
    if (option.kind == OptionKind::kAllowOnce) return option.id;
  }
  return {};
}

// The plainest option that refuses: once rather than always.
std::string find_refusing(const PermissionAsked& asked) {
  std::string found;
  for (const PermissionOption& option : asked.options) {
    if (option.kind == OptionKind::kRejectOnce) return option.id;
    if (found.empty() && !allows(option.kind)) found = option.id;
  }
  return found;
}

std::string find_option(const PermissionAsked& asked, bool is_allowed) {
  return is_allowed ? find_allowing(asked) : find_refusing(asked);
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

// Why a permission takes no answer any more.
Error no_longer_open(PermissionStatus status, const Decider& by) {
  if (status == PermissionStatus::kExpired)
    return {.kind = ErrorKind::kAlreadyResolved,
            .message = "this permission expired without an answer and was denied",
            .hint = "send the agent a message to ask for it again"};
  if (status == PermissionStatus::kWithdrawn)
    return {.kind = ErrorKind::kAlreadyResolved,
            .message = "this permission was withdrawn: the agent no longer waits for an answer",
            .hint = "read the session's events to see what followed"};
  return {.kind = ErrorKind::kAlreadyResolved,
          .message = "this permission is already " + std::string(name_of(status)) + " by " +
                     std::string(name_of(by)),
          .hint = "no action is needed: the first answer counts"};
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
    if (*decision.is_allowed && option.empty()) {
      return invalid_answer("none of its options allows it once",
                            "send one of these as option_id: " + list_options(asked));
    }
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

// kAllowed or kDenied, by the kind of the option; kAnswered for words.
PermissionStatus status_of(const PermissionAsked& asked, const PermissionAnswer& answer) {
  if (!answer.answers.empty()) return PermissionStatus::kAnswered;
  for (const PermissionOption& option : asked.options) {
    if (option.id == answer.option_id)
      return allows(option.kind) ? PermissionStatus::kAllowed : PermissionStatus::kDenied;
  }
  return PermissionStatus::kDenied;
}

PendingPermission new_permission(PermissionAsked asked, Moment now) {
  return {.permission_id = "perm_" + random_id(),
          .asked = std::move(asked),
          .asked_at = now.wall,
          .expires_at = {}};
}

}  // namespace

bool is_allowed_lastingly_only(const PermissionAsked& asked) {
  const auto is_allowing = [](const PermissionOption& option) { return allows(option.kind); };
  return find_allowing(asked).empty() &&
         std::any_of(asked.options.begin(), asked.options.end(), is_allowing);
}

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

Admission PermissionBook::admit(const PermissionAsked& asked, PermissionMode mode, Moment now,
                                std::chrono::milliseconds timeout) {
  if (auto answer = answer_by_rule(asked, mode)) {
    const PermissionStatus status = status_of(asked, *answer);
    return {.outcome = Resolution{.permission = new_permission(asked, now),
                                  .status = status,
                                  .by = {.kind = DeciderKind::kRule},
                                  .answer = *std::move(answer),
                                  .reply = {}},
            .notice = {}};
  }
  const bool is_left_to_people = mode == PermissionMode::kAllow && is_allowed_lastingly_only(asked);
  return {.outcome = ask(asked, now, timeout),
          .notice = is_left_to_people ? std::string(kLastingOnly) : std::string()};
}

PendingPermission PermissionBook::ask(PermissionAsked asked, Moment now,
                                      std::chrono::milliseconds timeout) {
  Open open{.permission = new_permission(std::move(asked), now), .expires = {}};
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
    const PermissionStatus status = status_of(asked, *answer);
    Resolution resolution = close(i, status, {.principal = decision.by}, *std::move(answer));
    resolution.reply = decision.reply;
    return resolution;
  }
  for (const Past& past : past_) {
    if (past.permission_id == permission_id) return no_longer_open(past.status, past.by);
  }
  return Error{.kind = ErrorKind::kUnknownPermission,
               .message = "the session has no permission " + quote(permission_id),
               .hint = "GET /api/sessions/{id} lists pending permissions"};
}

Resolution PermissionBook::close(std::size_t position, PermissionStatus status, Decider by,
                                 PermissionAnswer answer) {
  Resolution resolution{.permission = std::move(open_[position].permission),
                        .status = status,
                        .by = std::move(by),
                        .answer = std::move(answer),
                        .reply = {}};
  open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(position));
  if (past_.size() == kMaxPast) past_.erase(past_.begin());
  past_.push_back({.permission_id = resolution.permission.permission_id,
                   .status = resolution.status,
                   .by = resolution.by});
  return resolution;
}

std::vector<Resolution> PermissionBook::withdraw(std::string_view agent_id) {
  for (std::size_t i = 0; i < open_.size(); ++i) {
    if (open_[i].permission.asked.id == agent_id)
      return {close(i, PermissionStatus::kWithdrawn, {.kind = DeciderKind::kAgent}, {})};
  }
  return {};
}

std::vector<Resolution> PermissionBook::withdraw_all() {
  std::vector<Resolution> resolutions;
  while (!open_.empty())
    resolutions.push_back(
        close(0, PermissionStatus::kWithdrawn, {.kind = DeciderKind::kAgent}, {}));
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
    resolutions.push_back(
        close(i, PermissionStatus::kExpired, {.kind = DeciderKind::kTimeout}, std::move(refusal)));
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
