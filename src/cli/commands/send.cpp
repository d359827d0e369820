#include "cli/commands/send.h"

#include "base/id.h"
#include "base/text/json_access.h"
#include "cli/commands/send_terminal.h"
#include "cli/report_error.h"
#include "client/session_api.h"

#include <chrono>
#include <istream>
#include <iterator>
#include <ostream>
#include <system_error>
#include <thread>

namespace oriel {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr int kTries = 3;
constexpr std::chrono::milliseconds kAskAgain{200};

// Canonical, so that --continue finds sessions started there.
Result<fs::path> workspace_of(const SendOptions& options) {
  constexpr auto kValue = boost::system::in_place_value;
  const bool needs_none = options.directory.empty() && !options.project.empty();
  if (needs_none) return Result<fs::path>(kValue);
  std::error_code problem;
  const fs::path wanted = options.directory.empty() ? fs::current_path(problem) : options.directory;
  const fs::path found = problem ? fs::path() : fs::canonical(wanted, problem);
  if (!problem && !fs::is_directory(found, problem))
    problem = make_error_code(std::errc::not_a_directory);
  if (!problem) return Result<fs::path>(kValue, found);
  return Error{.kind = ErrorKind::kBadDirectory,
               .message = wanted.string() + ": " + problem.message(),
               .hint = "--dir names the agent's directory"};
}

Result<json::object> newest_session(const SendOptions& options) {
  const auto directory = workspace_of(options);
  if (!directory) return directory.error();
  const auto sessions = list_sessions(options.server, {.workspace = directory->string()});
  if (!sessions) return sessions.error();
  for (const json::object& session : *sessions) {
    if (read_session(session).status != SessionStatus::kCompleted) return session;
  }
  return Error{.kind = ErrorKind::kNoSession,
               .message = "there is no session to continue in " + directory->string(),
               .hint = "without --continue a new one is started"};
}

// Retries after a lost connection; the request's id prevents a second session or message. The
// server may still be processing the first one.
Result<json::object> post_once(const ServerAccess& server, const std::string& target,
                               const json::object& body) {
  for (int tries = 1;; ++tries) {
    Result<json::object> answer = post_now(server, target, body);
    if (answer) return answer;
    const ErrorKind kind = answer.error().kind;
    const bool is_lost = kind == ErrorKind::kConnectionLost && tries < kTries;
    const bool is_at_work = kind == ErrorKind::kInProgress;
    if (!is_lost && !is_at_work) return answer;
    if (is_at_work) std::this_thread::sleep_for(kAskAgain);
  }
}

}  // namespace

json::object new_session_body(const SendOptions& options, const fs::path& directory,
                              const std::string& request_id) {
  json::object body{{"message", options.message}, {"request_id", request_id}};
  const auto add = [&](std::string_view key, const std::string& value) {
    if (!value.empty()) body[key] = value;
  };
  add("agent", options.agent);
  add("project_id", options.project);
  add("workspace", directory.string());
  add("title", options.title);
  if (options.permissions) body["permissions"] = name_of(*options.permissions);
  return body;
}

Result<TaskPosition> start_task(const SendOptions& options) {
  const std::string request_id = random_id();
  if (options.session.empty() && !options.is_continued) {
    const auto directory = workspace_of(options);
    if (!directory) return directory.error();
    const auto created = post_once(options.server, "/api/sessions",
                                   new_session_body(options, *directory, request_id));
    if (!created) return created.error();
    return TaskPosition{.session_id = text_at(*created, "session", "session_id"),
                        .task_id = text_at(*created, "task_id")};
  }
  const auto session = options.is_continued ? newest_session(options)
                                            : find_session(options.server, options.session);
  if (!session) return session.error();
  const SessionInfo before = read_session(*session);
  const auto sent =
      post_once(options.server, "/api/sessions/" + before.id + "/messages",
                json::object{{"message", options.message}, {"request_id", request_id}});
  if (!sent) return sent.error();
  return TaskPosition{
      .session_id = before.id,
      .task_id = text_at(*sent, "task_id"),
      .since_index = before.last_index,
      .is_waiting = before.is_at_work() && number_of(member(*sent, "queued")).value_or(0) > 0};
}

int send(SendOptions options, std::istream& in, std::ostream& out, std::ostream& err) {
  if (options.message == "-") options.message = std::string(std::istreambuf_iterator<char>(in), {});
  if (options.message.find_first_not_of(" \t\r\n") == std::string::npos) {
    const Error error{.kind = ErrorKind::kBadOption,
                      .message = "the message is empty",
                      .hint = "see oriel send --help"};
    return report_error(err, error, kExitUsage);
  }
  auto position = start_task(options);
  if (!position) return report_error(err, position.error(), kExitFailure);
  if (position->is_waiting) {
    err << "oriel: the session is working, and the message is queued; oriel cancel "
        << position->session_id << " cancels the running task" << std::endl;
  }
  if (options.is_detached) {
    out << position->session_id << std::endl;
    return out ? 0 : kExitFailure;
  }
  return show_task({.server = options.server,
                    .position = std::move(*position),
                    .is_json = options.is_json,
                    .is_colored = options.is_colored});
}

}  // namespace oriel
