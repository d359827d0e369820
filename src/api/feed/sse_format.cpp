#include "api/feed/sse_format.h"

#include "http/event_stream.h"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace oriel {
namespace {

namespace json = boost::json;

json::value number_or_null(std::optional<std::uint64_t> number) {
  return number ? json::value(*number) : json::value(nullptr);
}

std::string retry_line(std::chrono::milliseconds retry) {
  return "retry: " + std::to_string(retry.count()) + "\n";
}

}  // namespace

SharedBytes encode_frame(FramePtr frame, const std::string& epoch) {
  const std::string& bytes = frame->sse.get([&] {
    if (!frame->record) return gap_frame(frame->gap.oldest, frame->gap.head, frame->gap.missed);
    const Record& record = *frame->record;
    const std::string id = format_cursor({.sequence = record.sequence, .epoch = epoch});
    return http::sse_frame(id, record.type, record.json());
  });
  return {std::move(frame), &bytes};
}

std::string hello_frame(const Hello& hello) {
  json::object data;
  data["client_id"] = hello.client_id;
  data["epoch"] = hello.epoch;
  data["head"] = hello.head;
  data["oldest"] = hello.oldest;
  data["resumed"] = hello.is_resumed;
  data["missed"] = number_or_null(hello.missed);
  const std::string start = format_cursor({.sequence = hello.start, .epoch = hello.epoch});
  return retry_line(hello.retry) + http::sse_frame(start, "hello", json::serialize(data));
}

std::string gap_frame(Sequence oldest, Sequence head, std::optional<std::uint64_t> missed) {
  json::object data;
  data["oldest"] = oldest;
  data["head"] = head;
  data["missed"] = number_or_null(missed);
  return http::sse_frame("", "gap", json::serialize(data));
}

std::string bye_frame(std::string_view reason, std::chrono::milliseconds retry) {
  json::object data;
  data["reason"] = reason;
  data["retry_ms"] = retry.count();
  return retry_line(retry) + http::sse_frame("", "bye", json::serialize(data));
}

std::string cursor_frame(const Cursor& cursor) {
  return "id: " + format_cursor(cursor) + "\n\n";
}

}  // namespace oriel
