#include "doors/mcp_payloads.h"

#include "mcp/call.h"

#include <spdlog/fmt/fmt.h>

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
  Made& made = made_[record.sequence % kRemembered];
  if (made.sequence == record.sequence) {
    if (SharedBytes bytes = made.bytes.lock()) return bytes;
  }
  SharedBytes bytes = hold(event_message(record));
  made = {.sequence = record.sequence, .bytes = bytes};
  return bytes;
}

}  // namespace oriel
