#include "jobs/meter.h"

#include <gtest/gtest.h>

#include <thread>

using jobs::Meter;

TEST(Meter, CountsEveryJob)
{
	Meter meter;
	auto job = [&](bool well) {
		meter.started();
		meter.ended(well);
	};

	meter.submitted();
	meter.submitted();
	std::thread other([&] { job(false); });
	job(true);
	other.join();
	EXPECT_EQ(meter.text(), "0 waiting, 0 running, 1 done, 1 failed");
	EXPECT_GE(meter.peak(), 1);
	EXPECT_LE(meter.peak(), 2);
}
