#include "client/http_client.h"

#include "base/text/ascii.h"
#include "runtime/deadline.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <algorithm>
#include <array>

namespace oriel {
namespace {

namespace beast_http = boost::beast::http;
namespace ssl = asio::ssl;
using asio::ip::tcp;

constexpr std::size_t kReadBytes = 16 << 10;
constexpr std::size_t kMaxHeadBytes = 64 << 10;

Error client_error(ErrorKind kind, std::string message) {
  if (!message.empty()) message[0] = static_cast<char>(std::tolower(message[0]));
  return {.kind = kind, .message = std::move(message), .hint = {}};
}

Error timeout_error(std::string_view what, std::chrono::milliseconds limit) {
  const auto seconds = std::chrono::duration<double>(limit).count();
  std::string number = std::to_string(seconds);
  number.erase(number.find_last_not_of('0') + 1);
  if (number.ends_with('.')) number.pop_back();
  return client_error(ErrorKind::kTimedOut, std::string(what) + " within " + number + " s");
}

std::string serialize(const HttpRequest& request) {
  std::string text = request.method + " " + request.server.path + request.target + " HTTP/1.1\r\n";
  text += "Host: " + request.server.authority() + "\r\n";
  text += "User-Agent: oriel\r\nConnection: close\r\n";
  for (const auto& [name, value] : request.headers)
    text.append(name).append(": ").append(value).append("\r\n");
  if (!request.body.empty() || request.method != "GET") {
    text += "Content-Length: " + std::to_string(request.body.size()) + "\r\n";
  }
  return text + "\r\n" + request.body;
}

}  // namespace

// A socket, with or without TLS, and the response parser.
struct HttpStream::Connection {
  explicit Connection(const asio::any_io_executor& executor) : socket(executor) {
    parser.eager(true);
    parser.header_limit(kMaxHeadBytes);
    parser.body_limit(boost::none);
  }

  asio::awaitable<void> connect(http::Url server);
  asio::awaitable<void> exchange(std::string request);
  asio::awaitable<bool> receive();
  void parse();

  std::string take_body() { return std::exchange(parser.get().body(), {}); }

  ssl::context context{ssl::context::tls_client};
  tcp::socket socket;
  std::optional<ssl::stream<tcp::socket&>> tls;
  beast_http::response_parser<beast_http::string_body> parser;
  std::string pending;  // bytes not parsed yet
};

namespace {

void require_trust(ssl::stream<tcp::socket&>& tls, const std::string& host) {
  tls.set_verify_mode(ssl::verify_peer);
  SSL* const handle = tls.native_handle();
  if (X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(handle), host.c_str()) == 1) return;
  SSL_set1_host(handle, host.c_str());
  SSL_set_tlsext_host_name(handle, host.c_str());
}

bool is_trust_failure(const error_code& ec) {
  return ec.category() == asio::error::get_ssl_category() &&
         ERR_GET_REASON(static_cast<unsigned long>(ec.value())) == SSL_R_CERTIFICATE_VERIFY_FAILED;
}

Error trust_error(ssl::stream<tcp::socket&>& tls) {
  const long reason = SSL_get_verify_result(tls.native_handle());
  return {.kind = ErrorKind::kTlsUntrusted,
          .message = std::string("the server's certificate is not trusted: ") +
                     X509_verify_cert_error_string(reason),
          .hint = "set SSL_CERT_FILE to the certificate of another authority"};
}

HttpResponse response_head(const beast_http::response_parser<beast_http::string_body>& parser) {
  HttpResponse response;
  response.status = parser.get().result_int();
  for (const auto& field : parser.get()) {
    response.headers.emplace_back(lower_case(field.name_string()), std::string(field.value()));
  }
  return response;
}

}  // namespace

asio::awaitable<void> HttpStream::Connection::connect(http::Url server) {
  tcp::resolver resolver(socket.get_executor());
  const std::string port = std::to_string(server.port);
  const auto endpoints = co_await resolver.async_resolve(
      server.host, port, tcp::resolver::numeric_service, asio::use_awaitable);
  co_await asio::async_connect(socket, endpoints, asio::use_awaitable);
  socket.set_option(tcp::no_delay(true));
  if (!server.is_tls) co_return;
  context.set_default_verify_paths();
  tls.emplace(socket, context);
  require_trust(*tls, server.host);
  co_await tls->async_handshake(ssl::stream_base::client, asio::use_awaitable);
}

asio::awaitable<void> HttpStream::Connection::exchange(std::string request) {
  if (tls) {
    co_await asio::async_write(*tls, asio::buffer(request), asio::use_awaitable);
  } else {
    co_await asio::async_write(socket, asio::buffer(request), asio::use_awaitable);
  }
  bool is_open = true;
  while (is_open && !parser.is_header_done())
    is_open = co_await receive();
}

