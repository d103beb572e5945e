/* ends.h: collects how processes end, and which processes wait when none can go on: the
 * facts of core/ends.h. Messages that nobody has read become warnings.
 */
#ifndef BEAM_ENDS_H
#define BEAM_ENDS_H

#include "beam/conduct.h"

/* p takes its first step of dying by this event. */
void ends_add_death(struct conductor *c, struct process *p, const struct event *event);
/* p takes a later one: it sends the news of its end to one of the processes that wait
 * for it. */
void ends_note_news(struct conductor *c, const struct process *p);
/* Is this a DOWN that a process sends because it ends? With --delivery async another process hears
 * of the end when that is delivered. */
bool ends_is_news(const struct conductor *c, const struct message *message);
void ends_note_delivery(struct conductor *c, const struct message *message);
/* The run is over: notes which deaths other processes have heard of. */
void ends_finish_deaths(struct conductor *c);
/* No process can go on: adds those that wait. */
void ends_add_waiters(struct conductor *c);

#endif
