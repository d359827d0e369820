#pragma once
// Admits transactions, and holds them back while a checkpoint needs the database alone.

#include <condition_variable>
#include <mutex>

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
  bool may_enter(Access access) const;
  void leave(Access access);

  std::mutex mutex_;
  std::condition_variable changed_;
  bool has_reader_ = false;          // guarded by mutex_
  bool has_writer_ = false;          // guarded by mutex_
  bool wants_exclusive_ = false;     // waiting or entered; guarded by mutex_
  bool are_writes_stalled_ = false;  // guarded by mutex_
};

}  // namespace oriel
