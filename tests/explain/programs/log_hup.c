#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int lines;

static void log_line(void)
{
	pthread_mutex_lock(&log_lock);
	lines++;
	pthread_mutex_unlock(&log_lock);
}

static void on_hup(int sig)
{
	(void)sig;
	log_line();
}

static void *reload(void *arg)
{
	pthread_kill(*(pthread_t *)arg, SIGHUP);
	return NULL;
}

int main(void)
{
	pthread_t self = pthread_self(), t;

	signal(SIGHUP, on_hup);
	pthread_create(&t, NULL, reload, &self);
	log_line();
	log_line();
	pthread_join(t, NULL);
	printf("%d lines\n", lines);
	return 0;
}
