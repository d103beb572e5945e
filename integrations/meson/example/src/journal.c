#include "journal.h"

#include <string.h>

void journal_init(struct journal *journal)
{
	memset(journal, 0, sizeof(*journal));
	pthread_mutex_init(&journal->lock, NULL);
	pthread_cond_init(&journal->changed, NULL);
}

void journal_release(struct journal *journal)
{
	pthread_cond_destroy(&journal->changed);
	pthread_mutex_destroy(&journal->lock);
}

void journal_add(struct journal *journal, int from, int to, long amount)
{
	size_t at;

	pthread_mutex_lock(&journal->lock);
	while (journal->len == JOURNAL_ROOM)
		pthread_cond_wait(&journal->changed, &journal->lock);
	at = (journal->first + journal->len++) % JOURNAL_ROOM;
	journal->records[at] = (struct record){from, to, amount};
	pthread_cond_broadcast(&journal->changed);
	pthread_mutex_unlock(&journal->lock);
}

bool journal_take(struct journal *journal, struct record *record)
{
	bool is_there;

	pthread_mutex_lock(&journal->lock);
	while (!journal->len && !journal->is_closed)
		pthread_cond_wait(&journal->changed, &journal->lock);
	is_there = journal->len > 0;
	if (is_there) {
		*record = journal->records[journal->first];
		journal->first = (journal->first + 1) % JOURNAL_ROOM;
		journal->len--;
		pthread_cond_broadcast(&journal->changed);
	}
	pthread_mutex_unlock(&journal->lock);
	return is_there;
}

void journal_close(struct journal *journal)
{
	pthread_mutex_lock(&journal->lock);
	journal->is_closed = true;
	pthread_cond_broadcast(&journal->changed);
	pthread_mutex_unlock(&journal->lock);
}
