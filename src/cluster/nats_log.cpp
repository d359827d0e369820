#include "cluster/nats_log.h"

#include "base/id.h"
#include "base/log.h"
#include "base/mutex.h"
#include "base/text/base64.h"
#include "base/text/json_access.h"
#include "cluster/append_queue.h"
#include "cluster/entry_assembler.h"
#include "cluster/entry_codec.h"
#include "cluster/entry_feed.h"
#include "cluster/log_stream.h"
#include "cluster/publish_window.h"
#include "journal/append_errors.h"
#include "runtime/run_or_abort.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <deque>
#include <iterator>
#include <set>
#include <thread>
#include <utility>

namespace oriel {
namespace {

namespace json = boost::json;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kMaxPending = 128 << 20;  // in the library, well above the inbox
constexpr std::size_t kEagerEntries = 8;        // with more under way, appends wait to be grouped
constexpr std::size_t kMaxTaken = 512;          // entries at once
constexpr std::size_t kMaxTakenBytes = 8 << 20;
constexpr int kMessagesPerTurn = 256;  // published before anything else has its turn
constexpr milliseconds kStateInterval{3000};
constexpr milliseconds kStateDeadline{1000};
constexpr milliseconds kIdle{500};
constexpr milliseconds kPutBackDelay{200};
constexpr milliseconds kStopPoll{10};
constexpr std::chrono::seconds kMaxShortness{60};  // the log ends before what was taken from it
constexpr std::size_t kMinPayload = kMaxPartBytes + (4 << 10);

std::uint64_t number_in(std::string_view text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// What has become of own entries, for the window.
struct OwnEntries {
  unsigned life = 0;                              // of the author, see begin_again()
  std::vector<std::uint64_t> stored = {};         // numbers, in their turn
  std::optional<std::uint32_t> passed_over = {};  // the attempt of one before its turn

  bool is_empty() const { return stored.empty() && !passed_over; }
};

std::uint64_t first_read(const Applied& applied) {
  return applied.place >= kAssemblySpan ? applied.place - kAssemblySpan + 1 : 0;
}

// How long something has been wrong.
class Trouble {
 public:
  void begin(SteadyTime now, std::string reason) {
    if (since_ == SteadyTime::max()) since_ = now;
    reason_ = std::move(reason);
  }

  void end() { since_ = SteadyTime::max(); }

  bool has_lasted(milliseconds patience, SteadyTime now) const {
    return since_ != SteadyTime::max() && now - since_ >= patience;
  }

  const std::string& reason() const { return reason_; }

 private:
  SteadyTime since_ = SteadyTime::max();
  std::string reason_;
};

}  // namespace

// Threads: the journal's; shards, which offer; the library's, which bring messages; and its own,
// which publishes. `write_mutex_` guards what goes out and `read_mutex_` what comes in; neither is
// held while the other is taken, nor during a call of the library.
class NatsLog::Impl {
 public:
  Impl(NatsConnection& connection, NatsLogOptions options)
      : connection_(connection),
        options_(std::move(options)),
        names_(log_names(options_.applied.generation)),
        subject_(names_.log + "." + options_.life.substr(0, options_.life.find('.'))),
        inbox_(NatsConnection::new_inbox()),
        author_(options_.life),
        queue_({.max_bytes = options_.max_queued_bytes}),
        window_({}),
        feed_({.taken = first_read(options_.applied),
               .needed = options_.applied.place + 1,
               .max_bytes = options_.max_inbox_bytes}),
        taken_(options_.applied.place),
        own_author_(author_),
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
        [weak](NatsMessage message) {
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
    {
      const MutexLock lock(write_mutex_);
      is_ended_ = true;
    }
    work_.notify_one();
    if (thread_.joinable()) thread_.join();
  }

  Result<void> offer(Proposal& proposal, AppendHandler& handler) {
    {
      const MutexLock lock(write_mutex_);
      if (is_stopping_) return journal_stopping();
      if (const auto taken = queue_.offer(proposal, handler); !taken) return taken;
      if (!may_group()) return {};
      is_awake_ = true;
    }
    work_.notify_one();
    return {};
  }

  std::optional<std::vector<Entry>> take(SteadyTime until) {
    while (true) {
      std::vector<Entry> entries;
      OwnEntries own;
      {
        const MutexLock lock(read_mutex_);
        entries = take_ready(Clock::now());
        if (!entries.empty()) own = pump();
      }
      if (!entries.empty()) {
        note(own);
        wake_to_request();
        return entries;
      }
      if (is_stopped()) return std::nullopt;
      if (Clock::now() >= until) return entries;
      wait_ready(until);
    }
  }

