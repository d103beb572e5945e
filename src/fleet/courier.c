#include "fleet/courier.h"

#include <hiredis/hiredis.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/cores.h"
#include "base/mem.h"
#include "base/parent.h"
#include "explore/jobs_text.h"
#include "fleet/scripts.h"

enum { IDLE_MS = 500 };

#define OWNER_MS "10000"        /* the lease of the name */
#define FILE_SECONDS "86400"    /* that files are kept if the coordinator is killed */

/* How long a courier waits before it looks whether the tool is in a hurry; the more couriers there
 * are the longer, so that all together ask some thousand times a second. */
static const double WAIT_SECONDS = 0.01, WAIT_PER_WORKER = 0.001;

static const double TICK_SECONDS = 0.5;
static const double WANTED_SECONDS = 30;
/* Since the tool waits for the part; the second while the server is away. */
static const double GIVE_UP_SECONDS = 10, GIVE_UP_AWAY_SECONDS = 1;
/* Between two parts that are given while it is away; each costs a second or two, so they become
 * rarer. */
static const double PROBE_SECONDS = 5, PROBE_SECONDS_MAX = 40;
static const double RENEW_SECONDS = 6 * 3600; /* of files */
/* That the tool tries to tell the workers that the search is over. */
static const double OVER_WAIT_SECONDS = 3;

struct courier {
	struct fleet_search *search;
	struct jobs_worker *worker;
	struct job job;      /* with the state of this epoch; all borrowed */
	struct link link;
	struct strbuf text;  /* the part */
	char name[JOB_ID_HEX + 1];
	char entry[64];      /* of the part in the stream; "": not sent */
	uint32_t missing;    /* times in a row that the entry was not there */
	double next_tick, renewal, hurried; /* when; 0: the tool does not wait */
	bool is_published;
	bool is_deadly;      /* the answer: the part has killed several workers */
};

static struct link open_link(struct fleet_search *search)
{
	return (struct link){.url = &search->url, .notice = &search->shared->notice, .say = search->say};
}

/* ---- announcing the search ---- */

static bool put_file(struct courier *c, const struct fleet_file *file)
{
	char key[JOB_KEY_MAX];
	struct link_word renew[] = {link_text("EXPIRE"), link_text(key), link_text(FILE_SECONDS)};
	struct link_word set[] = {link_text("SET"), link_text(key), link_bytes(&file->content),
				  link_text("EX"), link_text(FILE_SECONDS)};
	struct redisReply *reply;
	bool is_there;

	job_key(c->link.url, "file", file->hash, key);
	renew[1] = set[1] = link_text(key);
	reply = link_call(&c->link, renew, 3);
	is_there = reply && reply->integer;
	if (reply && !is_there) {
		link_free(reply);
		reply = link_call(&c->link, set, 5);
		is_there = reply != NULL;
	}
	link_free(reply);
	return is_there;
}

/* The keys of the search, in the order of publish.lua, tick.lua and over.lua. */
enum { KEYS = 6 };

static void list_keys(const struct fleet_url *url, char keys[KEYS][JOB_KEY_MAX],
		      struct link_word *words)
{
	static const char *const names[KEYS] = {"owner", "job", "parts", "workers", "hurry", "tries"};

	for (size_t i = 0; i < KEYS; i++) {
		job_key(url, names[i], NULL, keys[i]);
		words[i] = link_text(keys[i]);
	}
}

/* False: later. Ends the process if another search has taken the name. */
static bool publish(struct courier *c)
{
	char keys[KEYS][JOB_KEY_MAX], epoch[16], seal[SEAL_HEX + 1];
	struct link_word words[KEYS + 7];
	struct redisReply *reply;
	bool is_ours;

	for (size_t i = 0; i < c->search->files.len; i++)
		if (!put_file(c, &c->search->files.items[i]))
			return false;
	snprintf(epoch, sizeof(epoch), "%u", c->job.epoch);
	job_seal(&c->search->secret, &c->job, seal);
	list_keys(c->link.url, keys, words);
	words[KEYS] = link_text(c->job.id);
	words[KEYS + 1] = link_text(OWNER_MS);
	words[KEYS + 2] = link_text(epoch);
	words[KEYS + 3] = link_bytes(&c->job.record);
	words[KEYS + 4] = link_bytes(&c->job.state);
	words[KEYS + 5] = link_text(seal);
	words[KEYS + 6] = link_text(JOB_KEEP_SECONDS);
	reply = link_run(&c->link, publish_lua, words, KEYS, KEYS + 7);
	if (!reply)
		return false;
	is_ours = reply->integer == 1;
	link_free(reply);
	if (!is_ours)
		_exit(1);
	c->is_published = true;
	c->renewal = clock_seconds() + RENEW_SECONDS;
	atomic_store(&c->search->shared->is_published, true);
	return true;
}

