#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include "counter.h"

TEST_CASE("loses, an [update]") { CHECK(count_twice(bump) == 2); }
TEST_CASE("works") { REQUIRE(count_twice(add) == 2); }
TEST_CASE("crashes") { count_twice(crash); }
