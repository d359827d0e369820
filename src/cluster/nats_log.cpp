#include "cluster/nats_log.h"

#include "base/id.h"
#include "base/log.h"
#include "base/mutex.h"
#include "base/text/base64.h"
#include "base/text/json_access.h"
#include "cluster/entry_codec.h"
#include "cluster/log/entry_reader.h"
#include "cluster/log/entry_writer.h"
#include "cluster/log/stream_poll.h"
#include "cluster/log/wakeup.h"
#include "cluster/log_stream.h"
#include "runtime/run_or_abort.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <thread>
#include <utility>

namespace oriel {
namespace {

namespace json = boost::json;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kMaxPending = 128 << 20;  // in the library, well above the inbox
constexpr milliseconds kIdle{500};
constexpr std::size_t kMinPayload = kMaxPartBytes + (4 << 10);

std::uint64_t number_in(std::string_view text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string node_of(const std::string& life) {
  return life.substr(0, life.find('.'));
}

// The message of this place in an answer to a request for it; none: the leader has nothing there.
std::optional<EntryPart> read_stored(std::uint64_t place, const std::string& answer) {
  const json::object body = parse_object(answer);
  const json::value& stored = member(body, "message");
  const std::optional<std::string> bytes = from_base64(text_of(member(stored, "data")));
  const bool is_there = stored.is_object() && bytes &&
                        number_of(member(stored, "seq")) == static_cast<std::int64_t>(place);
  if (!is_there) return std::nullopt;
  return decode_message(*bytes);
}

}  // namespace

// Threads: the journal's; shards, which offer; the library's, which bring messages; and its own,
// which publishes and requests. The writer, the reader and the poll have a mutex each; none of them
// is held while another is taken, nor during a call of the library.
class NatsLog::Impl {
 public:
  Impl(NatsConnection& connection, NatsLogOptions options)
      : connection_(connection),
        options_(std::move(options)),
        names_(log_names(options_.applied.generation)),
        inbox_(NatsConnection::new_inbox()),
        writer_(connection, wakeup_,
                {.subject = names_.log + "." + node_of(options_.life),
                 .ack_subject = inbox_ + ".ack",
                 .author = options_.life,
                 .max_queued_bytes = options_.max_queued_bytes}),
        reader_({.author = options_.life,
                 .applied = options_.applied,
                 .max_bytes = options_.max_inbox_bytes,
                 .max_silence = options_.max_silence}),
        hold_(options_.hold),
        has_problem_(hold_.has_value()) {}

  static void begin(const std::shared_ptr<Impl>& self) {
    if (self->is_begun_.exchange(true)) return;
    // A subscription outlives this log.
    const std::weak_ptr<Impl> weak = self;
    self->connection_.on_connected([weak] {
      if (const auto log = weak.lock()) log->connected();
    });
    self->connection_.subscribe(
        self->names_.live + ".>",
        [weak](const NatsMessage& message) {
          if (const auto log = weak.lock()) log->live(message);
        },
        kMaxPending);
    self->connection_.subscribe(
        self->inbox_ + ".>",
        [weak](const NatsMessage& message) {
          if (const auto log = weak.lock()) log->answered(message);
        },
        kMaxPending);
    Impl& log = *self;
    log.thread_ = std::thread([&log] { run_or_abort("nats-log", [&log] { log.run(); }); });
    pthread_setname_np(log.thread_.native_handle(), "nats-log");
  }

  // Joins the thread: nothing is published any more.
  void end() {
    is_ended_ = true;
    wakeup_.wake();
    if (thread_.joinable()) thread_.join();
  }

  Result<void> offer(Proposal& proposal, AppendHandler& handler) {
    return writer_.offer(proposal, handler);
  }

