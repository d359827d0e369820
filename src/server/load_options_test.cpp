#include "server/load_options.h"

#include "base/failpoint.h"
#include "base/temp_directory_testing.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using std::chrono::seconds;

OptionSources sources(std::map<std::string, std::string> flags, Environment environment = {},
                      std::string toml = {}) {
  environment.emplace("HOME", "/home/someone");
  OptionSources all{.flags = std::move(flags), .environment = std::move(environment), .config = {}};
  if (!toml.empty()) all.config = ConfigText{.name = "oriel.toml", .text = std::move(toml)};
  return all;
}

Error error_of(const OptionSources& all) {
  const auto loaded = load_serve_options(all);
  return loaded ? Error{} : loaded.error();
}

Error error_in_toml(std::string toml) {
  return error_of(sources({}, {}, std::move(toml)));
}

TEST(LoadOptions, WithoutAnySourceTheDefaultsApply) {
  const ServeOptions options = load_serve_options(sources({})).value();
  EXPECT_EQ(options.listen_host, "127.0.0.1");
  EXPECT_EQ(options.listen_port, 7433);
  EXPECT_EQ(options.heartbeat, seconds(30));
  EXPECT_EQ(options.store, StoreKind::kSqlite);
}

TEST(LoadOptions, AKeyWinsOverTheDefault) {
  const auto options = load_serve_options(sources({}, {}, "[sse]\nheartbeat = \"7s\"\n")).value();
  EXPECT_EQ(options.heartbeat, seconds(7));
}

TEST(LoadOptions, AVariableWinsOverAKey) {
  const auto options =
      load_serve_options(sources({}, {{"ORIEL_HEARTBEAT", "8s"}}, "[sse]\nheartbeat = \"7s\"\n"));
  EXPECT_EQ(options->heartbeat, seconds(8));
}

TEST(LoadOptions, AFlagWinsOverAVariable) {
  const auto options = load_serve_options(
      sources({{"heartbeat", "9s"}}, {{"ORIEL_HEARTBEAT", "8s"}}, "[sse]\nheartbeat = \"7s\"\n"));
  EXPECT_EQ(options->heartbeat, seconds(9));
}

TEST(LoadOptions, EveryKeyIsRead) {
  const auto options = load_serve_options(sources({}, {}, R"(
listen = "[::1]:80"
data_dir = "/data"
threads = 3
log_level = "warn"
public_url = "https://example.org"
[sse]
max_clients = 5
heartbeat = "1s"
stall_timeout = "2s"
max_queue_bytes = "2KiB"
retry = "3s"
[store]
kind = "memory"
memory_bytes = 4096
events_per_session = 6
durability = "power"
retain_age = "7d"
retain_bytes = "8MiB"
retain_jump_percent = 20
[limits]
max_connections = 9
max_header_bytes = "10KiB"
max_body_bytes = "11KiB"
header_timeout = "12s"
body_timeout = "13s"
write_timeout = "14s"
idle_timeout = "15s"
shutdown_timeout = "16s"
)"))
                           .value();
  EXPECT_EQ(options.listen_host, "::1");
  EXPECT_EQ(options.data_dir, "/data");
  EXPECT_EQ(options.threads, 3U);
  EXPECT_EQ(options.log_level, "warn");
  EXPECT_EQ(options.public_url, "https://example.org");
  EXPECT_EQ(options.max_sse_clients, 5U);
  EXPECT_EQ(options.heartbeat, seconds(1));
  EXPECT_EQ(options.stall_timeout, seconds(2));
  EXPECT_EQ(options.max_queue_bytes, 2048U);
  EXPECT_EQ(options.retry, seconds(3));
  EXPECT_EQ(options.store, StoreKind::kMemory);
  EXPECT_EQ(options.event_store_bytes, 4096U);
  EXPECT_EQ(options.events_per_session, 6U);
  EXPECT_EQ(options.durability, Durability::kPower);
  EXPECT_EQ(options.retain_age, std::chrono::hours(7 * 24));
  EXPECT_EQ(options.retain_bytes, 8U << 20);
  EXPECT_EQ(options.retain_jump_percent, 20U);
  EXPECT_EQ(options.max_connections, 9U);
  EXPECT_EQ(options.max_header_bytes, 10U << 10);
  EXPECT_EQ(options.max_body_bytes, 11U << 10);
  EXPECT_EQ(options.header_timeout, seconds(12));
  EXPECT_EQ(options.body_timeout, seconds(13));
  EXPECT_EQ(options.write_timeout, seconds(14));
  EXPECT_EQ(options.idle_timeout, seconds(15));
  EXPECT_EQ(options.shutdown_timeout, seconds(16));
}

TEST(LoadOptions, OptionsOfAClusterNeedACluster) {
  EXPECT_EQ(error_of(sources({{"node", "a"}})).message,
            "flag --node: this server is not in a cluster");
  EXPECT_EQ(error_of(sources({{"shared-workspaces", "/mnt/work"}})).message,
            "flag --shared-workspaces: this server is not in a cluster");
  const auto loaded = load_serve_options(
      sources({{"node", "a"}, {"cluster", "nats://127.0.0.1:4222"}, {"place", "spread"}}));
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->place, Placement::kSpread);
}

