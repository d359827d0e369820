#pragma once
// Test helpers that commit records to an engine.

#include "journal/journal_engine.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace oriel {

inline std::shared_ptr<Record> new_record(std::string session_id,
                                          std::string body = "\"text\":1}") {
  auto record = std::make_shared<Record>();
  record->type = "message";
  record->session_id = std::move(session_id);
  record->body = std::move(body);
  return record;
}

// Commits one record for each session named, each in its own commit.
inline NewRecords commit_each(JournalEngine& engine, const std::vector<std::string>& session_ids) {
  NewRecords records;
  for (const std::string& session_id : session_ids) {
    records.push_back(new_record(session_id));
    engine.commit_records(std::span(&records.back(), 1));
  }
  return records;
}

// Commits `count` records of one session at once.
inline NewRecords commit_many(JournalEngine& engine, std::size_t count,
                              const std::string& session_id,
                              const std::string& body = "\"text\":1}") {
  NewRecords records;
  for (std::size_t i = 0; i < count; ++i)
    records.push_back(new_record(session_id, body));
  engine.commit_records(records);
  return records;
}

inline EventFilter of_types(std::vector<std::string> types) {
  return {.types = std::move(types), .projects = {}, .sessions = {}};
}

inline EventFilter of_sessions(std::vector<std::string> session_ids) {
  return {.types = {}, .projects = {}, .sessions = std::move(session_ids)};
}

template <class Records>
std::vector<Sequence> sequences_of(const Records& records) {
  std::vector<Sequence> sequences;
  for (const auto& record : records)
    sequences.push_back(record->sequence);
  return sequences;
}

template <class Records>
std::vector<std::uint64_t> indexes_of(const Records& records) {
  std::vector<std::uint64_t> indexes;
  for (const auto& record : records)
    indexes.push_back(record->index);
  return indexes;
}

}  // namespace oriel
