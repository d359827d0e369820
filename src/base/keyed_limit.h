#pragma once
// A limit per key, such as sessions per credential or connections per address.

#include "base/mutex.h"

#include <cstddef>
#include <string>
#include <unordered_map>

namespace oriel {

// Thread-safe, for any shard. Keys that hold nothing take no memory.
class KeyedLimit {
 public:
  explicit KeyedLimit(std::size_t limit) : limit_(limit) {}

  // False if this key is at its limit. The empty key, which is the operator, has no limit.
  [[nodiscard]] bool take(const std::string& key);

  // The same beyond the limit, for what is there already.
  void take_anyway(const std::string& key);

  // Call once for each successful take(), and for each take_anyway().
  void give_back(const std::string& key);

  std::size_t limit() const { return limit_; }

  // Number of keys in use.
  std::size_t keys() const;

 private:
  const std::size_t limit_;
  mutable Mutex mutex_;  // exact over all shards, without a round trip between them
  std::unordered_map<std::string, std::size_t> held_ GUARDED_BY(mutex_);
};

}  // namespace oriel
