// The words of --trace and --png-after.
#include "device/trace.h"

#include <gtest/gtest.h>

namespace vitro::device {
namespace {

TEST(Trace, Topics) {
  const auto some = parse_topics("draws,eu");
  ASSERT_TRUE(some);
  EXPECT_TRUE(some->draws && some->eu);
  EXPECT_FALSE(some->batches || some->commands || some->ioctls);
  EXPECT_TRUE(parse_topics("all")->draws);
  EXPECT_FALSE(parse_topics("")->any());
  EXPECT_FALSE(parse_topics("draw"));
}

TEST(Trace, Pictures) {
  const auto two = parse_pictures("12=/a/b=c.png\n3=d");
  ASSERT_TRUE(two);
  ASSERT_EQ(two->size(), 2u);
  EXPECT_EQ(two->at(0).draw, 12u);
  EXPECT_EQ(two->at(0).file, "/a/b=c.png");
  EXPECT_EQ(two->at(1).draw, 3u);
  EXPECT_TRUE(parse_pictures("")->empty());
  for (const char* wrong : {"1", "=a", "1=", "0=a", "-1=a", "1x=a", "x=a", "1=a\n\n2=b", "99999999999999999999=a"})
    EXPECT_FALSE(parse_pictures(wrong)) << wrong;
}

}  // namespace
}  // namespace vitro::device