TEST(LoadOptions, ANodeOfAClusterKeepsItsJournalOnDisk) {
  const Error refusal =
      error_of(sources({{"cluster", "nats://127.0.0.1:4222"}, {"store", "memory"}}));
  EXPECT_EQ(refusal.message, "flag --cluster: a node of a cluster keeps its journal on disk");
}

TEST(LoadOptions, AWrongFlagIsNamed) {
  EXPECT_EQ(error_of(sources({{"heartbeat", "soon"}})).message,
            "flag --heartbeat: \"soon\" is not a duration from 10ms to 1h, such as 30s");
}

TEST(LoadOptions, AWrongVariableIsNamed) {
  EXPECT_EQ(error_of(sources({}, {{"ORIEL_THREADS", ""}})).message,
            "environment ORIEL_THREADS: \"\" is not a whole number from 1 to 256");
}

TEST(LoadOptions, AWrongKeyIsNamedWithItsLine) {
  EXPECT_EQ(
      error_in_toml("\n[sse]\nheartbeat = 30\n").message,
      "oriel.toml line 3, key sse.heartbeat: \"30\" is not a duration from 10ms to 1h, such as "
      "30s");
}

TEST(LoadOptions, AValueOfAnotherTypeIsNamed) {
  const Error error = error_in_toml("threads = true\n");
  EXPECT_EQ(error.message,
            "oriel.toml line 1, key threads: a boolean is not a whole number from 1 to 256");
  EXPECT_EQ(error.hint, "write it as a string in quotes or as a whole number");
}

TEST(LoadOptions, AWrongValueIsAnErrorEvenWhenOverridden) {
  EXPECT_NE(error_of(sources({{"threads", "2"}}, {{"ORIEL_THREADS", "x"}})).message, "");
}

TEST(LoadOptions, AnUnknownKeyIsNamedWithTheNearest) {
  const Error error = error_in_toml("[sse]\nhart_beat = \"1s\"\n");
  EXPECT_EQ(error.message, "oriel.toml line 2: unknown key sse.hart_beat");
  EXPECT_EQ(error.hint, "did you mean sse.heartbeat?");
  EXPECT_EQ(error_in_toml("heartbeat = \"1s\"\n").hint, "did you mean sse.heartbeat?");
  EXPECT_EQ(error_in_toml("max_sse_clients = 1\n").hint, "did you mean sse.max_clients?");
  EXPECT_EQ(error_in_toml("colour = 1\n").hint, "oriel serve --help lists the keys");
}

TEST(LoadOptions, AnUnknownSectionIsNamedWithTheNearest) {
  const Error error = error_in_toml("[ssse]\n");
  EXPECT_EQ(error.message, "oriel.toml line 1: unknown section [ssse]");
  EXPECT_EQ(error.hint, "did you mean [sse]?");
}

TEST(LoadOptions, SectionsAndKeysAreNotMixedUp) {
  EXPECT_EQ(error_in_toml("sse = 1\n").message, "oriel.toml line 1: sse is a section, not a key");
  EXPECT_EQ(error_in_toml("[listen]\n").message,
            "oriel.toml line 1: listen is a key, not a section");
  EXPECT_EQ(error_in_toml("[[sse]]\nretry = \"1s\"\n").message,
            "oriel.toml line 1: sse is a section, not a key");
}

TEST(LoadOptions, InvalidTomlIsAnError) {
  EXPECT_TRUE(error_in_toml("a = \n").message.starts_with("oriel.toml line 1: "));
}

TEST(LoadOptions, AnUnknownVariableIsNamedWithTheNearest) {
  const Error error = error_of(sources({}, {{"ORIEL_HARTBEAT", "1s"}}));
  EXPECT_EQ(error.message, "unknown environment variable ORIEL_HARTBEAT");
  EXPECT_EQ(error.hint, "did you mean ORIEL_HEARTBEAT?");
}

TEST(LoadOptions, VariablesOfTheClientsAreIgnored) {
  EXPECT_EQ(
      error_of(sources({}, {{"ORIEL_URL", "?"}, {"ORIEL_TOKEN", "?"}, {"ORIEL_CONFIG", "?"}})),
      Error{});
}

