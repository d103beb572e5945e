/* A question and an answer over a socket pair. */
#include "litmus.h"

#include <sys/socket.h>

static int ends[2];

THREAD(ask)
{
	char answer;

	assert(send(ends[0], "q", 1, 0) == 1);
	assert(recv(ends[0], &answer, 1, 0) == 1 && answer == 'r');
	return NULL;
}

THREAD(answer)
{
	char question;

	assert(read(ends[1], &question, 1) == 1 && question == 'q');
	question++;
	assert(write(ends[1], &question, 1) == 1);
	return NULL;
}

int main(void)
{
	OK(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
	RUN(answer, ask);
	return 0;
}
