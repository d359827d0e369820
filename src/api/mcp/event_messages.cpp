#include "api/mcp/event_messages.h"

#include "base/text/json_text.h"
#include "mcp/call.h"

#include <boost/json/object.hpp>
#include <spdlog/fmt/fmt.h>

#include <algorithm>

namespace oriel {
namespace {

constexpr std::string_view kLogger = "oriel";

// The bytes before an event's body, which depend on the level only.
std::string_view lead_of(mcp::LogLevel level) {
  const auto make = [](mcp::LogLevel its_level) {
    return mcp::log_head(its_level, kLogger) + event_json(0, "");
  };
  static const std::string kErrorLead = make(mcp::LogLevel::kError);
  static const std::string kInfoLead = make(mcp::LogLevel::kInfo);
  static const std::string kDebugLead = make(mcp::LogLevel::kDebug);
  if (level == mcp::LogLevel::kError) return kErrorLead;
  return level == mcp::LogLevel::kDebug ? kDebugLead : kInfoLead;
}

}  // namespace

mcp::LogLevel level_of(const Record& record) {
  if (record.event_type == EventType::kError) return mcp::LogLevel::kError;
  return record.event_type == EventType::kDelta ? mcp::LogLevel::kDebug : mcp::LogLevel::kInfo;
}

mcp::Message event_message(const RecordPtr& record) {
  const std::string meta =
      fmt::format(R"({{"oriel/index":{},"oriel/sequence":{}}})", record->index, record->sequence);
  return {lead_of(level_of(*record)), SharedBytes(record, &record->body), record->bytes(),
          mcp::log_tail(meta)};
}

mcp::Message gap_message(const Gap& gap, const std::string& session_id) {
  const boost::json::object data{{"type", "gap"},
                                 {"session_id", session_id},
                                 {"oldest", gap.oldest},
                                 {"head", gap.head},
                                 {"missed", gap.missed}};
  return mcp::log_head(mcp::LogLevel::kWarning, kLogger) + json_text(data) + mcp::log_tail();
}

mcp::SharedMessage EventMessageCache::get(const RecordPtr& record, const Hold& hold) {
  std::weak_ptr<const mcp::Message>& known = messages_[record->sequence];
  if (mcp::SharedMessage message = known.lock()) return message;
  mcp::SharedMessage message = hold(event_message(record));
  known = message;
  if (messages_.size() >= evict_at_) evict_expired();
  return message;
}

void EventMessageCache::evict_expired() {
  std::erase_if(messages_, [](const auto& entry) { return entry.second.expired(); });
  evict_at_ = std::max(kMinEvictionSize, 2 * messages_.size());
}

}  // namespace oriel