TEST(LoadOptions, FailpointsAreNoOptionInABuildThatHasThem) {
  const bool has_failpoints = !failpoint_names().empty();
  EXPECT_EQ(error_of(sources({}, {{"ORIEL_FAILPOINTS", "?"}})) == Error{}, has_failpoints);
}

TEST(LoadOptions, OtherProgramsVariablesAreIgnored) {
  EXPECT_EQ(error_of(sources({}, {{"PATH", "?"}, {"ORIELLE", "?"}})), Error{});
}

TEST(LoadOptions, DataDirFollowsTheXdgRules) {
  const auto data_dir = [](Environment environment) {
    const auto loaded = load_serve_options({.flags = {}, .environment = environment, .config = {}});
    return loaded ? loaded->data_dir.string() : loaded.error().message;
  };
  EXPECT_EQ(data_dir({{"XDG_DATA_HOME", "/x"}, {"HOME", "/h"}}), "/x/oriel");
  EXPECT_EQ(data_dir({{"HOME", "/h"}}), "/h/.local/share/oriel");
  EXPECT_EQ(data_dir({{"XDG_DATA_HOME", "relative"}, {"HOME", "/h"}}), "/h/.local/share/oriel");
  EXPECT_EQ(data_dir({}), "no data directory: neither XDG_DATA_HOME nor HOME is set");
  EXPECT_EQ(data_dir({{"ORIEL_DATA_DIR", "d"}}), "d");
}

TEST(LoadOptions, TheSocketIsInTheDataDirectoryUnlessSaidOtherwise) {
  EXPECT_EQ(load_serve_options(sources({{"data-dir", "/data"}}))->socket, "/data/oriel.sock");
  EXPECT_EQ(load_serve_options(sources({{"socket", "none"}}))->socket, "");
  EXPECT_EQ(load_serve_options(sources({}, {}, "socket = \"/run/o.sock\"\n"))->socket,
            "/run/o.sock");
}

TEST(LoadOptions, ANamedSocketHasAShortPath) {
  const std::string longest = "/" + std::string(106, 'x');
  EXPECT_EQ(error_of(sources({{"socket", longest}})), Error{});
  const Error error = error_of(sources({{"socket", longest + "x"}}));
  EXPECT_EQ(error.message,
            "flag --socket: the path of a socket has at most 107 bytes, this one has 108");
  EXPECT_EQ(error.hint, "choose a shorter path, or none");
}

// The server says so and does without; see serve().
TEST(LoadOptions, ADataDirectoryMayHaveALongPath) {
  EXPECT_EQ(error_of(sources({{"data-dir", "/" + std::string(106, 'x')}})), Error{});
}

TEST(LoadOptions, TheSocketThatSandboxesHideIsTheFileBehindItsLinks) {
  const TempDirectory dir;
  dir.add("real/o.sock", "");
  std::filesystem::create_directory_symlink("real", dir / "link");
  ServeOptions options;
  EXPECT_EQ(secret_socket(options), "");
  options.socket = dir / "link/o.sock";
  EXPECT_EQ(secret_socket(options), dir / "real/o.sock");
  options.socket = dir / "link/missing";
  EXPECT_EQ(secret_socket(options), "");
}

TEST(LoadOptions, SandboxesHideTheConfigurationInUseAndTheKey) {
  const TempDirectory dir;
  dir.add("real/oriel.toml", "");
  dir.add("real/key.pem", "");
  std::filesystem::create_directory_symlink("real", dir / "link");
  OptionSources given = sources({});
  given.config = ConfigText{.name = (dir / "link/oriel.toml").string(), .text = ""};
  ServeOptions options = load_serve_options(given).value();
  EXPECT_EQ(options.config_file, dir / "link/oriel.toml");
  options.tls_key = dir / "link/key.pem";
  EXPECT_THAT(secret_files(options),
              testing::ElementsAre(dir / "real/oriel.toml", dir / "real/key.pem"));
  EXPECT_TRUE(secret_files(ServeOptions()).empty());
}

