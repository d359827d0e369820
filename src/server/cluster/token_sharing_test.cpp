#include "server/cluster/token_sharing.h"

#include "base/eventually_testing.h"
#include "base/log_capture_testing.h"
#include "base/temp_directory_testing.h"
#include "journal/memory_engine.h"
#include "journal/shared_log_testing.h"
#include "runtime/shards.h"
#include "runtime/task_group.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_future.hpp>
#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <string>

namespace oriel {
namespace {

using testing::UnorderedElementsAre;

TokenSpec spec(std::string name) {
  return {.name = std::move(name), .kind = TokenKind::kBearer, .scopes = {Scope::kRead}};
}

// A node's journal, token file and what shares it.
class TokenNode {
 public:
  TokenNode(SharedLog& log, const std::string& life, const std::filesystem::path& file)
      : life_(life),
        file_(file),
        tokens_(file),
        journal_(make_memory_engine({}), {}, log.join(life)),
        sharing_(shards_[0].executor(), journal_, blocking_, tokens_),
        tasks_(shards_[0].executor()) {
    journal_.start();
    shards_.start();
    const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    wait(journal_.reached(log.last_place(), until));
    wait(sharing_.start());
    on_shard([this] { tasks_.spawn("tokens", sharing_.run()); });
  }

  ~TokenNode() {
    on_shard([this] {
      sharing_.stop();
      tasks_.cancel();
    });
    wait(tasks_.joined());
    journal_.stop();
    shards_.release();
    shards_.wait();
  }

  TokenNode(const TokenNode&) = delete;
  TokenNode& operator=(const TokenNode&) = delete;

  const std::string& life() const { return life_; }

  TokenStore& tokens() { return tokens_; }

  // What the server does twice a second.
  void look() {
    auto look = [this] {
      try {
        tokens_.reload();
      } catch (const std::runtime_error&) {
        // The server logs it.
      }
      sharing_.look();
    };
    wait(blocking_.run(look));
  }

  // Creates a token, as a login does.
  NewToken create(const std::string& name) {
    auto create = [this, name] { return tokens_.create(spec(name)); };
    const auto made = wait(blocking_.run(create));
    share();
    return made.value();
  }

  void revoke(const std::string& name) {
    auto revoke = [this, name] { return tokens_.revoke(name); };
    EXPECT_TRUE(wait(blocking_.run(revoke)));
    share();
  }

  void share() { wait(sharing_.share()); }

  bool accepts(const NewToken& token) const {
    return tokens_.authenticate(TokenKind::kBearer, token.secret, wall_now()).has_value();
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const Token& token : tokens_.list())
      names.push_back(token.name);
    return names;
  }

  std::vector<std::string> documents() {
    std::vector<std::string> keys;
    for (const Document& document : wait(journal_.read_documents("token")))
      keys.push_back(document.key);
    return keys;
  }

  void append(Document document) {
    Proposal proposal;
    proposal.documents = {std::move(document)};
    EXPECT_TRUE(wait(journal_.append(std::move(proposal))));
  }

 private:
  template <class T>
  T wait(asio::awaitable<T> work) {
    return asio::co_spawn(shards_[0].executor(), std::move(work), asio::use_future).get();
  }

  void on_shard(const std::function<void()>& work) { wait(run_on(shards_[0].executor(), work)); }

  const std::string life_;
  const std::filesystem::path file_;
  Shards shards_{1};
  BlockingThread blocking_;
  TokenStore tokens_;
  Journal journal_;
  TokenSharing sharing_;
  TaskGroup tasks_;
};

class TokenSharingTest : public testing::Test {
 protected:
  std::filesystem::path file(const std::string& node) const {
    return directory_ / (node + ".json");
  }

  // A new life, with the file of the last one.
  TokenNode& start(const std::string& name) {
    nodes_[name].reset();
    const std::string life = name + "." + std::to_string(++lives_);
    nodes_[name] = std::make_unique<TokenNode>(log_, life, file(name));
    return *nodes_[name];
  }

  void stop(const std::string& name) { nodes_.erase(name); }

  // `oriel token` on a node whose server does not run.
  NewToken create_in_file(const std::string& node, const std::string& name) const {
    return TokenStore(file(node)).create(spec(name)).value();
  }

