#pragma once
// Kinds of option values: which text each accepts, and the field of ServeOptions it sets.

#include "base/error.h"
#include "server/serve_options.h"

#include <functional>
#include <string>
#include <string_view>

namespace oriel {

struct OptionValue {
  std::string placeholder;   // "N"
  std::string allowed;       // completes "is not ...": "a whole number from 1 to 256"
  std::string default_text;  // for the help

  // Reads the text into its field. The error names the text and what is allowed.
  std::function<Result<void>(std::string_view text, ServeOptions& options)> set;

  bool is_repeatable = false;  // a repeated flag adds to the value
};

namespace option_value {

using std::chrono::milliseconds;

OptionValue number(unsigned ServeOptions::*field, std::uint64_t min, std::uint64_t max);
OptionValue number(std::uint64_t ServeOptions::*field, std::uint64_t min, std::uint64_t max);
OptionValue duration(milliseconds ServeOptions::*field, milliseconds min, milliseconds max);
OptionValue size(std::uint64_t ServeOptions::*field, std::uint64_t min, std::uint64_t max);

// Zero means no limit.
OptionValue duration_or_zero(milliseconds ServeOptions::*field, milliseconds min, milliseconds max);
OptionValue size_or_zero(std::uint64_t ServeOptions::*field, std::uint64_t min, std::uint64_t max);

// A leading ~ is rejected: no shell expands it in oriel.toml.
OptionValue path(const std::string& placeholder, std::string ServeOptions::*field);
OptionValue path(const std::string& placeholder, std::filesystem::path ServeOptions::*field);

OptionValue listen_address();
OptionValue socket_path();
OptionValue public_url();
OptionValue allowed_origins();
OptionValue local_trust();
OptionValue log_level();
OptionValue store_kind();
OptionValue durability();
OptionValue nats_servers();
OptionValue node_name();
OptionValue replicas();
OptionValue node_url();
OptionValue node_labels();
OptionValue placement();
OptionValue agents();
OptionValue default_agent();
OptionValue transcript_roots();
OptionValue media_types(std::vector<std::string> ServeOptions::*field);

// The same value, with another text for its default.
OptionValue with_default(OptionValue value, std::string default_text);

}  // namespace option_value
}  // namespace oriel
