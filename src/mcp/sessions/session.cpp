#include "mcp/sessions/session.h"

#include <boost/json/serialize.hpp>
#include <spdlog/fmt/fmt.h>

namespace oriel::mcp {

namespace json = boost::json;

Session::Session(std::string id, Principal principal, ClientHello hello, Shard& shard,
                 EventStore& store, const ServerState& server)
    : id_(std::move(id)),
      principal_(std::move(principal)),
      hello_(std::move(hello)),
      shard_(shard),
      server_(server),
      streams_(id_, shard, store, server.options.streams) {
  const auto& make_companion = server.methods.catalog().companion;
  if (make_companion) companion_ = make_companion(*this);
}

Session::~Session() = default;

void Session::notify(SharedMessage message) {
  streams_.send(streams_.standalone(), std::move(message));
}

bool Session::subscribe(std::string uri) {
  const bool is_full = subscriptions_.size() >= server_.options.subscriptions.max_count;
  if (is_full && !subscriptions_.contains(uri)) return false;
  subscriptions_.insert(std::move(uri));
  return true;
}

std::shared_ptr<SessionCall> Session::begin_call(RpcRequest request) {
  auto call = std::make_shared<SessionCall>(shared_from_this(), std::move(request));
  const bool is_new = calls_.emplace(call->key(), call).second;
  return is_new ? call : nullptr;
}

void Session::end_call(const SessionCall& call) {
  calls_.erase(call.key());
}

void Session::cancel_call(const json::value& rpc_id) {
  const auto found = calls_.find(json::serialize(rpc_id));
  if (found == calls_.end()) return;
  const std::shared_ptr<SessionCall> call = found->second;  // keeps it alive: it may end inside
  call->cancel();
}

std::string Session::begin_question(std::shared_ptr<ClientQuestion> question) {
  std::string id = fmt::format("ask-{}", ++asked_);
  questions_.emplace(id, std::move(question));
  return id;
}

void Session::take_answer(RpcResponse response) {
  if (!response.id.is_string()) return;
  const auto found = questions_.find(std::string_view(response.id.as_string()));
  if (found == questions_.end() || found->second->answer) return;
  found->second->answer = std::move(response.result);
  found->second->asker->notify();
}

bool Session::is_expired(Clock::time_point now) const {
  return calls_.empty() && !streams_.has_connection() &&
         now - last_activity_ >= server_.options.session_ttl;
}

void Session::end() {
  companion_.reset();
  const auto calls = calls_;  // copy: each call removes itself
  for (const auto& [key, call] : calls)
    call->cancel();
  streams_.end_all();
}

}  // namespace oriel::mcp