  std::optional<std::vector<Entry>> take(SteadyTime until) {
    while (true) {
      OwnEntries own;
      std::vector<Entry> entries = reader_.take(own);
      if (!entries.empty()) {
        writer_.note(own);
        wake_to_request();
        return entries;
      }
      if (writer_.is_finished()) return std::nullopt;
      if (Clock::now() >= until) return entries;
      reader_.wait(until);
    }
  }

  std::vector<AppendHandler> handlers_of(const Entry& entry) {
    reader_.judged(entry);
    return writer_.handlers_of(entry);
  }

  void passed_over(const Entry& entry) {
    if (!reader_.passed_over(entry)) return;
    log()->warn("cluster: the log has forgotten this node, which goes on as a new author");
    const std::string author = node_of(options_.life) + "." + random_id();
    reader_.begin_again(author);
    writer_.begin_again(author);
  }

  void put_back(std::vector<Entry>& entries) { reader_.put_back(entries); }

  void stop() {
    writer_.stop(Clock::now() + options_.stop_deadline);
    reader_.stop();
  }

  std::optional<std::string> problem() const {
    if (!has_problem_) return std::nullopt;
    const MutexLock lock(problem_mutex_);
    return problem_ ? problem_ : hold_;
  }

  NatsLogState state() const {
    const EntryReaderState read = reader_.state();
    return {.is_connected = connection_.is_connected(),
            .taken = read.taken,
            .known = read.known,
            .first = read.first,
            .last = read.last,
            .refilled = read.refilled,
            .repeated = writer_.repeated(),
            .passed_over = read.passed_over,
            .needs_snapshot = read.needs_snapshot,
            .problem = problem()};
  }

  // Others may know more than this node, which reads nothing.
  bool is_behind() const {
    if (!is_begun_ || !connection_.is_connected()) return true;
    return reader_.is_behind();
  }

  void hold(std::optional<std::string> reason) {
    const MutexLock lock(problem_mutex_);
    hold_ = std::move(reason);
    has_problem_ = hold_ || problem_;
  }

  void heard_of(std::uint64_t place) {
    if (reader_.exists(place)) wakeup_.wake();
  }

 private:
  // Messages that arrive, on the library's threads.

  void live(const NatsMessage& message) {
    if (message.stream_sequence == 0) return;  // not from the stream
    bool has_hole = false;
    writer_.note(reader_.live(message.stream_sequence, decode_message(message.body), has_hole));
    if (has_hole) wakeup_.wake();
  }

  void answered(const NatsMessage& message) {
    std::string_view what = message.subject;
    what.remove_prefix(inbox_.size() + 1);
    const std::size_t dot = std::min(what.find('.'), what.size());
    const std::string_view kind = what.substr(0, dot);
    const std::uint64_t number = number_in(what.substr(std::min(dot + 1, what.size())));
    if (kind == "ack") acknowledged(static_cast<std::uint32_t>(number), message);
    if (kind == "get") refilled(number, message);
    if (kind == "state") described(message);
  }

  void acknowledged(std::uint32_t attempt, const NatsMessage& message) {
    if (const auto place = writer_.answered(attempt, message)) heard_of(*place);
  }

  void refilled(std::uint64_t place, const NatsMessage& message) {
    writer_.note(reader_.refilled(place, read_stored(place, message.body)));
    wake_to_request();
  }

  // The state of the stream, from its leader.
  void described(const NatsMessage& message) {
    const auto stream = poll_.answered(message.body, reader_.taken(), Clock::now());
    if (!stream) return;
    reader_.described(stream->first, stream->last);
    wakeup_.wake();
  }

  void connected() {
    const auto now = Clock::now();
    reader_.reconnected(now);
    poll_.reconnected(now);
    writer_.reconnected(now);
    wakeup_.wake();
  }

  void wake_to_request() {
    if (reader_.due() <= Clock::now()) wakeup_.wake();
  }

  // The log's own thread.

