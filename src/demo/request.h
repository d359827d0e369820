#pragma once
// What a person wants of the demo agent, found in the prompt by simple rules.

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

enum class DemoAction {
  // Work
  kOverview,  // whatever no rule understands
  kList,
  kRead,
  kSearch,
  kCount,
  kWrite,
  kAsk,
  kReadAttached,
  kHelp,
  // Faults, for whoever tests what runs agents
  kFail,
  kCrash,
  kExit,
  kHang,
  kFlood,
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
  std::vector<std::string> files = {};        // that came with the prompt, from / on

  bool operator==(const DemoRequest&) const = default;
};

// Files that came with the prompt, as Oriel tells of them at its end, decide: they are read. Else
// the first word that is no courtesy decides. A fault has to be the whole prompt, so that nobody
// gets one by chance.
DemoRequest understand(std::string_view prompt);

}  // namespace oriel
