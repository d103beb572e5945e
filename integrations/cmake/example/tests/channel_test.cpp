#include "jobs/channel.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

using jobs::Channel;

TEST(Channel, KeepsOrder)
{
	Channel<int> channel(1);
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
	Channel<int> channel(1);
	std::thread first([&] { EXPECT_FALSE(channel.take()); });
	std::thread second([&] { EXPECT_FALSE(channel.take()); });

	channel.close();
	first.join();
	second.join();
}

TEST(Channel, GivesOutWhatIsLeftAfterClose)
{
	Channel<std::string> channel(2);

	EXPECT_TRUE(channel.put("one"));
	EXPECT_TRUE(channel.try_put("two"));
	EXPECT_FALSE(channel.try_put("three"));
	channel.close();
	EXPECT_FALSE(channel.put("four"));
	EXPECT_EQ(channel.take(), "one");
	EXPECT_EQ(channel.take(), "two");
	EXPECT_FALSE(channel.take());
}
