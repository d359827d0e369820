#include "auth/token_uses.h"

#include "posix/atomic_file.h"
#include "posix/text_file.h"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <utility>

namespace oriel {
namespace {

constexpr std::chrono::minutes kSaveUsesEvery{1};
constexpr int kUsesVersion = 1;

// {"version":1,"used":{"<credential id>":"2026-11-15T21:19:27.042Z"}}
std::string format_uses(const std::map<std::string, WallTime>& uses) {
  boost::json::object used;
  for (const auto& [id, time] : uses)
    used[id] = format_time(time);
  const boost::json::object root{{"version", kUsesVersion}, {"used", std::move(used)}};
  return boost::json::serialize(root) + "\n";
}

const boost::json::object* used_in(const boost::json::value& root) {
  const boost::json::object* const object = root.if_object();
  if (object == nullptr) return nullptr;
  const boost::json::value* const version = object->if_contains("version");
  const boost::json::value* const used = object->if_contains("used");
  const bool is_known = version != nullptr && *version == kUsesVersion && used != nullptr;
  return is_known ? used->if_object() : nullptr;
}

}  // namespace

TokenUses::TokenUses(std::filesystem::path file) : file_(std::move(file)), uses_(read(file_)) {}

TokenUses::Uses TokenUses::read(const std::filesystem::path& file) {
  const auto text = read_text_file(file);
  if (!text) return {};
  boost::json::error_code ec;
  const boost::json::value root = boost::json::parse(*text, ec);
  const boost::json::object* const used = ec ? nullptr : used_in(root);
  if (used == nullptr) return {};
  Uses uses;
  for (const auto& [id, value] : *used) {
    const boost::json::string* const stamp = value.if_string();
    const auto time = stamp == nullptr ? std::nullopt : parse_time(*stamp);
    if (time) uses.emplace(id, *time);
  }
  return uses;
}

void TokenUses::record(const std::string& credential_id, WallTime now) {
  const MutexLock lock(mutex_);
  if (uses_.size() >= kMaxUses && !uses_.contains(credential_id)) {
    const auto is_older = [](const auto& a, const auto& b) { return a.second < b.second; };
    uses_.erase(std::min_element(uses_.begin(), uses_.end(), is_older));
  }
  WallTime& last = uses_[credential_id];
  if (now <= last) return;
  last = now;
  has_news_ = true;
}

std::optional<WallTime> TokenUses::last(const std::string& credential_id) const {
  const MutexLock lock(mutex_);
  const auto found = uses_.find(credential_id);
  return found == uses_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<TokenUses::Uses> TokenUses::take_news(const std::vector<Token>& tokens) {
  const MutexLock lock(mutex_);
  if (!std::exchange(has_news_, false)) return std::nullopt;
  // Without tokens their file may just be unreadable for a while.
  if (tokens.empty()) return uses_;
  std::erase_if(uses_, [&](const auto& use) {
    return std::none_of(tokens.begin(), tokens.end(),
                        [&](const Token& token) { return token.id == use.first; });
  });
  return uses_;
}

Result<void> TokenUses::save(const std::vector<Token>& tokens) {
  const auto news = take_news(tokens);
  if (!news) return {};
  auto saved = replace_file(file_, format_uses(*news));
  if (saved) return {};
  const MutexLock lock(mutex_);
  has_news_ = true;
  return saved;
}

Result<void> TokenUses::save_if_due(const std::vector<Token>& tokens, SteadyTime now) {
  if (saved_at_ && now - *saved_at_ < kSaveUsesEvery) return {};
  saved_at_ = now;
  return save(tokens);
}

}  // namespace oriel
