#include "cluster/log/entry_assembler.h"

#include "base/text/text_hash.h"

#include <optional>
#include <utility>
#include <vector>

namespace oriel {

Entry EntryAssembler::add(std::uint64_t place, EntryPart part) {
  drop_old(place);
  Entry entry{.place = place, .author = kNoAuthor, .digest = part.digest, .proposals = {}};
  if (part.kind != MessageKind::kPart) return entry;
  if (part.parts > 1 && !collect(place, part)) return entry;
  std::optional<std::vector<Proposal>> proposals = decode_proposals(part.payload);
  if (!proposals) return entry;
  entry.author = std::move(part.author);
  entry.number = part.number;
  entry.digest = part.digest;
  entry.proposals = *std::move(proposals);
  return entry;
}

// True: this was the last part; `part` becomes the whole.
bool EntryAssembler::collect(std::uint64_t place, EntryPart& part) {
  Assembly& assembly = assemblies_[part.author];
  if (part.part == 1) assembly = {.first_place = place, .number = part.number};
  const bool is_next = assembly.number == part.number && assembly.parts + 1 == part.part;
  if (is_next) {
    ++assembly.parts;
    assembly.digest = text_hash(hex(part.digest), assembly.digest);
    assembly.payload += part.payload;
  }
  if (!is_next || part.part < part.parts) {
    if (assembly.parts == 0) assemblies_.erase(part.author);
    return false;
  }
  part.payload = std::move(assembly.payload);
  part.digest = assembly.digest;
  assemblies_.erase(part.author);
  return true;
}

void EntryAssembler::drop_old(std::uint64_t place) {
  std::erase_if(assemblies_, [place](const auto& each) {
    return each.second.first_place + kAssemblySpan <= place;
  });
}

}  // namespace oriel
