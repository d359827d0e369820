#include "cluster/heartbeat.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

Heartbeat full_heartbeat() {
  return {.node = {.name = "left",
                   .life = "left.k7q2mzx4k7q2mzx4",
                   .url = "http://10.0.0.1:7433",
                   .version = "1.2.3",
                   .labels = {"gpu", "linux"},
                   .place = 1042,
                   .chain = 0xFEDC'BA98'7654'3210,
                   .load = {.is_draining = true, .sessions = 3, .max_sessions = 100}},
          .entry_format = 1,
          .log = "mzx4k7q2mzx4k7q2",
          .generation = 2,
          .mark_place = 1024,
          .mark_chain = 17,
          .refilled = 5,
          .is_serving = true,
          .is_leaving = true};
}

TEST(Heartbeat, ReadsBackAsItWasWritten) {
  EXPECT_EQ(parse_heartbeat(to_json(full_heartbeat())), full_heartbeat());
}

TEST(Heartbeat, OfANodeWithoutALogReadsBackAsItWasWritten) {
  const Heartbeat heartbeat{.node = {.name = "a", .life = "a.b"}};
  EXPECT_EQ(parse_heartbeat(to_json(heartbeat)), heartbeat);
}

TEST(Heartbeat, KeysOfALaterVersionAreIgnored) {
  std::string text = to_json(full_heartbeat());
  text.insert(1, R"("colour": "green", )");
  EXPECT_EQ(parse_heartbeat(text), full_heartbeat());
}

TEST(Heartbeat, LabelsOfAnEarlierVersionAreNone) {
  std::string text = to_json(full_heartbeat());
  const std::string labels = R"(["gpu","linux"])";
  text.replace(text.find(labels), labels.size(), "{}");
  Heartbeat expected = full_heartbeat();
  expected.node.labels.clear();
  EXPECT_EQ(parse_heartbeat(text), expected);
}

TEST(Heartbeat, GarbageIsNone) {
  for (const char* text : {"", "x", "{}", "[]", R"({"node": "a", "life": "a.b"})",
                           R"({"node": 1, "life": 2, "chain": 3, "mark_chain": 4})"})
    EXPECT_FALSE(parse_heartbeat(text)) << text;
}

TEST(Heartbeat, LifeBelongsToItsNode) {
  Heartbeat heartbeat = full_heartbeat();
  for (const char* life : {"", "left", "left.", "leftover.k7q2", "right.k7q2"}) {
    heartbeat.node.life = life;
    EXPECT_FALSE(parse_heartbeat(to_json(heartbeat))) << life;
  }
}

TEST(Heartbeat, NodeNameIsATokenOfSubjects) {
  for (const char* name : {"a", "node-1", "Node_2", "0"})
    EXPECT_TRUE(is_node_name(name)) << name;
  for (const char* name : {"", "a.b", "a b", "*", ">", "n\u00F6de", "a\n"})
    EXPECT_FALSE(is_node_name(name)) << name;
  EXPECT_TRUE(is_node_name(std::string(64, 'x')));
  EXPECT_FALSE(is_node_name(std::string(65, 'x')));
}

}  // namespace
}  // namespace oriel
