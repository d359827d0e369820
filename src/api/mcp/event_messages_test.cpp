#include "api/mcp/event_messages.h"

#include "base/event/event_view_testing.h"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

namespace oriel {
namespace {

namespace json = boost::json;

RecordPtr record_of(const std::string& type, Sequence sequence = 7, std::uint64_t index = 3) {
  const SessionEvent event = custom_event(type, "ses_a", "words");
  Record record;
  record.sequence = sequence;
  record.index = index;
  record.type = "session_event";
  record.event_type = parse_event_type(type);
  record.session_id = "ses_a";
  record.body = serialize_body(event);
  return std::make_shared<const Record>(std::move(record));
}

mcp::SharedMessage keep(mcp::Message message) {
  return std::make_shared<const mcp::Message>(std::move(message));
}

std::string text_of(const mcp::Message& message) {
  return std::string(message.lead) + *message.shared + message.rest;
}

TEST(R_LIVE_6, ErrorsAreErrorDeltasDebugAllElseInfo) {
  EXPECT_EQ(level_of(*record_of("error")), mcp::LogLevel::kError);
  EXPECT_EQ(level_of(*record_of("delta")), mcp::LogLevel::kDebug);
  for (const char* type :
       {"status", "message", "tool_call", "tool_result", "completion", "permission", "system"})
    EXPECT_EQ(level_of(*record_of(type)), mcp::LogLevel::kInfo) << type;
}

TEST(R_SHAPE_2, APushIsTheEventWithIndexZeroAndTheTrueOneInMeta) {
  const RecordPtr record = record_of("message");
  const json::object message = json::parse(text_of(event_message(record))).as_object();
  EXPECT_EQ(message.at("method").as_string(), "notifications/message");
  const json::object& params = message.at("params").as_object();
  EXPECT_EQ(params.at("level").as_string(), "info");
  EXPECT_EQ(params.at("logger").as_string(), "oriel");
  EXPECT_EQ(params.at("_meta").at("oriel/index").to_number<int>(), 3);
  EXPECT_EQ(params.at("_meta").at("oriel/sequence").to_number<int>(), 7);
  json::object polled = json::parse(record->json()).as_object();
  polled["index"] = 0;
  EXPECT_EQ(params.at("data").as_object(), polled);
}

TEST(R_LIVE_6, AGapIsAWarningWithItsNumbers) {
  const mcp::Message message = gap_message({.oldest = 8, .head = 20, .missed = 7}, "ses_a");
  const json::object params = json::parse(message.rest).as_object().at("params").as_object();
  EXPECT_EQ(params.at("level").as_string(), "warning");
  EXPECT_EQ(params.at("data"),
            json::parse(R"({"type":"gap","session_id":"ses_a","oldest":8,"head":20,"missed":7})"));
}

TEST(R_STORE_4, AMessageSharesTheJournalsBytes) {
  const RecordPtr record = record_of("message");
  EXPECT_EQ(event_message(record).shared->data(), record->body.data());
}

TEST(R_STORE_4, AMessageIsEncodedOnceWhileItIsHeld) {
  EventMessageCache messages;
  const RecordPtr record = record_of("message");
  const mcp::SharedMessage first = messages.get(record, keep);
  const mcp::SharedMessage second = messages.get(record, keep);
  EXPECT_EQ(first, second);
  EXPECT_NE(first, messages.get(record_of("message", 8, 4), keep));
}

TEST(R_STORE_4, AMessageThatNobodyHoldsIsEncodedAgain) {
  EventMessageCache messages;
  const RecordPtr record = record_of("message");
  int made = 0;
  const EventMessageCache::Hold count = [&](mcp::Message message) {
    ++made;
    return keep(std::move(message));
  };
  messages.get(record, count);
  messages.get(record, count);
  EXPECT_EQ(made, 2);
}

TEST(R_STORE_4, ReadersThatAreManyEventsApartShareAMessage) {
  EventMessageCache messages;
  std::vector<mcp::SharedMessage> first_reader;
  for (Sequence sequence = 1; sequence <= 5000; ++sequence)
    first_reader.push_back(messages.get(record_of("delta", sequence, sequence), keep));
  for (Sequence sequence = 1; sequence <= 5000; ++sequence)
    ASSERT_EQ(messages.get(record_of("delta", sequence, sequence), keep),
              first_reader[sequence - 1]);
}

}  // namespace
}  // namespace oriel
