/* races.h: static race analysis of .beam files, from paths to suspects.
 *
 * After "Static Detection of Race Conditions in Erlang" (Christakis and Sagonas, 2010):
 * find reads that are followed, on some path through known calls, by a write of the same
 * thing (section 4.2). Drop the pairs that cannot be about the same thing or cannot run
 * twice at once (4.3), and look only at code that can matter (4.4). Where that analysis
 * worked on Core Erlang with Dialyzer's types, this one works on BEAM code with symbolic
 * values (value.h), so it needs neither source nor debug information and serves every
 * language on the BEAM.
 *
 *     struct races races;
 *     races_analyse(&races, paths, n, &(struct races_options){0});
 *     ... races.found.items ...
 *     races_release(&races);
 */
#ifndef STATIC_RACES_H
#define STATIC_RACES_H

#include "base/arena.h"
#include "static/suspect.h"

struct races_options {
	bool follow_unknown; /* calls of unknown funs may be any function of that arity */
	bool all;            /* also suspects of low confidence */
	bool calls;          /* also pairs split over two calls of a server */
};

struct races {
	struct arena arena; /* holds all texts */
	struct suspects found;
};

/* Analyses .beam files and, recursively, folders. Files that cannot be read are listed in
 * found.errors; the others are analysed all the same. */
void races_analyse(struct races *races, const char *const *paths, size_t paths_len,
		   const struct races_options *options);

void races_release(struct races *races);

#endif
