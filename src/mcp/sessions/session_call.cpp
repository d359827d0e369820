#include "mcp/sessions/session_call.h"

#include "base/id.h"
#include "base/log.h"
#include "base/text/json_access.h"
#include "mcp/handling.h"
#include "mcp/sessions/session.h"

#include <boost/json/serialize.hpp>

namespace oriel::mcp {
namespace {

namespace json = boost::json;

// Cancels an abandoned question.
class OpenQuestions {
 public:
  OpenQuestions(Session& session, SessionCall& call)
      : session_(session), call_(call), answered_(session.shard().executor()) {}

  ~OpenQuestions() {
    for (const auto& [id, question] : questions_) {
      session_.end_question(id);
      if (!question->answer) call_.withdraw(id, "it is no longer needed");
      call_.question_ended(id);
    }
  }

  OpenQuestions(const OpenQuestions&) = delete;
  OpenQuestions& operator=(const OpenQuestions&) = delete;

  void begin() {
    auto question = std::make_shared<ClientQuestion>();
    question->asker = &answered_;
    const std::string id = session_.begin_question(question);
    questions_.emplace_back(id, std::move(question));
    call_.question_begun(id);
  }

  void send(std::size_t place, const InputRequest& input) {
    const boost::json::string id(questions_[place].first);
    call_.send(session_.hold(rpc_request(id, input.method, input.params)), 0);
  }

  bool are_answered() const {
    for (const auto& [id, question] : questions_) {
      if (!question->answer) return false;
    }
    return true;
  }

  Condition& answered() { return answered_; }

  const RpcResult& answer(std::size_t place) const { return *questions_[place].second->answer; }

 private:
  Session& session_;
  SessionCall& call_;
  Condition answered_;
  std::vector<std::pair<std::string, std::shared_ptr<ClientQuestion>>> questions_;
};

}  // namespace

SessionCall::SessionCall(std::shared_ptr<Session> session, RpcRequest request)
    : session_(std::move(session)),
      stable_id_(random_id()),
      request_(std::move(request)),
      changed_(session_->shard().executor(), asio::steady_timer::time_point::max()) {}

SessionCall::SessionCall(std::shared_ptr<Session> session, CallState before)
    : session_(std::move(session)),
      stable_id_(std::move(before.id)),
      request_(std::move(before.request)),
      questions_before_(std::move(before.questions)),
      changed_(session_->shard().executor(), asio::steady_timer::time_point::max()) {
  stream_ = &session_->streams().open(key(), stable_id_);
}

std::string SessionCall::key() const {
  return json::serialize(request_.id);
}

CallFacts SessionCall::facts() {
  return {.method = request_.method,
          .params = request_.params,
          .version = session_->client().version,
          .principal = session_->principal(),
          .client_info = session_->client().info,
          .client_capabilities = session_->client().capabilities,
          .log_level = {},
          .kept = {},
          .session = session_.get(),
          .stable_id = stable_id_};
}

asio::awaitable<void> SessionCall::run() {
  const auto self = shared_from_this();
  for (const std::string& question : questions_before_)
    withdraw(question, "the server was restarted");
  if (!questions_before_.empty()) save();
  Call call(facts(), *this, session_->shard());
  auto running = session_->server().methods.run(call);
  auto handling = handle(stop_, std::move(running), call.method());
  const std::optional<RpcResult> result = co_await std::move(handling);
  if (result) finish(*result);
  if (stream_ != nullptr) session_->streams().finish(*stream_);
  is_over_ = true;
  changed_.cancel();
  session_->end_call(*this);
}

void SessionCall::finish(const RpcResult& result) {
  if (stream_ == nullptr) {
    answer_ = rpc_answer(request_.id, result);
    return;
  }
  session_->streams().send(*stream_, session_->hold(rpc_answer(request_.id, result)),
                           EventKind::kResponse);
}

asio::awaitable<void> SessionCall::settled() {
  const auto deadline = std::chrono::steady_clock::now() + session_->server().options.stream_after;
  while (!is_over_ && stream_ == nullptr) {
    const bool may_wait_longer = !takes_stream_ || session_->streams().is_full();
    if (may_wait_longer) {
      changed_.expires_at(asio::steady_timer::time_point::max());
    } else {
      changed_.expires_at(deadline);
    }
    const auto [ec] = co_await changed_.async_wait(kNoThrow);
    if (!ec && !is_over_) become_stream();
  }
}

void SessionCall::become_stream() {
  if (stream_ != nullptr || !takes_stream_ || session_->streams().is_full()) return;
  stream_ = &session_->streams().open(key(), stable_id_);
  save();
  changed_.cancel();
}

void SessionCall::save() {
  if (stream_ == nullptr || !can_run_again()) return;
  session_->save_call({.id = stable_id_, .request = request_, .questions = questions_});
}

void SessionCall::question_begun(const std::string& id) {
  questions_.push_back(id);
  become_stream();
  save();
}

void SessionCall::question_ended(const std::string& id) {
  std::erase(questions_, id);
  save();
}

void SessionCall::withdraw(const std::string& question, std::string_view reason) {
  const json::object params{{"requestId", question}, {"reason", reason}};
  send(session_->hold(rpc_notification("notifications/cancelled", params)), 0);
}

bool SessionCall::can_run_again() const {
  if (request_.method != "tools/call") return false;
  const Tool* const tool =
      session_->server().methods.tool(text_of(member(request_.params, "name")));
  return tool != nullptr && tool->can_run_again &&
         tool->can_run_again(object_of(member(request_.params, "arguments")));
}

void SessionCall::send(SharedMessage message, std::uint64_t position) {
  become_stream();
  if (stream_ == nullptr) return session_->notify(std::move(message));
  session_->streams().send(*stream_, std::move(message), EventKind::kMessage, position);
}

asio::awaitable<InputAnswers> SessionCall::ask(std::vector<InputRequest> inputs, json::object) {
  if (auto refusal = missing_capability(inputs, session_->client().capabilities))
    co_return *std::move(refusal);
  OpenQuestions questions(*session_, *this);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    questions.begin();
  co_await session_->saved();  // what a client has been asked is known after a restart
  for (std::size_t i = 0; i < inputs.size(); ++i)
    questions.send(i, inputs[i]);
  while (!questions.are_answered())
    co_await questions.answered().wait();
  json::object answers;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!questions.answer(i)) co_return questions.answer(i).error();
    answers[inputs[i].key] = *questions.answer(i);
  }
  co_return answers;
}

void SessionCall::end_connection() {
  if (!session_->takes_priming()) return;  // the client could not resume
  become_stream();
  if (stream_ != nullptr) session_->streams().end_connection(*stream_);
}

}  // namespace oriel::mcp
