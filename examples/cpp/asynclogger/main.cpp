// An order is logged in two lines, which must be on record before the customer is told.
#include "async_logger.hpp"

#include <atomic>
#include <cassert>
#include <iostream>

// Counts lines by their first letter, in place of a file.
class counting_sink : public log_sink {
public:
	void write(const std::string &line) override
	{
		counts[line.at(0) - 'a']++;
	}

	int count(char letter) const
	{
		return counts[letter - 'a'];
	}

private:
	std::atomic<int> counts[26] = {};
};

static void log_order(async_logger &logger, counting_sink &sink)
{
	logger.log("a: ordered");
	logger.log("b: paid");
	logger.flush();
	assert(sink.count('a') == 1 && sink.count('b') == 1);
}

int main()
{
	counting_sink sink;
	{
		async_logger logger(sink);

		log_order(logger, sink);
		std::cout << "logged\n";
	}
	assert(sink.count('a') + sink.count('b') == 2);
	return 0;
}
