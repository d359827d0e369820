#include "server/takeover/takeover_messages.h"

#include "base/text/json_access.h"
#include "base/text/json_text.h"
#include "base/text/quote.h"

namespace oriel {
namespace {

namespace json = boost::json;

std::string to_line(const json::object& object) {
  return json_text(object) + "\n";
}

Error unexpected(std::string_view line) {
  return {.kind = ErrorKind::kFailed,
          .message = "unexpected answer " + quote(line),
          .hint = "stop the running server, then start the new one"};
}

}  // namespace

std::string to_line(const TakeoverRequest& request) {
  json::object object;
  object["step"] = "take_over";
  object["protocol"] = request.protocol;
  object["version"] = request.version;
  return to_line(object);
}

std::string to_line(const TakeoverOffer& offer) {
  json::object object;
  object["step"] = "offer";
  object["process"] = offer.process;
  object["version"] = offer.version;
  object["schema"] = offer.schema;
  object["stops_within_ms"] = offer.stops_within.count();
  object["socket"] = offer.socket.string();
  object["owns_socket_file"] = offer.owns_socket_file;
  return to_line(object);
}

std::string to_line(const DrainRequest& request) {
  json::object object;
  object["step"] = "drain";
  object["takes_socket_file"] = request.takes_socket_file;
  return to_line(object);
}

std::string refusal_line(const Error& refusal) {
  json::object object;
  object["step"] = "refused";
  object["message"] = refusal.message;
  object["hint"] = refusal.hint;
  return to_line(object);
}

Result<TakeoverRequest> parse_takeover_request(std::string_view line) {
  const json::object object = parse_object(line);
  const auto protocol = number_of(member(object, "protocol"));
  if (text_at(object, "step") != "take_over" || !protocol) return unexpected(line);
  if (*protocol != kTakeoverProtocol)
    return Error{.kind = ErrorKind::kFailed,
                 .message = "the running server knows another way to hand over",
                 .hint = "stop it, then start the new one"};
  return TakeoverRequest{.protocol = kTakeoverProtocol, .version = text_at(object, "version")};
}

Result<TakeoverOffer> parse_takeover_offer(std::string_view line) {
  const json::object object = parse_object(line);
  const std::string step = text_at(object, "step");
  if (step == "refused")
    return Error{.kind = ErrorKind::kFailed,
                 .message = text_at(object, "message"),
                 .hint = text_at(object, "hint")};
  const auto process = number_of(member(object, "process"));
  const auto schema = number_of(member(object, "schema"));
  const auto stops_within = number_of(member(object, "stops_within_ms"));
  if (step != "offer" || !process || !schema || !stops_within) return unexpected(line);
  return TakeoverOffer{.process = *process,
                       .version = text_at(object, "version"),
                       .schema = static_cast<int>(*schema),
                       .stops_within = std::chrono::milliseconds(*stops_within),
                       .socket = text_at(object, "socket"),
                       .owns_socket_file = is_true(member(object, "owns_socket_file"))};
}

Result<DrainRequest> parse_drain_request(std::string_view line) {
  const json::object object = parse_object(line);
  if (text_at(object, "step") != "drain") return unexpected(line);
  return DrainRequest{.takes_socket_file = is_true(member(object, "takes_socket_file"))};
}

}  // namespace oriel
