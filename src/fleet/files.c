#include "fleet/files.h"

#include <errno.h>
#include <ftw.h>
#include <hiredis/hiredis.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

/* A path below a folder, of ordinary names. */
static bool is_place(const char *text)
{
	size_t len;

	for (; *text; text += len + (text[len] == '/')) {
		len = strcspn(text, "/");
		if (len == 0 || (len <= 2 && text[0] == '.' && (len == 1 || text[1] == '.')))
			return false;
	}
	return text[-1] != '/';
}

/* The folders of the path up to its last slash. */
static bool make_folders(const char *path, struct err *err)
{
	char part[4096];

	for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", (int)(slash - path), path);
		if (mkdir(part, 0700) != 0 && errno != EEXIST)
			return err_set_errno(err, "cannot create the folder %s", part);
	}
	return true;
}

static bool has_hash(const char *path, const char *hash)
{
	struct strbuf content = {0};
	struct err err = {0};
	char found[SHA256_HEX + 1] = "";

	if (file_read(path, &content, &err))
		sha256_hex(strbuf_text(&content), content.len, found);
	strbuf_release(&content);
	return strcmp(found, hash) == 0;
}

/* Gets the content into `kept`, unless it is there. */
static enum files_answer fetch_content(struct link *link, const char *hash, const char *kept,
				       struct err *err)
{
	char key[JOB_KEY_MAX], found[SHA256_HEX + 1];
	enum files_answer answer = FILES_REFUSED;
	struct redisReply *reply;

	if (has_hash(kept, hash))
		return FILES_READY;
	job_key(link->url, "file", hash, key);
	reply = link_call(link, (struct link_word[]){link_text("GET"), link_text(key)}, 2);
	if (!reply || reply->type != REDIS_REPLY_STRING) {
		link_free(reply);
		return FILES_LATER;
	}
	sha256_hex(reply->str, reply->len, found);
	if (strcmp(found, hash) != 0)
		err_set(err, "%s: a file of the program is not the one that the coordinator sealed",
			link->url->shown);
	else if (file_write(kept, reply->str, reply->len, err) && chmod(kept, 0500) == 0)
		answer = FILES_READY;
	link_free(reply);
	return answer;
}

static enum files_answer fetch_file(struct link *link_to, const json_t *file, const char *folder,
				    const char *job, struct err *err)
{
	const char *place = json_string_value(json_object_get(file, "place"));
	const char *hash = json_string_value(json_object_get(file, "sha256"));
	char kept[4096], linked[4096];
	enum files_answer answer;

	if (!place || !hash || !is_place(place) || strlen(hash) != SHA256_HEX || !is_place(hash)) {
		err_set(err, "%s: the record of the job is damaged", link_to->url->shown);
		return FILES_REFUSED;
	}
	snprintf(kept, sizeof(kept), "%s/files/%s", folder, hash);
	snprintf(linked, sizeof(linked), "%s/%s", job, place);
	if (!make_folders(kept, err) || !make_folders(linked, err))
		return FILES_REFUSED;
	answer = fetch_content(link_to, hash, kept, err);
	if (answer == FILES_READY && link(kept, linked) != 0 && errno != EEXIST) {
		err_set_errno(err, "cannot write %s", linked);
		answer = FILES_REFUSED;
	}
	return answer;
}

enum files_answer files_fetch(struct link *link, const struct job *job, const json_t *record,
			      const char *folder, struct strbuf *path, struct err *err)
{
	const json_t *files = json_object_get(record, "files"), *file;
	enum files_answer answer = FILES_READY;
	size_t i;

	strbuf_addf(path, "%s/jobs/%s-%d", folder, job->id, (int)getpid());
	if (!make_folders(strbuf_text(path), err))
		return FILES_REFUSED;
	mkdir(strbuf_text(path), 0700);
	json_array_foreach(files, i, file) {
		answer = fetch_file(link, file, folder, strbuf_text(path), err);
		if (answer != FILES_READY)
			break;
	}
	return answer;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
	(void)status, (void)kind, (void)walk;
	return remove(path);
}

void files_remove(const char *path)
{
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
