#include "supervisor/cluster/file_calls.h"

#include "base/id.h"
#include "base/text/json_document.h"
#include "base/text/json_text.h"
#include "supervisor/sessions/file_name.h"

#include <boost/json/parse.hpp>

#include <exception>
#include <stdexcept>
#include <utility>

namespace oriel {
namespace {

namespace json = boost::json;

std::string with_bytes(const json::object& head, std::string_view bytes) {
  std::string message = json_text(head);
  message += '\n';
  message += bytes;
  return message;
}

// A file whose name in its session's directory leads nowhere else.
TurnFile file_in(const DocumentFields& fields) {
  TurnFile file;
  file.file_id = fields.text("file_id");
  file.name = fields.text("name");
  if (!is_random_id(file.file_id) || safe_file_name(file.name) != file.name)
    throw std::invalid_argument("a file without a safe name");
  return file;
}

template <class Value>
Result<Value> parse_with(Value (*read)(const DocumentFields& fields, std::string_view bytes),
                         std::string_view message) {
  try {
    const std::size_t end = message.find('\n');
    if (end == message.npos) throw std::invalid_argument("it is not complete");
    const json::value head = json::parse(message.substr(0, end));
    return read(DocumentFields(head), message.substr(end + 1));
  } catch (const std::exception& failure) {
    return Error{.kind = ErrorKind::kBadDocument,
                 .message = std::string("not a file of another node: ") + failure.what(),
                 .hint = "run the same version of Oriel on all nodes"};
  }
}

PutCall put_call_in(const DocumentFields& fields, std::string_view bytes) {
  PutCall call{.transfer_id = fields.text("transfer_id"),
               .file = file_in(fields),
               .begins = fields.flag("begins"),
               .ends = fields.flag("ends"),
               .bytes = std::string(bytes)};
  call.file.type = fields.text("type");
  return call;
}

GetCall get_call_in(const DocumentFields& fields, std::string_view) {
  GetCall call{.session_id = fields.text("session_id"),
               .file = file_in(fields),
               .offset = fields.number("offset")};
  if (!is_name(call.session_id)) throw std::invalid_argument("a session without a name");
  return call;
}

FilePiece file_piece_in(const DocumentFields& fields, std::string_view bytes) {
  return {.file_size = fields.number("file_size"), .bytes = std::string(bytes)};
}

}  // namespace

std::string to_message(const PutCall& call) {
  return with_bytes(json::object{{"transfer_id", call.transfer_id},
                                 {"file_id", call.file.file_id},
                                 {"name", call.file.name},
                                 {"type", call.file.type},
                                 {"begins", call.begins},
                                 {"ends", call.ends}},
                    call.bytes);
}

std::string to_message(const GetCall& call) {
  return with_bytes(json::object{{"session_id", call.session_id},
                                 {"file_id", call.file.file_id},
                                 {"name", call.file.name},
                                 {"offset", call.offset}},
                    {});
}

std::string to_message(const FilePiece& piece) {
  return with_bytes(json::object{{"file_size", piece.file_size}}, piece.bytes);
}

Result<PutCall> parse_put_call(std::string_view message) {
  return parse_with<PutCall>(put_call_in, message);
}

Result<GetCall> parse_get_call(std::string_view message) {
  return parse_with<GetCall>(get_call_in, message);
}

Result<FilePiece> parse_file_piece(std::string_view message) {
  return parse_with<FilePiece>(file_piece_in, message);
}

}  // namespace oriel
