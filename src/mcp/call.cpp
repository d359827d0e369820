#include "mcp/call.h"

#include "base/text/json_text.h"
#include "mcp/sessions/session.h"

#include <spdlog/fmt/fmt.h>

namespace oriel::mcp {
namespace {

namespace json = boost::json;

// None unless the client requested progress.
const json::value* progress_token(const json::object& params) {
  const auto* const meta = params.if_contains("_meta");
  if (meta == nullptr || !meta->is_object()) return nullptr;
  const auto* const token = meta->as_object().if_contains("progressToken");
  const bool is_one = token != nullptr && (token->is_string() || token->is_number());
  return is_one ? token : nullptr;
}

}  // namespace

const json::object& Call::arguments() const {
  static const json::object kNone;
  const auto* const arguments = facts_.params.if_contains("arguments");
  return arguments != nullptr && arguments->is_object() ? arguments->as_object() : kNone;
}

std::string Call::uri_part(std::string_view name) const {
  for (const auto& [key, value] : uri_parts_) {
    if (key == name) return value;
  }
  return {};
}

bool Call::client_can(std::string_view capability) const {
  return facts_.client_capabilities.contains(capability);
}

bool Call::wants_log(LogLevel level) const {
  const auto least = facts_.session == nullptr ? facts_.log_level : facts_.session->log_level();
  return least && level >= *least;
}

void Call::log(LogLevel level, std::string_view logger, const json::value& data) {
  if (wants_log(level)) send(hold(log_head(level, logger) + json_text(data) + log_tail()));
}

bool Call::wants_progress() const {
  return progress_token(facts_.params) != nullptr;
}

void Call::progress(double done, std::optional<double> total, std::string_view message,
                    std::uint64_t position) {
  const json::value* const token = progress_token(facts_.params);
  if (token == nullptr) return;
  json::object params{{"progressToken", *token}, {"progress", done}};
  if (total) params["total"] = *total;
  if (!message.empty()) params["message"] = message;
  notify("notifications/progress", params, position);
}

void Call::notify(std::string_view method, const json::object& params, std::uint64_t position) {
  send(hold(rpc_notification(method, params)), position);
}

SharedMessage Call::hold(Message message) const {
  if (facts_.session != nullptr) return facts_.session->hold(std::move(message));
  return std::make_shared<const Message>(std::move(message));
}

asio::awaitable<InputAnswers> Call::ask(std::vector<InputRequest> inputs, json::object keep) {
  return channel_.ask(std::move(inputs), std::move(keep));
}

std::string log_head(LogLevel level, std::string_view logger) {
  return fmt::format(
      R"({{"jsonrpc":"2.0","method":"notifications/message","params":{{"level":"{}","logger":"{}","data":)",
      name_of(level), logger);
}

std::string log_tail(std::string_view meta_json) {
  return meta_json.empty() ? "}}" : fmt::format(R"(,"_meta":{}}}}})", meta_json);
}

}  // namespace oriel::mcp
