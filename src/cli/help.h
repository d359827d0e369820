#pragma once
// What the command line says about itself.

#include <string>

namespace oriel {

std::string version_text();
std::string main_help();
std::string serve_help();  // from serve_option_table()
std::string send_help();
std::string sessions_help();
std::string cancel_help();
std::string end_help();
std::string answer_help();
std::string doctor_help();
std::string watch_help();
std::string publish_help();
std::string mcp_help();
std::string hook_help();
std::string hooks_help();
std::string import_help();
std::string token_help();

// The tables of docs/configuration.md, from serve_option_table().
std::string options_markdown();

}  // namespace oriel
