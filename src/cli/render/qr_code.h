#pragma once
// A QR code for a terminal.

#include <string>

namespace oriel {

// Lines of half blocks, dark on light whatever the terminal's colors; empty if the text is too long
// for a code.
std::string qr_code(const std::string& text);

}  // namespace oriel
