#include "observed/hook.h"

#include "base/enum_names.h"
#include "base/id.h"
#include "base/text/json_line.h"
#include "base/text/json_text.h"
#include "base/text/quote.h"

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::array<std::string_view, 5> kStartSources = {"", "startup", "resume", "clear",
                                                           "compact"};

Error invalid_hook(std::string message, std::string hint) {
  return {.kind = ErrorKind::kInvalidHook, .message = std::move(message), .hint = std::move(hint)};
}

// The fields of a body. Remembers the first one of a wrong type.
class HookFields {
 public:
  explicit HookFields(const json::value& body) : body_(body) {}

  std::string text(std::string_view key) {
    const json::value& value = member(body_, key);
    if (!value.is_string() && !value.is_null() && wrong_.empty()) wrong_ = key;
    return std::string(text_of(value));
  }

  std::optional<std::int64_t> number(std::string_view key) {
    const json::value& value = member(body_, key);
    if (value.is_null()) return std::nullopt;
    if (value.is_int64() && value.get_int64() > 0) return value.get_int64();
    if (wrong_.empty()) wrong_ = key;
    return std::nullopt;
  }

  const std::string& wrong() const { return wrong_; }

 private:
  const json::value& body_;
  std::string wrong_;
};

bool has_nul(const std::string& path) {
  return path.find('\0') != path.npos;
}

bool is_tool_hook(HookKind kind) {
  return kind == HookKind::kPreToolUse || kind == HookKind::kPostToolUse ||
         kind == HookKind::kPermissionRequest;
}

}  // namespace

StartSource parse_start_source(std::string_view name) {
  return find_name<StartSource>(kStartSources, name).value_or(StartSource::kOther);
}

Result<HookEvent> parse_hook(HookKind kind, std::string_view text) {
  const std::optional<json::value> body = parse_line(text);
  if (!body)
    return invalid_hook("the body is not a JSON object",
                        "send the JSON that the agent pipes to its hook, unchanged");
  HookFields fields(*body);
  HookEvent hook;
  hook.kind = kind;
  const std::string name = fields.text("hook_event_name");
  hook.session_id = fields.text("session_id");
  hook.transcript_path = fields.text("transcript_path");
  hook.cwd = fields.text("cwd");
  hook.prompt_id = fields.text("prompt_id");
  hook.subagent_id = fields.text("agent_id");
  hook.pid = fields.number("oriel_pid");
  hook.source = parse_start_source(fields.text("source"));
  hook.reason = fields.text("reason");
  hook.prompt = fields.text("prompt");
  hook.last_text = fields.text("last_assistant_message");
  hook.message = fields.text("message");
  hook.notification_type = fields.text("notification_type");
  hook.tool_name = fields.text("tool_name");
  hook.tool_call_id = fields.text("tool_use_id");
  hook.tool_input = member(*body, "tool_input");
  hook.tool_response = member(*body, "tool_response");
  if (!fields.wrong().empty())
    return invalid_hook(
        "`" + fields.wrong() + "` has the wrong type",
        fields.wrong() == "oriel_pid" ? "it must be a number above 0" : "it must be a string");
  if (hook.session_id.empty())
    return invalid_hook("`session_id` is missing", "it identifies the agent");
  if (!is_name(hook.session_id))
    return invalid_hook("`session_id` is " + quote(hook.session_id),
                        "1 to 128 of A-Z a-z 0-9 . _ : - are allowed");
  if (has_nul(hook.transcript_path) || has_nul(hook.cwd))
    return invalid_hook("`transcript_path` or `cwd` has a NUL character", "send it unchanged");
  if (!name.empty() && parse_hook_event_name(name) != kind)
    return invalid_hook("`hook_event_name` is " + quote(name) + ", but this is the URL of " +
                            std::string(name_of(kind)),
                        "send each hook to the URL with its name");
  if (kind == HookKind::kUserPromptSubmit && !member(*body, "prompt").is_string())
    return invalid_hook("`prompt` is missing", "it is the text of the prompt");
  if (is_tool_hook(kind) && hook.tool_name.empty())
    return invalid_hook("`tool_name` is missing", "it is the name of the tool");
  return hook;
}

std::string format_hook(const HookEvent& hook) {
  json::object body{{"session_id", hook.session_id},
                    {"transcript_path", hook.transcript_path},
                    {"cwd", hook.cwd},
                    {"prompt_id", hook.prompt_id},
                    {"agent_id", hook.subagent_id},
                    {"source", name_in(kStartSources, hook.source)},
                    {"reason", hook.reason},
                    {"prompt", hook.prompt},
                    {"last_assistant_message", hook.last_text},
                    {"message", hook.message},
                    {"notification_type", hook.notification_type},
                    {"tool_name", hook.tool_name},
                    {"tool_use_id", hook.tool_call_id},
                    {"tool_input", hook.tool_input},
                    {"tool_response", hook.tool_response}};
  if (hook.pid) body["oriel_pid"] = *hook.pid;
  return json_text(body);
}

}  // namespace oriel
