#pragma once
// Text for approvals: no character is invisible, imitates a space or changes how the rest is shown.

#include <string>
#include <string_view>

namespace oriel {

// Controls (line breaks too, but not a tab), direction marks, characters without ink, imitations of
// a space and private characters.
bool is_hidden(char32_t character);

// Hidden characters become ⟨U+202E⟩, bytes that are not UTF-8 ⟨0x9C⟩, and a tab ⇥ with three
// spaces.
std::string visible(std::string_view text);

}  // namespace oriel
