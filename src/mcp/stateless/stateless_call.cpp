#include "mcp/stateless/stateless_call.h"

#include "mcp/handling.h"
#include "mcp/stateless/stateless_endpoint.h"

#include <spdlog/fmt/fmt.h>

#include <numeric>

namespace oriel::mcp {
namespace {

namespace json = boost::json;

constexpr std::size_t kMaxCallUnsent = 4 << 20;  // slower clients are disconnected

Chunk event(const Message& message) {
  Chunk chunk;
  chunk.add_event(message);
  return chunk;
}

}  // namespace

int status_of(const RpcError& error) {
  switch (error.code) {
    case kMethodNotFound:
      return 404;
    case kMissingCapability:
    case kHeaderMismatch:
    case kUnsupportedVersion:
      return 400;
    default:
      return 200;
  }
}

std::string purpose_of(const RpcRequest& request, const Principal& principal) {
  std::string purpose = request.method + "\n" + principal.credential_id + "\n";
  for (const std::string_view key : {"name", "uri"}) {
    const auto* const value = request.params.if_contains(key);
    if (value != nullptr && value->is_string()) purpose += value->as_string();
  }
  return purpose;
}

StatelessCall::StatelessCall(RpcRequest request, RequestMeta meta, Principal principal,
                             InputRounds rounds, std::string purpose, Shard& shard,
                             const ServerState& server)
    : request_(std::move(request)),
      meta_(std::move(meta)),
      principal_(std::move(principal)),
      rounds_(std::move(rounds)),
      purpose_(std::move(purpose)),
      shard_(shard),
      server_(server),
      lost_(lost_call(request_, meta_)),
      credential_id_(principal_.credential_id),
      changed_(shard.executor(), asio::steady_timer::time_point::max()),
      prime_(shard.executor()) {}

asio::awaitable<void> StatelessCall::run() {
  const auto self = shared_from_this();
  CallFacts facts{.method = request_.method,
                  .params = std::move(request_.params),
                  .version = std::move(meta_.version),
                  .principal = std::move(principal_),
                  .client_info = std::move(meta_.client_info),
                  .client_capabilities = meta_.client_capabilities,
                  .log_level = meta_.log_level,
                  .kept = rounds_.kept(),
                  .session = nullptr};
  Call call(std::move(facts), *this, shard_);
  auto running = server_.methods.run(call);
  auto handling = handle(stop_, std::move(running), call.method());
  std::optional<RpcResult> result = co_await std::move(handling);
  if (!result && is_stopped_)
    result = RpcError{
        .code = kInternalError,
        .message = "the server stopped while this call ran; " + server_.methods.catalog().stop_hint,
        .data = {}};
  if (result) finish(*std::move(result));
  if (connection_) connection_->finish();
  is_over_ = true;
  changed_.cancel();
  prime_.cancel();
}

void StatelessCall::stop() {
  is_stopped_ = true;
  cancel();
}

void StatelessCall::finish(RpcResult result) {
  if (!result && result.error().code == kMustAsk)
    result = rounds_.to_result(server_.sealer, purpose_);
  if (result) {
    stamp_stateless(*result, request_.method, server_.methods.server_info());
  } else {
    status_ = status_of(result.error());
  }
  answer_ = rpc_answer(request_.id, result);
  if (is_stream_) push(event(std::move(answer_)));
}

asio::awaitable<void> StatelessCall::settled() {
  const auto deadline = std::chrono::steady_clock::now() + server_.options.stream_after;
  while (!is_over_ && !is_stream_) {
    changed_.expires_at(deadline);
    const auto [ec] = co_await changed_.async_wait(kNoThrow);
    if (!ec && !is_over_) is_stream_ = true;  // the result may have arrived at the same time
  }
}

void StatelessCall::send(SharedMessage message, std::uint64_t) {
  if (!std::exchange(is_stream_, true)) changed_.cancel();
  push(event(*message));
}

void StatelessCall::push(Chunk chunk) {
  std::vector<SharedBytes> pieces = chunk.take();
  for (const SharedBytes& piece : pieces)
    unsent_ += piece->size();
  if (unsent_ > kMaxCallUnsent && connection_) return connection_->drop();
  if (connection_) return connection_->send(std::move(pieces));
  waiting_.insert(waiting_.end(), std::make_move_iterator(pieces.begin()),
                  std::make_move_iterator(pieces.end()));
}

void StatelessCall::attach(const std::shared_ptr<StreamConnection>& connection,
                           std::unique_ptr<http::Transport> transport, std::string head) {
  connection_ = connection;
  const auto self = shared_from_this();
  connection->start(std::move(transport), std::move(head),
                    {.drained = [self] { self->unsent_ = 0; },
                     .ended =
                         [self] {
                           self->connection_.reset();
                           self->cancel();
                         }});
  if (!waiting_.empty()) connection->send(std::exchange(waiting_, {}));
  if (is_over_) return connection->finish();
  if (!lost_.kept.empty()) return prime();
  prime_.expires_after(server_.options.prime_after);
  prime_.async_wait([weak = weak_from_this()](error_code ec) {
    if (const auto call = ec ? nullptr : weak.lock()) call->prime();
  });
}

void StatelessCall::keep(json::object state) {
  lost_.kept = std::move(state);
  prime();
}

// As late as this, because the protocol has no event ids: most calls never have one.
void StatelessCall::prime() {
  if (is_over_ || !connection_ || std::exchange(is_primed_, true)) return;
  const std::string id = event_id_of(lost_, credential_id_, server_);
  if (id.empty()) return;
  Chunk chunk;
  chunk.add(
      fmt::format("id: {}\nretry: {}\ndata: \n\n", id, server_.options.streams.retry.count()));
  push(std::move(chunk));
}

asio::awaitable<InputAnswers> StatelessCall::ask(std::vector<InputRequest> inputs,
                                                 json::object keep) {
  if (auto answers = rounds_.answers_to(inputs)) co_return *std::move(answers);
  if (auto refusal = missing_capability(inputs, meta_.client_capabilities))
    co_return *std::move(refusal);
  rounds_.ask(std::move(inputs), std::move(keep));
  co_return RpcError{.code = kMustAsk, .message = "the client must be asked first", .data = {}};
}

}  // namespace oriel::mcp
