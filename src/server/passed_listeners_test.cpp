#include "server/passed_listeners.h"

#include "base/temp_directory_testing.h"
#include "server/usage_error.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <unistd.h>

namespace oriel {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class PassedListeners : public testing::Test {
 protected:
  PassedListeners() {
    options_.listen_port = tcp_.local_endpoint().port();
    options_.socket = directory_ / "a.sock";
    file_ = std::make_unique<SocketFile>(*options_.socket);
    unix_socket_ = file_->take_listener();
  }

  // Copies, which take_listeners() closes.
  PassedSocket pass_tcp(const std::string& name = "web") {
    return {.number = ::dup(tcp_.native_handle()), .name = name};
  }

  PassedSocket pass_unix() const { return {.number = ::dup(unix_socket_.get()), .name = "local"}; }

  std::string problem_of(const std::vector<PassedSocket>& sockets) const {
    try {
      take_listeners(sockets, options_);
      return "";
    } catch (const UsageError& error) {
      return error.what();
    }
  }

  asio::io_context io_;
  asio::ip::tcp::acceptor tcp_{io_, {asio::ip::make_address("127.0.0.1"), 0}};
  TempDirectory directory_;
  std::unique_ptr<SocketFile> file_;
  FileDescriptor unix_socket_;
  ServeOptions options_;
};

TEST_F(PassedListeners, OneOfEachKindIsTaken) {
  const http::Listeners all = take_listeners({pass_unix(), pass_tcp()}, options_);
  EXPECT_TRUE(all.tcp);
  EXPECT_TRUE(all.unix_socket);
  EXPECT_FALSE(all.socket_file) << "the service manager removes it";
}

TEST_F(PassedListeners, AreNoneWithoutAServiceManager) {
  const http::Listeners all = take_passed_listeners(options_, {}, ::getpid());
  EXPECT_FALSE(all.tcp);
  EXPECT_FALSE(all.unix_socket);
}

TEST_F(PassedListeners, AMalformedVariableEndsTheStart) {
  const Environment environment = {{"LISTEN_PID", "x"}, {"LISTEN_FDS", "1"}};
  EXPECT_THROW(take_passed_listeners(options_, environment, ::getpid()), UsageError);
}

TEST_F(PassedListeners, AreWhereTheOptionsSay) {
  options_.listen_port = 0;
  EXPECT_EQ(problem_of({pass_tcp()}), "") << "port 0 is any";
  options_.listen_port = 1;
  EXPECT_THAT(problem_of({pass_tcp()}),
              AllOf(HasSubstr("'web'"), HasSubstr("--listen is 127.0.0.1:1;")));
  options_.listen_host = "0.0.0.0";
  options_.listen_port = 0;
  EXPECT_THAT(problem_of({pass_tcp()}), HasSubstr("set both to the same address"));
  options_.socket = directory_ / "b.sock";
  EXPECT_THAT(problem_of({pass_unix()}), HasSubstr("set both to the same path"));
  options_.socket = "";
  EXPECT_THAT(problem_of({pass_unix()}), HasSubstr("--socket is none"));
}

TEST_F(PassedListeners, AUnixSocketIsForItsUserOnly) {
  std::filesystem::permissions(*options_.socket, std::filesystem::perms(0660));
  EXPECT_THAT(problem_of({pass_unix()}), HasSubstr("SocketMode=0600"));
}

TEST_F(PassedListeners, ASecondOfAKindIsRejected) {
  EXPECT_EQ(problem_of({pass_tcp("web"), pass_tcp("more")}),
            "socket 'more' of the service manager is a second TCP socket; pass one");
}

TEST_F(PassedListeners, ADescriptorThatDoesNotListenIsRejected) {
  asio::ip::tcp::socket idle(io_, asio::ip::tcp::v4());
  EXPECT_THAT(problem_of({{.number = ::dup(idle.native_handle()), .name = "idle"}}),
              HasSubstr("'idle' of the service manager is a socket that does not listen"));
}

}  // namespace
}  // namespace oriel
