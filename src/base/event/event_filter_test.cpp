#include "base/event/event_filter.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Record record(std::string type, std::string project_id, std::string session_id) {
  Record result;
  result.type = std::move(type);
  result.project_id = std::move(project_id);
  result.session_id = std::move(session_id);
  return result;
}

TEST(R_SSE_8, OpenFilterMatchesEverything) {
  const EventFilter filter;
  EXPECT_TRUE(filter.is_open());
  EXPECT_TRUE(filter.matches(record("message", "", "")));
  EXPECT_TRUE(filter.matches(record("status", "p", "s")));
}

TEST(R_AUTH_6, NobodyGetsAuditRecordsUnasked) {
  Record audit = record("audit", "p", "");
  audit.event_type = EventType::kAudit;
  EXPECT_FALSE(EventFilter{}.matches(audit));
  EventFilter named;
  named.types = {"audit"};
  EXPECT_FALSE(named.matches(audit));
  EventFilter asked;
  asked.is_audit = true;
  EXPECT_TRUE(asked.matches(audit));
  EXPECT_FALSE(asked.matches(record("message", "p", "s")));
}

TEST(R_SSE_8, FilterIsOrInsideAKind) {
  const EventFilter filter{.types = {"message", "status"}, .projects = {}, .sessions = {}};
  EXPECT_FALSE(filter.is_open());
  EXPECT_TRUE(filter.matches(record("message", "", "")));
  EXPECT_TRUE(filter.matches(record("status", "", "")));
  EXPECT_FALSE(filter.matches(record("delta", "", "")));
}

TEST(R_SSE_8, ATypeMayBeTheNameOnTheFeedOrTheEventsOwn) {
  Record of_session = record("session_event", "", "s");
  of_session.event_type = EventType::kDelta;
  const auto accepts = [&](const std::string& type) {
    return EventFilter{.types = {type}, .projects = {}, .sessions = {}}.matches(of_session);
  };
  EXPECT_TRUE(accepts("session_event"));
  EXPECT_TRUE(accepts("delta"));
  EXPECT_FALSE(accepts("message"));
}

TEST(R_SSE_8, FilterIsAndAcrossKinds) {
  const EventFilter filter{.types = {"message"}, .projects = {"p"}, .sessions = {"s", "t"}};
  EXPECT_TRUE(filter.matches(record("message", "p", "t")));
  EXPECT_FALSE(filter.matches(record("status", "p", "t")));
  EXPECT_FALSE(filter.matches(record("message", "q", "t")));
  EXPECT_FALSE(filter.matches(record("message", "p", "u")));
}

TEST(R_SSE_8, EventWithoutProjectDoesNotReachAProjectFilter) {
  const EventFilter filter{.types = {}, .projects = {"p"}, .sessions = {}};
  EXPECT_FALSE(filter.matches(record("message", "", "s")));
}

TEST(R_SSE_8, EventWithoutSessionDoesNotReachASessionFilter) {
  const EventFilter filter{.types = {}, .projects = {}, .sessions = {"s"}};
  EXPECT_FALSE(filter.matches(record("message", "p", "")));
}

TEST(R_SSE_8, NamesMatchWholeAndByCase) {
  const EventFilter filter{.types = {"message"}, .projects = {}, .sessions = {}};
  EXPECT_FALSE(filter.matches(record("messages", "", "")));
  EXPECT_FALSE(filter.matches(record("mess", "", "")));
  EXPECT_FALSE(filter.matches(record("Message", "", "")));
}

TEST(R_SSE_8, FilterListsAddUpOverRepeats) {
  std::vector<std::string> list;
  EXPECT_TRUE(add_names(list, "types", "a,b"));
  EXPECT_TRUE(add_names(list, "types", "c.d_e:f-1"));
  EXPECT_THAT(list, ElementsAre("a", "b", "c.d_e:f-1"));
}

TEST(R_SSE_8, MalformedFilterIsRefusedAndNamed) {
  for (const char* value : {"", ",", "a,", ",a", "a,,b", "a b", "a, b", "a*", "\xC3\xA4", "a\n"}) {
    std::vector<std::string> list;
    const auto added = add_names(list, "project_id", value);
    ASSERT_FALSE(added) << value;
    EXPECT_EQ(added.error().kind, ErrorKind::kInvalidFilter);
    EXPECT_THAT(added.error().message, HasSubstr("project_id"));
  }
  std::vector<std::string> list;
  EXPECT_THAT(add_names(list, "types", "good,b d").error().message, HasSubstr("\"b d\""));
}

TEST(R_SSE_8, FilterListIsBounded) {
  std::string value = "n0";
  for (std::size_t i = 1; i < kMaxFilterNames; ++i)
    value += ",n" + std::to_string(i);
  std::vector<std::string> list;
  EXPECT_TRUE(add_names(list, "types", value));
  EXPECT_EQ(list.size(), kMaxFilterNames);
  EXPECT_FALSE(add_names(list, "types", "one-more"));
  EXPECT_EQ(list.size(), kMaxFilterNames);
}

}  // namespace
}  // namespace oriel
