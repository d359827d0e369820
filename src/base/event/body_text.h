#pragma once
// Finds the text of a serialized event without parsing all of it.

#include <cstddef>
#include <string_view>

namespace oriel {

// Bytes of a body: the value of `text` as it is written, escaped and without its quotes.
struct TextSpan {
  std::size_t offset = 0;
  std::size_t size = 0;

  bool operator==(const TextSpan&) const = default;
};

// The text of a body of serialize_body(). Empty if the body does not begin as that one writes it.
TextSpan text_span(std::string_view body);

}  // namespace oriel
