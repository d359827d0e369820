#include "base/failpoint.h"
#include "base/text/quantity.h"
#include "cli/arguments/commands.h"
#include "cli/arguments/server_arguments.h"
#include "http/client_network.h"

#include <spdlog/fmt/fmt.h>
#include <spdlog/fmt/ranges.h>

#include <random>

namespace oriel {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kDefaultNodes = 3;

constexpr ValueRule kMinutesRule = {"a whole number from 1 to 10000", [](std::string_view text) {
                                      const auto minutes = parse_number(text).value_or(0);
                                      return minutes > 0 && minutes <= 10'000;
                                    }};

constexpr ValueRule kSecondsRule = {"a whole number from 1 to 100000", [](std::string_view text) {
                                      const auto seconds = parse_number(text).value_or(0);
                                      return seconds > 0 && seconds <= 100'000;
                                    }};

constexpr ValueRule kNodesRule = {"a whole number from 2 to 9", [](std::string_view text) {
                                    const auto nodes = parse_number(text).value_or(0);
                                    return nodes >= 2 && nodes <= 9;
                                  }};

constexpr ValueRule kSeedRule = {
    "a whole number", [](std::string_view text) { return parse_number(text).has_value(); }};

constexpr ValueRule kMemoryRule = {
    "a size from 1MiB on, such as 512MiB",
    [](std::string_view text) { return parse_bytes(text).value_or(0) >= std::uint64_t(1) << 20; }};

constexpr ValueRule kMutantRule = {
    "a mutant of this build, which oriel verify --list-failpoints lists",
    [](std::string_view text) {
      const auto settings = parse_failpoints(text);
      return settings && !settings->mutants.empty();
    }};

std::string promise_list() {
  return fmt::format("{}", fmt::join(promise_names(), ", "));
}

// The promise that is made by one server, or by a cluster, only.
constexpr Promise other_promise(bool is_cluster) {
  return is_cluster ? Promise::kGapsAnnounced : Promise::kNodesAgree;
}

Result<std::vector<Promise>> read_promises(const Arguments& arguments) {
  std::vector<Promise> promises;
  for (const std::string& name : arguments.values("only")) {
    const auto promise = parse_promise(name);
    if (!promise) return bad_flag("only", name, "one of " + promise_list());
    const bool is_cluster = arguments.has("cluster");
    if (*promise == other_promise(is_cluster)) {
      return bad_flag("only", name,
                      is_cluster ? "a promise that --cluster judges"
                                 : "used with --cluster, or another promise");
    }
    promises.push_back(*promise);
  }
  return promises;
}

milliseconds read_duration(const Arguments& arguments) {
  if (const auto minutes = parse_number(arguments.text("minutes")))
    return std::chrono::minutes(*minutes);
  return std::chrono::seconds(parse_number(arguments.text("seconds")).value_or(60));
}

Result<Command> read_verify(const Arguments& arguments, const Environment& environment) {
  auto promises = read_promises(arguments);
  if (!promises) return promises.error();
  if (arguments.has("minutes") && arguments.has("seconds"))
    return bad_option("flags --minutes and --seconds exclude each other");
  VerifyCommandOptions options;
  VerifyOptions& verify = options.verify;
  if (arguments.has("url")) {
    auto access = read_access(arguments, environment);
    if (!access) return access.error();
    if (access->url.is_tls || !http::is_loopback_host(access->url.host)) {
      return bad_flag("url", arguments.text("url"),
                      "an http:// address of this machine's loopback");
    }
    verify.server = std::move(*access);
  }
  if (arguments.has("cluster")) {
    if (verify.server) return bad_option("flags --cluster and --url exclude each other");
    verify.nodes = parse_number(arguments.text("nodes")).value_or(kDefaultNodes);
  } else if (arguments.has("nodes")) {
    return bad_option("flag --nodes needs --cluster");
  }
  verify.program = own_program();
  verify.directory = arguments.text("dir");
  verify.duration = read_duration(arguments);
  verify.seed = parse_number(arguments.text("seed")).value_or(std::random_device{}());
  verify.only = std::move(*promises);
  verify.memory_limit = parse_bytes(arguments.text("memory-limit")).value_or(verify.memory_limit);
  verify.mutants = arguments.text("mutant");
  verify.log = arguments.text("log");
  options.json = arguments.text("json");
  options.lists_failpoints = arguments.has("list-failpoints");
  return Command(std::move(options));
}

}  // namespace

CliCommand make_verify_command() {
  return {
      .spec =
          {.name = "verify",
           .group = kServerCommands,
           .summary = "Prove that no event is lost, on a server that is killed",
           .usage = {"[OPTIONS]"},
           .description =
               "Starts a server in a temporary directory, with publishers, watchers, sessions of "
               "the demo agent and MCP clients, all behind a proxy that cuts, stalls and slows "
               "their connections at random. The server is killed and restarted at random. At the "
               "end it compares what every client has seen with the journal, and prints a verdict "
               "on each promise: " +
               promise_list() +
               ".\n\nIn a build with failpoints, the server crashes at each of them first.",
           .options =
               {{"minutes", "N", "Duration (default 1)", kMinutesRule},
                {"seconds", "N", "Duration", kSecondsRule},
                {"cluster", "",
                 "Verify a cluster: several nodes and a nats-server from the PATH, which are "
                 "killed "
                 "and frozen, while the clients move between the nodes"},
                {"nodes", "N", "Nodes of the cluster (default 3)", kNodesRule},
                {"seed", "N", "Repeats the faults of an earlier run (default: random)", kSeedRule},
                {"only",
                 "PROMISE",
                 "Judge only this promise; may be repeated",
                 {},
                 Occurs::kRepeatedly},
                {"json", "FILE", "Write the report to this file, as JSON"},
                {"log", "FILE", "Write the faults to this file as they happen, as JSON lines"},
                {"dir", "DIR",
                 "Keep the server's files here (default: a temporary directory, which is removed "
                 "if all promises are kept)"},
                {"memory-limit", "SIZE", "Most memory that the server may use (default 512MiB)",
                 kMemoryRule},
                {"list-failpoints", "", "List the failpoints and mutants of this build, and exit"},
                {"mutant", "NAME",
                 "Give the server a defect, which must be found; it is then killed at random only",
                 kMutantRule},
                {"url", "URL",
                 "Verify a running server through the proxy instead, without killing it; publishes "
                 "events of type verify"},
                token_option()},
           .notes = "Exit code: 0 if all promises are kept; 1 if one is broken or could not be "
                    "checked; 2 for an invalid option."},
      .read = read_verify};
}

}  // namespace oriel
