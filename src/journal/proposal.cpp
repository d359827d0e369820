#include "journal/proposal.h"

namespace oriel {

std::size_t Proposal::bytes() const {
  std::size_t bytes = 0;
  for (const auto& record : records)
    bytes += record->bytes();
  for (const Document& document : documents)
    bytes += document.key.size() + document.value.size();
  for (const Guard& guard : guards)
    bytes += guard.key.size() + guard.value.size();
  return bytes;
}

}  // namespace oriel