TEST(LoadOptions, TranscriptRootsDefaultToThoseInHome) {
  using Roots = std::vector<std::string>;
  EXPECT_EQ(load_serve_options(sources({}))->transcript_roots,
            (Roots{"/home/someone/.claude/projects", "/home/someone/.codex/sessions",
                   "/home/someone/.factory/sessions"}));
  const std::string toml =
      "[observed]\ntranscript_roots = \"/a:/b\"\nmax = 7\nsilence = \"2m\"\n"
      "max_imported = 9\nimport_days = 3\n";
  const ServeOptions named = load_serve_options(sources({}, {}, toml)).value();
  EXPECT_EQ(named.transcript_roots, (Roots{"/a", "/b"}));
  EXPECT_EQ(named.max_observed, 7U);
  EXPECT_EQ(named.max_imported, 9U);
  EXPECT_EQ(named.import_days, 3U);
  EXPECT_EQ(named.observed_silence, std::chrono::minutes(2));
  const Environment none = {{"ORIEL_TRANSCRIPT_ROOTS", "none"}, {"ORIEL_MAX_OBSERVED", "8"}};
  EXPECT_EQ(load_serve_options(sources({}, none))->transcript_roots, Roots{});
  EXPECT_EQ(load_serve_options(sources({}, none))->max_observed, 8U);
}

TEST(LoadOptions, UploadsHaveLimits) {
  const ServeOptions usual = load_serve_options(sources({})).value();
  EXPECT_EQ(usual.max_upload_bytes, 25U << 20);
  EXPECT_EQ(usual.max_upload_files, 10U);
  EXPECT_EQ(usual.max_uploads_total, 1U << 30);
  const std::string toml =
      "[uploads]\nmax_file_bytes = \"2KiB\"\nmax_files = 3\nmax_total_bytes = \"4KiB\"\n"
      "types = \"text/*\"\n";
  const ServeOptions named = load_serve_options(sources({}, {}, toml)).value();
  EXPECT_EQ(named.max_upload_bytes, 2048U);
  EXPECT_EQ(named.max_upload_files, 3U);
  EXPECT_EQ(named.max_uploads_total, 4096U);
  EXPECT_EQ(named.upload_types, std::vector<std::string>{"text/*"});
}

TEST(LoadOptions, ACertificateNeedsItsKey) {
  const Error error = error_of(sources({{"tls-cert", "/dev/null"}}));
  EXPECT_EQ(error.message, "flag --tls-cert: \"/dev/null\" needs its private key");
  EXPECT_EQ(error.hint, "also set --tls-key FILE (tls.key, ORIEL_TLS_KEY)");
}

TEST(LoadOptions, AKeyNeedsItsCertificate) {
  const Error error = error_in_toml("[tls]\nkey = \"/dev/null\"\n");
  EXPECT_EQ(error.message, "oriel.toml line 2, key tls.key: \"/dev/null\" needs its certificate");
  EXPECT_EQ(error.hint, "also set --tls-cert FILE (tls.cert, ORIEL_TLS_CERT)");
}

TEST(LoadOptions, TlsFilesMayComeFromDifferentSources) {
  EXPECT_EQ(error_of(sources({{"tls-cert", "/dev/null"}}, {{"ORIEL_TLS_KEY", "/dev/null"}})),
            Error{});
}

TEST(LoadOptions, TlsFilesMustBeReadable) {
  EXPECT_EQ(error_of(sources({{"tls-cert", "/nowhere"}, {"tls-key", "/dev/null"}})).message,
            "flag --tls-cert: \"/nowhere\" cannot be read: No such file or directory");
  EXPECT_EQ(error_of(sources({{"tls-cert", "/dev/null"}, {"tls-key", "/"}})).message,
            "flag --tls-key: \"/\" cannot be read: it is a directory");
}

TEST(LoadOptions, ClientCertificatesNeedTls) {
  const Error error = error_of(sources({{"tls-client-ca", "/dev/null"}}));
  EXPECT_EQ(error.message, "flag --tls-client-ca: client certificates need TLS");
  EXPECT_EQ(error.hint, "also set --tls-cert FILE and --tls-key FILE");
  EXPECT_EQ(error_of(sources({{"tls-cert", "/dev/null"},
                              {"tls-key", "/dev/null"},
                              {"tls-client-ca", "/nowhere"}}))
                .message,
            "flag --tls-client-ca: \"/nowhere\" cannot be read: No such file or directory");
}

TEST(LoadOptions, WatchersMustFitIntoTheConnections) {
  EXPECT_EQ(error_of(sources({{"max-sse-clients", "20000"}})).message,
            "flag --max-sse-clients: 20000 watchers exceed the 10000 connections allowed");
  EXPECT_EQ(error_of(sources({{"max-connections", "10"}})), Error{});
}

TEST(LoadOptions, ANamedConfigFileMustExist) {
  EXPECT_TRUE(find_config("/nowhere/a.toml", {}).has_error());
  EXPECT_TRUE(find_config({}, {{"ORIEL_CONFIG", "/nowhere/a.toml"}}).has_error());
  EXPECT_EQ(find_config("/dev/null", {{"ORIEL_CONFIG", "/nowhere/a.toml"}}).value()->name,
            "/dev/null");
}

}  // namespace
}  // namespace oriel
