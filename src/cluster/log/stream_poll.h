#pragma once
// Asks the leader of the stream for its state again and again, and says what is wrong with it. Pure
// but for its mutex: gets the time.

#include "base/mutex.h"
#include "cluster/log/trouble.h"
#include "cluster/log_stream.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace oriel {

class StreamPoll {
 public:
  // True: the state is to be asked for now.
  bool begin(SteadyTime now);

  // When to call begin() again.
  SteadyTime due() const;

  // The leader's answer; none if it describes no stream. `taken`: the last place that the journal
  // has taken, which the stream must have had.
  std::optional<LogStream> answered(std::string_view answer, std::uint64_t taken, SteadyTime now);

  // Answers to earlier requests need not come any more.
  void reconnected(SteadyTime now);

  // What has been wrong for so long; none if there is nothing.
  std::optional<std::string> problem(SteadyTime now, std::chrono::milliseconds patience) const;

 private:
  mutable Mutex mutex_;  // between the log's thread and the library's
  bool is_asked_ GUARDED_BY(mutex_) = false;
  SteadyTime due_ GUARDED_BY(mutex_) = SteadyTime::min();
  Trouble silence_ GUARDED_BY(mutex_);
  Trouble shortness_ GUARDED_BY(mutex_);  // the log ends before what was taken from it
};

}  // namespace oriel
