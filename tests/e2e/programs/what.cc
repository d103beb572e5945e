/* Ends with an exception whose what() misbehaves, or without one, by its first argument. */
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <thread>

struct Aborts : std::exception {
	const char *what() const noexcept override { abort(); }
};

struct Null : std::exception {
	const char *what() const noexcept override { return nullptr; }
};

struct Wild : std::exception {
	const char *what() const noexcept override { return reinterpret_cast<const char *>(8); }
};

struct Bytes : std::exception {
	const char *what() const noexcept override
	{
		return "caf\xe9 \x1b[31m \xff \xc0\x9b" "31m \xc2\x9b" "31m \x7f end";
	}
};

static std::atomic<int> x;

static void fail(const char *deed)
{
	if (strcmp(deed, "aborts") == 0)
		throw Aborts(); /* aborts */
	if (strcmp(deed, "null") == 0)
		throw Null(); /* null */
	if (strcmp(deed, "wild") == 0)
		throw Wild(); /* wild */
	if (strcmp(deed, "bytes") == 0)
		throw Bytes(); /* bytes */
	if (x.load())
		std::terminate();
	abort();
}

int main(int argc, char **argv)
{
	std::thread other([] { x++; });

	fail(argc > 1 ? argv[1] : "");
	other.join();
}
