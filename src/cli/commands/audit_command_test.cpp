#include "cli/commands/audit_command.h"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace oriel {
namespace {

std::string line_of(const char* entry) {
  return audit_line(boost::json::parse(entry).as_object());
}

TEST(AuditLine, SaysWhoDidWhatFromWhere) {
  EXPECT_EQ(line_of(R"({"text":"cancel","status":"ok","timestamp":"2026-01-02T03:04:05.006Z",
      "data":{"by":"ann","address":"10.0.0.7","session_id":"ses_1"}})"),
            "2026-01-02T03:04:05.006Z  cancel   ses_1            by ann from 10.0.0.7");
}

TEST(AuditLine, SaysWhyItWasRefused) {
  EXPECT_EQ(line_of(R"({"text":"start","status":"not_allowed","timestamp":"T",
      "data":{"by":"ann","address":"::1"}})"),
            "T  start                     by ann from ::1  refused: not_allowed");
}

TEST(AuditLine, NamesATokenThatWasCreatedOrRevoked) {
  EXPECT_EQ(line_of(R"({"text":"token_create","status":"ok","timestamp":"T",
      "data":{"by":"local","address":"command line","token":"ci"}})"),
            "T  token_create ci               by local from command line");
}

TEST(AuditLine, CannotMoveTheCursor) {
  EXPECT_EQ(line_of(R"({"text":"end","status":"ok","timestamp":"T",
      "data":{"by":"a\u001b[2J","address":"::1","session_id":"s"}})"),
            R"(T  end      s                by a\x1b[2J from ::1)");
}

}  // namespace
}  // namespace oriel
