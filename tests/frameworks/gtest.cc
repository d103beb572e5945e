#include <gtest/gtest.h>

#include "counter.h"

TEST(Counter, LosesAnUpdate) { EXPECT_EQ(count_twice(bump), 2) << "an update was lost"; }
TEST(Counter, Works) { EXPECT_EQ(count_twice(add), 2); }
TEST(Counter, Crashes) { count_twice(crash); }
TEST(Counter, IsWrong) { EXPECT_EQ(count_twice(add), 3); }
TEST(Counter, DISABLED_Off) { FAIL(); }

class Several : public testing::TestWithParam<int> {};
TEST_P(Several, Adds) { EXPECT_EQ(count_twice(add), GetParam()); }
INSTANTIATE_TEST_SUITE_P(Some, Several, testing::Values(2));
