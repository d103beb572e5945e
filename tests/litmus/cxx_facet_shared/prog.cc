// Two threads have a locale with a facet of the program, and who gives it back last destroys the facet. The library counts
// in code that is not seen: that is named.
#include <cassert>
#include <locale>
#include <thread>

static std::thread::id last;

struct Facet : std::locale::facet {
	static std::locale::id id;
	~Facet() { last = std::this_thread::get_id(); }
};

std::locale::id Facet::id;

int main()
{
	auto self = std::this_thread::get_id();
	std::thread thread;

	{
		std::locale shared(std::locale::classic(), new Facet);
		thread = std::thread([held = shared] {});
	}
	thread.join();
	assert(last != self);
}
