#pragma once
// The failure policy of threads that the whole process depends on.

#include <exception>

namespace oriel {

// Writes the reason to standard error, without allocating memory or waiting, and aborts.
[[noreturn]] void abort_thread(const char* name, const char* reason);

// Runs `work`. An exception ends the process at once: without this thread it would hang, and with a
// state that is unknown it might store or send something wrong. Nothing acknowledged is lost.
template <class Work>
void run_or_abort(const char* name, Work work) {
  try {
    work();
  } catch (const std::exception& failure) {
    abort_thread(name, failure.what());
  } catch (...) {
    abort_thread(name, "unknown exception");
  }
}

}  // namespace oriel
