#pragma once
// For tests: proposals and messages of the log.

#include "cluster/entry_codec.h"

#include <memory>
#include <random>
#include <string>
#include <vector>

namespace oriel {

inline std::shared_ptr<Record> test_record(const std::string& session, const std::string& body) {
  auto record = std::make_shared<Record>();
  record->time = WallTime(std::chrono::milliseconds(1'700'000'000'000));
  record->type = "session_event";
  record->event_type = EventType::kMessage;
  record->session_id = session;
  record->project_id = "p";
  record->body = body;
  return record;
}

inline EntryPart test_part(const std::string& author, std::uint64_t number,
                           const std::string& text = "x") {
  const Proposal proposal{.records = {}, .documents = {{"k", text}}, .guards = {}};
  return decode_message(encode_entry(author, number, encode_proposals({&proposal, 1})).at(0));
}

inline std::string random_text(std::mt19937& random, std::size_t max) {
  std::string text(random() % (max + 1), ' ');
  for (char& c : text)
    c = static_cast<char>(random());
  return text;
}

inline Proposal random_proposal(std::mt19937& random) {
  Proposal proposal{.records = {}};
  for (auto count = random() % 4; count > 0; --count) {
    auto record = test_record(random_text(random, 20), random_text(random, 400));
    record->time = WallTime(std::chrono::milliseconds(random()));
    record->type = random_text(random, 20);
    record->event_type = static_cast<EventType>(random() % 11);
    record->project_id = random_text(random, 5);
    proposal.records.push_back(std::move(record));
  }
  for (auto count = random() % 3; count > 0; --count)
    proposal.documents.push_back({random_text(random, 20), random_text(random, 300)});
  for (auto count = random() % 3; count > 0; --count)
    proposal.guards.push_back({random_text(random, 20), random_text(random, 20)});
  return proposal;
}

}  // namespace oriel
