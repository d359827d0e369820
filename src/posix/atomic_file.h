#pragma once
// Replaces files atomically, for readers and across crashes.

#include "base/error.h"

#include <filesystem>
#include <string_view>

namespace oriel {

// The new file has the mode and owner of `like`, or mode 0600 if that does not exist. Durable on
// return; an error leaves the file unchanged.
Result<void> replace_file(const std::filesystem::path& file, std::string_view text,
                          const std::filesystem::path& like = {});

}  // namespace oriel