/* Is everything that was sent still there? */
static void tick(struct courier *c)
{
	char keys[KEYS][JOB_KEY_MAX], epoch[16];
	struct link_word words[KEYS + 5];
	struct redisReply *reply;
	const char *answer;

	c->next_tick = clock_seconds() + TICK_SECONDS;
	snprintf(epoch, sizeof(epoch), "%u", c->job.epoch);
	list_keys(c->link.url, keys, words);
	words[KEYS] = link_text(c->job.id);
	words[KEYS + 1] = link_text(OWNER_MS);
	words[KEYS + 2] = link_text(epoch);
	words[KEYS + 3] = link_text(c->entry);
	words[KEYS + 4] = link_text(JOB_KEEP_SECONDS);
	reply = link_run(&c->link, tick_lua, words, KEYS, KEYS + 5);
	if (!reply || reply->type != REDIS_REPLY_ARRAY || reply->elements != 2) {
		link_free(reply);
		return;
	}
	answer = reply->element[0]->str;
	atomic_store(&c->search->shared->workers, (uint32_t)reply->element[1]->integer);
	if (strcmp(answer, "foreign") == 0)
		_exit(1);
	if (strcmp(answer, "unpublished") == 0 || clock_seconds() > c->renewal)
		c->is_published = false;
	/* An answer that is there already was put together with the removal of the entry. */
	c->missing = c->entry[0] && strcmp(answer, "there") != 0 ? c->missing + 1 : 0;
	if (c->missing > 1) {
		c->is_published = false;
		c->entry[0] = '\0';
	}
	link_free(reply);
}

/* ---- a part ---- */

static void send_part(struct courier *c)
{
	char key[JOB_KEY_MAX], seal[SEAL_HEX + 1];
	struct bytes_in text = {.at = c->text.text, .len = c->text.len};
	struct redisReply *reply;

	job_key(c->link.url, "parts", NULL, key);
	job_seal_part(&c->search->secret, &c->job, c->name, text, seal);
	struct link_word words[] = {link_text(key), link_text(JOB_KEEP_SECONDS), link_text(c->name),
				    link_text(seal), link_bytes(&c->text)};
	reply = link_run(&c->link, send_lua, words, 1, sizeof(words) / sizeof(words[0]));
	if (reply && reply->type == REDIS_REPLY_STRING) {
		snprintf(c->entry, sizeof(c->entry), "%s", reply->str);
		c->missing = 0;
	}
	link_free(reply);
}

/* Is the text an answer of a worker that knows the secret? Leaves the result in `answer`. */
static bool open_answer(struct courier *c, struct bytes_in in, struct strbuf *answer)
{
	char seal[SEAL_HEX + 1] = "", expected[SEAL_HEX + 1];

	bytes_get(&in, seal, SEAL_HEX);
	job_seal_answer(&c->search->secret, &c->job, c->name, in, expected);
	if (in.is_short || !seal_is_equal(seal, expected)) {
		c->search->say("%s: an answer that is not sealed with the secret was refused",
			       c->link.url->shown);
		return false;
	}
	c->is_deadly = bytes_u8(&in) == ANSWER_DEADLY;
	strbuf_clear(answer);
	bytes_put(answer, in.at, in.len);
	return true;
}

