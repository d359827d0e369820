#pragma once
// Text for approvals: no character is invisible, imitates a space or changes how the rest is shown.

#include <string>
#include <string_view>

namespace oriel {

// Controls (line breaks too), direction marks, characters without ink and private ones become
// ⟨U+202E⟩, bytes that are not UTF-8 ⟨0x9C⟩, and a tab ⇥ with three spaces.
std::string visible(std::string_view text);

}  // namespace oriel
