#include "cli/arguments/arguments.h"

#include <gtest/gtest.h>

namespace oriel {
namespace {

using Words = std::vector<std::string>;

constexpr ValueRule kEven = {"even", [](std::string_view text) { return text.size() % 2 == 0; }};

const CommandSpec kCommand{.name = "publish",
                           .group = "Events",
                           .summary = "Publish one event",
                           .usage = {"TYPE"},
                           .description = "",
                           .options = {{"data", "JSON", "Data"},
                                       {"text", "TEXT", "Text"},
                                       {"pair", "XX", "Text of an even length", kEven},
                                       {"types", "A,B", "Types", {}, Occurs::kRepeatedly},
                                       {"json", "", "JSON lines"},
                                       {"secret", "", ""}},
                           .notes = "",
                           .positionals = {"TYPE"},
                           .required_positionals = 1};

Arguments parse(Words words) {
  return parse_arguments(kCommand, words).value();
}

Error error_of(Words words) {
  return parse_arguments(kCommand, words).error();
}

TEST(Arguments, SeparateFlagsFromPositionals) {
  const Arguments arguments = parse({"--text", "a b", "deploy", "--json", "--data=1"});
  EXPECT_EQ(arguments.value("text"), "a b");
  EXPECT_EQ(arguments.value("data"), "1");
  EXPECT_TRUE(arguments.has("json"));
  EXPECT_FALSE(arguments.has("secret"));
  EXPECT_FALSE(arguments.has("types"));
  EXPECT_EQ(arguments.positionals, Words{"deploy"});
  EXPECT_FALSE(arguments.wants_help);
}

TEST(Arguments, KeepValuesAsTheyAre) {
  for (const char* value :
       {"{}", "[1,2]", "[]", "-", "", "\"x\"", "%%", "a,b", "{\"a\":[1, 2]}", "'", "--json"}) {
    EXPECT_EQ(parse({"deploy", "--data", value}).value("data"), value) << value;
  }
  EXPECT_EQ(parse({"deploy", "--text=-v --x=1"}).value("text"), "-v --x=1");
  EXPECT_EQ(parse({"deploy", "--text="}).value("text"), "");
  EXPECT_EQ(parse({"deploy", "--text", "-v"}).value("text"), "-v");
  EXPECT_EQ(parse({"[a,b]"}).positionals, Words{"[a,b]"});
}

TEST(Arguments, KeepRepeatedValuesInOrder) {
  EXPECT_EQ(parse({"x", "--types", "b", "--types=a"}).values("types"), (Words{"b", "a"}));
  EXPECT_EQ(parse({"x"}).values("types"), Words{});
}

TEST(Arguments, AfterTwoDashesAreAllPositional) {
  EXPECT_EQ(parse({"--", "--json"}).positionals, Words{"--json"});
}

TEST(Arguments, HelpWinsOverEveryError) {
  EXPECT_TRUE(parse({"--help"}).wants_help);
  EXPECT_TRUE(parse({"-h"}).wants_help);
  EXPECT_TRUE(parse({"a", "b", "c", "--unknown", "--help"}).wants_help);
  EXPECT_FALSE(parse({"--", "--help"}).wants_help);
}

TEST(Arguments, AnUnknownFlagIsNamedWithTheNearest) {
  EXPECT_EQ(error_of({"x", "--dta=1"}).message, "unknown flag \"--dta\"");
  EXPECT_EQ(error_of({"x", "--dta=1"}).hint, "did you mean --data?");
  EXPECT_EQ(error_of({"x", "--colour"}).hint, "see oriel publish --help");
  EXPECT_EQ(error_of({"x", "-q"}).message, "unknown flag \"-q\"");
  EXPECT_EQ(error_of({"x", "-json"}).message, "unknown flag \"-json\"");
}

TEST(Arguments, AHiddenSwitchIsNotSuggested) {
  EXPECT_EQ(error_of({"x", "--secrt"}).hint, "see oriel publish --help");
  EXPECT_TRUE(parse({"x", "--secret"}).has("secret"));
}

TEST(Arguments, AFlagGivenTwiceIsAnError) {
  EXPECT_EQ(error_of({"x", "--text", "a", "--text", "b"}).message, "flag --text is given twice");
}

TEST(Arguments, AFlagWithoutItsValueIsAnError) {
  EXPECT_EQ(error_of({"x", "--text"}).message, "flag --text needs a value");
}

TEST(Arguments, ASwitchTakesNoValue) {
  EXPECT_EQ(error_of({"x", "--json=no"}).message, "flag --json takes no value");
}

TEST(Arguments, AValueFollowsTheRuleOfItsOption) {
  EXPECT_EQ(parse({"x", "--pair", "ab"}).value("pair"), "ab");
  EXPECT_EQ(error_of({"x", "--pair", "abc"}).message, "flag --pair: \"abc\" is not even");
  EXPECT_EQ(error_of({"x", "--pair=a"}).message, "flag --pair: \"a\" is not even");
}

TEST(Arguments, TheFirstErrorIsReported) {
  EXPECT_EQ(error_of({"--pair=a", "--unknown"}).message, "flag --pair: \"a\" is not even");
}

TEST(Arguments, PositionalsAreCounted) {
  EXPECT_EQ(error_of({}).message, "TYPE is missing");
  EXPECT_EQ(error_of({"a", "b"}).message, "unexpected argument \"b\"");
}

}  // namespace
}  // namespace oriel
