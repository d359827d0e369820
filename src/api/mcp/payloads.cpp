#include "api/mcp/payloads.h"

#include "mcp/call.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>

namespace oriel {
namespace {

// All that is before an event's body: the same for all of a level.
std::string_view lead_of(LogLevel level) {
  const auto make = [](LogLevel its_level) {
    return log_head(its_level, "oriel") + event_json(0, "");
  };
  static const std::string error = make(LogLevel::kError);
  static const std::string info = make(LogLevel::kInfo);
  static const std::string debug = make(LogLevel::kDebug);
  if (level == LogLevel::kError) return error;
  return level == LogLevel::kDebug ? debug : info;
}

}  // namespace

std::string_view type_of(const Record& record) {
  return record.kind.empty() ? record.type : record.kind;
}

LogLevel level_of(const Record& record) {
  const std::string_view type = type_of(record);
  if (type == "error") return LogLevel::kError;
  return type == "delta" ? LogLevel::kDebug : LogLevel::kInfo;
}

McpMessage event_message(const RecordPtr& record) {
  const std::string meta =
      fmt::format(R"({{"oriel/index":{},"oriel/sequence":{}}})", record->index, record->sequence);
  return {lead_of(level_of(*record)), SharedBytes(record, &record->body), record->bytes(),
          log_tail(meta)};
}

SharedMessage McpPayloads::get(const RecordPtr& record, const Hold& hold) {
  std::weak_ptr<const McpMessage>& made = made_[record->sequence];
  if (SharedMessage message = made.lock()) return message;
  SharedMessage message = hold(event_message(record));
  made = message;
  if (made_.size() >= forget_at_) forget_unheld();
  return message;
}

void McpPayloads::forget_unheld() {
  std::erase_if(made_, [](const auto& entry) { return entry.second.expired(); });
  forget_at_ = std::max(kForgetAtLeast, 2 * made_.size());
}

}  // namespace oriel
