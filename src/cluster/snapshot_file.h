#pragma once
// A copy of a journal on its way from one node to another.

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace oriel {

inline constexpr std::size_t kSnapshotPiece = 256 << 10;

// Of a whole file, from the CRC-32C of each of its pieces. Throws std::runtime_error.
std::uint64_t snapshot_digest(const std::filesystem::path& file);

// Makes the snapshot, a file in the same directory, the journal: durable on return. After a crash
// in between there is either the journal as it was, the new one, or none. Nothing may have the
// journal open. Throws std::runtime_error.
void install_snapshot(const std::filesystem::path& snapshot, const std::filesystem::path& journal);

}  // namespace oriel
