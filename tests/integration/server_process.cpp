#include "server_process.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <stdexcept>

namespace oriel {
namespace {

constexpr std::string_view kReady = "Oriel is ready: ";

bool has_flag(const std::vector<std::string>& flags, std::string_view name) {
  return std::find(flags.begin(), flags.end(), name) != flags.end();
}

std::vector<std::string> serve_arguments(const std::vector<std::string>& flags,
                                         const std::string& data_dir) {
  std::vector<std::string> arguments = {"serve", "--data-dir", data_dir};
  if (!has_flag(flags, "--listen")) arguments.insert(arguments.end(), {"--listen", "127.0.0.1:0"});
  if (!has_flag(flags, "--threads")) arguments.insert(arguments.end(), {"--threads", "2"});
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  return arguments;
}

}  // namespace

ServerProcess::ServerProcess(const std::vector<std::string>& flags,
                             const std::filesystem::path& data_dir, Environment environment,
                             const std::vector<std::string>& launcher)
    : data_dir_(data_dir.empty() ? own_dir_.path() : data_dir) {
  Command command = oriel_command(serve_arguments(flags, data_dir_.string()));
  command.words.insert(command.words.begin(), launcher.begin(), launcher.end());
  command.environment = std::move(environment);
  process_ = std::make_unique<TestProcess>(command);
  const auto is_ready = [this] {
    return process_->out().ends_with('\n') || !process_->is_running();
  };
  const bool said_something = eventually(is_ready);
  const std::string line = process_->out();
  if (!said_something || !line.starts_with(kReady)) {
    throw std::runtime_error("the server is not ready: " + line + process_->err());
  }
  url_ = line.substr(kReady.size(), line.size() - kReady.size() - 1);
  port_ = static_cast<std::uint16_t>(std::stoi(url_.substr(url_.rfind(':') + 1)));
}

ServerProcess::~ServerProcess() {
  if (!was_signalled_) {
    if (!process_->is_running()) ADD_FAILURE() << "the server has died";
    process_->signal(SIGTERM);
    EXPECT_EQ(process_->wait_exit(kPatience), 0) << "the server did not end well: " << log();
  }
  if (log().find("Sanitizer") != std::string::npos) ADD_FAILURE() << log();
}

void ServerProcess::signal(int number) {
  was_signalled_ = true;
  process_->signal(number);
}

void ServerProcess::kill() {
  signal(SIGKILL);
  process_->wait_exit();
}

}  // namespace oriel
