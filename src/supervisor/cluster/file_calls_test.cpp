#include "supervisor/cluster/file_calls.h"

#include "base/id.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(R_CLUSTER_5_Calls, BytesOfAFileArriveAsTheyWereSent) {
  const PutCall sent{.transfer_id = "t1",
                     .file = {.file_id = random_id(), .name = "a b.bin", .type = "text/plain"},
                     .begins = true,
                     .ends = false,
                     .bytes = std::string("a\n\0{\"b\":\xff", 9)};
  const auto arrived = parse_put_call(to_message(sent));
  ASSERT_TRUE(arrived) << arrived.error().message;
  EXPECT_EQ(*arrived, sent);
  const FilePiece piece{.file_size = 1ULL << 40, .bytes = std::string("\n\0", 2)};
  EXPECT_EQ(parse_file_piece(to_message(piece)).value(), piece);
}

TEST(R_CLUSTER_5_Calls, ARequestForBytesNamesSessionFileAndPlace) {
  const GetCall sent{.session_id = "ses_1",
                     .file = {.file_id = random_id(), .name = "a.png", .type = {}},
                     .offset = 1ULL << 40};
  const auto arrived = parse_get_call(to_message(sent));
  ASSERT_TRUE(arrived) << arrived.error().message;
  EXPECT_EQ(*arrived, sent);
}

TEST(R_CLUSTER_5_Calls, AFileOfAnotherNodeCannotNameAnyOtherPlace) {
  const std::string id = random_id();
  const auto refused = [](const std::string& session_id, const std::string& file_id,
                          const std::string& name) {
    const TurnFile file{.file_id = file_id, .name = name, .type = {}};
    const auto get = parse_get_call(to_message(GetCall{.session_id = session_id, .file = file}));
    return !get && get.error().kind == ErrorKind::kBadDocument;
  };
  EXPECT_FALSE(refused("ses_1", id, "a.txt"));
  EXPECT_TRUE(refused("../ses_1", id, "a.txt"));
  EXPECT_TRUE(refused("", id, "a.txt"));
  EXPECT_TRUE(refused("ses_1", "../../etc/x", "a.txt"));
  EXPECT_TRUE(refused("ses_1", id, "/../../etc/passwd"));
  EXPECT_TRUE(refused("ses_1", id, ""));
  const PutCall put{.transfer_id = "t1", .file = {.file_id = "..", .name = "a", .type = {}}};
  EXPECT_FALSE(parse_put_call(to_message(put)));
}

TEST(R_CLUSTER_5_Calls, WhatCarriesNoFileIsRefused) {
  for (const char* const text : {"", "{}", "{}\n", "[]\nabc", "{\"file_size\":-1}\nabc"}) {
    EXPECT_EQ(parse_put_call(text).error().kind, ErrorKind::kBadDocument) << text;
    EXPECT_EQ(parse_get_call(text).error().kind, ErrorKind::kBadDocument) << text;
    EXPECT_EQ(parse_file_piece(text).error().kind, ErrorKind::kBadDocument) << text;
  }
}

}  // namespace
}  // namespace oriel
