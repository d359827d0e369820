#include "cluster/log_stream.h"

#include "base/text/base64.h"
#include "base/text/json_access.h"
#include "base/text/json_text.h"
#include "base/text/text_hash.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <thread>

namespace oriel {
namespace {

namespace json = boost::json;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kApi = "$JS.API.STREAM.";
constexpr std::string_view kStream = "ORIEL_LOG";
constexpr std::string_view kDescription = "Oriel log ";
constexpr std::string_view kGeneration = ", generation ";
constexpr std::string_view kOrigin = ", goes on from generation ";
constexpr std::string_view kPlace = ", place ";
constexpr std::string_view kChain = ", chain ";
constexpr std::string_view kEpoch = ", epoch ";
constexpr std::chrono::milliseconds kRequestDeadline{2000};
constexpr std::chrono::milliseconds kRetryDelay{200};
constexpr std::int64_t kDuplicateWindow = 100'000'000;  // ns; Oriel sends no ids

// Error codes of nats-server.
constexpr std::int64_t kNotFound = 10059;
constexpr std::int64_t kNameInUse = 10058;
constexpr std::int64_t kNotEnabled = 10076;
constexpr std::int64_t kNotEnabledForAccount = 10039;
constexpr int kUnavailable = 503;

std::uint64_t parse_count(std::string_view text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [read, failure] = std::from_chars(text.data(), end, value);
  return failure == std::errc() && read == end ? value : 0;
}

std::uint64_t count_of(const json::value& value) {
  return value.is_uint64()
             ? value.get_uint64()
             : static_cast<std::uint64_t>(std::max<std::int64_t>(number_of(value).value_or(0), 0));
}

// 0: it is none of these streams.
std::uint64_t generation_of(std::string_view stream) {
  if (!stream.starts_with(kStream)) return 0;
  stream.remove_prefix(kStream.size());
  if (stream.empty()) return 1;
  if (!stream.starts_with('_')) return 0;
  const std::uint64_t generation = parse_count(stream.substr(1));
  return generation > 1 ? generation : 0;
}

std::string description(const LogStream& stream) {
  std::string text = std::string(kDescription) + stream.log;
  const auto add = [&text](std::string_view name, const std::string& value) {
    text.append(name).append(value);
  };
  add(kGeneration, std::to_string(stream.generation));
  if (!stream.origin) return text;
  add(kOrigin, std::to_string(stream.origin->generation));
  add(kPlace, std::to_string(stream.origin->place));
  add(kChain, hex(stream.origin->chain));
  add(kEpoch, stream.origin->epoch);
  return text;
}

// What follows the name at the end of the text, which loses both; empty: the name is not there.
std::string take_last(std::string_view& text, std::string_view name) {
  const std::size_t start = text.rfind(name);
  if (start == std::string_view::npos) return {};
  std::string value(text.substr(start + name.size()));
  text = text.substr(0, start);
  return value;
}

std::uint64_t parse_chain(std::string_view text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return value;
}

std::optional<LogOrigin> take_origin(std::string_view& text) {
  if (text.find(kOrigin) == std::string_view::npos) return std::nullopt;
  LogOrigin origin;
  origin.epoch = take_last(text, kEpoch);
  origin.chain = parse_chain(take_last(text, kChain));
  origin.place = parse_count(take_last(text, kPlace));
  origin.generation = parse_count(take_last(text, kOrigin));
  return origin;
}

// Its log and generation are none if the text is not of Oriel.
void parse_description(std::string_view text, LogStream& stream) {
  stream.origin = take_origin(text);
  stream.generation = parse_count(take_last(text, kGeneration));
  if (stream.generation == 0 || !text.starts_with(kDescription)) return;
  stream.log = text.substr(kDescription.size());
}

Error not_in_time(const std::string& reason) {
  return {.kind = ErrorKind::kNodeUnreachable,
          .message = "the NATS servers have no log yet: " + reason,
          .hint = "check that a majority of them runs, with JetStream; this is tried again"};
}

Error lost(const std::string& log) {
  return {.kind = ErrorKind::kNodeUnreachable,
          .message = "the NATS servers do not have the log " + log,
          .hint =
              "check that these are the servers of its cluster; if they have lost it, oriel "
              "cluster refound founds it anew from a journal"};
}

Error wrong_servers(const std::string& message, const std::string& hint) {
  return {.kind = ErrorKind::kBadConfig, .message = message, .hint = hint};
}

// An answer of the JetStream API.
struct Answer {
  json::object body;
  std::int64_t code = 0;  // of nats-server; 0: no error
  std::string error;
  bool may_change = false;  // such as a missing leader
};

Answer ask(NatsConnection& connection, const std::string& what, const json::object& request) {
  const auto reply =
      connection.request(std::string(kApi) + what, json_text(request), kRequestDeadline);
  if (!reply) {
    return {.body = {}, .code = -1, .error = reply.error().message, .may_change = true};
  }
  Answer answer{.body = parse_object(reply->body), .error = {}};
  if (const json::value& error = member(answer.body, "error"); error.is_object()) {
    answer.code = number_of(member(error, "err_code")).value_or(-1);
    answer.error = text_of(member(error, "description"));
    answer.may_change = number_of(member(error, "code")).value_or(0) == kUnavailable &&
                        answer.code != kNotEnabled && answer.code != kNotEnabledForAccount;
  } else if (answer.body.empty()) {
    answer.code = -1;
    answer.error = "an answer that is not of JetStream";
  }
  return answer;
}

Error refused(const Answer& answer) {
  if (answer.may_change) return not_in_time(answer.error);
  if (answer.code == kNotEnabled || answer.code == kNotEnabledForAccount) {
    return wrong_servers("JetStream is not enabled on the NATS servers",
                         "enable it in their configuration: jetstream { store_dir: ... }");
  }
  return wrong_servers("the NATS servers refuse the log: " + answer.error,
                       "check their configuration and the permissions of Oriel's user");
}

json::object configuration(const LogStream& stream, const LogStreamOptions& options) {
  const LogNames names = log_names(stream.generation);
  const auto age = std::chrono::duration_cast<std::chrono::nanoseconds>(options.max_age);
  return {{"name", names.stream},
          {"description", description(stream)},
          {"subjects", json::array{names.log + ".>"}},
          {"retention", "limits"},
          {"discard", "old"},
          {"storage", "file"},
          {"max_bytes", options.max_bytes},
          {"max_age", age.count()},
          {"duplicate_window", kDuplicateWindow},
          {"num_replicas", options.replicas},
          {"deny_delete", true},
          {"republish", {{"src", names.log + ".>"}, {"dest", names.live + ".>"}}}};
}

// The newest generation; 0: there is none.
Result<std::uint64_t> find_generation(NatsConnection& connection) {
  std::uint64_t newest = 0;
  for (std::uint64_t offset = 0;;) {
    const Answer answer = ask(connection, "NAMES", {{"offset", offset}});
    if (answer.code != 0) return refused(answer);
    const json::array& names = elements_of(member(answer.body, "streams"));
    for (const json::value& name : names)
      newest = std::max(newest, generation_of(text_of(name)));
    offset += names.size();
    if (names.empty() || offset >= count_of(member(answer.body, "total"))) return newest;
  }
}

Result<LogStream> check(const LogStream& found, const LogNames& names,
                        const LogStreamOptions& options) {
  if (found.log.empty() || found.generation == 0) {
    return wrong_servers("the stream " + names.stream + " of the NATS servers is not Oriel's",
                         "remove it, or use other servers or another account");
  }
  if (!options.log.empty() && options.log != found.log) {
    return wrong_servers("the journal belongs to the log " + options.log +
                             ", but the NATS servers have the log " + found.log,
                         "use the servers of its cluster, or start with an empty data directory");
  }
  return found;
}

Result<LogStream> read_stream(NatsConnection& connection, std::uint64_t generation,
                              const LogStreamOptions& options) {
  const LogNames names = log_names(generation);
  const Answer answer = ask(connection, "INFO." + names.stream, {});
  if (answer.code != 0) return refused(answer);
  const std::optional<LogStream> found = parse_stream(json_text(answer.body));
  return check(found.value_or(LogStream{.log = {}}), names, options);
}

Result<LogStream> make_stream(NatsConnection& connection, const LogStream& wanted,
                              const LogStreamOptions& options) {
  const LogNames names = log_names(wanted.generation);
  const Answer answer = ask(connection, "CREATE." + names.stream, configuration(wanted, options));
  // Another node may have been quicker.
  if (answer.code != 0 && answer.code != kNameInUse) return refused(answer);
  return read_stream(connection, wanted.generation, options);
}

Result<LogStream> find_or_make(NatsConnection& connection, const LogStreamOptions& options) {
  const Result<std::uint64_t> newest = find_generation(connection);
  if (!newest) return newest.error();
  if (*newest > 0) return read_stream(connection, *newest, options);
  if (!options.log.empty() && options.new_log != options.log) return lost(options.log);
  if (options.new_log.empty()) return not_in_time("nobody has made the stream");
  return make_stream(connection, {.log = options.new_log, .generation = 1}, options);
}

Result<std::optional<LogStream>> find_any(NatsConnection& connection) {
  const Result<std::uint64_t> newest = find_generation(connection);
  if (!newest) return newest.error();
  if (*newest == 0) return std::optional<LogStream>();
  const Result<LogStream> found = read_stream(connection, *newest, {});
  if (!found) return found.error();
  return std::optional<LogStream>(*found);
}

// Until there is a result, or an error that time does not heal.
template <class Attempt>
auto repeat(std::chrono::milliseconds deadline, Attempt attempt) {
  const auto until = Clock::now() + deadline;
  while (true) {
    auto result = attempt();
    const bool may_change = !result && result.error().kind == ErrorKind::kNodeUnreachable;
    if (!may_change || Clock::now() + kRetryDelay >= until) return result;
    std::this_thread::sleep_for(kRetryDelay);
  }
}

// Numbers of a version such as "2.10.27"; the rest is ignored.
std::array<unsigned, 3> version_numbers(std::string_view version) {
  std::array<unsigned, 3> numbers{};
  for (unsigned& number : numbers) {
    const auto [end, failure] =
        std::from_chars(version.data(), version.data() + version.size(), number);
    version.remove_prefix(static_cast<std::size_t>(end - version.data()));
    if (failure != std::errc() || !version.starts_with('.')) break;
    version.remove_prefix(1);
  }
  return numbers;
}

}  // namespace

LogNames log_names(std::uint64_t generation) {
  const std::string suffix = generation > 1 ? "_" + std::to_string(generation) : "";
  return {.stream = std::string(kStream) + suffix,
          .log = "oriel.log" + suffix,
          .live = "oriel.live" + suffix};
}

Result<LogStream> open_log_stream(NatsConnection& connection, const LogStreamOptions& options,
                                  std::chrono::milliseconds deadline) {
  return repeat(deadline, [&] { return find_or_make(connection, options); });
}

Result<std::optional<LogStream>> find_log_stream(NatsConnection& connection,
                                                 std::chrono::milliseconds deadline) {
  return repeat(deadline, [&] { return find_any(connection); });
}

Result<LogStream> make_next_stream(NatsConnection& connection, std::uint64_t generation,
                                   const LogOrigin& origin, const LogStreamOptions& options,
                                   std::chrono::milliseconds deadline) {
  const LogStream wanted{.log = options.log, .generation = generation, .origin = origin};
  return repeat(deadline, [&] { return make_stream(connection, wanted, options); });
}

Result<std::string> read_message(NatsConnection& connection, std::uint64_t generation,
                                 std::uint64_t place) {
  const Answer answer =
      ask(connection, "MSG.GET." + log_names(generation).stream, {{"seq", place}});
  if (answer.may_change) return not_in_time(answer.error);
  const json::value& stored = member(answer.body, "message");
  const std::optional<std::string> bytes = from_base64(text_of(member(stored, "data")));
  if (answer.code == 0 && stored.is_object() && bytes) return *bytes;
  return Error{.kind = ErrorKind::kCannotRead,
               .message = "the log has nothing at place " + std::to_string(place),
               .hint = {}};
}

std::optional<LogStream> parse_stream(std::string_view answer) {
  const json::object body = parse_object(answer);
  const json::value& config = member(body, "config");
  const json::value& state = member(body, "state");
  if (!config.is_object() || !state.is_object()) return std::nullopt;
  LogStream stream{.log = {},
                   .first = std::max<std::uint64_t>(count_of(member(state, "first_seq")), 1),
                   .last = count_of(member(state, "last_seq")),
                   .leader = text_at(body, "cluster", "leader")};
  stream.replicas = static_cast<int>(number_of(member(config, "num_replicas")).value_or(1));
  parse_description(text_of(member(config, "description")), stream);
  return stream;
}

std::string stream_problem(std::string_view answer) {
  const json::object body = parse_object(answer);
  if (number_of(member(member(body, "error"), "err_code")) == kNotFound)
    return "the NATS servers do not have its stream; if they have lost it, see oriel cluster "
           "refound";
  const std::string reason = text_at(body, "error", "description");
  return reason.empty() ? "its stream has no leader" : reason;
}

std::vector<std::string> stream_warnings(const LogStream& stream, std::string_view server_version) {
  std::vector<std::string> warnings;
  if (stream.replicas > 1 && version_numbers(server_version) < std::array<unsigned, 3>{2, 10, 27}) {
    warnings.push_back("nats-server " + std::string(server_version) +
                       " can keep different copies of a replicated log after a leader was frozen; "
                       "use 2.10.27 or newer");
  }
  return warnings;
}

}  // namespace oriel
