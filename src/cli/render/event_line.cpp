#include "cli/render/event_line.h"

#include "base/text/json_access.h"
#include "cli/render/terminal.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <spdlog/fmt/fmt.h>

#include <array>
#include <optional>
#include <utility>

namespace oriel {
namespace {

namespace json = boost::json;

constexpr std::size_t kTypeColumns = 12;

constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kTypeColors = {{
    {"error", "1;31"},
    {"gap", "1;33"},
    {"status", "33"},
    {"completion", "32"},
    {"message", "34"},
    {"tool_call", "36"},
    {"tool_result", "36"},
    {"permission", "35"},
}};

std::string_view color_of(std::string_view type) {
  for (const auto& [name, color] : kTypeColors) {
    if (name == type) return color;
  }
  return kBold;
}

std::optional<json::value> parse_data(const SseEvent& event) {
  json::error_code problem;
  json::value data = json::parse(event.data, problem);
  if (problem) return std::nullopt;
  return data;
}

std::string origin_of(const json::object& event) {
  const std::string project = printable(text_at(event, "project_id"));
  const std::string session = printable(text_at(event, "session_id"));
  return project + (project.empty() || session.empty() ? "" : "/") + session;
}

// Its text, else its data.
std::string content_of(const json::object& event, const std::string& raw) {
  if (event.empty()) return raw;
  std::string content = text_at(event, "tool_name");
  std::string text = text_at(event, "text");
  const auto* const data = event.if_contains("data");
  if (text.empty() && data != nullptr) text = json::serialize(*data);
  if (!content.empty() && !text.empty()) content += ' ';
  return content + text;
}

}  // namespace

std::string time_of_day(WallTime time, std::chrono::minutes utc_offset) {
  if (time == WallTime()) return "--:--:--";
  const auto local = time + utc_offset;
  const auto day = std::chrono::floor<std::chrono::days>(local);
  const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::seconds>(local - day));
  return fmt::format("{:02}:{:02}:{:02}", clock.hours().count(), clock.minutes().count(),
                     clock.seconds().count());
}

std::string text_line(const SseEvent& event, const LineStyle& style) {
  const json::object data = parse_object(event.data);
  const std::string time =
      time_of_day(parse_time(text_at(data, "timestamp")).value_or(WallTime()), style.utc_offset);
  std::string type = printable(event.event);
  const std::size_t type_width = display_width(type);
  const std::string padding(type_width < kTypeColumns ? kTypeColumns - type_width : 0, ' ');
  const std::string origin = origin_of(data);

  std::size_t used = time.size() + 1 + type_width + padding.size() + 1;
  std::string line = paint(style.is_colored, kDim, time) + " " +
                     paint(style.is_colored, color_of(event.event), type) + padding + " ";
  if (!origin.empty()) {
    line += paint(style.is_colored, kDim, origin) + "  ";
    used += display_width(origin) + 2;
  }
  const std::size_t left = style.width > used ? style.width - used : 0;
  line += printable(content_of(data, event.data), style.width == kAnyWidth ? kAnyWidth : left);
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

std::string json_line(const SseEvent& event) {
  const auto data = parse_data(event);
  const bool is_one_line = event.data.find_first_of("\n\r") == event.data.npos;
  std::string shown = event.data;
  if (!data) shown = json::serialize(json::value(event.data));
  if (data && !is_one_line) shown = json::serialize(*data);
  return fmt::format(R"({{"id":{},"event":{},"data":{}}})", json::serialize(json::value(event.id)),
                     json::serialize(json::value(event.event)), shown);
}

std::string hello_notice(const SseEvent& event) {
  const json::object data = parse_object(event.data);
  const auto* const resumed = data.if_contains("resumed");
  if (resumed != nullptr && resumed->is_bool() && resumed->get_bool()) {
    return "connected, resuming";
  }
  const auto head = number_of(member(data, "head"));
  return head ? fmt::format("connected; the newest event is {}", *head) : "connected";
}

std::string gap_notice(const SseEvent& event) {
  const json::object data = parse_object(event.data);
  const auto missed = number_of(member(data, "missed"));
  const auto oldest = number_of(member(data, "oldest"));
  const std::string what = missed ? fmt::format("{} events are no longer held", *missed)
                                  : std::string("the server has a new journal");
  return "gap: " + what + (oldest ? fmt::format("; continuing from event {}", *oldest) : "");
}

std::string bye_notice(const SseEvent& event) {
  const std::string reason = printable(text_at(parse_object(event.data), "reason"));
  return "the server closes the stream" + (reason.empty() ? "" : ": " + reason);
}

}  // namespace oriel
