#pragma once
// An upload as multipart/form-data: a few fields, and files that go to the disk as they come.

#include "http/multipart.h"
#include "http/request_body.h"
#include "supervisor/sessions/uploads.h"

#include <boost/system/result.hpp>

#include <map>
#include <string>
#include <string_view>

namespace oriel {

// The fields that came: session_id, text, request_id, timestamp. Each at most once, as UTF-8 of a
// bounded size.
class FormFields {
 public:
  explicit FormFields(std::size_t max_bytes = 0) : max_bytes_(max_bytes) {}

  // Errors (invalid_request) name the field.
  Result<void> begin(std::string_view name);
  Result<void> write(std::string_view bytes);
  Result<void> end();

  std::string text(std::string_view name) const;  // empty when it did not come

  bool has(std::string_view name) const { return fields_.contains(std::string(name)); }

 private:
  std::size_t max_bytes_;  // of all together
  std::size_t bytes_ = 0;
  std::map<std::string, std::string> fields_;
  std::string open_;  // the one that comes
};

// Reads all of the body: every part with a file name goes to `upload`, every other one is a field.
// An error is the answer to give.
asio::awaitable<boost::system::result<FormFields, http::Response>> read_upload(
    http::RequestBody& body, std::string boundary, Upload& upload, FormFields fields);

}  // namespace oriel
