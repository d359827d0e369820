#pragma once
// Replaces files in one step: neither a reader nor a crash sees half of one.

#include "base/error.h"

#include <filesystem>
#include <string_view>

namespace oriel {

// Gets the mode and owner of the file `like`, or mode 0600 if there is no such file. On the disk
// when it returns; on an error the file is as before.
Result<void> replace_file(const std::filesystem::path& file, std::string_view text,
                          const std::filesystem::path& like = {});

}  // namespace oriel
