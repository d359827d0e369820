#pragma once
// The error of options that `oriel serve` cannot run with.

#include <stdexcept>

namespace oriel {

// Options that are valid on their own, but not together or not on this machine.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace oriel
