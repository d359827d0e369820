#pragma once
// The checksum that is stored with each record.

#include <cstdint>
#include <string_view>

namespace oriel {

// CRC-32C (Castagnoli), as iSCSI, ext4 and others compute it.
std::uint32_t crc32c(std::string_view bytes);

}  // namespace oriel
