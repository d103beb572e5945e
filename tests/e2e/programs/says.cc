// Throws an exception whose text a terminal would obey: an escape sequence, and a control that turns
// the direction of the text.
#include <cstdio>
#include <stdexcept>
#include <thread>

int main(int argc, char **argv)
{
	std::thread([] {}).join();
	printf("called as %s\n", argv[0]);
	throw std::runtime_error("before \033]0;owned\007 pass\xe2\x80\xae" "deliaf after");
}
