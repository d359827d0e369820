#include "posix/service/passed_sockets.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr pid_t kOwn = 42;

std::vector<PassedSocket> sockets_in(const Environment& environment) {
  return announced_sockets(environment, kOwn).value();
}

std::string problem_of(const Environment& environment) {
  const auto sockets = announced_sockets(environment, kOwn);
  return sockets ? "" : sockets.error().message;
}

TEST(PassedSockets, AreNumberedFromThreeInTheOrderOfTheirNames) {
  EXPECT_THAT(
      sockets_in({{"LISTEN_PID", "42"}, {"LISTEN_FDS", "2"}, {"LISTEN_FDNAMES", "web:local"}}),
      ElementsAre(PassedSocket{.number = 3, .name = "web"},
                  PassedSocket{.number = 4, .name = "local"}));
}

TEST(PassedSockets, NeedNoNames) {
  const PassedSocket third{.number = 3, .name = "descriptor 3"};
  EXPECT_THAT(sockets_in({{"LISTEN_PID", "42"}, {"LISTEN_FDS", "1"}}), ElementsAre(third));
  EXPECT_THAT(sockets_in({{"LISTEN_PID", "42"}, {"LISTEN_FDS", "1"}, {"LISTEN_FDNAMES", ""}}),
              ElementsAre(third));
}

TEST(PassedSockets, AreThoseOfThisProcessOnly) {
  EXPECT_THAT(sockets_in({}), IsEmpty());
  EXPECT_THAT(sockets_in({{"LISTEN_FDS", "1"}}), IsEmpty());
  EXPECT_THAT(sockets_in({{"LISTEN_PID", "42"}}), IsEmpty());
  EXPECT_THAT(sockets_in({{"LISTEN_PID", "43"}, {"LISTEN_FDS", "1"}}), IsEmpty());
  EXPECT_THAT(sockets_in({{"LISTEN_PID", "43"}, {"LISTEN_FDS", "x"}}), IsEmpty());
  EXPECT_THAT(sockets_in({{"LISTEN_PID", "42"}, {"LISTEN_FDS", "0"}, {"LISTEN_FDNAMES", ""}}),
              IsEmpty());
}

TEST(PassedSockets, AMalformedVariableIsNamed) {
  EXPECT_EQ(problem_of({{"LISTEN_PID", "me"}, {"LISTEN_FDS", "1"}}),
            "LISTEN_PID: \"me\" is not the number of a process");
  for (const char* const count : {"", "-1", "65", "1x", "99999999999999999999"}) {
    EXPECT_THAT(problem_of({{"LISTEN_PID", "42"}, {"LISTEN_FDS", count}}),
                HasSubstr("is not a number of sockets from 0 to 64"))
        << count;
  }
  EXPECT_EQ(problem_of({{"LISTEN_PID", "42"}, {"LISTEN_FDS", "2"}, {"LISTEN_FDNAMES", "web"}}),
            "LISTEN_FDNAMES: \"web\" is not one name for each of the 2 sockets");
}

}  // namespace
}  // namespace oriel
