/* Two deadlocked lambdas, or with an argument an exception whose message holds the folder: another
 * level of optimisation, or another folder, does not make it another bug. */
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <unistd.h>

static std::mutex one, two;
static bool is_late;

static void check(bool is_told)
{
	char folder[4096] = "";

	if (is_told && is_late && getcwd(folder, sizeof(folder)))
		throw std::runtime_error(std::string("too late in ") + folder);
}

int main(int argc, char **)
{
	bool is_told = argc > 1;
	std::thread first([&] {
		std::lock_guard<std::mutex> outer(one);
		if (is_told)
			return check(is_told);
		std::lock_guard<std::mutex> inner(two);
	});
	std::thread second([&] {
		std::lock_guard<std::mutex> outer(is_told ? one : two);
		is_late = true;
		if (is_told)
			return;
		std::lock_guard<std::mutex> inner(one);
	});

	first.join();
	second.join();
	return 0;
}
