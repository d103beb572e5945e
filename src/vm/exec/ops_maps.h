/* Maps: reads operands and handles failures; tmap.c does the work. */

/* The first missing key in the order of the map's keys, as the real VM reports it; TERM_NONE: none
 * is missing. */
OP_INLINE term find_missing(struct regs *r, term map, size_t n)
{
	term missing = TERM_NONE;

	for (size_t i = 0; i < n; i += 2) {
		term key = get_word(r, r->ip[6 + i]);

		if (tmap_get(map, key) == TERM_NONE &&
		    (missing == TERM_NONE || tmap_compare_keys(key, missing) < 0))
			missing = key;
	}
	return missing;
}

/* fail, source, destination, live, n, (key, value)* */
OP_INLINE void put_map(struct regs *r, bool exact)
{
	size_t n = r->ip[5];
	term map = get(r, 2);

	if (unlikely(!term_is_map(map))) {
		save(r);
		bif_badmap(r->p, map);
		r->htop = r->p->htop;
		go_fail(r, 1);
		return;
	}
	save(r);
	if (exact) {
		term missing = find_missing(r, map, n);

		if (unlikely(missing != TERM_NONE)) {
			bif_badkey(r->p, missing);
			r->htop = r->p->htop;
			go_fail(r, 1);
			return;
		}
	}
	for (size_t i = 0; i < n; i += 2) {
		term key = get_word(r, r->ip[6 + i]);

		map = tmap_put(r->p, map, key, get_word(r, r->ip[7 + i]));
	}
	r->htop = r->p->htop;
	put(r, 3, settle(r, map, r->ip[4]));
	r->ip += 6 + n;
}

OP_INLINE void op_put_map_assoc(struct regs *r)
{
	put_map(r, false);
}

OP_INLINE void op_put_map_exact(struct regs *r)
{
	put_map(r, true);
}

OP_INLINE void op_has_map_fields(struct regs *r)
{
	term map = get(r, 2);
	size_t n = r->ip[3];

	PROMISED(r, term_is_map(map));
	for (size_t i = 0; i < n; i++) {
		if (tmap_get(map, get_word(r, r->ip[4 + i])) == TERM_NONE) {
			r->ip = label(r, 1);
			return;
		}
	}
	r->ip += 4 + n;
}

/* A destination may be the map's own register, but only the last one. */
OP_INLINE void op_get_map_elements(struct regs *r)
{
	term map = get(r, 2);
	size_t n = r->ip[3];

	PROMISED(r, term_is_map(map));
	for (size_t i = 0; i < n; i += 2) {
		term value = tmap_get(map, get_word(r, r->ip[4 + i]));

		if (value == TERM_NONE) {
			r->ip = label(r, 1);
			return;
		}
		put_word(r, r->ip[5 + i], value);
	}
	r->ip += 4 + n;
}