  std::vector<AppendHandler> handlers_of(const Entry& entry) {
    {
      const MutexLock lock(read_mutex_);
      in_turn_.erase(entry.place);
    }
    const MutexLock lock(write_mutex_);
    if (entry.author != author_) return {};
    return queue_.handlers_of(entry.number);
  }

  void passed_over(const Entry& entry) {
    {
      const MutexLock lock(read_mutex_);
      if (entry.author != own_author_) return;
      ++passed_over_;
      if (in_turn_.erase(entry.place) == 0) return;
    }
    begin_again();
  }

  void put_back(std::vector<Entry>& entries) {
    const MutexLock lock(read_mutex_);
    put_back_ = std::move(entries);
    put_back_until_ = Clock::now() + kPutBackDelay;
  }

  void stop() {
    {
      const MutexLock lock(write_mutex_);
      if (is_stopping_) return;
      is_stopping_ = true;
      is_awake_ = true;
      stop_at_ = Clock::now() + options_.stop_deadline;
    }
    work_.notify_one();
    // The lock makes sure that a take() does not miss it.
    { const MutexLock lock(read_mutex_); }
    ready_.notify_one();
  }

  std::optional<std::string> problem() const {
    if (!has_problem_) return std::nullopt;
    const MutexLock lock(problem_mutex_);
    return problem_ ? problem_ : hold_;
  }

  NatsLogState state() const {
    NatsLogState state{.is_connected = connection_.is_connected(),
                       .passed_over = passed_over_,
                       .problem = problem()};
    {
      const MutexLock lock(read_mutex_);
      state.taken = taken_;
      state.known = std::max(feed_.known(), taken_);
      state.first = first_;
      state.last = last_;
      state.refilled = feed_.refilled_count();
      state.needs_snapshot = feed_.is_purged();
    }
    const MutexLock lock(write_mutex_);
    state.repeated = window_.repeated();
    return state;
  }

  // Others may know more than this node, which reads nothing.
  bool is_behind() const {
    if (!is_begun_ || !connection_.is_connected()) return true;
    const MutexLock lock(read_mutex_);
    return feed_.known() > taken_;
  }

  void hold(std::optional<std::string> reason) {
    const MutexLock lock(problem_mutex_);
    hold_ = std::move(reason);
    has_problem_ = hold_ || problem_;
  }

  void heard_of(std::uint64_t place) {
    bool is_late = false;
    {
      const MutexLock lock(read_mutex_);
      feed_.exists(place, Clock::now());
      is_late = feed_.due() != SteadyTime::max();
    }
    if (is_late) wake();
  }

 private:
  // Messages that arrive, on the library's threads.

  void live(const NatsMessage& message) {
    if (message.stream_sequence == 0) return;  // not from the stream
    EntryPart part = decode_message(message.body);
    OwnEntries own;
    bool has_hole = false;
    {
      const MutexLock lock(read_mutex_);
      feed_.live(message.stream_sequence, std::move(part), Clock::now());
      own = pump();
      has_hole = feed_.due() == SteadyTime::min();
    }
    ready_.notify_one();
    note(own);
    if (has_hole) wake();
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
    const json::object body = parse_object(message.body);
    const auto place = number_of(member(body, "seq"));
    const bool is_stored = place && *place > 0 && !body.contains("error");
    {
      const MutexLock lock(write_mutex_);
      if (is_stored) {
        window_.acknowledged(Clock::now());
        refusal_.clear();
      } else {
        window_.refused(attempt, Clock::now());
        refusal_ = message.is_no_responders ? "its stream has no leader, or does not exist"
                                            : text_at(body, "error", "description");
        is_awake_ = true;
      }
    }
    if (is_stored)
      heard_of(static_cast<std::uint64_t>(*place));
    else
      work_.notify_one();
  }

  void refilled(std::uint64_t place, const NatsMessage& message) {
    const json::object body = parse_object(message.body);
    const json::value& stored = member(body, "message");
    const std::optional<std::string> bytes = from_base64(text_of(member(stored, "data")));
    const bool is_there = stored.is_object() && bytes &&
                          number_of(member(stored, "seq")) == static_cast<std::int64_t>(place);
    EntryPart part;
    if (is_there) part = decode_message(*bytes);
    OwnEntries own;
    {
      const MutexLock lock(read_mutex_);
      if (is_there)
        feed_.refilled(place, std::move(part), Clock::now());
      else
        feed_.unanswered(place, Clock::now());
      own = pump();
    }
    ready_.notify_one();
    note(own);
    wake_to_request();
  }

