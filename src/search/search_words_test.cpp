#include "search/search_words.h"

#include "journal/sqlite/sqlite_database.h"

#include <gmock/gmock.h>

namespace oriel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<SearchWord> words(std::string_view text) {
  return parse_search_words(text).value();
}

TEST(R_SEARCH_2, WordsAreSeparatedByWhiteSpaceAndPhrasesAreInQuotes) {
  EXPECT_THAT(words("  shop \t fix\n"), ElementsAre(SearchWord{"shop"}, SearchWord{"fix"}));
  EXPECT_THAT(words(R"(one "exit code 3" two)"),
              ElementsAre(SearchWord{"one"}, SearchWord{"exit code 3"}, SearchWord{"two"}));
  EXPECT_THAT(words(R"(say"hello world)"),
              ElementsAre(SearchWord{"say"}, SearchWord{"hello world"}));
}

TEST(R_SEARCH_2, AStarAtTheEndMakesAPrefix) {
  EXPECT_THAT(words("over*"), ElementsAre(SearchWord{"over", true}));
  EXPECT_THAT(words("\"git pu\"*"), ElementsAre(SearchWord{"git pu", true}));
  EXPECT_THAT(words("a*b"), ElementsAre(SearchWord{"a*b"}));
  EXPECT_THAT(words("\u00fcb*"), ElementsAre(SearchWord{"\u00fcb", true}));
}

TEST(R_SEARCH_2, WhatHasNoLetterOrDigitIsLeftOut) {
  EXPECT_THAT(words("shop \u2014 && * \U0001F389 fix"),
              ElementsAre(SearchWord{"shop"}, SearchWord{"fix"}));
}

TEST(R_SEARCH_2, AQueryThatCannotBeSearchedSaysWhy) {
  const auto message = [](std::string_view text) {
    const auto parsed = parse_search_words(text);
    EXPECT_EQ(parsed.error().kind, ErrorKind::kInvalidParameter);
    return parsed.error().message;
  };
  EXPECT_EQ(message(""), "q: has no word");
  EXPECT_EQ(message(" \"\" * -"), "q: has no word");
  EXPECT_EQ(message("x*"), "q: x* is too short for a prefix");
  EXPECT_EQ(message("foo/b*"), "q: foo/b* is too short for a prefix");
  EXPECT_THAT(message(std::string(513, 'a')), HasSubstr("512 bytes"));
  std::string many;
  for (int i = 0; i < 17; ++i)
    many += "word ";
  EXPECT_THAT(message(many), HasSubstr("16 words"));
}

TEST(R_SEARCH_2, MarksAreAlternativesThatAreAllNeeded) {
  EXPECT_EQ(
      match_expression({{"a b"}, {"c", true}}, {{"s1", "s2"}, {"kmessage"}}),
      R"({text} : ("a b" AND "c" *) AND {marks} : ("s1" OR "s2") AND {marks} : ("kmessage"))");
}

// Each is searched as words by a real FTS5 table, and none is an error of its syntax.
TEST(R_SEARCH_2, NothingInAQueryIsSyntax) {
  SqliteDatabase database(":memory:", SqliteDatabase::Access::kReadWrite);
  database.execute("CREATE VIRTUAL TABLE words USING fts5(text, marks)");
  database.execute("INSERT INTO words VALUES ('text marks and or not near x y a b', 'secret')");
  SqliteStatement find(database, "SELECT count(*) FROM words WHERE words MATCH ?1");
  const auto matches = [&](std::string_view text) {
    const std::string expression = match_expression(words(text), {});
    SqliteRows row = find.query(expression);
    row.expect();
    return row.integer(0) > 0;
  };
  for (const char* const text : {"AND",        "a AND b",      "NOT x",        "x NOT y",
                                 "a OR",       "NEAR(a b, 2)", "marks:secret", "{marks}:secret",
                                 "text : x",   "-text:x",      "^a",           "a + b",
                                 "(a",         "a)",           "((((",         "a;DROP TABLE words",
                                 "a'b",        "a\\\"b",       "a\"\"b",       "\"",
                                 "\"a",        "a\"*\"b",      "'; --x",       "x*y*",
                                 "?1",         ":x",           "@x",           "$x",
                                 "a\tb",       "a\xff\xfe",    "\xc3",         "a%00b",
                                 "\"a\"\"b\"", "rank:x",       "words",        "*ab*",
                                 "a,b",        "0x41",         "1e9",          "/* x */"}) {
    const auto parsed = parse_search_words(text);
    if (!parsed) continue;
    EXPECT_NO_THROW(matches(text)) << text;
  }
  EXPECT_NO_THROW(matches(std::string_view("a\0b", 3)));
  EXPECT_FALSE(matches("marks:secret")) << "it is no column filter, but a phrase";
  EXPECT_FALSE(matches("secret"));
  EXPECT_TRUE(matches("a NOT y")) << "NOT is a word";
  EXPECT_TRUE(matches("near"));
}

// Every text of three of these characters.
TEST(R_SEARCH_2, NoShortTextIsAnErrorOfSyntax) {
  SqliteDatabase database(":memory:", SqliteDatabase::Access::kReadWrite);
  database.execute("CREATE VIRTUAL TABLE words USING fts5(text, marks)");
  SqliteStatement find(database, "SELECT count(*) FROM words WHERE words MATCH ?1");
  const std::string_view characters = "ab\"*^:(){}+-,'\\ \t.";
  int searched = 0;
  for (const char a : characters) {
    for (const char b : characters) {
      for (const char c : characters) {
        const std::string text = {a, b, c, 'x'};
        const auto parsed = parse_search_words(text);
        if (!parsed) continue;
        const std::string expression = match_expression(*parsed, {});
        EXPECT_NO_THROW(find.query(expression).expect()) << text;
        ++searched;
      }
    }
  }
  EXPECT_GT(searched, 5000);
}

}  // namespace
}  // namespace oriel
