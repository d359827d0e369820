#include "cluster/entry_codec.h"

#include "base/text/text_hash.h"
#include "cluster/byte_writer.h"

#include <algorithm>
#include <utility>

namespace oriel {
namespace {

constexpr std::string_view kMark = "ORL";
constexpr std::size_t kChecksumBytes = 8;
constexpr std::size_t kAttemptBytes = 4;
constexpr std::size_t kFormatOffset = kMark.size();
constexpr std::size_t kChecksumOffset = kFormatOffset + 1;
constexpr std::size_t kAttemptOffset = kChecksumOffset + kChecksumBytes;
constexpr std::size_t kBodyOffset = kAttemptOffset + kAttemptBytes;

constexpr std::size_t kMaxAuthor = 128;

// Lowest byte first.
std::string fixed(std::uint64_t value, std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i, value >>= 8)
    bytes += static_cast<char>(value & 0xFF);
  return bytes;
}

std::uint64_t read_fixed(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

void write(ByteWriter& out, const Record& record) {
  out.number(static_cast<std::uint64_t>(unix_milliseconds(record.time)));
  out.text(record.type);
  out.text(name_of(record.event_type));
  out.text(record.session_id);
  out.text(record.project_id);
  out.text(record.body);
}

std::shared_ptr<Record> read_record(ByteReader& in) {
  auto record = std::make_shared<Record>();
  const auto time = wall_time(static_cast<std::int64_t>(in.number()));
  if (time)
    record->time = *time;
  else
    in.fail();
  record->type = in.text();
  const std::string_view event_type = in.text();
  record->event_type = parse_event_type(event_type);
  if (name_of(record->event_type) != event_type) in.fail();
  record->session_id = in.text();
  record->project_id = in.text();
  record->body = in.text();
  return record;
}

// Documents and guards.
template <class Pair>
void write_pairs(ByteWriter& out, const std::vector<Pair>& pairs) {
  out.number(pairs.size());
  for (const Pair& pair : pairs) {
    out.text(pair.key);
    out.text(pair.value);
  }
}

template <class Pair>
std::vector<Pair> read_pairs(ByteReader& in) {
  std::vector<Pair> pairs;
  for (std::size_t count = in.count(); count > 0 && !in.has_failed(); --count) {
    Pair& pair = pairs.emplace_back();
    pair.key = in.text();
    pair.value = in.text();
  }
  return pairs;
}

Proposal read_proposal(ByteReader& in) {
  Proposal proposal;
  for (std::size_t count = in.count(); count > 0 && !in.has_failed(); --count)
    proposal.records.push_back(read_record(in));
  proposal.documents = read_pairs<Document>(in);
  proposal.guards = read_pairs<Guard>(in);
  return proposal;
}

std::string encode_part(std::string_view author, std::uint64_t number, std::size_t part,
                        std::size_t parts, std::string_view payload) {
  ByteWriter body;
  body.text(author);
  body.number(number);
  body.number(part);
  body.number(parts);
  body.raw(payload);
  const std::string bytes = body.take();
  std::string message(kMark);
  message.reserve(kBodyOffset + bytes.size());
  message += static_cast<char>(kEntryFormat);
  message += fixed(text_hash(bytes), kChecksumBytes);
  message += fixed(0, kAttemptBytes);
  return message += bytes;
}

bool is_sound(const EntryPart& part) {
  return !part.author.empty() && part.author.size() <= kMaxAuthor && part.number > 0 &&
         part.part > 0 && part.part <= part.parts && part.parts <= kMaxParts;
}

}  // namespace

std::uint64_t EntryPart::identity() const {
  std::string name = author;
  name += ' ' + std::to_string(number) + ' ' + std::to_string(part);
  return text_hash(name, digest);
}

std::string encode_proposals(std::span<const Proposal> proposals) {
  ByteWriter out;
  out.number(proposals.size());
  for (const Proposal& proposal : proposals) {
    out.number(proposal.records.size());
    for (const auto& record : proposal.records)
      write(out, *record);
    write_pairs(out, proposal.documents);
    write_pairs(out, proposal.guards);
  }
  return out.take();
}

std::optional<std::vector<Proposal>> decode_proposals(std::string_view payload) {
  ByteReader in(payload);
  std::vector<Proposal> proposals;
  for (std::size_t count = in.count(); count > 0 && !in.has_failed(); --count)
    proposals.push_back(read_proposal(in));
  if (!in.is_complete()) return std::nullopt;
  return proposals;
}

std::vector<std::string> encode_entry(std::string_view author, std::uint64_t number,
                                      std::string_view payload) {
  const std::size_t parts =
      std::max<std::size_t>((payload.size() + kMaxPartBytes - 1) / kMaxPartBytes, 1);
  std::vector<std::string> messages;
  for (std::size_t part = 1; part <= parts; ++part) {
    const std::string_view piece = payload.substr(0, kMaxPartBytes);
    payload.remove_prefix(piece.size());
    messages.push_back(encode_part(author, number, part, parts, piece));
  }
  return messages;
}

EntryPart decode_message(std::string_view message) {
  // Garbage counts as it is: all nodes see the same bytes.
  const EntryPart garbage{.digest = text_hash(message)};
  if (message.size() < kBodyOffset || !message.starts_with(kMark)) return garbage;
  const std::string_view body = message.substr(kBodyOffset);
  const std::uint64_t digest = text_hash(body);
  if (read_fixed(message.substr(kChecksumOffset, kChecksumBytes)) != digest) return garbage;
  EntryPart part{.kind = MessageKind::kPart,
                 .format = static_cast<unsigned char>(message[kFormatOffset]),
                 .digest = digest};
  part.attempt =
      static_cast<std::uint32_t>(read_fixed(message.substr(kAttemptOffset, kAttemptBytes)));
  if (part.format == 0) return garbage;
  if (part.format > kEntryFormat) {
    part.kind = MessageKind::kNewer;
    return part;
  }
  ByteReader in(body);
  part.author = in.text();
  part.number = in.number();
  part.part = static_cast<std::size_t>(in.number());
  part.parts = static_cast<std::size_t>(in.number());
  if (in.has_failed() || !is_sound(part)) return garbage;
  part.payload = in.rest();
  return part;
}

void set_attempt(std::string& message, std::uint32_t attempt) {
  message.replace(kAttemptOffset, kAttemptBytes, fixed(attempt, kAttemptBytes));
}

}  // namespace oriel
