#include "journal/checkpoint/transaction_gate.h"

namespace oriel {

bool TransactionGate::may_enter(Access access) const {
  switch (access) {
    case Access::kRead:
      return !has_reader_ && !wants_exclusive_;
    case Access::kWrite:
      return !has_writer_ && !wants_exclusive_ && !are_writes_stalled_;
    case Access::kExclusive:
      return !has_reader_ && !has_writer_;
  }
  return false;
}

TransactionGate::Pass TransactionGate::enter(Access access) {
  const MutexLock lock(mutex_);
  if (access == Access::kExclusive) wants_exclusive_ = true;
  while (!may_enter(access))
    changed_.wait(mutex_);
  if (access == Access::kRead) has_reader_ = true;
  if (access == Access::kWrite) has_writer_ = true;
  return Pass(*this, access);
}

void TransactionGate::leave(Access access) {
  {
    const MutexLock lock(mutex_);
    if (access == Access::kRead) has_reader_ = false;
    if (access == Access::kWrite) has_writer_ = false;
    if (access == Access::kExclusive) wants_exclusive_ = false;
  }
  changed_.notify_all();
}

void TransactionGate::stall_writes() {
  const MutexLock lock(mutex_);
  are_writes_stalled_ = true;
}

void TransactionGate::resume_writes() {
  {
    const MutexLock lock(mutex_);
    are_writes_stalled_ = false;
  }
  changed_.notify_all();
}

}  // namespace oriel