  void run() {
    while (!is_ended_) {
      const bool has_more = writer_.publish_due(reader_.is_silent());
      request_due();
      if (poll_.begin(Clock::now()))
        connection_.publish("$JS.API.STREAM.INFO." + names_.stream, "", inbox_ + ".state");
      note_problem();
      if (has_more) continue;
      wakeup_.sleep_until(
          std::min({Clock::now() + kIdle, reader_.due(), poll_.due(), writer_.due()}));
    }
  }

  void request_due() {
    for (const std::uint64_t place : reader_.to_request(Clock::now())) {
      const std::string number = std::to_string(place);
      if (!connection_.publish("$JS.API.STREAM.MSG.GET." + names_.stream,
                               "{\"seq\":" + number + "}", inbox_ + ".get." + number))
        return;
    }
  }

  void note_problem() {
    std::optional<std::string> found = find_problem(Clock::now());
    const MutexLock lock(problem_mutex_);
    if (found == problem_) return;
    if (found)
      log()->error("cluster: {}", *found);
    else
      log()->info("cluster: the log works again");
    problem_ = std::move(found);
    has_problem_ = problem_ || hold_;
  }

  std::optional<std::string> find_problem(SteadyTime now) {
    if (auto broken = reader_.broken()) return broken;
    if (const auto down = connection_.problem())
      connection_trouble_.begin(now, *down);
    else
      connection_trouble_.end();
    if (connection_trouble_.has_lasted(options_.patience, now)) return connection_trouble_.reason();
    if (connection_.max_payload() < kMinPayload) {
      return "the NATS servers accept messages of " + std::to_string(connection_.max_payload()) +
             " bytes only; set max_payload to 1 MB or more";
    }
    if (auto problem = poll_.problem(now, options_.patience)) return problem;
    return writer_.stall(now, options_.patience);
  }

  NatsConnection& connection_;
  const NatsLogOptions options_;
  const LogNames names_;
  const std::string inbox_;
  Wakeup wakeup_;  // of the own thread
  EntryWriter writer_;
  EntryReader reader_;
  StreamPoll poll_;
  Trouble connection_trouble_;  // of the own thread

  mutable Mutex problem_mutex_;  // between the own thread and those who ask
  std::optional<std::string> problem_ GUARDED_BY(problem_mutex_);
  std::optional<std::string> hold_ GUARDED_BY(problem_mutex_);
  std::atomic<bool> has_problem_;
  std::atomic<bool> is_begun_ = false;
  std::atomic<bool> is_ended_ = false;
  std::thread thread_;
};

NatsLog::NatsLog(NatsConnection& connection, NatsLogOptions options) {
  const bool is_held = options.hold.has_value();
  impl_ = std::make_shared<Impl>(connection, std::move(options));
  if (!is_held) begin();
}

NatsLog::~NatsLog() {
  impl_->end();
}

Result<void> NatsLog::offer(Proposal& proposal, AppendHandler& handler) {
  return impl_->offer(proposal, handler);
}

std::optional<std::vector<Entry>> NatsLog::take(SteadyTime until) {
  return impl_->take(until);
}

std::vector<AppendHandler> NatsLog::handlers_of(const Entry& entry) {
  return impl_->handlers_of(entry);
}

void NatsLog::passed_over(const Entry& entry) {
  impl_->passed_over(entry);
}

bool NatsLog::put_back(std::vector<Entry>& entries) {
  impl_->put_back(entries);
  return true;
}

void NatsLog::stop() {
  impl_->stop();
}

std::optional<std::string> NatsLog::problem() const {
  return impl_->problem();
}

bool NatsLog::is_behind() const {
  return impl_->is_behind();
}

void NatsLog::begin() {
  Impl::begin(impl_);
}

void NatsLog::hold(std::string reason) {
  impl_->hold(std::move(reason));
}

void NatsLog::release() {
  impl_->hold(std::nullopt);
}

NatsLogState NatsLog::state() const {
  return impl_->state();
}

void NatsLog::heard_of(std::uint64_t place) {
  impl_->heard_of(place);
}

}  // namespace oriel
