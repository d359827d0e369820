#include "server/config_file.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

namespace oriel {
namespace {

std::vector<ConfigEntry> entries_of(std::string text) {
  return parse_config({.name = "oriel.toml", .text = std::move(text)}).value();
}

TEST(ConfigFile, ReturnsKeysWithTheirValuesAndLines) {
  const auto entries = entries_of("listen = \"[::1]:1\"\n\n[sse]\nmax_clients = 7\n");
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[0].key, "listen");
  EXPECT_EQ(entries[0].value, "[::1]:1");
  EXPECT_EQ(entries[0].line, 1U);
  EXPECT_EQ(entries[1].key, "sse");
  EXPECT_EQ(entries[1].kind, ConfigEntryKind::kSection);
  EXPECT_EQ(entries[1].line, 3U);
  EXPECT_EQ(entries[2].key, "sse.max_clients");
  EXPECT_EQ(entries[2].value, "7");
  EXPECT_EQ(entries[2].line, 4U);
}

TEST(ConfigFile, ReturnsEntriesInTheOrderOfTheirLines) {
  const auto entries = entries_of("z = 1\na = 2\n");
  EXPECT_EQ(entries[0].key, "z");
  EXPECT_EQ(entries[1].key, "a");
}

TEST(ConfigFile, NamesTheTypeOfOtherValues) {
  const auto entries = entries_of("a = true\nb = 1.5\nc = [1]\nd = 1979-05-27\n");
  ASSERT_EQ(entries.size(), 4U);
  for (const auto& entry : entries)
    EXPECT_EQ(entry.kind, ConfigEntryKind::kOther);
  EXPECT_EQ(entries[0].value, "a boolean");
  EXPECT_EQ(entries[1].value, "a number with a fraction");
  EXPECT_EQ(entries[2].value, "an array");
  EXPECT_EQ(entries[3].value, "a date or time");
}

TEST(ConfigFile, DistinguishesAQuotedKeyFromADottedOne) {
  EXPECT_EQ(entries_of("\"sse.heartbeat\" = 1\n")[0].key, "\"sse.heartbeat\"");
  EXPECT_EQ(entries_of("sse.heartbeat = 1\n")[1].key, "sse.heartbeat");
}

TEST(ConfigFile, ErrorNamesFileAndLine) {
  for (const char* text : {"a = 1\nb = \n", "a = 1\n[b\n", "a = 1\na = 2\n", "a = 1\n\x01\n"}) {
    const auto parsed = parse_config({.name = "my.toml", .text = text});
    ASSERT_TRUE(parsed.has_error()) << text;
    EXPECT_TRUE(parsed.error().message.starts_with("my.toml line 2: ")) << parsed.error().message;
  }
}

TEST(ConfigFile, ErrorHasNoControlCharacters) {
  const auto parsed = parse_config({.name = "my.toml", .text = "a = \x1b[2J\n"});
  ASSERT_TRUE(parsed.has_error());
  for (const char c : parsed.error().message)
    EXPECT_GE(static_cast<unsigned char>(c), 0x20);
}

TEST(ConfigFile, EmptyTextHasNoEntries) {
  EXPECT_TRUE(entries_of("").empty());
}

TEST(ConfigFile, MissingFileIsReported) {
  const auto read = read_config_file("/nowhere/oriel.toml");
  ASSERT_TRUE(read.has_error());
  EXPECT_EQ(read.error().message,
            "config file \"/nowhere/oriel.toml\" cannot be opened: No such file or directory");
}

TEST(ConfigFile, DirectoryIsRejected) {
  const auto read = read_config_file("/");
  ASSERT_TRUE(read.has_error());
  EXPECT_EQ(read.error().message, "config file \"/\" cannot be read: Is a directory");
}

TEST(ConfigFile, FileBeyondOneMebibyteIsRejected) {
  const std::string file = testing::TempDir() + "oriel_config_file_test.toml";
  std::ofstream(file) << std::string((1 << 20) + 1, '#');
  const auto read = read_config_file(file);
  std::remove(file.c_str());
  ASSERT_TRUE(read.has_error());
  EXPECT_NE(read.error().message.find("is larger than 1MiB"), std::string::npos);
}

}  // namespace
}  // namespace oriel
