// Any bytes decode to a message of the log or to garbage, and never crash; what decodes survives a
// round trip.

#include "check.h"
#include "cluster/entry_codec.h"
#include "cluster/log/entry_assembler.h"

#include <cstdint>
#include <string>

namespace {

void check_proposals(std::string_view payload) {
  using namespace oriel;
  const auto proposals = decode_proposals(payload);
  if (proposals) ORIEL_CHECK(encode_proposals(*proposals) == payload);
}

void check_message(std::string_view message) {
  using namespace oriel;
  const EntryPart part = decode_message(message);
  if (part.kind == MessageKind::kPart && part.parts == 1) {
    std::string again = encode_entry(part.author, part.number, part.payload).at(0);
    set_attempt(again, part.attempt);
    ORIEL_CHECK(again == message);
  }
  EntryAssembler assembler;
  const Entry entry = assembler.add(1, part);
  ORIEL_CHECK(entry.place == 1 && !entry.author.empty());
  ORIEL_CHECK(entry.number != 0 || entry.proposals.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_proposals(bytes);
  check_message(bytes);
  // With a checksum that is right, so that what is behind it is reached.
  check_message(oriel::encode_entry("n.1", 1, bytes).at(0));
  return 0;
}
