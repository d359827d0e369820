#pragma once

// How much of the processor a thread gets.

namespace oriel {

// From now on the calling thread yields to all others that want the processor.
void lower_thread_priority();

}  // namespace oriel