  static void eventually_accepts(const TokenNode& node, const NewToken& token) {
    EXPECT_TRUE(eventually([&] { return node.accepts(token); })) << node.life();
  }

  static void eventually_rejects(const TokenNode& node, const NewToken& token) {
    EXPECT_TRUE(eventually([&] { return !node.accepts(token); })) << node.life();
  }

  TempDirectory directory_;
  SharedLog log_;
  std::map<std::string, std::unique_ptr<TokenNode>> nodes_;

 private:
  int lives_ = 0;
};

using R_AUTH_2_TokenSharing = TokenSharingTest;

TEST_F(TokenSharingTest, ATokenOfOneNodeIsAcceptedByAll) {
  TokenNode& a = start("a");
  TokenNode& b = start("b");
  const NewToken made = a.create("laptop");
  eventually_accepts(b, made);
  EXPECT_TRUE(eventually([&] { return TokenStore(file("b")).list() == a.tokens().list(); }))
      << "'oriel token list' shows it";
}

TEST_F(TokenSharingTest, ATokenThatTheCommandHasPutIntoAFileIsShared) {
  TokenNode& a = start("a");
  TokenNode& b = start("b");
  const NewToken made = create_in_file("a", "laptop");
  a.look();
  EXPECT_TRUE(a.accepts(made)) << "at once";
  eventually_accepts(b, made);
}

TEST_F(R_AUTH_2_TokenSharing, ATokenThatAnyNodeRevokesIsRevokedOnAll) {
  TokenNode& a = start("a");
  TokenNode& b = start("b");
  const NewToken made = a.create("laptop");
  eventually_accepts(b, made);
  b.revoke("laptop");
  EXPECT_FALSE(b.accepts(made));
  eventually_rejects(a, made);
  EXPECT_TRUE(eventually([&] { return TokenStore(file("a")).list().empty(); }));
  const NewToken again = a.create("laptop");
  eventually_accepts(b, again);
  EXPECT_FALSE(b.accepts(made));
}

TEST_F(R_AUTH_2_TokenSharing, ATokenThatIsRevokedWhileItIsBeingSharedStaysRevoked) {
  TokenNode& a = start("a");
  TokenNode& b = start("b");
  log_.cut_off(a.life());
  const NewToken made = create_in_file("a", "laptop");
  a.look();
  EXPECT_TRUE(eventually([&] {
    return TokenFile(file("a")).read().list.shared.contains(made.token.id);
  })) << "it is on its way";
  ASSERT_TRUE(TokenStore(file("a")).revoke("laptop"));
  a.look();
  log_.heal(a.life());
  EXPECT_TRUE(eventually([&] {
    return a.documents() == std::vector{token_document_key(made.token.id)};
  })) << "its revocation, without its name";
  for (TokenNode* const node : {&a, &b})
    eventually_rejects(*node, made);
}

TEST_F(R_AUTH_2_TokenSharing, ANodeThatWasAwayRejectsWhatWasRevokedMeanwhile) {
  TokenNode& a = start("a");
  const NewToken made = a.create("laptop");
  eventually_accepts(start("b"), made);
  stop("b");
  a.revoke("laptop");
  EXPECT_EQ(TokenStore(file("b")).list().size(), 1) << "its file has it still";
  EXPECT_FALSE(start("b").accepts(made));
  EXPECT_TRUE(TokenStore(file("b")).list().empty());
}

TEST_F(R_AUTH_2_TokenSharing, AStaleFileBringsNothingBack) {
  TokenNode& a = start("a");
  const NewToken made = a.create("laptop");
  std::filesystem::copy_file(file("a"), directory_ / "backup");
  a.revoke("laptop");
  a.share();  // it has written its file
  std::filesystem::copy_file(directory_ / "backup", file("a"),
                             std::filesystem::copy_options::overwrite_existing);
  a.look();
  EXPECT_FALSE(a.accepts(made)) << "not even for a moment";
  a.share();
  EXPECT_FALSE(a.accepts(made));
  EXPECT_TRUE(TokenStore(file("a")).list().empty());
}

TEST_F(R_AUTH_2_TokenSharing, WhatWasRevokedWhileTheServerDidNotRunIsRevokedOnAll) {
  TokenNode& a = start("a");
  const NewToken made = a.create("laptop");
  const NewToken other = a.create("phone");
  eventually_accepts(start("b"), made);
  eventually_accepts(*nodes_.at("b"), other);
  stop("b");
  ASSERT_TRUE(TokenStore(file("b")).revoke("laptop"));
  start("b");
  eventually_rejects(a, made);
  EXPECT_TRUE(a.accepts(other));
}

TEST_F(TokenSharingTest, OfTwoTokensOfOneNameBothAreAcceptedAndOneIsRenamed) {
  const NewToken first = create_in_file("a", "laptop");
  const NewToken second = create_in_file("b", "laptop");
  const LogCapture capture;
  TokenNode& a = start("a");
  TokenNode& b = start("b");
  eventually_accepts(a, second);
  eventually_accepts(b, first);
  const std::string renamed = "laptop-" + second.token.id.substr(0, 6);
  EXPECT_THAT(a.names(), UnorderedElementsAre("laptop", renamed));
  EXPECT_THAT(b.names(), UnorderedElementsAre("laptop", renamed));
  EXPECT_THAT(capture.text(), testing::HasSubstr(renamed));
}

TEST_F(TokenSharingTest, TwoNodesThatCreateANameAtOnceDoNotBothGetIt) {
  TokenNode& a = start("a");
  TokenNode& b = start("b");
  log_.cut_off(a.life());
  const NewToken first = create_in_file("a", "laptop");
  a.look();
  const NewToken second = b.create("laptop");
  log_.heal(a.life());
  eventually_accepts(b, first);
  eventually_accepts(a, second);
  const std::string renamed = "laptop-" + first.token.id.substr(0, 6);
  EXPECT_THAT(a.names(), UnorderedElementsAre("laptop", renamed)) << "the first one in the log";
}

TEST_F(R_AUTH_2_TokenSharing, AFileThatCannotBeReadAdmitsNobodyOnItsNodeAndRevokesNothing) {
  TokenNode& a = start("a");
  TokenNode& b = start("b");
  const NewToken made = a.create("laptop");
  eventually_accepts(b, made);
  b.share();  // it has written its file
  const LogCapture capture;
  std::ofstream(file("b")) << "{";
  b.look();
  EXPECT_FALSE(b.accepts(made));
  const NewToken later = a.create("phone");
  b.share();
  EXPECT_FALSE(b.accepts(made));
  EXPECT_FALSE(b.accepts(later));
  EXPECT_TRUE(a.accepts(made));
  std::filesystem::remove(file("b"));
  b.look();
  eventually_accepts(b, made);
  eventually_accepts(b, later);
}

TEST_F(R_AUTH_2_TokenSharing, ADocumentThatCannotBeReadRevokesItsToken) {
  TokenNode& a = start("a");
  const NewToken made = a.create("laptop");
  a.append({.key = token_document_key(made.token.id), .value = "garbage"});
  eventually_rejects(a, made);
}

TEST_F(TokenSharingTest, TheRevocationOfATokenIsForgottenOnceItHasExpired) {
  TokenNode& a = start("a");
  Token old = create_in_file("b", "old").token;
  old.expires = wall_now() - kRememberRevoked - std::chrono::hours(1);
  const Revocation revocation{.expires = old.expires};
  a.append({.key = token_document_key(old.id), .value = to_document(revocation)});
  EXPECT_TRUE(eventually([&] { return a.documents().empty(); }));
}

TEST_F(TokenSharingTest, ChangesAreSharedOnceTheLogCanBeReached) {
  TokenNode& a = start("a");
  TokenNode& b = start("b");
  const NewToken revoked = a.create("laptop");
  eventually_accepts(b, revoked);
  log_.cut_off(a.life());
  ASSERT_TRUE(TokenStore(file("a")).revoke("laptop"));
  a.look();
  EXPECT_FALSE(a.accepts(revoked)) << "at once";
  log_.heal(a.life());
  eventually_rejects(b, revoked);
}

}  // namespace
}  // namespace oriel
