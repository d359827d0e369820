#pragma once
// How much of the processor a thread gets beside others.

namespace oriel {

// For work that may take longer: the calling thread gets a tenth of what other threads of this
// machine get, or all that they leave.
void lower_own_priority();

}  // namespace oriel
