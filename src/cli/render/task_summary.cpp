#include "cli/render/task_summary.h"

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
  if (const auto* const completion = event.get_if<event::Completion>()) {
    switch (completion->outcome) {
      case TaskEnd::kCompleted:
        return 0;
      case TaskEnd::kCancelled:
        return kExitCancelled;
      case TaskEnd::kError:
        return kExitFailure;
    }
  }
  const auto* const change = event.get_if<event::StatusChanged>();
  const bool is_over = change != nullptr && (change->status == SessionStatus::kFailed ||
                                             change->status == SessionStatus::kCompleted);
  return is_over ? std::optional(kExitFailure) : std::nullopt;
}

std::string usage_text(const Usage& usage) {
  std::string out;
  const auto add = [&](const std::string& part) { out += (out.empty() ? "" : ", ") + part; };
  if (usage.input_tokens) add(short_count(*usage.input_tokens) + " tokens in");
  if (usage.output_tokens) add(short_count(*usage.output_tokens) + " out");
  if (usage.cost_usd) add(fmt::format("${:.4f}", *usage.cost_usd));
  return out;
}

std::string task_summary(const std::string& session_id, std::chrono::milliseconds duration,
                         const Usage& usage) {
  std::string out = fmt::format("{} · {}", session_id, short_duration(duration));
  const std::string used = usage_text(usage);
  if (!used.empty()) out += " · " + used;
  return out + fmt::format("\ncontinue with: oriel send --session {} MESSAGE", session_id);
}

}  // namespace oriel
