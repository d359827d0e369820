#pragma once
// Collects records for one page within its limits.

#include "base/event/record.h"

#include <utility>
#include <vector>

namespace oriel {

class PageBuilder {
 public:
  PageBuilder(std::size_t max_records, std::size_t max_bytes)
      : max_records_(max_records), max_bytes_(max_bytes) {}

  bool is_empty() const { return records_.empty(); }

  // True if not even an empty record fits.
  bool is_full() const {
    return !records_.empty() && (records_.size() >= max_records_ || bytes_ >= max_bytes_);
  }

  // Returns false and leaves the page unchanged if the record exceeds a limit. The first record is
  // always added: a page makes progress however large its records are.
  bool add(RecordPtr record) {
    const std::size_t bytes = record->bytes();
    if (is_full() || (!records_.empty() && bytes_ + bytes > max_bytes_)) return false;
    bytes_ += bytes;
    records_.push_back(std::move(record));
    return true;
  }

  std::vector<RecordPtr> take() { return std::move(records_); }

 private:
  std::size_t max_records_;
  std::size_t max_bytes_;
  std::vector<RecordPtr> records_;
  std::size_t bytes_ = 0;
};

}  // namespace oriel
