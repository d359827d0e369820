#pragma once
// What a broken agent does, on request: for whoever tests what runs agents.

#include "demo/demo_task.h"
#include "demo/request.h"

namespace oriel {

// True for an action that cause_fault() knows.
bool is_fault(DemoAction action);

// Does it; the task goes on afterwards if the program still lives. kFail is the caller's: it is an
// answer.
void cause_fault(const DemoRequest& request, DemoTask& task);

}  // namespace oriel