  // The state of the stream, from its leader.
  void described(const NatsMessage& message) {
    const auto now = Clock::now();
    const std::optional<LogStream> stream = parse_stream(message.body);
    {
      const MutexLock lock(read_mutex_);
      is_state_asked_ = false;
      if (!stream) {
        state_trouble_.begin(now, stream_problem(message.body));
        return;
      }
      state_trouble_.end();
      first_ = stream->first;
      last_ = stream->last;
      feed_.begins_at(first_);
      feed_.exists(last_, now);
      if (last_ < taken_)
        shortness_.begin(now, "it ends at place " + std::to_string(last_) + ", before place " +
                                  std::to_string(taken_) + ", which this node has stored");
      else
        shortness_.end();
    }
    wake();
  }

  void connected() {
    const auto now = Clock::now();
    {
      const MutexLock lock(read_mutex_);
      feed_.reconnected(now);
      is_state_asked_ = false;
      state_trouble_.end();
      state_due_ = now;
    }
    {
      const MutexLock lock(write_mutex_);
      window_.reconnected(now);
    }
    wake();
  }

  // Turns messages that are next into entries, as many as may wait for the journal.
  OwnEntries pump() REQUIRES(read_mutex_) {
    OwnEntries own{.life = read_life_};
    while (ready_bytes_ < options_.max_inbox_bytes / 2) {
      const EntryPart* next = feed_.front();
      if (next == nullptr) break;
      if (next->kind == MessageKind::kNewer) {
        newer_format_ = next->format;
        break;
      }
      auto [place, part] = feed_.pop();
      const std::size_t bytes = part.payload.size() + sizeof(Entry);
      const bool is_own = part.author == own_author_;
      const std::uint64_t number = part.number;
      const std::uint32_t attempt = part.attempt;
      const bool is_last = part.part == part.parts;
      Entry entry = assembler_.add(place, std::move(part));
      if (is_own && entry.number != 0 && number == next_own_) {
        own_place_ = place;
        in_turn_.insert(place);
        own.stored.push_back(number);
        ++next_own_;
      } else if (is_own && is_last && number >= next_own_) {
        own.passed_over = attempt;
      }
      if (place <= options_.applied.place) continue;
      ready_bytes_ += bytes;
      entries_.push_back({.entry = std::move(entry), .bytes = bytes});
    }
    return own;
  }

  void note(const OwnEntries& own) {
    if (own.is_empty()) return;
    const auto now = Clock::now();
    {
      const MutexLock lock(write_mutex_);
      if (own.life != life_) return;
      for (const std::uint64_t number : own.stored)
        window_.stored(number, now);
      if (own.passed_over) window_.passed_over(*own.passed_over, now);
      if (!own.passed_over && !may_group()) return;
      is_awake_ = true;
    }
    work_.notify_one();
  }

  // The journal's thread.

  std::vector<Entry> take_ready(SteadyTime now) REQUIRES(read_mutex_) {
    if (!put_back_.empty()) {
      if (now < put_back_until_) return {};
      return std::exchange(put_back_, {});
    }
    std::vector<Entry> taken;
    std::size_t bytes = 0;
    while (!entries_.empty() && taken.size() < kMaxTaken && bytes < kMaxTakenBytes) {
      Ready& next = entries_.front();
      bytes += next.bytes;
      taken_ = next.entry.place;
      taken.push_back(std::move(next.entry));
      entries_.pop_front();
    }
    ready_bytes_ -= bytes;
    return taken;
  }

  // Answers what is left if the time is over.
  bool is_stopped() {
    std::vector<AppendHandler> left;
    {
      const MutexLock lock(write_mutex_);
      if (!is_stopping_) return false;
      if (queue_.is_empty()) return true;
      if (Clock::now() < stop_at_) return false;
      left = queue_.clear();
    }
    for (const AppendHandler& handler : left)
      handler(journal_stopping());
    return true;
  }

  void wait_ready(SteadyTime until) {
    bool is_stopping = false;
    {
      const MutexLock lock(write_mutex_);
      is_stopping = is_stopping_;
    }
    const MutexLock lock(read_mutex_);
    if (!put_back_.empty()) until = std::min(until, put_back_until_);
    if (is_stopping) until = std::min(until, Clock::now() + kStopPoll);
    if (put_back_.empty() && !entries_.empty()) return;
    ready_.wait_until(read_mutex_, until);
  }

  // The log's own thread.

  void run() {
    while (true) {
      bool has_more = publish_due();
      request_due();
      ask_for_state();
      note_problem();
      SteadyTime until = Clock::now() + kIdle;
      {
        const MutexLock lock(read_mutex_);
        until = std::min({until, feed_.due(), state_due_});
      }
      const MutexLock lock(write_mutex_);
      until = std::min(until, window_.due());
      while (!is_ended_ && !is_awake_ && !has_more && work_.wait_until(write_mutex_, until)) {
      }
      if (is_ended_) return;
      is_awake_ = false;
    }
  }

