#pragma once
// Parses a prompt into a request to the demo agent, by simple rules.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

enum class DemoAction {
  // Work
  kOverview,  // no other rule matches
  kList,
  kRead,
  kSearch,
  kCount,
  kWrite,
  kAsk,
  kReadAttached,
  kHelp,
  // Faults, for tests of agent hosts
  kFail,
  kCrash,
  kExit,
  kHang,
  kFlood,
  kBabble,
  kLongLine,
  kGarbage,
  kInvalidUtf8,
  kHalfLine,
  kStray,
};

struct DemoRequest {
  DemoAction action = DemoAction::kOverview;
  std::string subject = {};                   // the file, directory or word it is about
  std::string text = {};                      // to write
  std::optional<std::uint64_t> amount = {};   // chunks of a flood, bytes of a line, an exit code
  bool is_slow = false;                       // a fifth of a second for each word
  std::chrono::milliseconds wait_first = {};  // before anything is done
  std::vector<std::string> files = {};        // attached to the prompt; absolute paths

  bool operator==(const DemoRequest&) const = default;
};

// Files listed at the end of the prompt take precedence: they are read. Otherwise the first word
// that is not a courtesy decides. A fault must be the whole prompt, so that no fault happens by
// accident.
DemoRequest understand(std::string_view prompt);

}  // namespace oriel
