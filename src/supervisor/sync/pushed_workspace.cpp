#include "supervisor/sync/pushed_workspace.h"

#include "base/text/json_document.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <exception>

namespace oriel {

std::string pushed_document_key(std::string_view session_id) {
  return "pushed/" + std::string(session_id);
}

std::string to_pushed_document(const PushedWorkspace& pushed) {
  const boost::json::object object = {{"commit", pushed.commit},
                                      {"time", unix_milliseconds(pushed.time)}};
  return boost::json::serialize(object);
}

Result<PushedWorkspace> parse_pushed_document(std::string_view text) {
  try {
    const boost::json::value value = boost::json::parse(text);
    const DocumentFields fields(value);
    return PushedWorkspace{.commit = fields.text("commit"), .time = fields.time("time")};
  } catch (const std::exception& failure) {
    return Error{
        .kind = ErrorKind::kBadDocument,
        .message = std::string("not the document of a pushed workspace: ") + failure.what(),
        .hint = "another version of Oriel may have written it"};
  }
}

}  // namespace oriel
