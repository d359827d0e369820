#pragma once
// What the demo agent remembers, so that a conversation can be resumed by another process.

#include "base/error.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

struct Exchange {
  std::string prompt;
  std::string answer;

  bool operator==(const Exchange&) const = default;
};

struct DemoConversation {
  std::string id;                   // a random_id()
  std::filesystem::path workspace;  // canonical
  std::vector<Exchange> exchanges;  // oldest first

  bool operator==(const DemoConversation&) const = default;
};

constexpr std::size_t kMaxKeptConversations = 200;
constexpr std::size_t kMaxKeptExchanges = 20;
constexpr std::size_t kMaxKeptText = 4'000;  // bytes of a prompt or an answer

// One file each in one directory, which is made when it is needed.
class Conversations {
 public:
  explicit Conversations(std::filesystem::path directory) : directory_(std::move(directory)) {}

  // Keeps the newest exchanges of it, and the newest conversations.
  Result<void> save(const DemoConversation& conversation) const;

  Result<DemoConversation> load(std::string_view id) const;

 private:
  void forget_oldest() const;

  std::filesystem::path directory_;
};

// $XDG_STATE_HOME/oriel-demo-agent, or ~/.local/state/oriel-demo-agent.
std::filesystem::path default_state_directory();

}  // namespace oriel
