#pragma once
// Faults on request, for tests of agent hosts.

#include "demo/demo_task.h"
#include "demo/request.h"

namespace oriel {

// True for an action that cause_fault() knows.
bool is_fault(DemoAction action);

// Causes the fault; the task continues if the program still runs. The caller handles kFail, which
// is an answer.
void cause_fault(const DemoRequest& request, DemoTask& task);

}  // namespace oriel
