#include "mcp/sessions/session.h"

#include "base/id.h"
#include "base/text/json_text.h"
#include "mcp/call.h"

#include <boost/json/serialize.hpp>

namespace oriel::mcp {

namespace json = boost::json;

namespace {

// The time of its last use is saved this often while its time to live passes.
constexpr int kSavedUses = 8;

std::shared_ptr<SessionCompanion> make_companion(Session& session, const json::object& before) {
  const auto& make = session.server().methods.catalog().companion;
  return make ? make(session, before) : nullptr;
}

}  // namespace

Session::Session(SessionState before, Shard& shard, EventStore& store, const ServerState& server,
                 StateSaver& saver)
    : id_(std::move(before.id)),
      principal_(std::move(before.principal)),
      hello_(std::move(before.hello)),
      shard_(shard),
      server_(server),
      saver_(saver),
      companion_(make_companion(*this, before.companion)),
      streams_(id_, store, server.options.streams, companion_ ? companion_->source() : nullptr,
               before.streams),
      log_level_(before.log_level) {
  if (!before.subscriptions.empty())
    activate().subscriptions = {before.subscriptions.begin(), before.subscriptions.end()};
  streams_.on_change([this] { changed(); });
  streams_.on_remove([this](const std::string& stream) { forget_call(stream); });
  streams_.on_missed([this](std::uint64_t missed) { return missed_message(missed); });
  report_lost_place();
}

Session::~Session() = default;

bool Session::Active::is_empty() const {
  return subscriptions.empty() && calls.empty() && questions.empty() && ended_calls.empty() &&
         saved_calls.empty();
}

const Session::Active& Session::active() const {
  static const Active kNone;
  return active_ ? *active_ : kNone;
}

Session::Active& Session::activate() {
  if (!active_) active_ = std::make_unique<Active>();
  return *active_;
}

void Session::free_unused() {
  if (active_ && active_->is_empty()) active_.reset();
}

void Session::notify(SharedMessage message) {
  streams_.send(streams_.standalone(), std::move(message));
}

bool Session::subscribe(std::string uri) {
  const bool is_full = active().subscriptions.size() >= server_.options.subscriptions.max_count;
  if (is_full && !is_subscribed(uri)) return false;
  if (activate().subscriptions.insert(std::move(uri)).second) changed();
  return true;
}

void Session::unsubscribe(const std::string& uri) {
  if (activate().subscriptions.erase(uri) > 0) changed();
  free_unused();
}

void Session::set_log_level(LogLevel level) {
  if (!log_level_ && companion_) companion_->level_set();
  log_level_ = level;
  changed();
}

SessionState Session::state() const {
  return {.id = id_,
          .principal = principal_,
          .hello = hello_,
          .log_level = log_level_,
          .subscriptions = {active().subscriptions.begin(), active().subscriptions.end()},
          .streams = streams_.state(),
          .companion = companion_ ? companion_->state() : json::object(),
          .used = wall_now() -
                  std::chrono::duration_cast<WallTime::duration>(Clock::now() - last_used_)};
}

void Session::changed() {
  if (is_over_) return;  // what was saved of it has been removed, or belongs to the next process
  last_change_ = saver_.mark(session_key(id_),
                             [self = shared_from_this()] { return serialize(self->state()); });
}

void Session::save_call(const CallState& call) {
  if (is_over_) return;
  activate().saved_calls.insert(call.id);
  last_change_ = saver_.mark(call_key(id_, call.id), [text = serialize(call)] { return text; });
}

void Session::forget_call(const std::string& call) {
  if (activate().saved_calls.erase(call) > 0) saver_.remove(call_key(id_, call));
  free_unused();
}

void Session::forget() {
  saver_.remove(session_key(id_));
  for (const std::string& call : active().saved_calls)
    saver_.remove(call_key(id_, call));
  activate().saved_calls.clear();
  free_unused();
}

void Session::remember_ended(EndedCalls calls) {
  for (const auto& [id, text] : calls)
    activate().saved_calls.insert(id);
  if (!calls.empty()) activate().ended_calls = std::move(calls);
}

std::shared_ptr<SessionCall> Session::continue_call(const EventId& id) {
  const auto found = active().ended_calls.find(id.stream);
  if (found == active().ended_calls.end()) return nullptr;
  auto before = parse_call_state(found->second);
  active_->ended_calls.erase(found);
  if (!before || json::serialize(before->request.id) != id.rpc) return nullptr;
  auto call = std::make_shared<SessionCall>(shared_from_this(), *std::move(before));
  const bool is_new = activate().calls.emplace(call->key(), call).second;
  return is_new ? call : nullptr;
}

std::shared_ptr<SessionCall> Session::begin_call(RpcRequest request) {
  auto call = std::make_shared<SessionCall>(shared_from_this(), std::move(request));
  const bool is_new = activate().calls.emplace(call->key(), call).second;
  return is_new ? call : nullptr;
}

void Session::end_call(const SessionCall& call) {
  activate().calls.erase(call.key());
  free_unused();
}

void Session::cancel_call(const json::value& rpc_id) {
  const auto found = active().calls.find(json::serialize(rpc_id));
  if (found == active().calls.end()) return;
  const std::shared_ptr<SessionCall> call = found->second;  // keeps it alive: it may end inside
  call->cancel();
}

std::string Session::begin_question(std::shared_ptr<ClientQuestion> question) {
  // Never the id of another question, not even of one from before a restart: a late answer is none.
  std::string id = "ask-" + random_id();
  activate().questions.emplace(id, std::move(question));
  return id;
}

void Session::take_answer(RpcResponse response) {
  if (!response.id.is_string()) return;
  const auto found = active().questions.find(std::string_view(response.id.as_string()));
  if (found == active().questions.end() || found->second->answer) return;
  found->second->answer = std::move(response.result);
  found->second->asker->notify();
}

void Session::tick(Clock::time_point now) {
  streams_.tick(now);
  if (!active().calls.empty() || streams_.has_connection()) last_used_ = now;
  if (last_used_ - saved_use_ < server_.options.session_ttl / kSavedUses) return;
  saved_use_ = last_used_;
  changed();
}

bool Session::is_expired(Clock::time_point now) const {
  return now - last_used_ >= server_.options.session_ttl;
}

// A stream that cannot go on where its client stopped begins with that.
void Session::report_lost_place() {
  StreamSource* const source = companion_ ? companion_->source() : nullptr;
  if (source == nullptr || !source->is_renumbered()) return;
  if (SharedMessage message = missed_message(std::nullopt)) notify(std::move(message));
}

// `missed`: none if the number is unknown. A client that gets no log messages is not notified: it
// could not have missed any.
SharedMessage Session::missed_message(std::optional<std::uint64_t> missed) const {
  if (!log_level_ || *log_level_ > LogLevel::kWarning) return nullptr;
  const json::object data{{"type", "gap"},
                          {"missed", missed ? json::value(*missed) : json::value()},
                          {"hint", server_.methods.catalog().purge_hint}};
  return hold(log_head(LogLevel::kWarning, server_.methods.catalog().name) + json_text(data) +
              log_tail());
}

std::shared_ptr<SessionCompanion> Session::companion() const {
  return is_over_ ? nullptr : companion_;
}

void Session::end() {
  is_over_ = true;
  const auto calls = active().calls;  // copy: each call removes itself
  for (const auto& [key, call] : calls)
    call->cancel();
  streams_.end_all();
}

}  // namespace oriel::mcp
