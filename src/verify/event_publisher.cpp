#include "verify/event_publisher.h"

#include "base/text/json_access.h"
#include "verify/feed_reader.h"

namespace oriel {
namespace {

constexpr std::size_t kMaxPadding = 6000;

// Any other failure leaves open whether the event is stored.
bool is_refusal(const HttpResponse& response) {
  const std::string code = text_at(parse_object(response.body), "error", "code");
  return code == "journal_failed" || code == "journal_busy" || code == "starting";
}

}  // namespace

EventPublisher::EventPublisher(ServerAccess server, unsigned publisher, std::uint64_t seed,
                               Ledger& ledger)
    : server_(std::move(server)), publisher_(publisher), random_(seed), ledger_(ledger) {}

asio::awaitable<void> EventPublisher::run() {
  while (!is_stopping_) {
    auto publishing = publish(random_() % kMaxPadding);
    const auto sequence = co_await std::move(publishing);
    if (!sequence) co_await pause_client();
  }
}

asio::awaitable<std::optional<Sequence>> EventPublisher::publish(std::size_t padding) {
  const EventNumber number{.publisher = publisher_, .number = next_++};
  HttpRequest request = make_request(server_, "POST", "/api/events");
  request.headers.emplace_back("Content-Type", "application/json");
  request.body = numbered_event_body(number, padding);
  auto fetching = fetch(std::move(request), kVerifyDeadlines);
  const auto response = co_await std::move(fetching);
  std::optional<Sequence> sequence;
  if (response && is_refusal(*response)) ledger_.refused.push_back(number);
  if (!response || response->status != 201) co_return sequence;
  const auto stored = number_of(member(parse_object(response->body), "sequence"));
  sequence = static_cast<Sequence>(stored.value_or(0));
  ledger_.events.push_back({.number = number, .sequence = *sequence});
  co_return sequence;
}

}  // namespace oriel
