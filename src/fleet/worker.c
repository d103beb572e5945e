#include "fleet/worker.h"

#include <errno.h>
#include <hiredis/hiredis.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "fleet/confine.h"
#include "fleet/files.h"
#include "fleet/job.h"
#include "fleet/scripts.h"

enum { TEND_MS = 20, IDLE_MS = 20, LOOK_MS = 200, MEMORY_TICKS = 5, TRIES_MAX = 3 };

#define LEASE_MS "3000"

/* Parts are stopped after half a second, so one that takes longer hangs in its program. */
static const double PART_SECONDS = 120;

struct porter {
	const struct fleet_worker *worker;
	struct link link;
	char me[128];           /* the name of this consumer */
	struct job job;
	char old[JOB_ID_HEX + 1]; /* a search that was over before this worker began */
	json_t *record;
	struct strbuf folder;   /* of the job's files */
	pid_t explorer;         /* 0: none */
	int fd;
	volatile uint32_t *hurry; /* shared with the explorer */
	double began, last_part;
	double heard;           /* of the search that this worker serves, last; 0: of none yet */
	bool is_done;           /* the search that this worker served is over */
};

/* A part that was taken. */
struct taken {
	char entry[64], name[JOB_ID_HEX + 1], seal[SEAL_HEX + 1];
	struct strbuf text;
	long long tries;
};

