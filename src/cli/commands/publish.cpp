#include "cli/commands/publish.h"

#include "base/text/json_access.h"
#include "base/text/printable.h"
#include "base/text/quote.h"
#include "cli/report_error.h"

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
  const std::size_t position = parser.write_some(text, problem);
  if (!problem && position < text.size()) problem = json::error::extra_data;
  if (!problem) parser.finish(problem);
  if (!problem) return {};
  return Error{.kind = ErrorKind::kBadOption,
               .message = fmt::format("flag --data: {} is not JSON: {} at byte {}", quote(text),
                                      problem.message(), position),
               .hint = R"(put a string into double quotes: --data '"text"')"};
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
  if (!body) return report_error(err, body.error(), kExitUsage);

  HttpRequest request = make_request(options.server, "POST", "/api/events");
  request.headers.emplace_back("Content-Type", "application/json");
  request.body = std::move(*body);
  auto answer = fetch_now(std::move(request));
  if (!answer)
    return report_error(err, unreachable_error(options.server, answer.error()), kExitFailure);
  const std::string id = text_at(parse_object(answer->body), "id");
  if (answer->status != 201 || id.empty()) {
    return report_error(err, response_error(*answer), kExitFailure);
  }
  out << printable(id) << std::endl;
  return out ? 0 : kExitFailure;
}

}  // namespace oriel
