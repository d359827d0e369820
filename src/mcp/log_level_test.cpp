#include "mcp/log_level.h"

#include <gtest/gtest.h>

namespace oriel::mcp {
namespace {

TEST(LogLevel, AWordReadsBackAsItWasWritten) {
  for (const LogLevel level :
       {LogLevel::kDebug, LogLevel::kInfo, LogLevel::kNotice, LogLevel::kWarning, LogLevel::kError,
        LogLevel::kCritical, LogLevel::kAlert, LogLevel::kEmergency})
    EXPECT_EQ(parse_log_level(name_of(level)), level) << name_of(level);
}

TEST(LogLevel, TheWordsAreThoseOfTheProtocol) {
  EXPECT_EQ(name_of(LogLevel::kDebug), "debug");
  EXPECT_EQ(name_of(LogLevel::kWarning), "warning");
  EXPECT_EQ(name_of(LogLevel::kEmergency), "emergency");
}

TEST(LogLevel, AnyOtherWordIsNone) {
  for (const char* text : {"", "warn", "DEBUG", "debug ", " debug", "fatal"})
    EXPECT_FALSE(parse_log_level(text)) << text;
}

TEST(LogLevel, TheMoreUrgentIsTheGreater) {
  EXPECT_LT(LogLevel::kDebug, LogLevel::kInfo);
  EXPECT_LT(LogLevel::kWarning, LogLevel::kError);
  EXPECT_LT(LogLevel::kAlert, LogLevel::kEmergency);
}

}  // namespace
}  // namespace oriel::mcp
