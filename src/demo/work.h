#pragma once
// What the demo agent can do for a person: real work on real files, by rules.

#include "demo/demo_task.h"
#include "demo/request.h"

#include <filesystem>

namespace oriel {

// Carries out a request that is no fault, in the task's own words.
void do_work(const DemoRequest& request, const std::filesystem::path& workspace, DemoTask& task);

}  // namespace oriel
