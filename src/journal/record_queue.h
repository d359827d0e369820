#pragma once
// A queue of records with random access.

#include "base/event/record.h"

#include <cassert>
#include <vector>

namespace oriel {

// Unlike std::deque it allocates nothing while it is empty: there is one for each session.
class RecordQueue {
 public:
  bool empty() const { return size() == 0; }

  std::size_t size() const { return records_.size() - first_; }

  const RecordPtr& front() const { return records_[first_]; }

  const RecordPtr& operator[](std::size_t position) const { return records_[first_ + position]; }

  auto begin() const { return records_.begin() + static_cast<std::ptrdiff_t>(first_); }

  auto end() const { return records_.end(); }

  void push_back(RecordPtr record) { records_.push_back(std::move(record)); }

  void pop_front() {
    assert(!empty());
    records_[first_++].reset();
    if (empty()) {
      records_ = {};
      first_ = 0;
    } else if (first_ > records_.size() / 2) {
      records_.erase(records_.begin(), begin());
      first_ = 0;
    }
  }

 private:
  std::vector<RecordPtr> records_;
  std::size_t first_ = 0;  // index of front(); the slots before it are empty
};

}  // namespace oriel
