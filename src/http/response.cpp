#include "http/response.h"

#include "http/error_status.h"

#include <boost/json/serialize.hpp>
#include <boost/url/encode.hpp>
#include <boost/url/rfc/unreserved_chars.hpp>
#include <spdlog/fmt/fmt.h>

#include <array>
#include <chrono>
#include <stdexcept>

namespace oriel::http {
namespace {

std::string_view reason(int status) {
  switch (status) {
    case 100:
      return "Continue";
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 202:
      return "Accepted";
    case 204:
      return "No Content";
    case 301:
      return "Moved Permanently";
    case 302:
      return "Found";
    case 303:
      return "See Other";
    case 304:
      return "Not Modified";
    case 307:
      return "Temporary Redirect";
    case 308:
      return "Permanent Redirect";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 406:
      return "Not Acceptable";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 410:
      return "Gone";
    case 411:
      return "Length Required";
    case 412:
      return "Precondition Failed";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 417:
      return "Expectation Failed";
    case 422:
      return "Unprocessable Content";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 502:
      return "Bad Gateway";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    case 505:
      return "HTTP Version Not Supported";
    default:
      return "Unknown";
  }
}

std::string format_date(std::chrono::sys_seconds time) {
  static constexpr std::array kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  static constexpr std::array kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return fmt::format(
      "{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT", kDays[std::chrono::weekday(day).c_encoding()],
      static_cast<unsigned>(date.day()), kMonths[static_cast<unsigned>(date.month()) - 1],
      static_cast<int>(date.year()), clock.hours().count(), clock.minutes().count(),
      clock.seconds().count());
}

// Formatted once per second and thread.
const std::string& date_now() {
  thread_local std::chrono::sys_seconds made_at;
  thread_local std::string date;
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  if (date.empty() || now != made_at) {
    date = format_date(now);
    made_at = now;
  }
  return date;
}

void append_header(std::string& head, std::string_view name, std::string_view value) {
  head += name;
  head += ": ";
  head += value;
  head += "\r\n";
}

// No page of another site can frame, embed or reinterpret a response.
constexpr std::string_view kIsolation =
    "X-Frame-Options: DENY\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "X-Content-Type-Options: nosniff\r\n";

// A line break in a value would inject headers.
void check_header(std::string_view name, std::string_view value) {
  constexpr std::string_view kBreaks("\r\n\0", 3);
  if (name.empty() || name.find_first_of(": \t\r\n") != std::string_view::npos ||
      value.find_first_of(kBreaks) != std::string_view::npos) {
    throw std::logic_error(fmt::format("the response header {} holds a line break", name));
  }
}

// RFC 9110, 8.6: these statuses have no body.
bool has_no_body(int status) {
  return status < 200 || status == 204 || status == 304;
}

}  // namespace

Response text_response(int status, std::string content_type, std::string body) {
  Response response;
  response.status = status;
  response.headers.emplace_back("Content-Type", std::move(content_type));
  response.body = std::make_shared<const std::string>(std::move(body));
  return response;
}

Response json_response(int status, const boost::json::value& body) {
  return text_response(status, "application/json", boost::json::serialize(body));
}

Response error_response(const Error& error) {
  return json_response(
      status_of(error.kind),
      {{"error",
        {{"code", code_of(error.kind)}, {"message", error.message}, {"hint", error.hint}}}});
}

Response bad_request(std::string message, std::string hint) {
  return error_response(
      {.kind = ErrorKind::kBadRequest, .message = std::move(message), .hint = std::move(hint)});
}

std::string attachment(std::string_view file_name) {
  std::string plain(file_name);
  for (char& c : plain) {
    const bool is_ascii = c >= 0x20 && c < 0x7f;
    if (!is_ascii || c == '"' || c == '\\' || c == '%') c = '_';
  }
  return fmt::format("attachment; filename=\"{}\"; filename*=UTF-8''{}", plain,
                     boost::urls::encode(file_name, boost::urls::unreserved_chars));
}

std::string serialize_head(const Response& response, std::optional<std::uint64_t> body_bytes,
                           bool keep_alive) {
  std::string head;
  head.reserve(512);
  head.append("HTTP/1.1 ").append(std::to_string(response.status)).append(" ");
  head.append(reason(response.status)).append("\r\n");
  append_header(head, "Date", date_now());
  append_header(head, "Server", "oriel");
  bool has_policy = false;
  for (const auto& [name, value] : response.headers) {
    check_header(name, value);
    append_header(head, name, value);
    has_policy = has_policy || name == "Content-Security-Policy";
  }
  if (!has_policy) append_header(head, "Content-Security-Policy", "frame-ancestors 'none'");
  head += kIsolation;
  if (body_bytes && !has_no_body(response.status)) {
    append_header(head, "Content-Length", std::to_string(*body_bytes));
  }
  append_header(head, "Connection", keep_alive ? "keep-alive" : "close");
  head += "\r\n";
  return head;
}

}  // namespace oriel::http
