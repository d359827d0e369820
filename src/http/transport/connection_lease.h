#pragma once
// The place of an open connection in the server's limits. Released with the connection, which may
// outlive the server.

#include "base/keyed_limit.h"

#include <atomic>
#include <memory>
#include <string>

namespace oriel::http {

// Movable, with one owner. Released at its destruction, on any thread.
class ConnectionLease {
 public:
  ConnectionLease() = default;  // holds nothing

  // Counts the connection in `open`. The caller has taken a place for `key` in `per_key`.
  ConnectionLease(std::shared_ptr<std::atomic<std::size_t>> open,
                  std::shared_ptr<KeyedLimit> per_key, std::string key);

  ConnectionLease(ConnectionLease&&) noexcept = default;
  ConnectionLease& operator=(ConnectionLease&& other) noexcept;

  ~ConnectionLease() { release(); }

  void release();

 private:
  std::shared_ptr<std::atomic<std::size_t>> open_;  // null: holds nothing
  std::shared_ptr<KeyedLimit> per_key_;
  std::string key_;
};

}  // namespace oriel::http
