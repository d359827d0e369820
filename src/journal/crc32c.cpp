#include "journal/crc32c.h"

#include <boost/crc.hpp>

#include <cstring>

namespace oriel {
namespace {

std::uint32_t by_table(std::string_view bytes) {
  boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true> sum;
  sum.process_bytes(bytes.data(), bytes.size());
  return sum.checksum();
}

#if defined(__x86_64__)
// The processor's own instruction, ten times faster: every stored byte is summed.
__attribute__((target("sse4.2"))) std::uint32_t by_instruction(std::string_view bytes) {
  std::uint64_t sum = 0xFFFFFFFF;
  while (bytes.size() >= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof(word));
    sum = __builtin_ia32_crc32di(sum, word);
    bytes.remove_prefix(sizeof(word));
  }
  auto rest = static_cast<std::uint32_t>(sum);
  for (const char byte : bytes)
    rest = __builtin_ia32_crc32qi(rest, static_cast<unsigned char>(byte));
  return ~rest;
}

std::uint32_t sum_of(std::string_view bytes) {
  static const bool kHasInstruction = __builtin_cpu_supports("sse4.2") != 0;
  return kHasInstruction ? by_instruction(bytes) : by_table(bytes);
}
#else
std::uint32_t sum_of(std::string_view bytes) {
  return by_table(bytes);
}
#endif

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  return sum_of(bytes);
}

}  // namespace oriel
