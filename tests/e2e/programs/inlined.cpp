// A race inside functions of the library, which the compiler inlines at some levels only.
#include <string>
#include <thread>

static std::string text;

int main()
{
	std::thread a([] { text.append("long enough to be kept outside of the object itself"); });
	std::thread b([] { std::string copy = text; });

	a.join();
	b.join();
}
