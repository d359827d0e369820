#pragma once
// The calls that carry uploaded files from node to node: a JSON object in one line, then bytes as
// they are. Pure.

#include "base/error.h"
#include "base/event/turn.h"
#include "supervisor/sessions/uploads.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace oriel {

// The next bytes of an upload, whose files come one after another.
struct PutCall {
  static constexpr std::string_view kMethod = "file_put";

  std::string transfer_id;  // of the upload
  TurnFile file;            // that the bytes belong to; its size is not sent
  bool begins = false;      // the first bytes of the file
  bool ends = false;        // the last ones
  std::string bytes = {};

  bool operator==(const PutCall&) const = default;
};

// Asks for the bytes of a session's file from there on. The answer is a FilePiece.
struct GetCall {
  static constexpr std::string_view kMethod = "file_get";

  std::string session_id;
  TurnFile file;  // its type and size are not sent
  std::uint64_t offset = 0;

  bool operator==(const GetCall&) const = default;
};

std::string to_message(const PutCall& call);
std::string to_message(const GetCall& call);
std::string to_message(const FilePiece& piece);

// Parse the output of to_message(). Names of files are as safe as those that this node gives.
// Error: bad_document.
Result<PutCall> parse_put_call(std::string_view message);
Result<GetCall> parse_get_call(std::string_view message);
Result<FilePiece> parse_file_piece(std::string_view message);

}  // namespace oriel
