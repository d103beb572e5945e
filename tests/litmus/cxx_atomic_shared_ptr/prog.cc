// An atomic<shared_ptr> is safe, although libstdc++ up to GCC 12 leaves the lock inside of it with a
// relaxed decrement; the object that it points to is not.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

int main()
{
	std::atomic<std::shared_ptr<int>> current{std::make_shared<int>(1)};
	std::thread reader([&] {
		auto mine = current.load();
		assert(*mine == 1 || *mine == 2);
	});
	std::thread writer([&] {
#ifdef IN_PLACE
		*current.load() = 2;
#else
		current.store(std::make_shared<int>(2));
#endif
	});

	reader.join();
	writer.join();
	assert(*current.load() == 2);
	return 0;
}
