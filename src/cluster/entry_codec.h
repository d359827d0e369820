#pragma once
// The bytes of the log's entries. An entry travels as one message, or as several parts if it is too
// large for one. Pure.
//
//   message   "ORL" format checksum attempt author number part parts payload
//   payload   proposals: records, documents, guards; the payloads of all parts, joined
//
// Numbers are LEB128, texts have their length before them. The checksum (8 bytes) covers all that
// follows the attempt (4 bytes), so that a repeated message differs in its attempt alone.

#include "cluster/format_version.h"
#include "journal/proposal.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// Fits the max_payload of a server's default settings, 1 MiB, also in base 64.
constexpr std::size_t kMaxPartBytes = 700 << 10;

constexpr std::size_t kMaxParts = 32;  // of one entry

enum class MessageKind {
  kPart,
  kGarbage,  // not written by Oriel, or damaged
  kNewer,    // in a format that only a newer version reads
};

// One message of the log.
struct EntryPart {
  MessageKind kind = MessageKind::kGarbage;
  unsigned format = 0;
  std::uint64_t digest = 0;   // of the message without its attempt
  std::uint32_t attempt = 0;  // how often its author had begun to repeat itself
  std::string author = {};
  std::uint64_t number = 0;
  std::size_t part = 0;  // from 1
  std::size_t parts = 0;
  std::string payload = {};

  // Of an entry, wherever it is stored.
  std::uint64_t identity() const;
};

std::string encode_proposals(std::span<const Proposal> proposals);

// None: this is not what encode_proposals() writes.
std::optional<std::vector<Proposal>> decode_proposals(std::string_view payload);

// The messages of an entry: one, unless the payload is larger than kMaxPartBytes.
std::vector<std::string> encode_entry(std::string_view author, std::uint64_t number,
                                      std::string_view payload);

EntryPart decode_message(std::string_view message);

// Changes a message that encode_entry() has returned.
void set_attempt(std::string& message, std::uint32_t attempt);

}  // namespace oriel
