#pragma once
// Tokens of a cluster: documents of the journal have them, and the token file of each node follows.
// What `oriel token` or a login changes in one file is stored for all nodes.

#include "auth/token_store.h"
#include "base/failure_log.h"
#include "journal/journal.h"
#include "runtime/blocking_thread.h"
#include "runtime/condition.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// "token/<id>" has the token, or its revocation. "token_name/<name>" has the id of the valid token
// with this name, so that no two nodes create the same one.
constexpr std::string_view kTokenDocuments = "token/";
std::string token_document_key(std::string_view id);
std::string token_name_document_key(std::string_view name);

// How long after its expiry a revoked token is remembered: clocks of nodes differ.
constexpr std::chrono::hours kRememberRevoked{24};

// Lives on the first shard. Construct it before the journal starts.
class TokenSharing {
 public:
  // `blocking` is the thread of the token store.
  TokenSharing(asio::any_io_executor shard, Journal& journal, BlockingThread& blocking,
               TokenStore& tokens);

  // Call it when the journal has caught up, and before clients with tokens are accepted: returns
  // when the token store knows which tokens are valid. Then run run().
  asio::awaitable<void> start();

  // Shares changes until it is cancelled.
  asio::awaitable<void> run();

  // On the blocking thread, after each look at the file: has run() share what has changed.
  void look();

  // Awaited on any shard: returns when changes of the token store until now are stored, or cannot
  // be stored for the time being. Only while run() runs.
  asio::awaitable<void> share();

  // Ends the waits in share().
  void stop();

 private:
  enum class Appended { kStored, kOvertaken, kNot };

  void take(const std::vector<Document>& documents);
  void want_round();
  asio::awaitable<void> finish_round();
  asio::awaitable<void> make_round();
  asio::awaitable<void> publish(TokenMerge merge);
  asio::awaitable<void> forget_revoked(WallTime before);
  asio::awaitable<bool> revoke(Token token);
  asio::awaitable<Appended> append(Proposal proposal);
  static Proposal creation_of(const Token& token);
  void report(const std::string& problem);

  asio::any_io_executor shard_;
  Journal& journal_;
  BlockingThread& blocking_;
  TokenStore& tokens_;
  SharedTokens shared_;
  bool is_loaded_ = false;
  bool is_stopping_ = false;
  std::vector<Document> held_;  // that came before they were loaded
  // Rounds of merging the file and publishing its changes.
  std::uint64_t wanted_ = 0;
  std::uint64_t finished_ = 0;
  Condition changed_;
  std::atomic<bool> is_incomplete_ = false;  // the last round; read by look()
  FailureLog failures_;
};

}  // namespace oriel
