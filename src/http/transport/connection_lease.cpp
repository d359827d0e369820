#include "http/transport/connection_lease.h"

#include <utility>

namespace oriel::http {

ConnectionLease::ConnectionLease(std::shared_ptr<std::atomic<std::size_t>> open,
                                 std::shared_ptr<KeyedLimit> per_key, std::string key)
    : open_(std::move(open)), per_key_(std::move(per_key)), key_(std::move(key)) {
  open_->fetch_add(1);
}

ConnectionLease& ConnectionLease::operator=(ConnectionLease&& other) noexcept {
  std::swap(open_, other.open_);
  std::swap(per_key_, other.per_key_);
  std::swap(key_, other.key_);
  other.release();
  return *this;
}

void ConnectionLease::release() {
  if (!open_) return;
  open_->fetch_sub(1);
  open_.reset();
  per_key_->give_back(key_);
  per_key_.reset();
}

}  // namespace oriel::http
