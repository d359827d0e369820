#include "cli/commands/sessions_command.h"

#include "base/text/json_access.h"
#include "base/text/json_text.h"
#include "cli/render/permission_prompt.h"
#include "cli/render/session_table.h"
#include "cli/report_error.h"

#include <spdlog/fmt/fmt.h>

#include <cstdlib>
#include <istream>
#include <optional>
#include <ostream>

namespace oriel {
namespace {

namespace json = boost::json;

int printed(std::ostream& out, const std::string& text) {
  out << text << std::flush;
  return out ? 0 : kExitFailure;
}

TableStyle style_of(const Screen& screen) {
  const char* const home = std::getenv("HOME");
  return {.screen = screen, .now = wall_now(), .home = home == nullptr ? "" : home};
}

Result<PermissionAsked> find_permission(const SessionInfo& session, const std::string& wanted) {
  const std::string hint = fmt::format("oriel sessions {} shows its open questions", session.id);
  if (session.permissions.empty()) {
    return Error{.kind = ErrorKind::kNothingAsked,
                 .message = fmt::format("session {} has no open question", session.id),
                 .hint = hint};
  }
  if (wanted.empty() && session.permissions.size() > 1) {
    return Error{
        .kind = ErrorKind::kAmbiguous,
        .message = fmt::format("{} permissions are open: name one", session.permissions.size()),
        .hint = hint};
  }
  if (wanted.empty()) return session.permissions.front();
  std::vector<std::string> ids;
  for (const PermissionAsked& asked : session.permissions)
    ids.push_back(asked.id);
  const auto match = match_id({.kind = "permission", .hint = hint}, wanted, ids);
  if (!match) return match.error();
  for (const PermissionAsked& asked : session.permissions) {
    if (asked.id == *match) return asked;
  }
  return session.permissions.front();
}

Result<json::object> body_of(const AnswerOptions& options, const PermissionAsked& asked) {
  return options.word.empty() ? answers_body(asked, options.texts)
                              : answer_body(asked, options.word);
}

// Returns none if the user confirms, or if the options make confirmation unnecessary.
std::optional<Error> confirm(const AnswerOptions& options, const SessionInfo& session,
                             const PermissionAsked& asked, const json::object& body,
                             std::istream* keyboard, std::ostream& out) {
  if (options.is_confirmed || !is_allowance(asked, body)) return std::nullopt;
  if (keyboard == nullptr) {
    if (options.permission == asked.id) return std::nullopt;
    return Error{.kind = ErrorKind::kBadOption,
                 .message = "allowing needs confirmation, and there is no terminal",
                 .hint = fmt::format("name the permission (oriel answer {} {} {}), or add --yes",
                                     session.id, asked.id, options.word)};
  }
  out << "  Allow this? [y, n] " << std::flush;
  std::string line;
  std::getline(*keyboard, line);
  if (line == "y" || line == "yes") return std::nullopt;
  return Error{.kind = ErrorKind::kBadOption,
               .message = "not confirmed, nothing was sent",
               .hint = "answer y to confirm, or run oriel answer SESSION deny"};
}

}  // namespace

int show_sessions(const SessionsOptions& options, const Screen& screen, std::ostream& out,
                  std::ostream& err) {
  const bool is_json = options.is_json || !screen.is_terminal;
  if (!options.session.empty()) {
    const auto session = find_session(options.server, options.session);
    if (!session) return report_error(err, session.error(), kExitFailure);
    if (is_json) return printed(out, json_text(*session) + "\n");
    return printed(out, session_details(read_session(*session), style_of(screen)));
  }
  const auto sessions = list_sessions(options.server, options.query);
  if (!sessions) return report_error(err, sessions.error(), kExitFailure);
  std::string lines;
  std::vector<SessionInfo> infos;
  for (const json::object& session : *sessions) {
    lines += json_text(session) + "\n";
    infos.push_back(read_session(session));
  }
  if (is_json) return printed(out, lines);
  if (infos.empty()) return printed(out, "There are no sessions. oriel send MESSAGE starts one.\n");
  return printed(out, session_table(infos, style_of(screen)));
}

int organize_session(const OrganizeOptions& options, std::ostream& out, std::ostream& err) {
  const auto session = find_session(options.server, options.session);
  if (!session) return report_error(err, session.error(), kExitFailure);
  const std::string target = "/api/sessions/" + text_at(*session, "session_id");
  const auto changed = patch_now(options.server, target, options.change);
  if (!changed) return report_error(err, changed.error(), kExitFailure);
  std::string line = printable(text_at(*changed, "title"));
  if (is_true(member(*changed, "is_pinned"))) line += ", pinned";
  if (is_true(member(*changed, "is_archived"))) line += ", archived";
  for (const json::value& label : elements_of(member(*changed, "labels")))
    line += ", " + printable(text_of(label));
  return printed(out, line + "\n");
}

int act_on_session(const SessionActionOptions& options, std::ostream& out, std::ostream& err) {
  const auto session = find_session(options.server, options.session);
  if (!session) return report_error(err, session.error(), kExitFailure);
  const std::string id = text_at(*session, "session_id");
  const bool is_cancel = options.action == SessionAction::kCancel;
  const auto done =
      post_now(options.server, "/api/sessions/" + id + (is_cancel ? "/cancel" : "/end"), {});
  if (!done) return report_error(err, done.error(), kExitFailure);
  return printed(out, (is_cancel ? "cancelling the task of " : "ended ") + printable(id) + "\n");
}

int answer_permission(const AnswerOptions& options, const Screen& screen, std::istream* keyboard,
                      std::ostream& out, std::ostream& err) {
  const auto object = find_session(options.server, options.session);
  if (!object) return report_error(err, object.error(), kExitFailure);
  const SessionInfo session = read_session(*object);
  const auto asked = find_permission(session, options.permission);
  if (!asked) return report_error(err, asked.error(), kExitFailure);
  const auto body = body_of(options, *asked);
  if (!body) return report_error(err, body.error(), kExitUsage);
  out << permission_text(*asked, screen.is_colored, screen.width) << std::flush;
  if (const auto error = confirm(options, session, *asked, *body, keyboard, out))
    return report_error(err, *error, kExitUsage);
  const auto done = post_now(
      options.server, fmt::format("/api/sessions/{}/permissions/{}", session.id, asked->id), *body);
  if (!done) return report_error(err, done.error(), kExitFailure);
  return printed(out, "answered: " + printable(asked->title) + "\n");
}

}  // namespace oriel