// Reads and parses once; false if the server has closed the connection.
asio::awaitable<bool> HttpStream::Connection::receive() {
  std::array<char, kReadBytes> bytes;
  const auto buffer = asio::buffer(bytes);
  std::size_t count = 0;
  error_code ec;
  if (tls) {
    std::tie(ec, count) = co_await tls->async_read_some(buffer, kNoThrow);
  } else {
    std::tie(ec, count) = co_await socket.async_read_some(buffer, kNoThrow);
  }
  pending.append(bytes.data(), count);
  parse();
  if (!ec) co_return true;
  if (ec != asio::error::eof && ec != ssl::error::stream_truncated) {
    throw boost::system::system_error(ec);
  }
  error_code is_cut;
  if (parser.got_some() && !parser.is_done()) parser.put_eof(is_cut);
  if (is_cut) throw boost::system::system_error(is_cut);
  co_return false;
}

void HttpStream::Connection::parse() {
  error_code ec;
  while (!pending.empty() && !parser.is_done()) {
    const std::size_t used = parser.put(asio::buffer(pending), ec);
    pending.erase(0, used);
    if (ec == beast_http::error::need_more) return;
    if (ec) throw boost::system::system_error(ec);
    if (used == 0) return;
  }
}

HttpStream::HttpStream() = default;
HttpStream::~HttpStream() = default;

asio::awaitable<Result<HttpResponse>> HttpStream::open(HttpRequest request,
                                                       HttpDeadlines deadlines) {
  connection_ = std::make_unique<Connection>(co_await asio::this_coro::executor);
  auto connecting = connection_->connect(request.server);
  try {
    co_await with_deadline(deadlines.connect, std::move(connecting));
  } catch (const boost::system::system_error& problem) {
    if (is_trust_failure(problem.code())) co_return trust_error(*connection_->tls);
    co_return client_error(ErrorKind::kConnectFailed, problem.code().message());
  } catch (const TimedOut&) {
    co_return timeout_error("no connection", deadlines.connect);
  }
  auto exchanging = connection_->exchange(serialize(request));
  try {
    co_await with_deadline(deadlines.response, std::move(exchanging));
  } catch (const boost::system::system_error& problem) {
    const bool is_http =
        problem.code().category() == make_error_code(beast_http::error{}).category();
    co_return client_error(is_http ? ErrorKind::kBadAnswer : ErrorKind::kConnectionLost,
                           problem.code().message());
  } catch (const TimedOut&) {
    co_return timeout_error("no response", deadlines.response);
  }
  if (!connection_->parser.is_header_done()) {
    co_return client_error(ErrorKind::kConnectionLost,
                           "the server closed the connection without a response");
  }
  co_return response_head(connection_->parser);
}

void HttpStream::close() {
  error_code ignored;
  if (connection_) connection_->socket.close(ignored);
}

asio::awaitable<Result<std::string>> HttpStream::read(std::chrono::milliseconds limit) {
  std::string body = connection_->take_body();
  bool is_open = true;
  const auto until = std::chrono::steady_clock::now() + limit;
  while (body.empty() && is_open && !connection_->parser.is_done()) {
    auto receiving = connection_->receive();
    const auto left = until - std::chrono::steady_clock::now();
    try {
      is_open = co_await with_deadline(left, std::move(receiving));
    } catch (const boost::system::system_error& problem) {
      co_return client_error(ErrorKind::kConnectionLost, problem.code().message());
    } catch (const TimedOut&) {
      co_return timeout_error("nothing received", limit);
    }
    body = connection_->take_body();
  }
  co_return Result<std::string>(boost::system::in_place_value, std::move(body));
}

asio::awaitable<Result<std::string>> HttpStream::read_rest(std::chrono::milliseconds limit,
                                                           std::size_t max_bytes) {
  std::string body;
  const auto until = std::chrono::steady_clock::now() + limit;
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    auto more = co_await read(left);
    if (!more) co_return more.error();
    if (more->empty()) co_return Result<std::string>(boost::system::in_place_value, body);
    body += *more;
    if (body.size() > max_bytes) {
      co_return client_error(ErrorKind::kBadAnswer, "the response is larger than " +
                                                        std::to_string(max_bytes >> 20) + "MiB");
    }
  }
}

std::optional<std::string_view> HttpResponse::header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (key == name) return value;
  }
  return std::nullopt;
}

asio::awaitable<Result<HttpResponse>> fetch(HttpRequest request, HttpDeadlines deadlines,
                                            std::size_t max_bytes) {
  HttpStream stream;
  auto response = co_await stream.open(std::move(request), deadlines);
  if (!response) co_return response.error();
  auto body = co_await stream.read_rest(deadlines.response, max_bytes);
  if (!body) co_return body.error();
  response->body = std::move(*body);
  co_return response;
}

}  // namespace oriel
