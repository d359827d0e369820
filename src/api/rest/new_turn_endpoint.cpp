#include "api/rest/new_turn_endpoint.h"

#include "api/error_response.h"
#include "api/json_body.h"
#include "api/rest/upload_form.h"
#include "base/id.h"
#include "base/text/ascii.h"
#include "base/text/quote.h"
#include "http/multipart.h"
#include "http/query.h"
#include "supervisor/errors.h"

#include <boost/json/object.hpp>

#include <memory>
#include <utility>

namespace oriel {
namespace {

namespace json = boost::json;

// Allowance for the boundaries and part headers of a form.
constexpr std::uint64_t kFormBytes = 1 << 20;

constexpr std::chrono::hours kOldest{24};
constexpr std::chrono::minutes kMostAhead{5};

Error invalid(std::string message, std::string hint) {
  return {
      .kind = ErrorKind::kInvalidRequest, .message = std::move(message), .hint = std::move(hint)};
}

http::Response not_a_turn() {
  return error_response({.kind = ErrorKind::kUnsupportedMediaType,
                         .message = "the body must be JSON or a form with files",
                         .hint = "send application/json, or multipart/form-data"});
}

// Responds 413 to a body over `max_bytes`.
asio::awaitable<http::BodyPart> read_whole(http::RequestBody& body, std::uint64_t max_bytes) {
  std::string whole;
  while (true) {
    const auto piece = co_await body.next();
    if (!piece) co_return piece.error();
    if (piece->empty()) co_return whole;
    whole += *piece;
    if (whole.size() > max_bytes) {
      co_return error_response(
          {.kind = ErrorKind::kBodyTooLarge,
           .message = "the body exceeds " + std::to_string(max_bytes) + " bytes",
           .hint = "send a long text as a file"});
    }
  }
}

json::object answer_of(const std::string& session_id, const MessageTaken& taken,
                       const std::vector<TurnFile>& files) {
  json::object answer{{"session_id", session_id}, {"turn_id", taken.turn_id},
                      {"task_id", taken.task_id}, {"last_index", taken.last_index},
                      {"queued", taken.queued},   {"files", to_json(files)}};
  if (!taken.permission_id.empty()) answer["permission_id"] = taken.permission_id;
  return answer;
}

}  // namespace

Result<std::optional<WallTime>> parse_said_at(std::string_view text, WallTime now) {
  const auto time = parse_time(text);
  if (!time) {
    return invalid("timestamp: " + quote(text) + " is not a time",
                   "send UTC such as 2026-11-15T21:19:27.042Z, or leave it out");
  }
  if (*time < now - kOldest || *time > now + kMostAhead) {
    return invalid("timestamp: " + quote(text) + " is not within the last 24 hours",
                   "set the device's clock, or leave it out");
  }
  if (*time > now) return std::optional<WallTime>();
  return time;
}

void NewTurnEndpoint::add_routes(http::Router& router) {
  const UploadOptions& uploads = sessions_.uploads().options();
  http::Route route{
      .method = "POST", .pattern = "/api/turns", .scope = Scope::kStart, .handler = {}};
  route.body_handler = [this](http::Request request, http::RequestBody& body, Shard&) {
    return take(std::move(request), body);
  };
  route.max_body_bytes =
      uploads.max_files * uploads.max_file_bytes + limits_.max_text_bytes + kFormBytes;
  router.add(std::move(route));
}

asio::awaitable<http::Response> NewTurnEndpoint::take(http::Request request,
                                                      http::RequestBody& body) {
  if (auto known = http::check_query(request, {}); !known) co_return error_response(known.error());
  const std::string type(request.header("content-type").value_or(""));
  if (http::is_multipart(type)) {
    auto upload = take_upload(std::move(request), body);
    co_return co_await std::move(upload);
  }
  if (!has_json_body(request)) co_return not_a_turn();
  auto voice = take_voice(std::move(request), body);
  co_return co_await std::move(voice);
}

asio::awaitable<http::Response> NewTurnEndpoint::take_voice(http::Request request,
                                                            http::RequestBody& body) {
  auto whole = co_await read_whole(body, limits_.max_text_bytes);
  if (!whole) co_return whole.error();
  request.body = *std::move(whole);
  JsonBody json(request, {"session_id", "text", "source", "timestamp", "request_id"});
  NewTurn turn;
  turn.session_id = json.name("session_id");
  turn.text = json.text("text");
  turn.request_id = json.name("request_id");
  if (!json.has("session_id")) json.refuse("session_id", "is missing");
  if (json.choice("source", {"voice"}).empty())
    json.refuse("source", "must be \"voice\"; send written text to /api/sessions/{id}/messages");
  if (is_blank(turn.text)) json.refuse("text", "is missing or empty");
  if (json.has("timestamp")) {
    const auto said_at = parse_said_at(json.text("timestamp"), wall_now());
    if (!said_at) json.refuse(describe(said_at.error()));
    if (said_at) turn.origin.said_at = *said_at;
  }
  if (json.refusal()) co_return *json.refusal();
  turn.origin.source = TurnSource::kVoice;
  const std::string session_id = turn.session_id;
  const auto taken = co_await sessions_.say(request.principal, std::move(turn));
  if (!taken) co_return error_response(taken.error());
  co_return http::json_response(taken->is_repeat ? 200 : 202, answer_of(session_id, *taken, {}));
}

asio::awaitable<http::Response> NewTurnEndpoint::take_upload(http::Request request,
                                                             http::RequestBody& body) {
  auto boundary = http::multipart_boundary(*request.header("content-type"));
  if (!boundary) {
    co_return error_response(
        invalid("the Content-Type has no usable boundary",
                "let your HTTP library write it, or send boundary= with 1 to 70 characters"));
  }
  const auto upload = std::make_shared<Upload>(sessions_.uploads());
  FormFields empty(limits_.max_text_bytes);
  const auto fields = co_await read_upload(body, *std::move(boundary), *upload, std::move(empty));
  if (!fields) co_return fields.error();

  NewTurn turn;
  turn.session_id = fields->text("session_id");
  turn.text = is_blank(fields->text("text")) ? "" : fields->text("text");
  turn.request_id = fields->text("request_id");
  turn.origin.source = TurnSource::kUpload;
  const std::string hint = "send session_id, and each file as a part with a filename";
  if (!is_name(turn.session_id))
    co_return error_response(invalid("session_id: is missing or not a name", hint));
  if (fields->has("request_id") && !is_name(turn.request_id))
    co_return error_response(invalid("request_id: is not a name", hint));
  if (upload->files().empty()) co_return error_response(invalid("the form has no file", hint));
  if (fields->has("timestamp")) {
    const auto said_at = parse_said_at(fields->text("timestamp"), wall_now());
    if (!said_at) co_return error_response(said_at.error());
    turn.origin.said_at = *said_at;
  }

  const std::string session_id = turn.session_id;
  const auto checked = co_await check_session(request.principal, session_id);
  if (!checked) co_return error_response(checked.error());
  const auto taken = co_await sessions_.say(request.principal, std::move(turn), upload);
  if (!taken) co_return error_response(taken.error());
  if (taken->is_repeat) {
    const auto files = co_await files_of(request.principal, session_id, taken->turn_id);
    co_return http::json_response(200, answer_of(session_id, *taken, files));
  }
  co_return http::json_response(202, answer_of(session_id, *taken, upload->files()));
}

// Checked before the files go to the session. The session itself may still reject the turn.
asio::awaitable<Result<void>> NewTurnEndpoint::check_session(Principal principal,
                                                             std::string session_id) {
  const auto session = co_await sessions_.find(std::move(principal), std::move(session_id));
  if (!session) co_return session.error();
  if ((*session)->is_observed) co_return observed((*session)->session_id);
  co_return Result<void>();
}

asio::awaitable<std::vector<TurnFile>> NewTurnEndpoint::files_of(Principal principal,
                                                                 std::string session_id,
                                                                 std::string turn_id) {
  const auto turns = co_await sessions_.turns(std::move(principal), std::move(session_id));
  if (!turns) co_return std::vector<TurnFile>();
  for (const Turn& turn : *turns) {
    if (turn.turn_id == turn_id) co_return turn.files;
  }
  co_return std::vector<TurnFile>();
}

}  // namespace oriel
