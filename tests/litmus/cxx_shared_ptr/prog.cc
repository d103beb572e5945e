// Copies of one shared_ptr are safe; one shared_ptr object used by two threads is not.
#include <cassert>
#include <memory>
#include <thread>

struct resource {
	int value = 7;
};

int main()
{
	auto pointer = std::make_shared<resource>();
	std::weak_ptr<resource> watcher = pointer;
	auto copy = pointer;
	std::thread owner([&pointer] { pointer.reset(); });
	std::thread user([&] {
#ifdef SHARED
		auto mine = pointer;
		if (mine)
			assert(mine->value == 7);
#else
		assert(copy->value == 7);
		copy.reset();
#endif
	});

	owner.join();
	user.join();
#ifndef SHARED
	assert(watcher.expired());
#endif
	return 0;
}
