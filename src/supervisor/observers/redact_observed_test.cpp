#include "supervisor/observers/redact_observed.h"

#include <boost/json/object.hpp>
#include <gtest/gtest.h>

namespace oriel {
namespace {

namespace json = boost::json;

const std::string kSecret = "swordfish-42";
const std::string kMask = "[redacted:PASSWORD]";
const Redactor kRedactor(std::vector<SecretValue>{{.name = "PASSWORD", .value = kSecret}});

TEST(R_TRUTH_3, TextsOfHooksAreMasked) {
  HookEvent hook;
  hook.session_id = kSecret;
  hook.prompt = hook.last_text = hook.message = "x " + kSecret;
  hook.tool_input = json::object{{"command", kSecret}};
  hook.tool_response = json::object{{"stdout", kSecret}};
  redact(hook, kRedactor);
  EXPECT_EQ(hook.session_id, kSecret) << "an id";
  EXPECT_EQ(hook.prompt, "x " + kMask);
  EXPECT_EQ(hook.last_text, "x " + kMask);
  EXPECT_EQ(hook.message, "x " + kMask);
  EXPECT_EQ(hook.tool_input.at("command").as_string(), kMask);
  EXPECT_EQ(hook.tool_response.at("stdout").as_string(), kMask);
}

TEST(R_TRUTH_3, EntriesOfTranscriptsAreMasked) {
  TranscriptEntry entry;
  entry.text = kSecret;
  entry.input = json::object{{"command", kSecret}};
  std::vector<TranscriptEntry> entries = {entry};
  redact(entries, kRedactor);
  EXPECT_EQ(entries[0].text, kMask);
  EXPECT_EQ(entries[0].input.at("command").as_string(), kMask);
}

}  // namespace
}  // namespace oriel
