#include "api/rest/upload_form.h"

#include "api/error_response.h"
#include "base/text/quote.h"
#include "base/text/utf8.h"

#include <algorithm>
#include <array>
#include <utility>

namespace oriel {
namespace {

constexpr std::array<std::string_view, 4> kKnown = {"session_id", "text", "request_id",
                                                    "timestamp"};

Error invalid(const std::string& problem) {
  return {.kind = ErrorKind::kInvalidRequest,
          .message = problem,
          .hint =
              "send session_id, one or more files, and any of text, request_id, timestamp, "
              "each once"};
}

// Routes the parts of a form to fields and files.
class FormSink {
 public:
  FormSink(Upload& upload, FormFields& fields) : upload_(upload), fields_(fields) {}

  asio::awaitable<Result<void>> take(http::MultipartEvent event) {
    if (auto* begins = std::get_if<http::PartBegins>(&event)) return begin(std::move(*begins));
    if (auto* bytes = std::get_if<http::PartBytes>(&event)) return write(std::move(bytes->bytes));
    return end();
  }

 private:
  asio::awaitable<Result<void>> begin(http::PartBegins part) {
    is_file_ = part.filename.has_value();
    if (!is_file_) co_return fields_.begin(part.name);
    if (part.filename->empty()) co_return invalid(quote(part.name) + ": a file without a name");
    co_return co_await upload_.begin(*std::move(part.filename), std::move(part.type));
  }

  asio::awaitable<Result<void>> write(std::string bytes) {
    if (!is_file_) co_return fields_.write(bytes);
    co_return co_await upload_.write(std::move(bytes));
  }

  asio::awaitable<Result<void>> end() {
    if (!is_file_) co_return fields_.end();
    co_return co_await upload_.end();
  }

  Upload& upload_;
  FormFields& fields_;
  bool is_file_ = false;
};

}  // namespace

Result<void> FormFields::begin(std::string_view name) {
  if (std::find(kKnown.begin(), kKnown.end(), name) == kKnown.end())
    return invalid(quote(name) + ": unknown field; a file part needs a filename");
  if (has(name)) return invalid(std::string(name) + ": appears more than once");
  open_ = name;
  fields_[open_];
  return {};
}

Result<void> FormFields::write(std::string_view bytes) {
  bytes_ += bytes.size();
  if (bytes_ > max_bytes_) {
    return Error{.kind = ErrorKind::kBodyTooLarge,
                 .message = open_ + ": the fields exceed " + std::to_string(max_bytes_) + " bytes",
                 .hint = "send a long text as a file"};
  }
  fields_[open_] += bytes;
  return {};
}

Result<void> FormFields::end() {
  if (!is_utf8(fields_[open_])) return invalid(open_ + ": is not UTF-8");
  return {};
}

std::string FormFields::text(std::string_view name) const {
  const auto found = fields_.find(std::string(name));
  return found == fields_.end() ? "" : found->second;
}

asio::awaitable<boost::system::result<FormFields, http::Response>> read_upload(
    http::RequestBody& body, std::string boundary, Upload& upload, FormFields fields) {
  http::MultipartParser parser(boundary);
  FormSink sink(upload, fields);
  while (true) {
    const auto piece = co_await body.next();
    if (!piece) co_return piece.error();
    if (piece->empty()) break;
    auto events = parser.feed(*piece);
    if (!events) co_return error_response(events.error());
    for (http::MultipartEvent& event : *events) {
      auto taking = sink.take(std::move(event));
      const auto taken = co_await std::move(taking);
      if (!taken) co_return error_response(taken.error());
    }
  }
  if (const auto whole = parser.finish(); !whole) co_return error_response(whole.error());
  co_return fields;
}

}  // namespace oriel