static bool wait_for_answer(struct courier *c, struct strbuf *answer)
{
	uint32_t workers = atomic_load(&c->search->shared->workers);
	char key[JOB_KEY_MAX], seconds[32];
	struct redisReply *reply;
	bool ok = false;

	job_key(c->link.url, "answer", c->name, key);
	snprintf(seconds, sizeof(seconds), "%.3f", WAIT_SECONDS + WAIT_PER_WORKER * workers);
	reply = link_call(&c->link, (struct link_word[]){link_text("BLPOP"), link_text(key),
							 link_text(seconds)}, 3);
	if (reply && reply->type == REDIS_REPLY_ARRAY && reply->elements == 2)
		ok = open_answer(c, (struct bytes_in){.at = reply->element[1]->str,
						      .len = reply->element[1]->len}, answer);
	link_free(reply);
	return ok;
}

/* The tool waits for the part: true if it will not be explored. */
static bool hurry(struct courier *c)
{
	char parts[JOB_KEY_MAX], hurried[JOB_KEY_MAX];
	struct redisReply *reply;
	double now = clock_seconds();
	bool is_back;

	if (!c->hurried)
		c->hurried = now;
	if (!c->entry[0] ||
	    now - c->hurried > (atomic_load(&c->link.notice->is_away) ? GIVE_UP_AWAY_SECONDS
								      : GIVE_UP_SECONDS))
		return true;
	job_key(c->link.url, "parts", NULL, parts);
	job_key(c->link.url, "hurry", NULL, hurried);
	reply = link_run(&c->link, hurry_lua,
			 (struct link_word[]){link_text(parts), link_text(hurried),
					      link_text(c->entry), link_text(c->name),
					      link_text(JOB_KEEP_SECONDS)}, 2, 5);
	is_back = reply && reply->integer == 1;
	link_free(reply);
	return is_back;
}

static bool is_hurried(const struct courier *c)
{
	struct bytes_in in = {.at = c->text.text, .len = c->text.len};
	uint32_t part = *c->worker->hurry;

	return part && part == bytes_u32(&in);
}

static void refuse(struct strbuf *answer, enum jobs_answer how)
{
	strbuf_clear(answer);
	bytes_put_u8(answer, how);
	bytes_put_u32(answer, 0);
}

/* Has the tool closed its end? */
static bool is_alone(const struct courier *c)
{
	struct pollfd fd = {.fd = c->worker->fd, .events = POLLIN};

	return poll(&fd, 1, 0) > 0;
}

/* Has the part explored by a worker of the fleet. */
static void carry(struct courier *c, struct strbuf *answer)
{
	job_make_id(c->name);
	c->entry[0] = '\0';
	c->hurried = 0;
	c->is_deadly = false;
	for (;;) {
		if (c->is_published || publish(c)) {
			if (!c->entry[0])
				send_part(c);
			if (wait_for_answer(c, answer))
				return;
		}
		if (is_alone(c))
			_exit(0);
		if (is_hurried(c) && hurry(c)) {
			refuse(answer, JOBS_REFUSED);
			return;
		}
		if (clock_seconds() >= c->next_tick)
			tick(c);
	}
}

/* Waits for a part, and keeps the name meanwhile. */
static bool receive(struct courier *c)
{
	struct pollfd fd = {.fd = c->worker->fd, .events = POLLIN};

	while (poll(&fd, 1, IDLE_MS) == 0) {
		c->entry[0] = '\0';
		if (c->is_published)
			tick(c);
	}
	return jobs_receive(c->worker->fd, &c->text);
}

/* In a child of the tool. */
static void serve(void *ctx, struct jobs_worker *worker)
{
	struct fleet_search *search = ctx;
	struct courier c = {.search = search, .worker = worker, .job = search->job,
			    .link = open_link(search)};
	struct sigaction ignore = {.sa_handler = SIG_IGN}, normal = {.sa_handler = SIG_DFL};
	struct strbuf answer = {0};

	end_with_parent(worker->tool);
	sigaction(SIGINT, &ignore, NULL); /* the tool hears it, too, and ends its couriers */
	sigaction(SIGALRM, &ignore, NULL);
	sigaction(SIGPIPE, &ignore, NULL);
	sigaction(SIGTERM, &normal, NULL);
	cores_pin_worker(worker->number);
	c.job.epoch = worker->epoch;
	c.job.state = *worker->state;
	while (receive(&c)) {
		carry(&c, &answer);
		if (c.is_deadly) {
			search->say("%s: several workers died in one part, or were killed; the search "
				    "explores it itself", search->url.shown);
			refuse(&answer, JOBS_DEADLY);
		}
		if (!jobs_send(worker->fd, &answer))
			break;
	}
	_exit(0);
}

