#include "channel.h"

#include <gtest/gtest.h>

#include <thread>

TEST(Channel, KeepsOrder)
{
	Channel channel(1);
	std::thread producer([&] {
		channel.put(1);
		channel.put(2);
	});

	EXPECT_EQ(channel.take(), 1);
	EXPECT_EQ(channel.take(), 2);
	producer.join();
}

TEST(Channel, CloseWakesAll)
{
	Channel channel(1);
	std::thread first([&] { EXPECT_FALSE(channel.take()); });
	std::thread second([&] { EXPECT_FALSE(channel.take()); });

	channel.close();
	first.join();
	second.join();
}
