#pragma once
// For tests: the real demo agent and its client's end of the pipes.

#include "base/eventually_testing.h"
#include "base/text/json_text.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace oriel {

constexpr std::chrono::seconds kAgentPatience{20};

// Every wait ends after 20 s with an exception. The program is killed with its object.
class AgentClient {
 public:
  // With its conversations below `home`.
  explicit AgentClient(const std::filesystem::path& home);
  ~AgentClient();
  AgentClient(const AgentClient&) = delete;
  AgentClient& operator=(const AgentClient&) = delete;

  void send(const boost::json::object& message) const;
  void send_line(std::string_view line) const;

  // Sends a request and returns its number.
  int request(std::string_view method, boost::json::object params);

  // The next line that is a message; others are counted.
  boost::json::object next();

  // Everything up to the response with this number, which comes last.
  std::vector<boost::json::object> until_response(int id);

  // initialize and session/new; the session's id.
  std::string start(const std::filesystem::path& workspace);

  int prompt(const std::string& session, std::string_view text);
  void cancel(const std::string& session) const;

  void close_input();
  void signal(int number) const;

  // 128 + the signal that ended it; none if it runs.
  std::optional<int> exit_code(std::chrono::milliseconds within);

  int noise() const { return noise_; }

 private:
  std::string next_line();

  pid_t pid_ = -1;
  int to_agent_ = -1;
  int from_agent_ = -1;
  std::string unread_;
  int last_id_ = 0;
  int noise_ = 0;
};

inline AgentClient::AgentClient(const std::filesystem::path& home) {
  int in[2];
  int out[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  const std::string home_variable = "HOME=" + home.string();
  const char* const words[] = {DEMO_AGENT_BINARY, "--pace", "0", nullptr};
  const char* const environment[] = {home_variable.c_str(), "PATH=/usr/bin:/bin", nullptr};
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int quiet = open("/dev/null", O_WRONLY);
    if (getppid() != parent || dup2(in[0], 0) < 0 || dup2(out[1], 1) < 0 || dup2(quiet, 2) < 0) {
      _exit(126);
    }
    execve(words[0], const_cast<char**>(words), const_cast<char**>(environment));
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  to_agent_ = in[1];
  from_agent_ = out[0];
  std::signal(SIGPIPE, SIG_IGN);
}

inline AgentClient::~AgentClient() {
  close_input();
  close(from_agent_);
  if (pid_ < 0) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

inline void AgentClient::send_line(std::string_view line) const {
  const std::string bytes = std::string(line) + '\n';
  if (write(to_agent_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
    throw std::runtime_error("the agent does not read");
  }
}

inline void AgentClient::send(const boost::json::object& message) const {
  send_line(json_text(message));
}

inline int AgentClient::request(std::string_view method, boost::json::object params) {
  send({{"jsonrpc", "2.0"}, {"id", ++last_id_}, {"method", method}, {"params", std::move(params)}});
  return last_id_;
}

inline std::string AgentClient::next_line() {
  const auto deadline = std::chrono::steady_clock::now() + kAgentPatience;
  for (std::size_t end = 0; (end = unread_.find('\n')) == unread_.npos;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd readable{.fd = from_agent_, .events = POLLIN, .revents = 0};
    char buffer[64 << 10];
    if (left.count() <= 0 || poll(&readable, 1, static_cast<int>(left.count())) <= 0) {
      throw std::runtime_error("the agent says nothing");
    }
    const ssize_t got = read(from_agent_, buffer, sizeof buffer);
    if (got <= 0) throw std::runtime_error("the agent has gone");
    unread_.append(buffer, static_cast<std::size_t>(got));
  }
  const std::size_t end = unread_.find('\n');
  std::string line = unread_.substr(0, end);
  unread_.erase(0, end + 1);
  return line;
}

inline boost::json::object AgentClient::next() {
  while (true) {
    boost::system::error_code problem;
    const boost::json::value value = boost::json::parse(next_line(), problem);
    if (!problem && value.is_object() && value.as_object().contains("jsonrpc")) {
      return value.as_object();
    }
    ++noise_;
  }
}

inline std::vector<boost::json::object> AgentClient::until_response(int id) {
  std::vector<boost::json::object> messages;
  const auto is_it = [id](const boost::json::object& message) {
    return !message.contains("method") && message.contains("id") && message.at("id") == id;
  };
  do {
    messages.push_back(next());
  } while (!is_it(messages.back()));
  return messages;
}

inline std::string AgentClient::start(const std::filesystem::path& workspace) {
  until_response(request("initialize", {{"protocolVersion", 1}}));
  const int id =
      request("session/new", {{"cwd", workspace.string()}, {"mcpServers", boost::json::array()}});
  return std::string(until_response(id).back().at("result").at("sessionId").as_string());
}

inline int AgentClient::prompt(const std::string& session, std::string_view text) {
  boost::json::array blocks{boost::json::object{{"type", "text"}, {"text", text}}};
  return request("session/prompt", {{"sessionId", session}, {"prompt", std::move(blocks)}});
}

inline void AgentClient::cancel(const std::string& session) const {
  send({{"jsonrpc", "2.0"}, {"method", "session/cancel"}, {"params", {{"sessionId", session}}}});
}

inline void AgentClient::close_input() {
  if (to_agent_ >= 0) close(to_agent_);
  to_agent_ = -1;
}

inline void AgentClient::signal(int number) const {
  kill(pid_, number);
}

inline std::optional<int> AgentClient::exit_code(std::chrono::milliseconds within) {
  int status = 0;
  if (!eventually([&] { return waitpid(pid_, &status, WNOHANG) == pid_; }, within))
    return std::nullopt;
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Of a session/update; none for other messages.
inline const boost::json::object* update_of(const boost::json::object& message) {
  const boost::json::value* method = message.if_contains("method");
  if (!method || *method != "session/update") return nullptr;
  return &message.at("params").at("update").as_object();
}

// The text of all updates of a kind, such as "agent_message_chunk".
inline std::string text_of(const std::vector<boost::json::object>& messages,
                           std::string_view kind) {
  std::string text;
  for (const boost::json::object& message : messages) {
    const boost::json::object* update = update_of(message);
    if (update && update->at("sessionUpdate").as_string() == kind) {
      text += update->at("content").at("text").as_string();
    }
  }
  return text;
}

// The last tool call's last status and output: "completed: 3 lines".
inline std::string tool_end(const std::vector<boost::json::object>& messages) {
  std::string end;
  for (const boost::json::object& message : messages) {
    const boost::json::object* update = update_of(message);
    if (update && update->contains("rawOutput")) {
      end = std::string(update->at("status").as_string()) + ": " +
            std::string(update->at("rawOutput").as_string());
    }
  }
  return end;
}

// "end_turn", "cancelled", or "error -32603".
inline std::string task_end(const std::vector<boost::json::object>& messages) {
  const boost::json::object& response = messages.back();
  if (const boost::json::value* error = response.if_contains("error")) {
    return "error " + boost::json::serialize(error->at("code"));
  }
  return std::string(response.at("result").at("stopReason").as_string());
}

}  // namespace oriel
