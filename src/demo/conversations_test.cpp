#include "demo/conversations.h"

#include "base/id.h"
#include "base/temp_directory_testing.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

TEST(DemoConversations, WhatIsSavedIsLoaded) {
  TempDirectory state;
  const Conversations conversations(state.path() / "made/when/needed");
  const DemoConversation conversation{
      .id = random_id(), .workspace = "/some/where", .exchanges = {{"list", "1 file"}}};
  ASSERT_TRUE(conversations.save(conversation));
  EXPECT_EQ(conversations.load(conversation.id).value(), conversation);
}

TEST(DemoConversations, OnlyTheNewestExchangesAreKeptAndLongOnesCut) {
  TempDirectory state;
  const Conversations conversations(state.path());
  DemoConversation conversation{.id = random_id(), .workspace = "/w", .exchanges = {}};
  for (std::size_t i = 0; i < kMaxKeptExchanges + 3; ++i) {
    conversation.exchanges.push_back({std::to_string(i), std::string(kMaxKeptText + 1, 'x')});
  }
  ASSERT_TRUE(conversations.save(conversation));
  const auto loaded = conversations.load(conversation.id);
  ASSERT_TRUE(loaded);
  ASSERT_EQ(loaded->exchanges.size(), kMaxKeptExchanges);
  EXPECT_EQ(loaded->exchanges.front().prompt, "3");
  EXPECT_EQ(loaded->exchanges.front().answer.size(), kMaxKeptText);
}

TEST(DemoConversations, UnknownDamagedAndStrangeIdsAreRefused) {
  TempDirectory state;
  const Conversations conversations(state.path() / "kept");
  const std::string damaged = random_id();
  state.add("kept/" + damaged + ".json", "{\"workspace\":1");
  state.add("secret.json", "{\"workspace\":\"/\",\"exchanges\":[]}");
  for (const std::string& id : {random_id(), damaged, std::string("../secret"), std::string()})
    EXPECT_EQ(conversations.load(id).error().kind, ErrorKind::kUnknownConversation) << id;
}

TEST(DemoConversations, TheOldestAreForgotten) {
  TempDirectory state;
  const Conversations conversations(state.path());
  for (std::size_t i = 0; i < kMaxKeptConversations + 5; ++i)
    ASSERT_TRUE(conversations.save({.id = random_id(), .workspace = "/w", .exchanges = {}}));
  const auto count = std::distance(std::filesystem::directory_iterator(state.path()), {});
  EXPECT_EQ(count, static_cast<std::ptrdiff_t>(kMaxKeptConversations));
}

TEST(DemoConversations, AStateThatCannotBeWrittenSaysSo) {
  TempDirectory state;
  state.add("file", "");
  const Conversations conversations(state.path() / "file" / "below");
  const auto saved = conversations.save({.id = random_id(), .workspace = "/w", .exchanges = {}});
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().kind, ErrorKind::kNotSaved);
}

}  // namespace
}  // namespace oriel
