#include "mcp/streams/event_id.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace oriel::mcp {
namespace {

EventId example() {
  return {
      .session = "s1", .stream = "k7q2", .node = "0", .rpc = "12", .position = 0, .counter = 42};
}

TEST(R_STREAM_2, AnEventIdNamesItsStream) {
  EXPECT_EQ(to_string(example()), "s1-k7q2-0-12-42");
}

TEST(R_STREAM_2, AnEventIdOfAStreamWithASourceNamesItsPositionToo) {
  EventId id = example();
  id.position = 1042;
  EXPECT_EQ(to_string(id), "s1-k7q2-0-12-1042_42");
}

TEST(R_STREAM_2, AnEventIdReadsBackAsItWasWritten) {
  std::string every_byte;
  for (int byte = 0; byte < 256; ++byte)
    every_byte += static_cast<char>(byte);
  for (const std::string& text :
       {std::string(), std::string("a-b"), std::string("\r\n\0", 3), std::string(".2d"),
        std::string("\xC3\xBC"), every_byte.substr(128), every_byte.substr(0, 128)}) {
    for (const std::uint64_t counter :
         {std::uint64_t{0}, std::uint64_t{7}, std::numeric_limits<std::uint64_t>::max()}) {
      for (const std::uint64_t position : {std::uint64_t{0}, std::uint64_t{1042}}) {
        const EventId id{.session = "s",
                         .stream = "",
                         .node = text,
                         .rpc = text,
                         .position = position,
                         .counter = counter};
        EXPECT_EQ(parse_event_id(to_string(id)), id);
      }
    }
  }
}

TEST(R_STREAM_2, NoFieldBreaksTheIdOrItsSseLine) {
  EventId id = example();
  id.rpc = "a-b\r\nc";
  EXPECT_EQ(to_string(id), "s1-k7q2-0-a.2db.0d.0ac-42");
}

TEST(R_STREAM_2, StreamsThatDifferNeverShareAnEventId) {
  EventId one = example();
  EventId other = example();
  one.session = "a-b";
  one.stream = "c";
  other.session = "a";
  other.stream = "b-c";
  EXPECT_NE(event_id_prefix(one), event_id_prefix(other));
}

TEST(R_STREAM_2, APrefixAndACounterMakeAnEventId) {
  EXPECT_EQ(event_id_prefix(example()) + "42", to_string(example()));
}

TEST(R_STREAM_2, WhatWeWouldNotWriteIsNotOurs) {
  const std::vector<std::string> others = {"",
                                           "-",
                                           "----",
                                           "1042-k7q2mzx4k7q2mzx4",
                                           "a-b-c-1",
                                           "a-b-c-d-e-1",
                                           "a-b-c-d-",
                                           "a-b-c-d--1",
                                           "a-b-c-d-+1",
                                           "a-b-c-d-01",
                                           "a-b-c-d-1 ",
                                           " a-b-c-d-1",
                                           "a-b-c-d-1\n",
                                           "a-b-c-d-0_1",
                                           "a-b-c-d-_1",
                                           "a-b-c-d-1_",
                                           "a-b-c-d-1_2_3",
                                           "a-b-c-d-01_2",
                                           "a-b-c-d-18446744073709551616",
                                           "a.-b-c-d-1",
                                           "a.2-b-c-d-1",
                                           "a.2D-b-c-d-1",  // we write .2d
                                           "a.61-b-c-d-1",  // we write a
                                           "a.5f-b-c-d-1",
                                           "a.xx-b-c-d-1",
                                           "a b-b-c-d-1",
                                           "\xC3\xBC-b-c-d-1",
                                           std::string("a\0-b-c-d-1", 10)};
  for (const std::string& text : others)
    EXPECT_FALSE(parse_event_id(text)) << text;
}

TEST(R_STREAM_2, AnIdOfMoreThan1024BytesIsNotOurs) {
  const std::string rest = "-b-c-d-1";
  EXPECT_TRUE(parse_event_id(std::string(1024 - rest.size(), 'a') + rest));
  EXPECT_FALSE(parse_event_id(std::string(1025 - rest.size(), 'a') + rest));
}

}  // namespace
}  // namespace oriel::mcp
