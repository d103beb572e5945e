// A lock that is held has a long name, with parentheses in it.
#include <mutex>
#include <thread>
#include <vector>

struct Channel {
	std::mutex guard;
	bool full = false;
};

struct Network {
	std::vector<Channel> channels{2};
} network;

static unsigned long pick()
{
	return network.channels.size() - 1;
}

int main()
{
	std::thread taker([] {
		std::lock_guard<std::mutex> hold(network.channels[pick()].guard);
		if (network.channels[pick()].full)
			network.channels[pick()].full = false;
	});
	std::thread giver([] { network.channels[1].full = true; });
	taker.join();
	giver.join();
}
