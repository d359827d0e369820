#include "base/keyed_limit.h"

#include <cassert>

namespace oriel {

bool KeyedLimit::take(const std::string& key) {
  if (key.empty()) return true;
  const MutexLock lock(mutex_);
  const auto held = held_.find(key);
  const std::size_t count = held == held_.end() ? 0 : held->second;
  if (count >= limit_) return false;
  held_[key] = count + 1;
  return true;
}

void KeyedLimit::take_anyway(const std::string& key) {
  if (key.empty()) return;
  const MutexLock lock(mutex_);
  ++held_[key];
}

void KeyedLimit::give_back(const std::string& key) {
  if (key.empty()) return;
  const MutexLock lock(mutex_);
  const auto held = held_.find(key);
  assert(held != held_.end());
  if (--held->second == 0) held_.erase(held);
}

std::size_t KeyedLimit::keys() const {
  const MutexLock lock(mutex_);
  return held_.size();
}

}  // namespace oriel
