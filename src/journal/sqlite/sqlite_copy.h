#pragma once
// Copies the database of a journal while it is in use.

#include <cstdint>
#include <filesystem>

namespace oriel {

// Writes the committed state of `from` into `to`, which must not exist, with a connection of its
// own. What concerns only `from`, its boot id, is left out. Throws SqliteError; then `to` is
// removed. Refuses to leave less than `spare_bytes` on the disk, which the journal may need.
void copy_database(const std::filesystem::path& from, const std::filesystem::path& to,
                   std::uint64_t spare_bytes = 64 << 20);

}  // namespace oriel
