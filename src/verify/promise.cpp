#include "verify/promise.h"

#include "base/enum_names.h"

#include <utility>

namespace oriel {
namespace {

constexpr std::size_t kMaxExamples = 5;

constexpr std::array<std::string_view, kPromises> kNames = {
    "no_acknowledged_loss", "exactly_once",    "dense_indexes", "gaps_announced",
    "bounded_memory",       "every_task_ends", "clean_stop",    "nodes_agree"};

}  // namespace

std::string_view name_of(Promise promise) {
  return name_in(kNames, promise);
}

std::optional<Promise> parse_promise(std::string_view name) {
  return find_name<Promise>(kNames, name);
}

std::vector<std::string> promise_names() {
  return {kNames.begin(), kNames.end()};
}

void Verdict::fail(std::string example) {
  ++broken;
  if (examples.size() < kMaxExamples) examples.push_back(std::move(example));
}

}  // namespace oriel
