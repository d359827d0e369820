#pragma once
// Keeps the registry up to date with the sessions that other nodes run: from the documents of all
// commits.

#include "cluster/peers.h"
#include "journal/journal.h"
#include "supervisor/sessions/session_registry.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace oriel {

// Lives on the first shard. A client that has an event of another node's session finds at least the
// state after it.
class SharedSessions {
 public:
  // `on_overtaken` is called when another node owns a session that has a runner here. Listens to
  // the journal, so construct it before the journal starts.
  SharedSessions(asio::any_io_executor shard, Journal& journal, SessionRegistry& sessions,
                 const Peers& peers, std::function<void(SessionEntry&)> on_overtaken);

  // Adds the stored sessions, and from then on those that the journal gets.
  asio::awaitable<void> load();

  // No agent of this life runs any more.
  void forget_agents_of(const std::string& life);

 private:
  using Owners = std::map<std::string, std::string, std::less<>>;  // by session

  void take(std::vector<Document> documents);
  void apply(const std::vector<Document>& documents);
  void apply_owner(const std::string& session_id, const std::string& owner, Owners& unknown);
  void apply_session(const std::string& session_id, const Document& document,
                     const Owners& unknown);
  void apply_organization(const std::string& session_id, const Document& document);
  void apply_observed(const std::string& session_id, const Document& document,
                      const Owners& unknown);
  std::string owner_of(const std::string& session_id, const Owners& unknown);
  bool is_alive(const std::string& owner) const;

  asio::any_io_executor shard_;
  Journal& journal_;
  SessionRegistry& sessions_;
  const Peers& peers_;
  std::function<void(SessionEntry&)> on_overtaken_;
  bool is_loaded_ = false;
  std::map<std::string, std::string> held_;  // documents that came before load() had ended
};

}  // namespace oriel
