#include "auth/auth_refusals.h"

#include "base/log.h"
#include "base/text/quote.h"
#include "http/client_network.h"

#include <spdlog/fmt/fmt.h>

namespace oriel {
namespace {

constexpr std::array<std::string_view, kAuthRefusals> kNames = {"missing_credential",
                                                                "wrong_token",
                                                                "wrong_ticket",
                                                                "wrong_cookie",
                                                                "wrong_code",
                                                                "scope",
                                                                "origin",
                                                                "host",
                                                                "slowed"};

// Empty: loopback, or no IP address.
std::string network_of(std::string address) {
  if (address.starts_with('[') && address.ends_with(']'))
    address = address.substr(1, address.size() - 2);
  boost::system::error_code problem;
  const auto parsed = asio::ip::make_address(address, problem);
  return problem ? std::string() : http::client_network(parsed);
}

}  // namespace

std::string_view name_of(AuthRefusal reason) {
  return kNames.at(static_cast<std::size_t>(reason));
}

void AuthRefusals::count(AuthRefusal reason) {
  counts_.at(static_cast<std::size_t>(reason)).fetch_add(1, std::memory_order_relaxed);
}

std::uint64_t AuthRefusals::count_of(AuthRefusal reason) const {
  return counts_.at(static_cast<std::size_t>(reason)).load(std::memory_order_relaxed);
}

std::chrono::seconds AuthRefusals::wrong_credential(const http::Request& request,
                                                    AuthRefusal reason, SteadyTime now) {
  const std::string sender = sender_of(request);
  const auto wait = attempts_.wait(sender, now);
  if (wait.count() > 0) {
    count(AuthRefusal::kSlowed);
    return wait;
  }
  attempts_.record(sender, now);
  count(reason);
  log()->warn("{} {} from {}: {}", request.method, quote(request.path), request.peer,
              name_of(reason));
  return wait;
}

http::Response slow_down(std::chrono::seconds wait) {
  http::Response response =
      http::error_response({.kind = ErrorKind::kTooManyRequests,
                            .message = "too many wrong credentials from this address",
                            .hint = fmt::format("retry in {} s", wait.count())});
  response.headers.emplace_back("Retry-After", std::to_string(wait.count()));
  return response;
}

std::string sender_of(const http::Request& request) {
  const std::string address = request.address();
  const std::string network = network_of(address);
  const std::string& from = network.empty() ? address : network;
  return request.peer_user ? fmt::format("{} {}", from, *request.peer_user) : from;
}

}  // namespace oriel
