#pragma once
// For tests: a log that the journals of several nodes share, in one process.

#include "base/mutex.h"
#include "base/text/text_hash.h"
#include "journal/append_errors.h"
#include "journal/event_log.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace oriel {

// Orders what the nodes offer. Outlives their journals. Safe from any thread.
class SharedLog {
 public:
  // The end of a node in this life, for its journal, which has applied the log up to `applied`.
  std::unique_ptr<EventLog> join(std::string life, std::uint64_t applied = 0) {
    return std::make_unique<End>(*this, std::move(life), applied);
  }

  // What this life offers waits, and it takes nothing, until heal().
  void cut_off(const std::string& life) {
    const MutexLock lock(mutex_);
    cut_off_.insert(life);
  }

  // Whether anything that this life has offered waits.
  bool has_waiting(const std::string& life) {
    const MutexLock lock(mutex_);
    return !waiting_[life].empty();
  }

  // Puts what waits into the log, behind everything that is there by now.
  void heal(const std::string& life) {
    {
      const MutexLock lock(mutex_);
      cut_off_.erase(life);
      for (Entry& entry : std::exchange(waiting_[life], {}))
        append(std::move(entry));
    }
    changed_.notify_all();
  }

  // From now on every entry is in the log twice.
  void repeat_entries() {
    const MutexLock lock(mutex_);
    repeats_ = true;
  }

  // The place of the last entry.
  std::uint64_t last_place() {
    const MutexLock lock(mutex_);
    return entries_.size();
  }

 private:
  class End final : public EventLog {
   public:
    End(SharedLog& log, std::string life, std::uint64_t applied)
        : log_(log), life_(std::move(life)), taken_(applied) {}

    Result<void> offer(Proposal& proposal, AppendHandler& handler) override {
      return log_.offer(*this, proposal, handler);
    }

    std::optional<std::vector<Entry>> take(SteadyTime until) override {
      return log_.take(*this, until);
    }

    std::vector<AppendHandler> handlers_of(const Entry& entry) override {
      return log_.handlers_of(*this, entry);
    }

    void passed_over(const Entry&) override {}

    bool put_back(std::vector<Entry>& entries) override {
      const MutexLock lock(log_.mutex_);
      taken_ = entries.front().place - 1;
      return true;
    }

    void stop() override {
      {
        const MutexLock lock(log_.mutex_);
        is_stopping_ = true;
      }
      log_.changed_.notify_all();
    }

   private:
    friend class SharedLog;

    SharedLog& log_;
    const std::string life_;
    // The rest is guarded by the log's mutex.
    std::uint64_t taken_;
    std::uint64_t numbers_ = 0;
    std::map<std::uint64_t, AppendHandler> handlers_;  // by number
    bool is_stopping_ = false;
  };

  Result<void> offer(End& end, Proposal& proposal, AppendHandler& handler) {
    {
      const MutexLock lock(mutex_);
      if (end.is_stopping_) return journal_stopping();
      Entry entry{.author = end.life_, .number = ++end.numbers_, .proposals = {}};
      entry.digest = text_hash(end.life_, entry.number);
      entry.proposals.push_back(std::move(proposal));
      end.handlers_[entry.number] = std::move(handler);
      if (cut_off_.contains(end.life_))
        waiting_[end.life_].push_back(std::move(entry));
      else
        append(std::move(entry));
    }
    changed_.notify_all();
    return {};
  }

  void append(Entry entry) REQUIRES(mutex_) {
    const int times = repeats_ ? 2 : 1;
    for (int i = 0; i < times; ++i) {
      entry.place = entries_.size() + 1;
      entries_.push_back(entry);
    }
  }

  std::optional<std::vector<Entry>> take(End& end, SteadyTime until) {
    const MutexLock lock(mutex_);
    while (!has_more(end) && !end.is_stopping_ && changed_.wait_until(mutex_, until)) {
    }
    std::vector<Entry> taken;
    if (!has_more(end)) {
      if (end.is_stopping_) return std::nullopt;
      return taken;
    }
    constexpr std::size_t kMaxTaken = 64;
    while (end.taken_ < entries_.size() && taken.size() < kMaxTaken)
      taken.push_back(copy_of(entries_[end.taken_++]));
    return taken;
  }

  bool has_more(const End& end) const REQUIRES(mutex_) {
    return end.taken_ < entries_.size() && !cut_off_.contains(end.life_);
  }

  // Each node numbers records of its own.
  static Entry copy_of(const Entry& entry) {
    Entry copy = entry;
    for (Proposal& proposal : copy.proposals) {
      for (std::shared_ptr<Record>& record : proposal.records)
        record = std::make_shared<Record>(*record);
    }
    return copy;
  }

  std::vector<AppendHandler> handlers_of(End& end, const Entry& entry) {
    const MutexLock lock(mutex_);
    std::vector<AppendHandler> handlers;
    if (entry.author != end.life_) return handlers;
    if (auto found = end.handlers_.extract(entry.number))
      handlers.push_back(std::move(found.mapped()));
    return handlers;
  }

  // Shared by the shards and journals of all nodes.
  Mutex mutex_;
  ConditionVariable changed_;
  std::vector<Entry> entries_ GUARDED_BY(mutex_);
  std::map<std::string, std::vector<Entry>> waiting_ GUARDED_BY(mutex_);  // by life
  std::set<std::string> cut_off_ GUARDED_BY(mutex_);                      // lives
  bool repeats_ GUARDED_BY(mutex_) = false;
};

}  // namespace oriel
