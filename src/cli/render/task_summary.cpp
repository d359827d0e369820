#include "cli/render/task_summary.h"

#include "base/text/json_access.h"
#include "cli/render/tool_line.h"
#include "cli/report_error.h"

#include <spdlog/fmt/fmt.h>

namespace oriel {
namespace {

std::string short_count(std::int64_t count) {
  if (count < 1000) return std::to_string(count);
  if (count < 1'000'000) return fmt::format("{:.1f}k", static_cast<double>(count) / 1000);
  return fmt::format("{:.1f}M", static_cast<double>(count) / 1'000'000);
}

}  // namespace

std::optional<int> task_end(const SessionEvent& event) {
  if (event.type == "completion") {
    if (event.status == "cancelled") return kExitCancelled;
    return event.status == "error" ? kExitFailure : 0;
  }
  const bool is_over = event.text == "failed" || event.text == "completed";
  return event.type == "status" && is_over ? std::optional(kExitFailure) : std::nullopt;
}

std::string usage_text(const boost::json::object& usage) {
  std::string out;
  const auto add = [&](const std::string& part) { out += (out.empty() ? "" : ", ") + part; };
  if (const auto in = number_of(member(usage, "input_tokens")))
    add(short_count(*in) + " tokens in");
  if (const auto outgoing = number_of(member(usage, "output_tokens")))
    add(short_count(*outgoing) + " out");
  const auto* const cost = usage.if_contains("cost_usd");
  if (cost != nullptr && cost->is_number()) add(fmt::format("${:.4f}", cost->to_number<double>()));
  return out;
}

std::string task_summary(const std::string& session_id, std::chrono::milliseconds duration,
                         const boost::json::object& usage) {
  std::string out = fmt::format("{} · {}", session_id, short_duration(duration));
  const std::string used = usage_text(usage);
  if (!used.empty()) out += " · " + used;
  return out + fmt::format("\ncontinue with: oriel send --session {} MESSAGE", session_id);
}

}  // namespace oriel
