#pragma once
// The state of an import of transcripts.

#include <optional>
#include <string_view>

namespace oriel {

enum class ImportState { kIdle, kRunning, kDone, kCancelled, kFailed };

std::string_view name_of(ImportState state);  // "idle", "running", "done", "cancelled", "failed"
std::optional<ImportState> parse_import_state(std::string_view name);

}  // namespace oriel
