#include "report/causes.h"

#include <string.h>

#include "core/finding.h"

static bool is_same_text(const char *a, size_t a_len, const char *b, size_t b_len)
{
	return a_len == b_len && strncmp(a, b, a_len) == 0;
}

/* "m" of "m (locked at bank.c:12)" */
static size_t lock_len(const char *lock)
{
	const char *end = strstr(lock, " (");

	return end ? (size_t)(end - lock) : strlen(lock);
}

static bool holds(const struct report_site *site, const char *lock)
{
	for (uint32_t i = 0; i < site->locks_len; i++)
		if (is_same_text(site->locks[i], lock_len(site->locks[i]), lock, lock_len(lock)))
			return true;
	return false;
}

static bool has_same_locks(const struct report_site *a, const struct report_site *b)
{
	bool is_same = a->locks_len == b->locks_len;

	for (uint32_t i = 0; i < a->locks_len; i++)
		is_same = is_same && holds(b, a->locks[i]);
	return is_same;
}

static bool has_same_function(const struct report_site *a, const struct report_site *b)
{
	return has_same_locks(a, b) && a->at.function && b->at.function &&
	       strcmp(a->at.function, b->at.function) == 0;
}

/* "stats" of "writes stats.bytes"; NULL if the role does not name a variable. */
static const char *find_variable(const struct report_site *site, size_t *len)
{
	const char *name = site->role ? strchr(site->role, ' ') : NULL;

	if (!name || strncmp(++name, "0x", 2) == 0 || strncmp(name, "heap(", 5) == 0 ||
	    strncmp(name, "a ", 2) == 0)
		return NULL;
	*len = strcspn(name, ".[#+");
	if (strstr(name, "->") && (size_t)(strstr(name, "->") - name) < *len)
		*len = (size_t)(strstr(name, "->") - name);
	return name;
}

static bool has_same_variable(const struct report_finding *a, const struct report_finding *b)
{
	size_t a_len = 0, b_len = 0;
	const char *of_a = find_variable(&a->sites[0], &a_len);
	const char *of_b = find_variable(&b->sites[0], &b_len);

	return of_a && of_b && is_same_text(of_a, a_len, of_b, b_len);
}

/* Does the relation hold between the two places of both, in one order or the other? */
static bool are_alike(const struct report_finding *a, const struct report_finding *b,
		      bool (*is_same)(const struct report_site *, const struct report_site *))
{
	return (is_same(&a->sites[0], &b->sites[0]) && is_same(&a->sites[1], &b->sites[1])) ||
	       (is_same(&a->sites[0], &b->sites[1]) && is_same(&a->sites[1], &b->sites[0]));
}

uint32_t causes_first(const struct report *report, uint32_t i, const char **why)
{
	const struct report_finding *finding = &report->findings[i];

	for (uint32_t j = 0; j < i; j++) {
		const struct report_finding *before = &report->findings[j];
		const char *unused;

		if (finding->kind != FINDING_RACE || before->kind != FINDING_RACE ||
		    finding->sites_len < 2 || before->sites_len < 2)
			continue;
		if (are_alike(before, finding, has_same_function))
			*why = "the same functions, with the same locks held";
		else if (has_same_variable(before, finding) &&
			 are_alike(before, finding, has_same_locks))
			*why = "the same variable, with the same locks held";
		else
			continue;
		return causes_first(report, j, &unused);
	}
	return i;
}
