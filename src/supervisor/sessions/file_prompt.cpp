#include "supervisor/sessions/file_prompt.h"

#include <spdlog/fmt/fmt.h>

namespace oriel {

std::string text_of_files(const std::vector<TurnFile>& files) {
  std::string text = files.size() == 1 ? "File: " : "Files: ";
  for (const TurnFile& file : files)
    text += (&file == &files.front() ? "" : ", ") + file.name;
  return text;
}

std::string stored_name(const TurnFile& file) {
  return file.file_id + "-" + file.name;
}

std::string prompt_with_files(std::string_view text, const std::vector<TurnFile>& files,
                              const std::filesystem::path& directory) {
  std::string prompt(text);
  if (files.empty()) return prompt;
  prompt += "\n\nAttached files:\n";
  for (const TurnFile& file : files)
    prompt += fmt::format("- {} ({}, {} bytes)\n", (directory / stored_name(file)).string(),
                          file.type, file.size);
  return prompt;
}

}  // namespace oriel
