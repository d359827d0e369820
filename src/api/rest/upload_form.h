#pragma once
// Uploads as multipart/form-data: a few fields, and files that are streamed to disk.

#include "http/multipart.h"
#include "http/request_body.h"
#include "supervisor/sessions/uploads.h"

#include <boost/system/result.hpp>

#include <map>
#include <string>
#include <string_view>

namespace oriel {

// The fields session_id, text, request_id and timestamp: each at most once, in UTF-8, limited in
// size.
class FormFields {
 public:
  explicit FormFields(std::size_t max_bytes = 0) : max_bytes_(max_bytes) {}

  // Errors name the field.
  Result<void> begin(std::string_view name);
  Result<void> write(std::string_view bytes);
  Result<void> end();

  std::string text(std::string_view name) const;  // empty if absent

  bool has(std::string_view name) const { return fields_.contains(std::string(name)); }

 private:
  std::size_t max_bytes_;  // of all fields
  std::size_t bytes_ = 0;
  std::map<std::string, std::string> fields_;
  std::string open_;  // the field being read
};

// Reads the whole body: parts with a file name go to `upload`, all others are fields.
asio::awaitable<boost::system::result<FormFields, http::Response>> read_upload(
    http::RequestBody& body, std::string boundary, Upload& upload, FormFields fields);

}  // namespace oriel
