#pragma once
// Turns the messages of the log into entries, in the order of their places. Pure: what it returns
// for a place depends on the messages of the last kAssemblySpan places only, so that all nodes
// agree wherever they have begun to read.

#include "cluster/entry_codec.h"
#include "journal/event_log.h"

#include <cstdint>
#include <map>
#include <string>

namespace oriel {

// The parts of an entry are dropped if the last one is not stored within so many places of the
// first. A node begins to read so many places before the first that it needs.
constexpr std::uint64_t kAssemblySpan = 1024;

// The author of places that hold no complete entry. The entry's number is 0, so that it is passed
// over.
constexpr const char* kNoAuthor = "-";

class EntryAssembler {
 public:
  // The entry of the next place: complete, or of kNoAuthor if the message is garbage, a part before
  // the last one, or one that another is missing for.
  Entry add(std::uint64_t place, EntryPart part);

 private:
  struct Assembly {
    std::uint64_t first_place = 0;
    std::uint64_t number = 0;
    std::size_t parts = 0;  // collected
    std::uint64_t digest = 0;
    std::string payload = {};
  };

  bool collect(std::uint64_t place, EntryPart& part);
  void drop_old(std::uint64_t place);

  std::map<std::string, Assembly, std::less<>> assemblies_;  // by author
};

}  // namespace oriel
