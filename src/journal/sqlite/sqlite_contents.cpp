#include "journal/sqlite/sqlite_contents.h"

#include "base/event/body_text.h"

#include <algorithm>

namespace oriel {
namespace {

constexpr std::size_t kMinTextBytes = 16 << 10;  // shorter texts stay in their body
constexpr std::size_t kMaxChunkBytes = 256 << 10;
constexpr std::size_t kMaxRecentBytes = 32 << 20;  // of records kept in memory

// As many bytes as one chunk takes, and only whole characters.
std::size_t chunk_size(std::string_view text) {
  if (text.size() <= kMaxChunkBytes) return text.size();
  std::size_t size = kMaxChunkBytes;
  while (size > kMaxChunkBytes - 3 && (static_cast<unsigned char>(text[size]) >> 6) == 2)
    --size;
  return size;
}

}  // namespace

SqliteContents::SqliteContents(SqliteDatabase& database)
    : insert_(database, "INSERT INTO contents VALUES (?1, ?2, ?3)"),
      last_content_(database, "SELECT coalesce(max(content), 0) FROM contents"),
      is_used_(database,
               "SELECT EXISTS (SELECT 1 FROM events "
               "WHERE content = ?1 AND content > 0 AND seq > ?2)"),
      // `+` keeps SQLite from looking at all contents through their index.
      contents_until_(database,
                      "SELECT DISTINCT content FROM events WHERE seq <= ?1 AND +content > 0"),
      delete_(database, "DELETE FROM contents WHERE content = ?1"),
      next_content_(0) {
  SqliteRows rows = last_content_.query();
  rows.expect();
  next_content_ = rows.number(0) + 1;
}

StoredBody SqliteContents::store(const RecordPtr& record) {
  const std::string_view body = record->body;
  if (body.size() < kMinTextBytes) return {};
  const TextSpan span = text_span(body);
  if (span.size < kMinTextBytes) return {};
  const std::string_view text = body.substr(span.offset, span.size);

  Recent recent = take_recent(record->session_id, text);
  if (text.size() > recent.text.size()) {
    append(recent.content, recent.text.size(), text.substr(recent.text.size()));
    recent.record = record;
    recent.text = text;
  }
  StoredBody stored;
  stored.without_text.append(body.substr(0, span.offset))
      .append(body.substr(span.offset + span.size));
  stored.text = {.content = recent.content,
                 .offset = static_cast<std::int64_t>(span.offset),
                 .size = static_cast<std::int64_t>(span.size)};
  keep(std::move(recent));
  return stored;
}

// The session's newest content that begins with the text, or with which the text begins. A new one
// if there is none.
SqliteContents::Recent SqliteContents::take_recent(const std::string& session_id,
                                                   std::string_view text) {
  const auto has_same_start = [&](const Recent& recent) {
    return recent.record->session_id == session_id &&
           (text.starts_with(recent.text) || recent.text.starts_with(text));
  };
  const auto found = std::find_if(recent_.rbegin(), recent_.rend(), has_same_start);
  if (found == recent_.rend()) return {.content = next_content_++, .record = nullptr, .text = {}};
  Recent recent = std::move(*found);
  recent_.erase(std::next(found).base());
  recent_bytes_ -= recent.record->bytes();
  return recent;
}

// Evicts the least recently used ones if it is too much, and one that alone is.
void SqliteContents::keep(Recent recent) {
  recent_bytes_ += recent.record->bytes();
  recent_.push_back(std::move(recent));
  std::size_t evicted = 0;
  while (recent_bytes_ > kMaxRecentBytes)
    recent_bytes_ -= recent_[evicted++].record->bytes();
  recent_.erase(recent_.begin(), recent_.begin() + static_cast<std::ptrdiff_t>(evicted));
}

void SqliteContents::append(std::int64_t content, std::size_t offset, std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = chunk_size(text);
    insert_.run(content, offset, text.substr(0, size));
    offset += size;
    text.remove_prefix(size);
  }
}

bool SqliteContents::is_used_after(std::int64_t content, Sequence sequence) {
  SqliteRows rows = is_used_.query(content, sequence);
  rows.expect();
  return rows.integer(0) != 0;
}

void SqliteContents::remove_until(Sequence last) {
  SqliteRows rows = contents_until_.query(last);
  while (rows.next()) {
    const std::int64_t content = rows.integer(0);
    if (is_used_after(content, last)) continue;
    delete_.run(content);
    // A longer text must not be appended to what is gone.
    std::erase_if(recent_, [&](const Recent& recent) {
      if (recent.content != content) return false;
      recent_bytes_ -= recent.record->bytes();
      return true;
    });
  }
}

void SqliteContents::rolled_back() {
  recent_.clear();
  recent_bytes_ = 0;
}

SqliteContentReader::SqliteContentReader(SqliteDatabase& database)
    : chunks_(database,
              "SELECT first, text FROM contents WHERE content = ?1 AND first < ?2 ORDER BY first") {
}

bool SqliteContentReader::restore(const ContentReference& text, std::string& body) {
  if (text.content == 0) return true;
  const auto body_bytes = static_cast<std::int64_t>(body.size());
  if (text.offset < 0 || text.offset > body_bytes || text.size < 0) return false;
  const std::string rest = body.substr(static_cast<std::size_t>(text.offset));
  body.resize(static_cast<std::size_t>(text.offset));

  auto missing = static_cast<std::uint64_t>(text.size);
  std::int64_t next = 0;
  SqliteRows chunk = chunks_.query(text.content, text.size);
  while (chunk.next()) {
    if (chunk.integer(0) != next) return false;
    const std::string_view bytes = chunk.text(1).substr(0, missing);
    body += bytes;
    missing -= bytes.size();
    next += static_cast<std::int64_t>(bytes.size());
  }
  body += rest;
  return missing == 0;
}

}  // namespace oriel