/* ---- the search ---- */

/* A courier updates the number of workers. */
static void wait_for_workers(struct fleet_search *s)
{
	double began = clock_seconds();

	if (!s->wanted || !atomic_load(&s->shared->is_published))
		return;
	while (atomic_load(&s->shared->workers) < s->wanted &&
	       clock_seconds() - began < WANTED_SECONDS)
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	s->wanted = 0;
}

/* One courier is needed to see whether there are workers. While the server is away the tool explores
 * by itself, and now and then gives a courier a part, so that a courier notices that it is back. */
static uint32_t count_places(void *ctx)
{
	struct fleet_search *search = ctx;
	double now = clock_seconds();
	uint32_t workers;

	if (atomic_load(&search->shared->notice.is_away)) {
		if (now < search->next_probe)
			return 0;
		search->next_probe = now + search->probe_seconds;
		if (search->probe_seconds < PROBE_SECONDS_MAX)
			search->probe_seconds *= 2;
		return 1;
	}
	search->probe_seconds = PROBE_SECONDS;
	wait_for_workers(search);
	workers = atomic_load(&search->shared->workers);
	return workers ? workers : 1;
}

bool fleet_search_begin(struct fleet_search *s, struct err *err)
{
	char key[JOB_KEY_MAX];
	struct redisReply *reply;
	struct link link;
	bool ok;

	s->shared = mmap(NULL, sizeof(*s->shared), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (s->shared == MAP_FAILED) {
		s->shared = NULL;
		return err_set_errno(err, "cannot map shared memory");
	}
	s->elsewhere = (struct jobs_elsewhere){serve, count_places, s};
	s->probe_seconds = PROBE_SECONDS;
	job_make_id(s->job.id);
	job_key(&s->url, "owner", NULL, key);
	link = open_link(s);
	if (!link_check(&link, err))
		return false;
	reply = link_call(&link, (struct link_word[]){link_text("SET"), link_text(key),
						      link_text(s->job.id), link_text("NX"),
						      link_text("PX"), link_text(OWNER_MS)}, 6);
	if (!reply)
		ok = err_set(err, "%s cannot be used: %s", s->url.shown, link.why);
	else if (reply->type == REDIS_REPLY_NIL)
		ok = err_set(err, "%s: another search uses this name (the name of a killed search "
				  "is free after %d seconds)", s->url.shown, atoi(OWNER_MS) / 1000);
	else
		ok = s->is_begun = true;
	link_free(reply);
	link_close(&link);
	return ok;
}

/* Tells the workers; false if the server does not answer in time. */
static bool announce_end(struct fleet_search *s)
{
	size_t len = KEYS + s->files.len;
	struct link_word *words = mem_alloc((len + 2) * sizeof(*words));
	char keys[KEYS][JOB_KEY_MAX];
	char (*files)[JOB_KEY_MAX] = mem_alloc((s->files.len + 1) * sizeof(*files));
	double until = clock_seconds() + OVER_WAIT_SECONDS;
	struct link link = open_link(s);
	struct redisReply *reply;

	link.is_quiet = true;
	list_keys(&s->url, keys, words);
	for (size_t i = 0; i < s->files.len; i++) {
		job_key(&s->url, "file", s->files.items[i].hash, files[i]);
		words[KEYS + i] = link_text(files[i]);
	}
	words[len] = link_text(s->job.id);
	words[len + 1] = link_text(JOB_KEEP_SECONDS);
	do
		reply = link_run(&link, over_lua, words, len, len + 2);
	while (!reply && clock_seconds() < until);
	link_free(reply);
	link_close(&link);
	mem_free(words);
	mem_free(files);
	return reply != NULL;
}

void fleet_search_end(struct fleet_search *s)
{
	if (s->is_begun && !announce_end(s))
		s->say("%s does not answer, so the workers do not know that the search is over; each "
		       "ends after its --patience", s->url.shown);
	for (size_t i = 0; i < s->files.len; i++)
		strbuf_release(&s->files.items[i].content);
	vec_release(&s->files);
	job_release(&s->job);
	if (s->shared)
		munmap(s->shared, sizeof(*s->shared));
}
