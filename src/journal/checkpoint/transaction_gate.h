#pragma once
// Admits transactions, and holds them back while a checkpoint needs the database alone.

#include "base/mutex.h"

namespace oriel {

// One reader and one writer at a time, side by side. Blocks the calling thread; safe from any.
class TransactionGate {
 public:
  enum class Access { kRead, kWrite, kExclusive };

  // Admission, until it is destroyed.
  class [[nodiscard]] Pass {
   public:
    Pass(TransactionGate& gate, Access access) : gate_(gate), access_(access) {}

    ~Pass() { gate_.leave(access_); }

    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;

   private:
    TransactionGate& gate_;
    Access access_;
  };

  // Waits for the transactions before it. A thread that waits for kExclusive is not overtaken: no
  // transaction begins before it has left. Only one thread may ask for kExclusive.
  Pass enter(Access access);

  // Writers wait until resume_writes().
  void stall_writes();
  void resume_writes();

 private:
  bool may_enter(Access access) const REQUIRES(mutex_);
  void leave(Access access);

  // A mutex and not a post: the journal's threads block here until they may enter.
  Mutex mutex_;
  ConditionVariable changed_;
  bool has_reader_ GUARDED_BY(mutex_) = false;
  bool has_writer_ GUARDED_BY(mutex_) = false;
  bool wants_exclusive_ GUARDED_BY(mutex_) = false;  // waiting or entered
  bool are_writes_stalled_ GUARDED_BY(mutex_) = false;
};

}  // namespace oriel
