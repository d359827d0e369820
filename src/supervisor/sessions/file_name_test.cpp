#include "supervisor/sessions/file_name.h"

#include "base/text/utf8.h"
#include "base/text/visible.h"

#include <gtest/gtest.h>

#include <random>

namespace oriel {
namespace {

TEST(FileName, AnOrdinaryNameStaysAsItIs) {
  EXPECT_EQ(safe_file_name("report (2).final.pdf"), "report (2).final.pdf");
  EXPECT_EQ(safe_file_name("\xc3\xbc"
                           "ber-\xe6\x97\xa5\xe6\x9c\xac.txt"),
            "\xc3\xbc"
            "ber-\xe6\x97\xa5\xe6\x9c\xac.txt");
}

TEST(FileName, LeadsNowhereElse) {
  EXPECT_EQ(safe_file_name("../../etc/passwd"), "passwd");
  EXPECT_EQ(safe_file_name("C:\\Users\\ann\\notes.txt"), "notes.txt");
  EXPECT_EQ(safe_file_name("/"), "file");
  EXPECT_EQ(safe_file_name(".."), "file");
  EXPECT_EQ(safe_file_name("."), "file");
  EXPECT_EQ(safe_file_name(""), "file");
  EXPECT_EQ(safe_file_name("...."), "file");
  EXPECT_EQ(safe_file_name(".bashrc"), "bashrc");
  EXPECT_EQ(safe_file_name(" . .ssh. "), "ssh");
}

TEST(FileName, ShowsNothingElse) {
  EXPECT_EQ(safe_file_name("photo\xe2\x80\xaegnp.exe"), "photognp.exe");
  EXPECT_EQ(safe_file_name(std::string("a\0b\n\x1b[31m\x7f.txt", 14)), "ab[31m.txt");
  EXPECT_EQ(safe_file_name("a\xe2\x80\x8b\xef\xbb\xbf\xe2\x81\xa6.txt"), "a.txt");
  EXPECT_EQ(safe_file_name("\xc2\x85.txt"), "txt");
}

TEST(FileName, HasNoCharacterThatAnApprovalShowsAsItsCode) {
  for (const char* hidden : {"\t", "\u3164", "\u2800", "\u00a0", "\u115f", "\U00013430"})
    EXPECT_EQ(safe_file_name(std::string("a") + hidden + "b.txt"), "ab.txt") << visible(hidden);
}

TEST(FileName, IsNoCommand) {
  EXPECT_EQ(safe_file_name("a$(reboot)`id`;b&c|d>e<f\"g'h*i?j!.sh"),
            "a_(reboot)_id__b_c_d_e_f_g_h_i_j_.sh");
  EXPECT_EQ(safe_file_name("nul.txt"), "_nul.txt");
  EXPECT_EQ(safe_file_name("COM1"), "_COM1");
  EXPECT_EQ(safe_file_name("com.txt"), "com.txt");
}

TEST(FileName, IsNeverTooLongAndKeepsItsEnding) {
  EXPECT_EQ(safe_file_name(std::string(300, 'a') + ".txt"), std::string(96, 'a') + ".txt");
  EXPECT_EQ(safe_file_name(std::string(300, 'a')), std::string(100, 'a'));
  std::string umlauts;
  for (int i = 0; i < 100; ++i)
    umlauts += "\xc3\xbc";
  const std::string name = safe_file_name("x" + umlauts + ".txt");
  EXPECT_LE(name.size(), kMaxFileName);
  EXPECT_TRUE(is_utf8(name));
  EXPECT_TRUE(name.ends_with("\xc3\xbc.txt"));
}

TEST(FileName, AnyBytesGiveASafeName) {
  std::mt19937 random(7);
  constexpr std::string_view kNasty = "./\\\0\n\x80\xe2\x80\xae\xff a$";
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes;
    for (unsigned length = random() % 130; length > 0; --length)
      bytes += random() % 3 == 0 ? static_cast<char>(random()) : kNasty[random() % kNasty.size()];
    const std::string name = safe_file_name(bytes);
    ASSERT_FALSE(name.empty());
    ASSERT_LE(name.size(), kMaxFileName);
    ASSERT_TRUE(is_utf8(name));
    ASSERT_NE(name.front(), '.');
    ASSERT_EQ(name.find_first_of(std::string_view("/\\\0\n\r\"'`$;&|<>", 14)), name.npos);
    ASSERT_EQ(safe_file_name(name), name);
  }
}

}  // namespace
}  // namespace oriel
