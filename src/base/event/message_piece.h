#pragma once
// Joins the pieces of an unfinished message.

#include <string>
#include <string_view>

namespace oriel {

// Appends the whole characters of the piece that fit into kMaxMessageBytes. Later pieces are
// ignored.
void append_piece(std::string& message, std::string_view piece);

}  // namespace oriel
