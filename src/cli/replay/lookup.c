#include "cli/replay/lookup.h"

#include <dirent.h>
#include <string.h>
#include <unistd.h>

#include "explore/save.h"

#define FOLDER ".fermata"

/* A name is KIND-FINGERPRINT, with the first digits of the fingerprint; kinds have dashes, too. */
static bool is_meant(const char *name, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(name, word, len) == 0)
		return true;
	for (const char *dash = strchr(name, '-'); dash; dash = strchr(dash + 1, '-'))
		if (strncmp(dash + 1, word, len) == 0 || strncmp(word, dash + 1, strlen(dash + 1)) == 0)
			return dash[1] && strspn(word, "0123456789abcdef") == len;
	return false;
}

const char *lookup_finding(const char *word, struct arena *arena, struct err *err)
{
	const char *found = NULL;
	struct dirent *entry;
	bool is_only = true;
	DIR *dir;

	if (!word[0] || strchr(word, '/') || access(word, F_OK) == 0)
		return word;
	dir = opendir(FOLDER);
	while (dir && (entry = readdir(dir))) {
		const char *path;

		if (entry->d_name[0] == '.' || !is_meant(entry->d_name, word))
			continue;
		path = arena_printf(arena, FOLDER "/%s", entry->d_name);
		if (!save_is_meant(path))
			continue;
		if (found)
			is_only = err_set(err, "'%s' could be %s or %s: write more of it", word, found,
					  path);
		found = path;
		if (strcmp(entry->d_name, word) == 0) {
			is_only = true;
			break;
		}
	}
	if (dir)
		closedir(dir);
	if (!found)
		err_set(err, "there is neither a file '%s' nor such a finding in .fermata (fermata "
			"findings lists them)", word);
	return is_only ? found : NULL;
}
