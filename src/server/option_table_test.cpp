#include "server/option_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace oriel {
namespace {

const ServeOption& option(std::string_view flag) {
  const auto& table = serve_option_table();
  return *std::find_if(table.begin(), table.end(),
                       [flag](const auto& candidate) { return candidate.flag == flag; });
}

ServeOptions with(std::string_view flag, std::string_view text) {
  ServeOptions options;
  const auto set = option(flag).value.set(text, options);
  EXPECT_TRUE(set.has_value()) << flag << " " << text;
  return options;
}

std::string rejection(std::string_view flag, std::string_view text) {
  ServeOptions options;
  const auto set = option(flag).value.set(text, options);
  return set ? "" : set.error().message;
}

std::string hint(std::string_view flag, std::string_view text) {
  ServeOptions options;
  return option(flag).value.set(text, options).error().hint;
}

TEST(OptionTable, NamesAreUnique) {
  std::set<std::string> names;
  for (const ServeOption& one : serve_option_table()) {
    EXPECT_TRUE(names.insert(one.flag).second) << one.flag;
    EXPECT_TRUE(names.insert("key " + one.key).second) << one.key;
  }
}

TEST(OptionTable, VariableFollowsFromTheFlag) {
  EXPECT_EQ(option("max-sse-clients").variable(), "ORIEL_MAX_SSE_CLIENTS");
  EXPECT_EQ(option("listen").variable(), "ORIEL_LISTEN");
}

TEST(OptionTable, EveryOptionIsDocumented) {
  for (const ServeOption& one : serve_option_table()) {
    EXPECT_FALSE(one.group.empty() || one.help.empty() || one.value.placeholder.empty() ||
                 one.value.allowed.empty() || one.value.default_text.empty())
        << one.flag;
  }
}

TEST(OptionTable, EveryOptionRejectsNonsenseWithAReason) {
  for (const ServeOption& one : serve_option_table()) {
    const bool is_path = one.value.allowed.ends_with("a path");
    EXPECT_NE(rejection(one.flag, is_path ? "" : "\x1bnonsense"), "") << one.flag;
  }
}

TEST(OptionTable, EveryDefaultCanBeWritten) {
  for (const ServeOption& one : serve_option_table()) {
    const bool is_words =
        one.value.default_text == "none" || one.value.default_text.find(' ') != std::string::npos;
    if (is_words) continue;
    EXPECT_EQ(rejection(one.flag, one.value.default_text), "") << one.flag;
  }
}

TEST(OptionTable, TranscriptRootsAreAbsoluteDirectoriesOrNone) {
  using Roots = std::vector<std::string>;
  EXPECT_EQ(with("transcript-roots", "/a").transcript_roots, Roots{"/a"});
  EXPECT_EQ(with("transcript-roots", "/a:/b c").transcript_roots, (Roots{"/a", "/b c"}));
  EXPECT_EQ(with("transcript-roots", "none").transcript_roots, Roots{});
  for (const char* text : {"", "a", "/a:", ":/a", "/a::/b", "~/x"})
    EXPECT_NE(rejection("transcript-roots", text), "") << text;
}

TEST(OptionTable, NatsServersAreUrlsWithCommasBetween) {
  using Servers = std::vector<std::string>;
  EXPECT_EQ(with("cluster", "nats://a:4222").cluster, Servers{"nats://a:4222"});
  EXPECT_EQ(with("cluster", "nats://a:4222,tls://b:4222").cluster,
            (Servers{"nats://a:4222", "tls://b:4222"}));
  for (const char* text : {"", "a:4222", "http://a", "nats://", "nats://a,", "nats://a b"})
    EXPECT_NE(rejection("cluster", text), "") << text;
}

TEST(OptionTable, ANodeHasANameThatNatsSubjectsCanHold) {
  EXPECT_EQ(with("node", "web-1_b").node, "web-1_b");
  for (const char* text : {"", "a.b", "a b", "*"})
    EXPECT_NE(rejection("node", text), "") << text;
}

TEST(OptionTable, TheLogHasOneOrThreeReplicas) {
  EXPECT_EQ(with("cluster-replicas", "3").cluster_replicas, 3U);
  EXPECT_EQ(rejection("cluster-replicas", "2"), "\"2\" is not 1 or 3");
}

TEST(OptionTable, UploadTypesAreMediaTypesOrKindsOfThem) {
  using Types = std::vector<std::string>;
  EXPECT_EQ(with("upload-types", "text/*, application/pdf").upload_types,
            (Types{"text/*", "application/pdf"}));
  EXPECT_EQ(with("upload-types", "*/*").upload_types, Types{"*/*"});
  for (const char* text : {"", "png", "image/", "image/*,", ",image/*", "*", "Image/PNG"})
    EXPECT_NE(rejection("upload-types", text), "") << text;
}

TEST(OptionTable, ListenTakesAnAddressAndAPort) {
  EXPECT_EQ(with("listen", "0.0.0.0:80").listen_host, "0.0.0.0");
  EXPECT_EQ(with("listen", "0.0.0.0:80").listen_port, 80);
  EXPECT_EQ(with("listen", "[::1]:7433").listen_host, "::1");
  EXPECT_EQ(with("listen", "localhost:0").listen_host, "127.0.0.1");
}

TEST(OptionTable, SocketIsAPathOrNone) {
  EXPECT_EQ(ServeOptions().socket, std::nullopt);
  EXPECT_EQ(with("socket", "/run/oriel.sock").socket, "/run/oriel.sock");
  EXPECT_EQ(with("socket", "./none").socket, "./none");
  EXPECT_EQ(with("socket", "none").socket, "");
  EXPECT_EQ(rejection("socket", ""), "\"\" is not a path");
  EXPECT_EQ(hint("socket", "~/oriel.sock"), "write the whole path");
}

TEST(OptionTable, ListenExplainsErrors) {
  EXPECT_EQ(rejection("listen", "7433"),
            "\"7433\" is not an address and port such as 127.0.0.1:7433 or [::1]:7433");
  EXPECT_EQ(hint("listen", "7433"), "add a port");
  EXPECT_EQ(hint("listen", "[::1]"), "add a port");
  EXPECT_EQ(hint("listen", ":7433"),
            "add the address: 127.0.0.1 for this machine alone, 0.0.0.0 for every network");
  EXPECT_EQ(hint("listen", "::1:7433"), "put an IPv6 address in [ ]");
  EXPECT_EQ(hint("listen", "127.0.0.1:65536"), "a port is a number from 0 to 65535");
  EXPECT_EQ(hint("listen", "127.0.0.1:"), "a port is a number from 0 to 65535");
  EXPECT_EQ(hint("listen", "example.org:80"),
            "the address is given in numbers; the only name is localhost");
  EXPECT_EQ(hint("listen", "[127.0.0.1]:80"),
            "the address is given in numbers; the only name is localhost");
}

TEST(OptionTable, NumbersHaveARange) {
  EXPECT_EQ(with("threads", "256").threads, 256U);
  EXPECT_EQ(rejection("threads", "0"), "\"0\" is not a whole number from 1 to 256");
  EXPECT_EQ(rejection("threads", "257"), "\"257\" is not a whole number from 1 to 256");
  EXPECT_EQ(with("max-sse-clients", "1000000").max_sse_clients, 1'000'000U);
  EXPECT_NE(rejection("max-sse-clients", "1000001"), "");
  EXPECT_EQ(with("retain-jump-percent", "100").retain_jump_percent, 100U);
  EXPECT_EQ(rejection("retain-jump-percent", "0"), "\"0\" is not a whole number from 1 to 100");
}

TEST(OptionTable, DurationsHaveARange) {
  EXPECT_EQ(with("heartbeat", "10ms").heartbeat, std::chrono::milliseconds(10));
  EXPECT_EQ(with("heartbeat", "1h").heartbeat, std::chrono::hours(1));
  EXPECT_EQ(rejection("heartbeat", "9ms"),
            "\"9ms\" is not a duration from 10ms to 1h, such as 30s");
  EXPECT_NE(rejection("heartbeat", "61m"), "");
  EXPECT_NE(rejection("heartbeat", "30"), "");
}

TEST(OptionTable, SizesHaveARange) {
  EXPECT_EQ(with("max-queue-bytes", "64KiB").max_queue_bytes, 65'536U);
  EXPECT_EQ(rejection("max-queue-bytes", "1023"),
            "\"1023\" is not a size from 1KiB to 1GiB, such as 1MiB");
  EXPECT_NE(rejection("max-queue-bytes", "2GiB"), "");
}

TEST(OptionTable, ZeroRetainsEverything) {
  EXPECT_EQ(with("retain-age", "0").retain_age.count(), 0);
  EXPECT_EQ(with("retain-bytes", "0").retain_bytes, 0U);
  EXPECT_NE(rejection("retain-age", "999ms"), "");
  EXPECT_NE(rejection("retain-bytes", "1KiB"), "");
}

TEST(OptionTable, ChoicesAreNamed) {
  EXPECT_EQ(with("store", "memory").store, StoreKind::kMemory);
  EXPECT_EQ(rejection("store", "redis"), "\"redis\" is not sqlite or memory");
  EXPECT_EQ(with("durability", "power").durability, Durability::kPower);
  EXPECT_EQ(rejection("durability", "none"), "\"none\" is not process or power");
  EXPECT_EQ(with("log-level", "debug").log_level, "debug");
  EXPECT_EQ(rejection("log-level", "loud"),
            "\"loud\" is not trace, debug, info, warn, error or off");
}

TEST(OptionTable, PublicUrlIsAnOrigin) {
  EXPECT_EQ(with("public-url", "https://oriel.example.org").public_url,
            "https://oriel.example.org");
  EXPECT_EQ(rejection("public-url", "oriel.example.org"),
            "\"oriel.example.org\" does not begin with http:// or https://");
  EXPECT_EQ(rejection("public-url", "https://example.org/oriel"),
            "\"https://example.org/oriel\" is not a URL without a path");
}

TEST(OptionTable, PathsAreNotExpanded) {
  EXPECT_EQ(with("data-dir", "./x").data_dir, "./x");
  EXPECT_EQ(rejection("data-dir", "~/x"),
            "\"~/x\" is not a path that can be used as it is: ~ is not expanded");
  EXPECT_NE(rejection("tls-cert", std::string_view("a\0b", 3)), "");
}

}  // namespace
}  // namespace oriel
