// Tests of the order of LD_PRELOAD: what a program gets, and what its children do not inherit.
#include "base/preload_list.h"

#include <gtest/gtest.h>

#include <string>

namespace vitro {
namespace {

constexpr const char* ours = "/lib/vitro.so";

// The list, and after a blank what was added.
std::string made(const char* list, const char* sanitizer = "", const char* added = "") {
  char text[200];
  SanitizerLibrary now;
  if (!make_preload_list({list, ours, sanitizer, added}, text, sizeof text, now)) return "no space";
  return std::string(text) + (*now.name ? std::string(" ") + now.name : std::string());
}

TEST(PreloadList, OursComesFirstUnlessItHasItsPlace) {
  EXPECT_EQ(made(""), "/lib/vitro.so");
  EXPECT_EQ(made("a.so b.so"), "/lib/vitro.so:a.so:b.so");
  EXPECT_EQ(made(":a.so::"), "/lib/vitro.so:a.so");
  EXPECT_EQ(made("a.so:/lib/vitro.so:b.so"), "a.so:/lib/vitro.so:b.so");
  EXPECT_EQ(made("/lib/vitro.so.1"), "/lib/vitro.so:/lib/vitro.so.1");
}

TEST(PreloadList, ASanitizerComesBeforeOurs) {
  EXPECT_EQ(made("", "libasan.so.8"), "libasan.so.8:/lib/vitro.so libasan.so.8");
  EXPECT_EQ(made("a.so:/lib/vitro.so", "libtsan.so.2"), "libtsan.so.2:a.so:/lib/vitro.so libtsan.so.2");
}

TEST(PreloadList, TheUsersSanitizerStaysAndIsEnough) {
  EXPECT_EQ(made("a.so:/x/libasan.so.8"), "/x/libasan.so.8:/lib/vitro.so:a.so");
  EXPECT_EQ(made("libasan.so.8", "libasan.so.8"), "libasan.so.8:/lib/vitro.so");
  EXPECT_EQ(made("/lib/vitro.so:libclang_rt.asan-x86_64.so", "libasan.so.8"),
            "libclang_rt.asan-x86_64.so:/lib/vitro.so");
}

TEST(PreloadList, WhatWasAddedForTheParentGoes) {
  EXPECT_EQ(made("libasan.so.8:/lib/vitro.so:a.so", "", "libasan.so.8"), "/lib/vitro.so:a.so");
  EXPECT_EQ(made("libasan.so.8:/lib/vitro.so", "libasan.so.8", "libasan.so.8"),
            "libasan.so.8:/lib/vitro.so libasan.so.8");
  EXPECT_EQ(made("libasan.so.8:/lib/vitro.so", "libtsan.so.2", "libasan.so.8"),
            "libtsan.so.2:/lib/vitro.so libtsan.so.2");
}

TEST(PreloadList, WhatTheParentAsksForByItselfStays) {
  EXPECT_EQ(made("libasan.so.8", "", "libasan.so.8"), "libasan.so.8:/lib/vitro.so");
  EXPECT_EQ(made("libasan.so.8:libasan.so.8:/lib/vitro.so", "", "libasan.so.8"), "libasan.so.8:/lib/vitro.so");
}

TEST(PreloadList, TooLittleSpaceIsTold) {
  char text[20];
  SanitizerLibrary added;
  EXPECT_FALSE(make_preload_list({"a/library/with/a/long/path.so", ours}, text, sizeof text, added));
  EXPECT_FALSE(make_preload_list({"", ours}, text, 0, added));
  EXPECT_TRUE(make_preload_list({"a.so", ours}, text, sizeof text, added));
}

}  // namespace
}  // namespace vitro
