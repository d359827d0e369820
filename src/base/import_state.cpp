#include "base/import_state.h"

#include "base/enum_names.h"

namespace oriel {
namespace {

constexpr std::array<std::string_view, 5> kImportStates = {"idle", "running", "done", "cancelled",
                                                           "failed"};

}  // namespace

std::string_view name_of(ImportState state) {
  return name_in(kImportStates, state);
}

std::optional<ImportState> parse_import_state(std::string_view name) {
  return find_name<ImportState>(kImportStates, name);
}

}  // namespace oriel
