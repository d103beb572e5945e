// A race on a variable that has a name at some levels of optimisation only.
#include <future>
#include <memory>
#include <mutex>

struct Node {
	std::shared_ptr<Node> next;
	int value = 0;
};

int main()
{
	std::shared_ptr<Node> head = std::make_shared<Node>();
	std::mutex lock;
	auto writer = std::async(std::launch::async, [&] {
		head = std::make_shared<Node>(); });
	auto reader = std::async(std::launch::async, [&] {
		auto copy = head; return copy->value; });

	writer.get();
	return reader.get();
}