  bool may_group() const REQUIRES(write_mutex_) {
    if (!queue_.has_waiting() || !window_.has_room()) return false;
    return window_.size() < kEagerEntries || queue_.has_full_group();
  }

  // True: there is more to publish at once.
  bool publish_due() {
    for (int i = 0; i < kMessagesPerTurn; ++i) {
      make_entry();
      std::shared_ptr<const PublishWindow::Sending> next;
      {
        const MutexLock lock(write_mutex_);
        next = window_.next(Clock::now());
      }
      if (!next) return false;
      if (publish(*next)) continue;
      const MutexLock lock(write_mutex_);
      window_.unsent(*next, Clock::now());
      return false;
    }
    return true;
  }

  void make_entry() {
    const bool is_due = is_silent();
    std::vector<Proposal> proposals;
    std::string author;
    std::uint64_t number = 0;
    {
      const MutexLock lock(write_mutex_);
      if (!may_group() && !(is_due && window_.size() == 0)) return;
      author = author_;
      number = next_number_++;
      proposals = queue_.group(number);
    }
    auto messages = encode_entry(author, number, encode_proposals(proposals));
    const MutexLock lock(write_mutex_);
    if (author == author_) window_.add(number, std::move(messages), Clock::now());
  }

  // Others have written so much that an own entry is due, if there ever was one.
  bool is_silent() const {
    const MutexLock lock(read_mutex_);
    return next_own_ > 1 && feed_.taken() >= own_place_ + options_.max_silence;
  }

  // The journals have forgotten the author, so that they pass over whatever it writes.
  void begin_again() {
    log()->warn("cluster: the log has forgotten this node, which goes on as a new author");
    const std::string node = options_.life.substr(0, options_.life.find('.'));
    const std::string author = node + "." + random_id();
    std::vector<AppendHandler> handlers;
    {
      const MutexLock lock(read_mutex_);
      own_author_ = author;
      ++read_life_;
      next_own_ = 1;
      in_turn_.clear();
    }
    {
      const MutexLock lock(write_mutex_);
      author_ = author;
      ++life_;
      next_number_ = 1;
      window_.clear();
      handlers = queue_.take_under_way();
      is_awake_ = true;
    }
    for (const AppendHandler& handler : handlers)
      handler(journal_unordered("this node was away from the log for too long"));
    work_.notify_one();
  }

  bool publish(const PublishWindow::Sending& sending) {
    set_attempt(*sending.message, sending.attempt);
    return connection_.publish(subject_, *sending.message,
                               inbox_ + ".ack." + std::to_string(sending.attempt));
  }

  void request_due() {
    std::vector<std::uint64_t> places;
    {
      const MutexLock lock(read_mutex_);
      places = feed_.to_request(Clock::now());
    }
    for (const std::uint64_t place : places) {
      const std::string number = std::to_string(place);
      if (!connection_.publish("$JS.API.STREAM.MSG.GET." + names_.stream,
                               "{\"seq\":" + number + "}", inbox_ + ".get." + number))
        return;
    }
  }

  void ask_for_state() {
    const auto now = Clock::now();
    {
      const MutexLock lock(read_mutex_);
      if (now < state_due_) return;
      if (is_state_asked_) state_trouble_.begin(now, "its stream's leader does not answer");
      is_state_asked_ = true;
      const bool is_calm = !state_trouble_.has_lasted(milliseconds(0), now);
      state_due_ = now + (is_calm ? kStateInterval : kStateDeadline);
    }
    connection_.publish("$JS.API.STREAM.INFO." + names_.stream, "", inbox_ + ".state");
  }

  void wake() {
    {
      const MutexLock lock(write_mutex_);
      is_awake_ = true;
    }
    work_.notify_one();
  }

  void wake_to_request() {
    bool is_due = false;
    {
      const MutexLock lock(read_mutex_);
      is_due = feed_.due() <= Clock::now();
    }
    if (is_due) wake();
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
    if (auto broken = find_broken()) return broken;
    if (const auto down = connection_.problem())
      connection_trouble_.begin(now, *down);
    else
      connection_trouble_.end();
    if (connection_trouble_.has_lasted(options_.patience, now)) return connection_trouble_.reason();
    if (connection_.max_payload() < kMinPayload) {
      return "the NATS servers accept messages of " + std::to_string(connection_.max_payload()) +
             " bytes only; set max_payload to 1 MB or more";
    }
    {
      const MutexLock lock(read_mutex_);
      if (shortness_.has_lasted(kMaxShortness, now))
        return "the log is broken: " + shortness_.reason() + "; see oriel cluster refound";
      if (state_trouble_.has_lasted(options_.patience, now))
        return "the log does not answer: " + state_trouble_.reason();
    }
    const MutexLock lock(write_mutex_);
    const bool is_stalled = window_.waiting_since() < now - options_.patience;
    if (!is_stalled) return std::nullopt;
    return "the log stores nothing" + (refusal_.empty() ? "" : ": " + refusal_);
  }

