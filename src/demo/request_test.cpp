#include "demo/request.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

using namespace std::chrono_literals;

DemoRequest about(DemoAction action, std::string subject = {}) {
  return {.action = action, .subject = std::move(subject)};
}

TEST(DemoRequest, AVerbAndItsSubjectAreUnderstoodInPlainWords) {
  EXPECT_EQ(understand("list"), about(DemoAction::kList));
  EXPECT_EQ(understand("Please list all the files in src"), about(DemoAction::kList, "src"));
  EXPECT_EQ(understand("read README.md"), about(DemoAction::kRead, "README.md"));
  EXPECT_EQ(understand("Could you show me the file docs/a b.txt"),
            about(DemoAction::kRead, "docs/a b.txt"));
  EXPECT_EQ(understand("Search: TODO"), about(DemoAction::kSearch, "TODO"));
  EXPECT_EQ(understand("find \"two words\"\n"), about(DemoAction::kSearch, "two words"));
  EXPECT_EQ(understand("search for the word slowly"), about(DemoAction::kSearch, "slowly"));
  EXPECT_EQ(understand("search for"), about(DemoAction::kSearch, "for"));
  EXPECT_EQ(understand("count"), about(DemoAction::kCount));
  EXPECT_EQ(understand("count words in notes.txt"), about(DemoAction::kCount, "notes.txt"));
  EXPECT_EQ(understand("help!"), about(DemoAction::kHelp));
  EXPECT_EQ(understand("ask"), about(DemoAction::kAsk));
}

TEST(DemoRequest, WriteTakesAFileAndTheTextBehindTheColon) {
  const DemoRequest request = understand("write the file notes/a.txt: first: line\nsecond slowly");
  EXPECT_EQ(request.action, DemoAction::kWrite);
  EXPECT_EQ(request.subject, "notes/a.txt");
  EXPECT_EQ(request.text, "first: line\nsecond slowly");
  EXPECT_FALSE(request.is_slow);
  EXPECT_EQ(understand("write notes.txt"), about(DemoAction::kWrite, "notes.txt"));
}

TEST(DemoRequest, AnythingElseAsksForAnOverview) {
  for (const char* prompt :
       {"", "  \n", "fix the failing test", "why does it crash?", "\xff\xfe", "::", "please"}) {
    EXPECT_EQ(understand(prompt), DemoRequest{}) << prompt;
  }
}

TEST(DemoRequest, AFaultHasToBeTheWholePrompt) {
  EXPECT_EQ(understand("crash").action, DemoAction::kCrash);
  EXPECT_EQ(understand("Crash.").action, DemoAction::kCrash);
  EXPECT_EQ(understand("crash the build").action, DemoAction::kOverview);
  EXPECT_EQ(understand("flood 100000").action, DemoAction::kFlood);
  EXPECT_EQ(understand("flood 100000").amount, 100'000u);
  EXPECT_EQ(understand("babble 10").action, DemoAction::kBabble);
  EXPECT_EQ(understand("flood many").action, DemoAction::kOverview);
  EXPECT_EQ(understand("flood -1").action, DemoAction::kOverview);
  EXPECT_EQ(understand("exit 3").amount, 3u);
  EXPECT_EQ(understand("longline 99999999999999999999999").action, DemoAction::kOverview);
}

TEST(DemoRequest, FilesThatCameWithThePromptAreRead) {
  const DemoRequest request = understand(
      "crash\n\nAttached files:\n- /data/a (1).txt (text/plain, 3 bytes)\n- /data/b (x, 0 "
      "bytes)\n");
  EXPECT_EQ(request.action, DemoAction::kReadAttached);
  EXPECT_EQ(request.files, (std::vector<std::string>{"/data/a (1).txt", "/data/b"}));
  EXPECT_EQ(understand("list\n\nAttached files:\n- nothing\n").action, DemoAction::kList);
}

TEST(DemoRequest, SlownessIsAPaceAndMayBeAWait) {
  EXPECT_TRUE(understand("slowly list").is_slow);
  EXPECT_EQ(understand("slowly list").action, DemoAction::kList);
  EXPECT_TRUE(understand("count slowly").is_slow);
  EXPECT_EQ(understand("slow 5s").wait_first, 5s);
  EXPECT_EQ(understand("slow 250ms read x").wait_first, 250ms);
  EXPECT_EQ(understand("slow 250ms read x").subject, "x");
  EXPECT_EQ(understand("slow 18446744073709551615s").wait_first, 10min);
  EXPECT_EQ(understand("search slow"), about(DemoAction::kSearch, "slow"));
}

}  // namespace
}  // namespace oriel
