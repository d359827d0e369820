#pragma once
// Edits Oriel's hooks in the text of Claude Code's settings file. The rest is kept: byte by byte
// outside of "hooks", reindented inside. Pure.

#include "base/error.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// The new text; none if nothing changes. An error if the text is not a JSON object, or its hooks
// have an unknown shape.
using EditedText = Result<std::optional<std::string>>;

// Adds each of the eight hooks once, with this command.
EditedText install_hooks(const std::string& text, const std::string& command);

EditedText remove_hooks(const std::string& text);

struct InstalledHook {
  std::string_view event;
  std::vector<std::string> commands;  // Oriel's; one if all is well

  bool operator==(const InstalledHook&) const = default;
};

struct InstalledHooks {
  std::vector<InstalledHook> hooks;  // all eight, in order
  bool are_disabled = false;         // the settings disable all hooks
};

Result<InstalledHooks> installed_hooks(const std::string& text);

// The shell command of a hook. `url` is empty if it is the default.
std::string hook_command_line(const std::string& program, const std::string& url);

}  // namespace oriel
