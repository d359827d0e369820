#pragma once
// How long something has been wrong.

#include "base/moment.h"

#include <chrono>
#include <string>
#include <utility>

namespace oriel {

class Trouble {
 public:
  void begin(SteadyTime now, std::string reason) {
    if (since_ == SteadyTime::max()) since_ = now;
    reason_ = std::move(reason);
  }

  void end() { since_ = SteadyTime::max(); }

  bool has_lasted(std::chrono::milliseconds patience, SteadyTime now) const {
    return since_ != SteadyTime::max() && now - since_ >= patience;
  }

  const std::string& reason() const { return reason_; }

 private:
  SteadyTime since_ = SteadyTime::max();
  std::string reason_;
};

}  // namespace oriel
