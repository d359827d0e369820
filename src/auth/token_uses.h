#pragma once
// When each token and login was last used, for `oriel token list`. A separate file that only the
// server writes, so that it never overwrites a change of `oriel token`.

#include "auth/token_file.h"
#include "base/error.h"
#include "base/moment.h"
#include "base/mutex.h"
#include "base/time.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace oriel {

// Name of the file, beside tokens.json.
constexpr const char* kTokenUseFile = "token-use.json";

// record() and last() are thread-safe and do not wait for the disk. The constructor and save()
// block and belong on the thread of the token store.
class TokenUses {
 public:
  static constexpr std::size_t kMaxUses = 10'000;  // beyond: the longest unused is dropped

  // Reads the file. If it is missing or damaged, no token counts as used.
  explicit TokenUses(std::filesystem::path file);

  void record(const std::string& credential_id, WallTime now);

  // None: never.
  std::optional<WallTime> last(const std::string& credential_id) const;

  // Replaces the file if a token was used since the last call. Drops entries of tokens that are not
  // in the list.
  Result<void> save(const std::vector<Token>& tokens);

  // Calls save() at most once a minute.
  Result<void> save_if_due(const std::vector<Token>& tokens, SteadyTime now);

 private:
  using Uses = std::map<std::string, WallTime>;  // by credential id

  static Uses read(const std::filesystem::path& file);
  std::optional<Uses> take_news(const std::vector<Token>& tokens);

  const std::filesystem::path file_;
  std::optional<SteadyTime> saved_at_;
  mutable Mutex mutex_;  // requests of all shards record their use
  Uses uses_ GUARDED_BY(mutex_);
  bool has_news_ GUARDED_BY(mutex_) = false;
};

}  // namespace oriel
