#include "supervisor/turn_documents.h"

#include "base/log.h"

#include <algorithm>
#include <utility>

namespace oriel {
namespace {

std::vector<Turn> turns_of(const std::vector<Document>& documents) {
  std::vector<Turn> turns;
  turns.reserve(documents.size());
  for (const Document& document : documents) {
    if (auto turn = parse_turn_document(document.value))
      turns.push_back(*std::move(turn));
    else
      log()->error("{}: {}", document.key, turn.error().message);
  }
  std::sort(turns.begin(), turns.end(),
            [](const Turn& a, const Turn& b) { return a.key() < b.key(); });
  return turns;
}

}  // namespace

std::vector<Document> to_documents(const std::vector<Turn>& turns) {
  std::vector<Document> documents;
  documents.reserve(turns.size());
  for (const Turn& turn : turns)
    documents.push_back(
        {.key = turn_document_key(turn.session_id, turn.turn_id), .value = to_document(turn)});
  return documents;
}

asio::awaitable<std::vector<Turn>> read_turns(Journal& journal, BlockingThread& blocking,
                                              std::string session_id) {
  std::string prefix = turn_document_prefix(session_id);
  std::vector<Document> documents = co_await journal.read_documents(std::move(prefix));
  auto parse = [documents = std::move(documents)] { return turns_of(documents); };
  co_return co_await blocking.run(std::move(parse));
}

asio::awaitable<void> remove_turns(Journal& journal, std::string session_id,
                                   std::vector<Guard> guards) {
  std::string prefix = turn_document_prefix(session_id);
  std::vector<Document> documents = co_await journal.read_documents(std::move(prefix));
  if (documents.empty()) co_return;
  for (Document& document : documents)
    document.value.clear();
  Proposal removal{.records = {}, .documents = std::move(documents), .guards = std::move(guards)};
  co_await journal.append(std::move(removal));
}

}  // namespace oriel
