#pragma once
// The JetStream stream that holds the log of a cluster. Requests only, so that all of it works with
// any server; blocks.

#include "base/error.h"
#include "cluster/nats_connection.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// A log that went wrong is continued in a stream of the next generation.
struct LogNames {
  std::string stream;  // ORIEL_LOG, ORIEL_LOG_2, ...
  std::string log;     // nodes publish to "<log>.<node>"
  std::string live;    // and hear "<live>.<node>" once it is stored
};

LogNames log_names(std::uint64_t generation);

// Where a generation after the first goes on: from what a journal had applied of an earlier one.
struct LogOrigin {
  std::uint64_t generation = 0;  // of that journal
  std::uint64_t place = 0;
  std::uint64_t chain = 0;
  std::string epoch = {};  // of the cursors from now on

  bool operator==(const LogOrigin&) const = default;
};

struct LogStreamOptions {
  std::string log = {};      // the log that the journal belongs to; empty: any
  std::string new_log = {};  // the name of the log if there is none yet; empty: do not make one
  int replicas = 1;          // of a new one
  std::uint64_t max_bytes = 4ULL << 30;
  std::chrono::hours max_age{48};
};

// As its leader described it.
struct LogStream {
  std::string log;               // its name
  std::uint64_t generation = 0;  // from 1
  std::uint64_t first = 1;       // the oldest place that is still there; last + 1: none is
  std::uint64_t last = 0;        // the newest place
  int replicas = 1;
  std::string leader = {};  // the server; empty: not told, as by one that is on its own
  std::optional<LogOrigin> origin = {};  // none: of the first generation
};

// Finds the stream of the newest generation, or makes the first. Repeats itself while the servers
// elect a leader. Errors: kNodeUnreachable (not within `deadline`, or the log is gone), kBadConfig
// (there is no JetStream, the stream is not Oriel's or holds another log).
Result<LogStream> open_log_stream(NatsConnection& connection, const LogStreamOptions& options,
                                  std::chrono::milliseconds deadline);

// The stream of the newest generation of any log; none: the servers have none. Errors: as above.
Result<std::optional<LogStream>> find_log_stream(NatsConnection& connection,
                                                 std::chrono::milliseconds deadline);

// Makes the stream of a later generation of the log `options.log`, empty. If another node has made
// it already, its origin may be another one.
Result<LogStream> make_next_stream(NatsConnection& connection, std::uint64_t generation,
                                   const LogOrigin& origin, const LogStreamOptions& options,
                                   std::chrono::milliseconds deadline);

// What the stream has stored at this place. Errors: kNodeUnreachable, kCannotRead (nothing, any
// more or yet). Blocks.
Result<std::string> read_message(NatsConnection& connection, std::uint64_t generation,
                                 std::uint64_t place);

// The answer to a request for a stream's state; none: it is an error.
std::optional<LogStream> parse_stream(std::string_view answer);

// Why such an answer describes no stream.
std::string stream_problem(std::string_view answer);

// What operators should know of this stream on servers of this version.
std::vector<std::string> stream_warnings(const LogStream& stream, std::string_view server_version);

}  // namespace oriel
