#include "doors/mcp_payloads.h"

#include "mcp/call.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

namespace oriel {

std::string_view type_of(const Record& record) {
  return record.kind.empty() ? record.type : record.kind;
}

LogLevel level_of(const Record& record) {
  const std::string_view type = type_of(record);
  if (type == "error") return LogLevel::kError;
  return type == "delta" ? LogLevel::kDebug : LogLevel::kInfo;
}

std::string event_message(const Record& record) {
  const std::string meta =
      fmt::format("{{\"oriel/index\":{},\"oriel/sequence\":{}}}", record.index, record.sequence);
  return log_message(level_of(record), "oriel", event_json(0, record.body), meta);
}

SharedBytes McpPayloads::get(const Record& record, const Hold& hold) {
  std::weak_ptr<const std::string>& made = made_[record.sequence];
  if (SharedBytes bytes = made.lock()) return bytes;
  SharedBytes bytes = hold(event_message(record));
  made = bytes;
  if (made_.size() >= forget_at_) forget_unheld();
  return bytes;
}

void McpPayloads::forget_unheld() {
  std::erase_if(made_, [](const auto& entry) { return entry.second.expired(); });
  forget_at_ = std::max(kForgetAtLeast, 2 * made_.size());
}

}  // namespace oriel