static void pause_ms(long ms)
{
	nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

/* Has the server, or the search that this worker serves, been silent for too long? A worker that
 * waits for its first search is patient as long as the server answers. */
static bool is_forgotten(const struct porter *p)
{
	double now = clock_seconds(), answered = p->link.answered ? p->link.answered : p->began;

	return !p->worker->stays &&
	       (now - answered > p->worker->patience_seconds ||
		(p->heard > 0 && now - p->heard > p->worker->patience_seconds));
}

static bool is_over(const struct porter *p)
{
	const struct fleet_worker *w = p->worker;
	double now = clock_seconds();

	return p->is_done || *w->stop || is_forgotten(p) || (w->max_seconds > 0 && now - p->began > w->max_seconds) ||
	       (w->idle_seconds > 0 && now - p->last_part > w->idle_seconds);
}

/* ---- the explorer ---- */

void fleet_explorer_begin(struct jobs_worker *worker, const struct err *err)
{
	struct strbuf text = {0};

	if (err)
		strbuf_adds(&text, err->message);
	jobs_send(worker->fd, &text);
	strbuf_release(&text);
}

static void end_explorer(struct porter *p)
{
	if (!p->explorer)
		return;
	close(p->fd);
	kill(p->explorer, SIGKILL);
	while (waitpid(p->explorer, NULL, 0) < 0 && errno == EINTR)
		;
	p->explorer = 0;
}

static void be_explorer(struct porter *p, pid_t porter)
{
	const struct fleet_worker *w = p->worker;
	struct jobs_worker child = {.tool = porter, .fd = p->fd, .hurry = p->hurry};

	link_close(&p->link);
	confine(porter, w->has_network, w->say);
	w->explore(w->ctx, p->record, strbuf_text(&p->folder),
		   (struct bytes_in){.at = strbuf_text(&p->job.state), .len = p->job.state.len},
		   &child);
	_exit(1);
}

/* Starts it, and waits until it can explore. */
static bool start_explorer(struct porter *p, struct err *err)
{
	pid_t porter = getpid();
	struct strbuf text = {0};
	int ends[2];
	bool ok;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return err_set_errno(err, "cannot start a process");
	fflush(NULL);
	*p->hurry = 0;
	p->explorer = fork();
	p->fd = ends[p->explorer == 0];
	close(ends[p->explorer != 0]);
	if (p->explorer == 0)
		be_explorer(p, porter);
	if (p->explorer < 0) {
		p->explorer = 0;
		close(p->fd);
		return err_set_errno(err, "cannot start a process");
	}
	ok = jobs_receive(p->fd, &text);
	if (!ok)
		err_set(err, "%s: the program died before it could be explored here",
			p->link.url->shown);
	else if (text.len)
		ok = err_set(err, "%s cannot be explored here: %s", p->link.url->shown,
			     strbuf_text(&text));
	strbuf_release(&text);
	return ok;
}

/* ---- which search ---- */

static void copy_bytes(struct strbuf *to, const struct redisReply *from)
{
	strbuf_clear(to);
	if (from->type == REDIS_REPLY_STRING)
		strbuf_add(to, from->str, from->len);
}

static const char *text_of(const struct redisReply *reply)
{
	return reply->type == REDIS_REPLY_STRING ? reply->str : "";
}

/* Takes the job over from the answer. False with err if it is not to be trusted. */
static bool open_job(struct porter *p, struct redisReply *const *fields, struct err *err)
{
	char seal[SEAL_HEX + 1];
	json_error_t wrong;

	snprintf(p->job.id, sizeof(p->job.id), "%s", text_of(fields[0]));
	p->job.epoch = (uint32_t)strtoul(text_of(fields[1]), NULL, 10);
	copy_bytes(&p->job.record, fields[2]);
	copy_bytes(&p->job.state, fields[3]);
	job_seal(&p->worker->secret, &p->job, seal);
	if (!seal_is_equal(seal, text_of(fields[4])))
		return err_set(err, "%s: the search is not sealed with the secret of this worker",
			       p->link.url->shown);
	json_decref(p->record);
	p->record = json_loadb(strbuf_text(&p->job.record), p->job.record.len, 0, &wrong);
	return p->record || err_set(err, "%s: the record of the job is damaged", p->link.url->shown);
}

static bool prepare(struct porter *p, struct err *err)
{
	if (!p->worker->check(p->worker->ctx, p->record, err))
		return err_prefix(err, "%s cannot be explored here: ", p->link.url->shown);
	if (p->folder.len)
		files_remove(strbuf_text(&p->folder));
	strbuf_clear(&p->folder);
	switch (files_fetch(&p->link, &p->job, p->record, p->worker->folder, &p->folder, err)) {
	case FILES_REFUSED:
		return false;
	case FILES_LATER:
		pause_ms(LOOK_MS);
		return true;
	default:
		return start_explorer(p, err);
	}
}

/* Looks for a search and prepares to explore it. There may be none yet. False with err. */
static bool look_for_job(struct porter *p, struct err *err)
{
	static const char *const names[] = {"id", "epoch", "record", "state", "seal", "over"};
	struct link_word words[8] = {link_text("HMGET")};
	char key[JOB_KEY_MAX];
	struct redisReply *reply;
	bool ok = true;

	job_key(p->link.url, "job", NULL, key);
	words[1] = link_text(key);
	for (size_t i = 0; i < 6; i++)
		words[i + 2] = link_text(names[i]);
	reply = link_call(&p->link, words, 8);
	if (!reply || reply->type != REDIS_REPLY_ARRAY || reply->elements != 6) {
		link_free(reply);
		return true;
	}
	if (text_of(reply->element[5])[0]) {
		if (!p->job.id[0])
			snprintf(p->old, sizeof(p->old), "%s", text_of(reply->element[0]));
		p->is_done = !p->worker->stays && strcmp(p->old, text_of(reply->element[0])) != 0;
		pause_ms(LOOK_MS);
	} else if (text_of(reply->element[0])[0]) {
		ok = open_job(p, reply->element, err) && prepare(p, err);
	} else {
		pause_ms(LOOK_MS);
	}
	link_free(reply);
	return ok;
}

/* ---- a part ---- */

/* Hands the answer in; without one the part is removed. Waits until Redis has taken it. */
static void hand_in(struct porter *p, const struct taken *part, const struct strbuf *answer)
{
	char parts[JOB_KEY_MAX], hurry[JOB_KEY_MAX], tries[JOB_KEY_MAX], key[JOB_KEY_MAX];
	char seal[SEAL_HEX + 1];
	struct redisReply *reply = NULL;
	struct strbuf sealed = {0};

	job_key(p->link.url, "parts", NULL, parts);
	job_key(p->link.url, "hurry", NULL, hurry);
	job_key(p->link.url, "tries", NULL, tries);
	job_key(p->link.url, "answer", part->name, key);
	if (answer) {
		job_seal_answer(&p->worker->secret, &p->job, part->name,
				(struct bytes_in){.at = answer->text, .len = answer->len}, seal);
		strbuf_adds(&sealed, seal);
		strbuf_add(&sealed, answer->text, answer->len);
	}
	while (!reply && !is_over(p))
		reply = link_run(&p->link, finish_lua,
				 (struct link_word[]){link_text(parts), link_text(hurry),
						      link_text(tries), link_text(key),
						      link_text(part->entry), link_text(part->name),
						      link_bytes(&sealed),
						      link_text(JOB_KEEP_SECONDS)}, 4, 8);
	link_free(reply);
	strbuf_release(&sealed);
	p->last_part = clock_seconds();
}

/* Renews the lease, and hands on that the coordinator waits. */
static void tend(struct porter *p, const struct taken *part)
{
	char parts[JOB_KEY_MAX], hurry[JOB_KEY_MAX], workers[JOB_KEY_MAX];
	struct bytes_in in = {.at = part->text.text, .len = part->text.len};
	struct redisReply *reply;

	job_key(p->link.url, "parts", NULL, parts);
	job_key(p->link.url, "hurry", NULL, hurry);
	job_key(p->link.url, "workers", NULL, workers);
	reply = link_run(&p->link, tend_lua,
			 (struct link_word[]){link_text(parts), link_text(hurry), link_text(workers),
					      link_text(p->me), link_text(part->entry),
					      link_text(part->name), link_text(JOB_KEEP_SECONDS)},
			 3, 7);
	if (reply && reply->integer != 0) /* or another worker has the part now */
		*p->hurry = bytes_u32(&in);
	link_free(reply);
}

static bool uses_too_much(const struct porter *p)
{
	const struct fleet_worker *w = p->worker;

	if (!w->memory || confine_used(p->explorer) <= w->memory)
		return false;
	w->say("%s: the program uses more memory than --max-memory allows", p->link.url->shown);
	return true;
}

/* Has the explorer explore it. False if the explorer died, or had to be ended. */
static bool have_explored(struct porter *p, const struct taken *part, struct strbuf *answer)
{
	struct pollfd fd = {.fd = p->fd, .events = POLLIN};
	double began = clock_seconds();

	if (!jobs_send(p->fd, &part->text))
		return false;
	for (uint32_t ticks = 1; poll(&fd, 1, TEND_MS) <= 0; ticks++) {
		if (clock_seconds() - began > PART_SECONDS || is_over(p) ||
		    (ticks % MEMORY_TICKS == 0 && uses_too_much(p)))
			return false;
		tend(p, part);
	}
	return jobs_receive(p->fd, answer);
}

static bool is_sealed(const struct porter *p, const struct taken *part)
{
	char seal[SEAL_HEX + 1];

	job_seal_part(&p->worker->secret, &p->job, part->name,
		      (struct bytes_in){.at = part->text.text, .len = part->text.len}, seal);
	return seal_is_equal(seal, part->seal);
}

static void do_part(struct porter *p, const struct taken *part)
{
	struct strbuf result = {0}, answer = {0};

	if (!is_sealed(p, part)) {
		p->worker->say("%s: a part that is not sealed with the secret was refused",
			       p->link.url->shown);
		hand_in(p, part, NULL);
		return;
	}
	if (part->tries > TRIES_MAX) {
		bytes_put_u8(&answer, ANSWER_DEADLY);
		hand_in(p, part, &answer);
	} else if (have_explored(p, part, &result)) {
		bytes_put_u8(&answer, ANSWER_RESULT);
		bytes_put(&answer, result.text, result.len);
		hand_in(p, part, &answer);
	} else {
		if (!is_over(p))
			p->worker->say("%s: the program died, or did not end, in a part; somebody "
				       "will explore it again", p->link.url->shown);
		end_explorer(p);
	}
	strbuf_release(&result);
	strbuf_release(&answer);
}

static void read_fields(const struct redisReply *fields, struct taken *part)
{
	for (size_t i = 0; i + 1 < fields->elements; i += 2) {
		const char *name = text_of(fields->element[i]);
		const struct redisReply *value = fields->element[i + 1];

		if (strcmp(name, "name") == 0)
			snprintf(part->name, sizeof(part->name), "%s", text_of(value));
		else if (strcmp(name, "seal") == 0)
			snprintf(part->seal, sizeof(part->seal), "%s", text_of(value));
		else if (strcmp(name, "text") == 0)
			copy_bytes(&part->text, value);
	}
}

/* Takes the next part, if there is one. */
static void serve(struct porter *p)
{
	char job[JOB_KEY_MAX], parts[JOB_KEY_MAX], tries[JOB_KEY_MAX], workers[JOB_KEY_MAX];
	char owner[JOB_KEY_MAX], epoch[16];
	struct taken part = {0};
	struct redisReply *reply;

	job_key(p->link.url, "job", NULL, job);
	job_key(p->link.url, "parts", NULL, parts);
	job_key(p->link.url, "tries", NULL, tries);
	job_key(p->link.url, "workers", NULL, workers);
	job_key(p->link.url, "owner", NULL, owner);
	snprintf(epoch, sizeof(epoch), "%u", p->job.epoch);
	reply = link_run(&p->link, take_lua,
			 (struct link_word[]){link_text(job), link_text(parts), link_text(tries),
					      link_text(workers), link_text(owner),
					      link_text(p->job.id), link_text(epoch),
					      link_text(p->me), link_text(LEASE_MS),
					      link_text(JOB_KEEP_SECONDS)}, 5, 10);
	if (!reply || reply->type != REDIS_REPLY_ARRAY || !reply->elements) {
		link_free(reply);
		return;
	}
	if (strcmp(text_of(reply->element[0]), "alone") == 0) {
		pause_ms(LOOK_MS);
		link_free(reply);
		return;
	}
	p->heard = clock_seconds();
	if (strcmp(text_of(reply->element[0]), "other") == 0) {
		end_explorer(p);
	} else if (reply->elements < 4) {
		pause_ms(IDLE_MS);
	} else {
		snprintf(part.entry, sizeof(part.entry), "%s", text_of(reply->element[1]));
		part.tries = reply->element[2]->integer;
		read_fields(reply->element[3], &part);
		do_part(p, &part);
		strbuf_release(&part.text);
	}
	link_free(reply);
}

/* A server that is away may come; one that refuses the password will not change its mind. */
static bool may_begin(struct porter *p, struct err *err)
{
	struct err why = {0};

	if (link_check(&p->link, &why) || !p->link.is_refused)
		return true;
	*err = why;
	return false;
}

/* Ends a worker that waits in vain: for a server that never answered, that is an error. */
static bool take_leave(struct porter *p, struct err *err)
{
	if (!is_forgotten(p) || p->is_done || *p->worker->stop)
		return true;
	if (!p->link.answered)
		return err_set(err, "%s cannot be used: %s", p->link.url->shown, p->link.why);
	p->worker->say("%s: no word of the search for %g seconds, so this worker ends",
		       p->link.url->shown, p->worker->patience_seconds);
	return true;
}

bool fleet_worker_run(const struct fleet_worker *worker, struct err *err)
{
	struct porter p = {.worker = worker, .began = clock_seconds(),
			   .last_part = clock_seconds()};
	char host[64] = "", id[JOB_ID_HEX + 1];
	struct link_notice notice = {0};
	bool ok;

	p.link = (struct link){.url = &worker->url, .say = worker->say, .notice = &notice};
	p.hurry = mmap(NULL, sizeof(*p.hurry), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		       -1, 0);
	if (p.hurry == MAP_FAILED)
		return err_set_errno(err, "cannot map shared memory");
	gethostname(host, sizeof(host) - 1);
	job_make_id(id);
	snprintf(p.me, sizeof(p.me), "%s-%d-%s", host, (int)getpid(), id);
	ok = may_begin(&p, err);
	while (ok && !is_over(&p))
		if (p.explorer)
			serve(&p);
		else
			ok = look_for_job(&p, err);
	ok = ok && take_leave(&p, err);
	end_explorer(&p);
	link_close(&p.link);
	if (p.folder.len)
		files_remove(strbuf_text(&p.folder));
	strbuf_release(&p.folder);
	job_release(&p.job);
	json_decref(p.record);
	munmap((void *)p.hurry, sizeof(*p.hurry));
	return ok;
}
