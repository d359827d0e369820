#include "base/text/redactor.h"

#include <gmock/gmock.h>

#include <random>

namespace oriel {
namespace {

using testing::HasSubstr;
using testing::Not;

// Made up, and cut so that no scanner of secrets finds them in this file.
const std::string kAnthropic = std::string("sk-") + "ant-api03-abcDEF0123456789_-xyzABC";
const std::string kOpenAi = std::string("sk-") + "proj-abcDEF0123456789abcDEF";
const std::string kGitHub = std::string("ghp") + "_abcdefghijklmnopqrstuvwxyz0123456789";
const std::string kFineGrained = std::string("github") + "_pat_11ABCDEFG0abcdefghijkl_mnopqrstuv";
const std::string kAws = std::string("AKI") + "AIOSFODNN7EXAMPLE";
const std::string kGoogle = std::string("AIz") + "aSyA0123456789abcdefghijklmnopqrstuv";
const std::string kSlack = std::string("xox") + "b-123456789012-abcdefABCDEF";
const std::string kOriel = std::string("oriel") + "_AbCdEf0123456789AbCdEf0123456789AbCdEf01234";
const std::string kJwt =
    std::string("eyJ") + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTYifQ.SflKxwRJSMeKKF2QT4f";
const std::string kPem = "-----BEGIN RSA PRIVATE " +
                         std::string("KEY-----\nMIIEpAIBAAKCAQEA\nabc+/=\n") +
                         "-----END RSA PRIVATE KEY-----";

const std::vector<std::pair<std::string, std::string>> kShapes = {
    {"anthropic-key", kAnthropic},  {"openai-key", kOpenAi}, {"github-token", kGitHub},
    {"github-token", kFineGrained}, {"aws-key", kAws},       {"google-key", kGoogle},
    {"slack-token", kSlack},        {"oriel-token", kOriel}, {"jwt", kJwt},
    {"private-key", kPem}};

const SecretValue kValue{.name = "DB_PASSWORD", .value = "hunter2 & co."};
const SecretPattern kPattern{.name = "corp", .expression = "corp-[0-9a-f]{8}"};
const std::string kCorp = "corp-0123abcd";

std::string masked(std::string text, const Redactor& redactor) {
  redactor.mask(text);
  return text;
}

TEST(R_TRUTH_3, WellKnownKeysAreMaskedWhereverTheyStand) {
  const Redactor redactor;
  for (const auto& [name, secret] : kShapes) {
    const std::string mask = "[redacted:" + name + "]";
    EXPECT_EQ(masked(secret, redactor), mask);
    EXPECT_EQ(masked("export KEY=" + secret + "\nnext", redactor), "export KEY=" + mask + "\nnext");
    EXPECT_EQ(masked("\"" + secret + "\", '" + secret + "'", redactor),
              "\"" + mask + "\", '" + mask + "'");
  }
}

TEST(R_TRUTH_3, ValuesOfVariablesAreMasked) {
  const Redactor redactor({kValue});
  EXPECT_EQ(masked("login:hunter2 & co.!", redactor), "login:[redacted:DB_PASSWORD]!");
  EXPECT_EQ(masked("xhunter2 & co.x", redactor), "x[redacted:DB_PASSWORD]x");
}

TEST(R_TRUTH_3, PatternsOfTheOperatorAreMasked) {
  const Redactor redactor({}, {kPattern});
  EXPECT_EQ(masked("a corp-0123abcd, corp-89abcdef", redactor),
            "a [redacted:corp], [redacted:corp]");
}

TEST(Redactor, LeavesOrdinaryTextAlone) {
  const Redactor redactor({kValue}, {kPattern});
  for (const std::string text :
       {"", "s", "sk-", "a risk-assessment-of-something-long", "sk-learn-is-a-library-for-python",
        "task-0123456789012345678901234567", "github_pat_", "oriel_http_requests_total 12", "AKIA",
        "eyJ.eyJ.eyJ", "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----",
        "----- a line -----", "-----BEGIN ", "hunter2", "corp-xyz", "ghp_short1"}) {
    EXPECT_EQ(redactor.masked(text), std::nullopt) << text;
  }
}

TEST(Redactor, ShortValuesAreNotMasked) {
  const Redactor redactor(std::vector<SecretValue>{{.name = "PIN", .value = "1234567"}});
  EXPECT_EQ(redactor.masked("1234567"), std::nullopt);
}

TEST(Redactor, OfValuesThatBeginAlikeTheLongerIsMasked) {
  const Redactor redactor(std::vector<SecretValue>{{.name = "A", .value = "abcdefgh"},
                                                   {.name = "B", .value = "abcdefgh12"}});
  EXPECT_EQ(masked("abcdefgh12 abcdefgh", redactor), "[redacted:B] [redacted:A]");
}

TEST(Redactor, KeyWithoutAnEndIsMasked) {
  const Redactor redactor;
  EXPECT_EQ(masked("x " + kPem.substr(0, 50) + "... cut", redactor),
            "x [redacted:private-key]... cut");
}

TEST(Redactor, IndentedAndEscapedKeysAreMasked) {
  const Redactor redactor;
  const std::string begin = "-----BEGIN PRIVATE " + std::string("KEY-----");
  for (const std::string line_break : {"\n    ", "\\n", "\r\n"}) {
    const std::string key =
        begin + line_break + "MIIEpAIBAAKC" + line_break + "-----END PRIVATE KEY-----";
    EXPECT_EQ(masked("key: " + key + " end", redactor), "key: [redacted:private-key] end");
  }
}

TEST(Redactor, MentionOfAKeyIsNotMasked) {
  const Redactor redactor;
  const std::string mention =
      "begins with \"-----BEGIN PRIVATE " + std::string("KEY-----\" and then has lines");
  EXPECT_EQ(redactor.masked(mention), std::nullopt);
}

// What a reader of the pieces sees, who looks at each as soon as it is decided.
std::string streamed(const Redactor& redactor, const std::vector<std::string>& pieces) {
  std::string shown;
  std::string held;
  char before = '\0';
  for (const std::string& piece : pieces) {
    held += piece;
    shown += redactor.take_decided(held, before);
  }
  redactor.mask_interrupted(held);
  return shown + held;
}

std::vector<std::string> all_secrets() {
  std::vector<std::string> secrets{kValue.value, kCorp};
  for (const auto& [name, secret] : kShapes)
    secrets.push_back(secret);
  return secrets;
}

TEST(R_TRUTH_3, SecretSplitAnywhereNeverAppears) {
  const Redactor redactor({kValue}, {kPattern});
  for (const std::string& secret : all_secrets()) {
    const std::string text = "the key is " + secret + " , keep it";
    const std::string whole = masked(text, redactor);
    ASSERT_THAT(whole, Not(HasSubstr(secret)));
    for (std::size_t split = 0; split <= text.size(); ++split)
      EXPECT_EQ(streamed(redactor, {text.substr(0, split), text.substr(split)}), whole) << split;
  }
}

TEST(R_TRUTH_3, SecretInPiecesOfAnySizeNeverAppears) {
  const Redactor redactor({kValue}, {kPattern});
  const std::vector<std::string> secrets = all_secrets();
  std::mt19937 random(7);  // NOLINT(cert-msc51-cpp): the same every time
  for (int round = 0; round < 2000; ++round) {
    std::string text = "start ";
    for (int i = 0; i < 3; ++i)
      text += secrets[random() % secrets.size()] + (random() % 2 == 0 ? " and\n" : "; sk-a e g ");
    std::vector<std::string> pieces;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t size = 1 + random() % 9;
      pieces.push_back(text.substr(at, size));
      at += size;
    }
    EXPECT_EQ(streamed(redactor, pieces), masked(text, redactor));
  }
}

TEST(Redactor, HoldsBackTheShortestEndThatMayBeASecret) {
  const Redactor redactor({kValue});
  const auto held_of = [&](std::string text) {
    char before = '\0';
    redactor.take_decided(text, before);
    return text;
  };
  EXPECT_EQ(held_of("plain words."), "");
  EXPECT_EQ(held_of("the files"), "") << "a key does not begin inside a word";
  EXPECT_EQ(held_of("the s"), "s");
  EXPECT_EQ(held_of("the sk-ant-abc"), "sk-ant-abc");
  EXPECT_EQ(held_of("the sk-ant-abc "), "");
  EXPECT_EQ(held_of("say hunter2"), "hunter2");
  EXPECT_EQ(held_of("say hunter3"), "");
}

TEST(Redactor, InterruptedValueIsMaskedOnceItIsLong) {
  const Redactor redactor({kValue});
  const auto interrupted = [&](std::string text) {
    redactor.mask_interrupted(text);
    return text;
  };
  EXPECT_EQ(interrupted("hunter2"), "hunter2");
  EXPECT_EQ(interrupted("hunter2 "), "[redacted:DB_PASSWORD]");
  EXPECT_EQ(interrupted("hunter2 & co"), "[redacted:DB_PASSWORD]");
}

TEST(Redactor, HoldsBackNoMoreThanALimit) {
  const Redactor redactor;
  std::string text = "sk-" + std::string(100'000, '7');
  char before = '\0';
  EXPECT_EQ(redactor.take_decided(text, before), "[redacted:openai-key]");
  EXPECT_EQ(text, "");
}

TEST(Redactor, TextMadeOfBeginningsIsScannedInTime) {
  const Redactor redactor({kValue});
  for (const std::string piece : {"sk-", "eyJ-", "-----BEGIN ", "hunter2 ", "eyJaaaaaaaaaa. "}) {
    std::string text;
    while (text.size() < (1U << 20U))
      text += piece;
    EXPECT_EQ(redactor.masked(text), std::nullopt) << piece;
  }
}

TEST(Redactor, MalformedPatternsAreRefused) {
  EXPECT_TRUE(check_pattern(kPattern));
  EXPECT_THAT(check_pattern({.name = "x", .expression = "("}).error().message,
              HasSubstr("is not a regular expression"));
  EXPECT_THAT(check_pattern({.name = "x", .expression = "a*"}).error().message,
              HasSubstr("matches the empty text"));
}

}  // namespace
}  // namespace oriel
