#pragma once
// Oriel's hooks in the text of Claude Code's settings file. All else in it stays: outside of its
// "hooks" letter by letter, inside of them but for the spaces between words. Pure.

#include "base/error.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// The whole new text; none when there is nothing to change. An error when the text is not a JSON
// object, or has its hooks in a shape that Claude Code does not know either.
using EditedText = Result<std::optional<std::string>>;

// Each of the eight hooks once, with this command.
EditedText install_hooks(const std::string& text, const std::string& command);

EditedText remove_hooks(const std::string& text);

struct InstalledHook {
  std::string_view event;
  std::vector<std::string> commands;  // those of Oriel: one is enough

  bool operator==(const InstalledHook&) const = default;
};

struct InstalledHooks {
  std::vector<InstalledHook> hooks;  // of the eight, in their order
  bool are_disabled = false;         // the file says that no hook at all is to run
};

Result<InstalledHooks> installed_hooks(const std::string& text);

// The command line that a hook runs, for a shell. `url` is empty when it is the default.
std::string hook_command_line(const std::string& program, const std::string& url);

}  // namespace oriel
