#include "journal/sqlite/event_row.h"

#include "journal/crc32c.h"

#include <concepts>

namespace oriel {
namespace {

constexpr int kIndexColumn = 1;
constexpr int kSessionColumn = 7;

// Numbers in the order of the bytes that every supported machine uses.
template <std::integral Integer>
void add(std::string& bytes, Integer number) {
  const auto value = static_cast<std::uint64_t>(number);
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void add(std::string& bytes, std::string_view text) {
  add(bytes, text.size());
  bytes.append(text);
}

// Without a copy of the text, which can be long.
void add_sum(std::string& bytes, std::string_view text) {
  add(bytes, text.size());
  add(bytes, crc32c(text));
}

}  // namespace

std::uint32_t checksum_of(const Record& record) {
  std::string bytes;
  add(bytes, record.sequence);
  add(bytes, record.session_id);
  add(bytes, record.index);
  add(bytes, record.time.time_since_epoch().count());
  add(bytes, record.type);
  add(bytes, record.project_id);
  add(bytes, name_of(record.event_type));
  add_sum(bytes, record.body);
  return crc32c(bytes);
}

std::uint32_t checksum_of_document(std::string_view key, std::string_view value) {
  std::string bytes;
  add(bytes, key);
  add_sum(bytes, value);
  return crc32c(bytes);
}

void insert_event(SqliteStatement& insert, const Record& record, std::int64_t session,
                  const StoredBody& stored) {
  const ContentReference& text = stored.text;
  insert.run(record.sequence, session, record.index, record.time.time_since_epoch().count(),
             record.type, record.project_id, text.content == 0 ? record.body : stored.without_text,
             name_of(record.event_type), checksum_of(record), text.content, text.offset, text.size);
}

std::string events_where(std::string_view condition) {
  return "SELECT seq, idx, time, type, coalesce(name, ''), project, kind, session "
         "FROM events LEFT JOIN sessions ON sessions.id = events.session WHERE " +
         std::string(condition);
}

Sequence sequence_of(const SqliteRows& row) {
  return static_cast<Sequence>(row.number(0));
}

std::int64_t session_of(const SqliteRows& row) {
  return row.number(kSessionColumn);
}

void read_event(const SqliteRows& row, Record& record) {
  record.sequence = sequence_of(row);
  record.index = static_cast<std::uint64_t>(row.number(kIndexColumn));
  record.time = WallTime(std::chrono::milliseconds(row.integer(2)));
  record.type = row.text(3);
  record.session_id = row.text(4);
  record.project_id = row.text(5);
  record.event_type = parse_event_type(row.text(6));
}

EventBodies::EventBodies(SqliteDatabase& database)
    : select_(database,
              "SELECT body, crc, content, text_offset, text_size FROM events WHERE seq = ?1"),
      contents_(database) {}

bool EventBodies::read(Record& record) {
  SqliteRows row = select_.query(record.sequence);
  row.expect();
  record.body = row.text(0);
  const ContentReference text{
      .content = row.integer(2), .offset = row.integer(3), .size = row.integer(4)};
  if (!contents_.restore(text, record.body)) return false;
  return row.is_null(1) || row.integer(1) == std::int64_t{checksum_of(record)};
}

}  // namespace oriel
