#include "jobs/pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

using jobs::Pool;

TEST(Pool, RunsEveryJob)
{
	std::atomic<int> sum{0};

	{
		Pool pool(2, 1);

		pool.submit([&] { sum += 1; });
		pool.submit([&] { sum += 2; });
	}
	EXPECT_EQ(sum, 3);
}

TEST(Pool, CountsJobsThatThrow)
{
	Pool pool(1, 2);

	pool.submit([] { throw std::runtime_error("no"); });
	pool.submit([] {});
	pool.stop();
	EXPECT_FALSE(pool.submit([] {}));
	EXPECT_EQ(pool.meter().failed(), 1);
	EXPECT_EQ(pool.meter().done(), 1);
}
