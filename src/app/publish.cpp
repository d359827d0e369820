#include "app/publish.h"

#include "app/complain.h"
#include "app/printable.h"
#include "core/quote.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/stream_parser.hpp>
#include <spdlog/fmt/fmt.h>

#include <istream>
#include <iterator>
#include <ostream>

namespace oriel {
namespace {

namespace json = boost::json;

Result<void> check_json(const std::string& text) {
  json::stream_parser parser;
  json::error_code problem;
  const std::size_t place = parser.write_some(text, problem);
  if (!problem && place < text.size()) problem = json::error::extra_data;
  if (!problem) parser.finish(problem);
  if (!problem) return {};
  return Error{.code = "bad_option",
               .message = fmt::format("flag --data: {} is not JSON: {} at byte {}", quote(text),
                                      problem.message(), place),
               .hint = R"(a string needs quotes of its own: --data '"text"')"};
}

Result<HttpAnswer> send(HttpRequest request) {
  asio::io_context io(1);
  auto answer = asio::co_spawn(io, fetch(std::move(request), HttpDeadlines{}), asio::use_future);
  io.run();
  return answer.get();
}

std::string id_in(const HttpAnswer& answer) {
  json::error_code problem;
  const json::value body = json::parse(answer.body, problem);
  if (problem || !body.is_object()) return "";
  const auto* const id = body.get_object().if_contains("id");
  return id == nullptr || !id->is_string() ? "" : std::string(id->get_string());
}

}  // namespace

Result<std::string> publish_body(const PublishOptions& options) {
  std::string body = "{\"type\":" + json::serialize(json::value(options.type));
  const auto add = [&](std::string_view key, const std::string& value) {
    body += fmt::format(",\"{}\":{}", key, json::serialize(json::value(value)));
  };
  if (!options.project.empty()) add("project_id", options.project);
  if (!options.session.empty()) add("session_id", options.session);
  if (options.text) add("text", *options.text);
  if (options.data) {
    const auto checked = check_json(*options.data);
    if (!checked) return checked.error();
    body += ",\"data\":" + *options.data;
  }
  return Result<std::string>(boost::system::in_place_value, body + "}");
}

int publish(PublishOptions options, std::istream& in, std::ostream& out, std::ostream& err) {
  if (options.data == "-") options.data = std::string(std::istreambuf_iterator<char>(in), {});
  auto body = publish_body(options);
  if (!body) return complain(err, body.error(), kExitUsage);

  HttpRequest request = make_request(options.server, "POST", "/api/events");
  request.headers.emplace_back("Content-Type", "application/json");
  request.body = std::move(*body);
  auto answer = send(std::move(request));
  if (!answer) {
    Error error = answer.error();
    error.message = options.server.url.origin() + ": " + error.message;
    if (error.hint.empty()) error.hint = "is the server running? --url (ORIEL_URL) names another";
    return complain(err, error, kExitFailure);
  }
  const std::string id = id_in(*answer);
  if (answer->status != 201 || id.empty()) {
    return complain(err, refusal_of(*answer), kExitFailure);
  }
  out << printable(id) << std::endl;
  return out ? 0 : kExitFailure;
}

}  // namespace oriel
