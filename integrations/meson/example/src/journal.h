/* A journal: a ring of records. Tellers add records, one clerk takes them and writes them down. */
#ifndef JOURNAL_H
#define JOURNAL_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { JOURNAL_ROOM = 4 };

struct record {
	int from, to;
	long amount;
};

struct journal {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct record records[JOURNAL_ROOM];
	size_t first, len;
	bool is_closed;
};

void journal_init(struct journal *journal);
void journal_release(struct journal *journal);

/* Waits while the ring is full. */
void journal_add(struct journal *journal, int from, int to, long amount);

/* Waits for a record. False if the journal is closed and empty. */
bool journal_take(struct journal *journal, struct record *record);

/* No more records will come. */
void journal_close(struct journal *journal);

#endif
