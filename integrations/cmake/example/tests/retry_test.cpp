#include "jobs/retry.h"

#include <gtest/gtest.h>

#include <thread>

using jobs::Cancel;
using jobs::Outcome;
using jobs::retry;

TEST(Retry, CountsItsTries)
{
	Cancel cancel;
	int calls = 0, tries = 0;

	EXPECT_EQ(retry(5, cancel, [&] { return ++calls == 3; }, &tries), Outcome::succeeded);
	EXPECT_EQ(tries, 3);
	EXPECT_EQ(retry(2, cancel, [] { return false; }, &tries), Outcome::gave_up);
	EXPECT_EQ(tries, 2);
}

TEST(Retry, StopsWhenCancelled)
{
	Cancel cancel;
	int tries = 0;
	std::thread other([&] { cancel.cancel(); });
	Outcome outcome = retry(3, cancel, [] { return false; }, &tries);

	EXPECT_TRUE(outcome == Outcome::gave_up ? tries == 3 : tries <= 3);
	other.join();
	EXPECT_EQ(retry(3, cancel, [] { return true; }, &tries), Outcome::cancelled);
	EXPECT_EQ(tries, 0);
}