  // What does not heal.
  std::optional<std::string> find_broken() {
    const MutexLock lock(read_mutex_);
    if (const auto place = feed_.broken_at()) {
      return "the log is broken: it has shown two different entries at place " +
             std::to_string(*place) + "; see oriel cluster refound";
    }
    if (newer_format_ != 0) {
      return "the log has entries of format " + std::to_string(newer_format_) +
             ", and this version reads up to " + std::to_string(kEntryFormat) + "; upgrade it";
    }
    if (feed_.is_purged()) {
      return "the log begins at place " + std::to_string(first_) + ", and this node needs place " +
             std::to_string(feed_.taken() + 1) + "; it needs the snapshot of another node";
    }
    return std::nullopt;
  }

  struct Ready {
    Entry entry;
    std::size_t bytes = 0;
  };

  NatsConnection& connection_;
  const NatsLogOptions options_;
  const LogNames names_;
  const std::string subject_;
  const std::string inbox_;

  Trouble connection_trouble_;  // of the own thread

  mutable Mutex write_mutex_;
  ConditionVariable work_;
  std::string author_ GUARDED_BY(write_mutex_);  // of what is written now
  unsigned life_ GUARDED_BY(write_mutex_) = 0;   // how often there was another author
  std::uint64_t next_number_ GUARDED_BY(write_mutex_) = 1;
  AppendQueue queue_ GUARDED_BY(write_mutex_);
  PublishWindow window_ GUARDED_BY(write_mutex_);
  std::string refusal_ GUARDED_BY(write_mutex_);
  bool is_awake_ GUARDED_BY(write_mutex_) = false;  // there is something to do
  bool is_stopping_ GUARDED_BY(write_mutex_) = false;
  bool is_ended_ GUARDED_BY(write_mutex_) = false;
  SteadyTime stop_at_ GUARDED_BY(write_mutex_);

  mutable Mutex read_mutex_;
  ConditionVariable ready_;
  EntryFeed feed_ GUARDED_BY(read_mutex_);
  EntryAssembler assembler_ GUARDED_BY(read_mutex_);
  std::deque<Ready> entries_ GUARDED_BY(read_mutex_);
  std::size_t ready_bytes_ GUARDED_BY(read_mutex_) = 0;
  std::vector<Entry> put_back_ GUARDED_BY(read_mutex_);
  SteadyTime put_back_until_ GUARDED_BY(read_mutex_);
  std::uint64_t taken_ GUARDED_BY(read_mutex_);  // by the journal
  std::uint64_t first_ GUARDED_BY(read_mutex_) = 0;
  std::uint64_t last_ GUARDED_BY(read_mutex_) = 0;
  std::string own_author_ GUARDED_BY(read_mutex_);       // author_, for those who read
  unsigned read_life_ GUARDED_BY(read_mutex_) = 0;       // life_, for those who read
  std::uint64_t next_own_ GUARDED_BY(read_mutex_) = 1;   // the number of the next own entry
  std::uint64_t own_place_ GUARDED_BY(read_mutex_) = 0;  // of the last one that came in its turn
  // Of own entries that came in their turn and that the journal has not judged.
  std::set<std::uint64_t> in_turn_ GUARDED_BY(read_mutex_);
  unsigned newer_format_ GUARDED_BY(read_mutex_) = 0;  // 0: none was met
  bool is_state_asked_ GUARDED_BY(read_mutex_) = false;
  SteadyTime state_due_ GUARDED_BY(read_mutex_) = SteadyTime::min();
  Trouble state_trouble_ GUARDED_BY(read_mutex_);
  Trouble shortness_ GUARDED_BY(read_mutex_);

  mutable Mutex problem_mutex_;  // between the own thread and those who ask
  std::optional<std::string> problem_ GUARDED_BY(problem_mutex_);
  std::optional<std::string> hold_ GUARDED_BY(problem_mutex_);
  std::atomic<bool> has_problem_;
  std::atomic<bool> is_begun_ = false;
  std::atomic<std::uint64_t> passed_over_ = 0;
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
