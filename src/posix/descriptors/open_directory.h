#pragma once
// Directories as things, not as paths: a path may lead to another directory a moment later.

#include "posix/file_descriptor.h"

#include <filesystem>
#include <string>

namespace oriel {

// Opens a directory only to name, enter and identify it. Empty, with errno, on failure: ELOOP if
// any part of the path is a symbolic link.
FileDescriptor open_directory(const std::filesystem::path& path);

// "DEVICE:INODE", the same in every mount namespace.
std::string identity_of(const FileDescriptor& file);

}  // namespace oriel
