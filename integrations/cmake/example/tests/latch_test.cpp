#include "jobs/latch.h"

#include <gtest/gtest.h>

#include <thread>

using jobs::Latch;

TEST(Latch, OpensOnce)
{
	Latch latch(2);
	std::thread first([&] { latch.count_down(); });
	std::thread second([&] { latch.count_down(); });

	latch.wait();
	EXPECT_TRUE(latch.is_open());
	first.join();
	second.join();
}

TEST(Latch, StaysOpen)
{
	Latch latch(1);

	EXPECT_FALSE(latch.is_open());
	latch.count_down();
	latch.count_down();
	latch.wait();
	EXPECT_TRUE(latch.is_open());
}
