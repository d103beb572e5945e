#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#else
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif

#include "counter.h"

TEST_CASE("loses, an [update]") { CHECK(count_twice(bump) == 2); }
TEST_CASE("works") { REQUIRE(count_twice(add) == 2); }
TEST_CASE("crashes") { count_twice(crash); }
