/* maps: the native part; the functions that call funs are Erlang, over map_next. */
#include "base/vec.h"
#include "vm/bifs/bif.h"
#include "vm/terms/tmap.h"
#include "vm/vm.h"

VEC_TYPE(pair_vec, term);

term bif_maps_get_2(struct process *p, const term *args)
{
	term value;

	if (!term_is_map(args[1]))
		return bif_badmap(p, args[1]);
	value = tmap_get(args[1], args[0]);
	return value == TERM_NONE ? bif_badkey(p, args[0]) : value;
}

term bif_maps_find_2(struct process *p, const term *args)
{
	term value;

	if (!term_is_map(args[1]))
		return bif_badmap(p, args[1]);
	value = tmap_get(args[1], args[0]);
	return value == TERM_NONE ? (term)A_error : heap_tuple2(p, A_ok, value);
}

term bif_maps_is_key_2(struct process *p, const term *args)
{
	if (!term_is_map(args[1]))
		return bif_badmap(p, args[1]);
	return atom_from_bool(tmap_get(args[1], args[0]) != TERM_NONE);
}

term bif_maps_put_3(struct process *p, const term *args)
{
	if (!term_is_map(args[2]))
		return bif_badmap(p, args[2]);
	return tmap_put(p, args[2], args[0], args[1]);
}

term bif_maps_update_3(struct process *p, const term *args)
{
	if (!term_is_map(args[2]))
		return bif_badmap(p, args[2]);
	if (tmap_get(args[2], args[0]) == TERM_NONE)
		return bif_badkey(p, args[0]);
	return tmap_put(p, args[2], args[0], args[1]);
}

term bif_maps_remove_2(struct process *p, const term *args)
{
	if (!term_is_map(args[1]))
		return bif_badmap(p, args[1]);
	return tmap_remove(p, args[1], args[0]);
}

term bif_maps_take_2(struct process *p, const term *args)
{
	term value;

	if (!term_is_map(args[1]))
		return bif_badmap(p, args[1]);
	value = tmap_get(args[1], args[0]);
	if (value == TERM_NONE)
		return A_error;
	return heap_tuple2(p, value, tmap_remove(p, args[1], args[0]));
}

/* The program sees the order of the keys: the verdict names it if it is that of pids or references of
 * different processes, or of their hashes. */
static void note_order(term map)
{
	struct tmap_iter it = tmap_iter(map);
	term before = NIL, key, value;

	if (!vm_get()->is_explored || (vm_get()->relied_on & RELIED_ON_NUMBERS))
		return;
	for (; tmap_next(&it, &key, &value); before = key) {
		if (before == NIL || !term_has_number(key))
			continue;
		if (term_is_flatmap(map))
			(void)term_order(before, key);
		else
			vm_get()->relied_on |= RELIED_ON_NUMBERS;
	}
}

/* The keys (side 0) or the values (side 1) in order of iteration. */
static term list_side(struct process *p, term map, unsigned side)
{
	size_t n = tmap_size(map);
	term *cells = heap_alloc(p, n * CONS_WORDS), *cell = cells, sides[2];
	struct tmap_iter it = tmap_iter(map);

	if (!n)
		return NIL;
	note_order(map);
	while (tmap_next(&it, &sides[0], &sides[1])) {
		cell[0] = sides[side];
		cell[1] = cons_make(cell + 2);
		cell += 2;
	}
	cell[-1] = NIL;
	return cons_make(cells);
}

term bif_maps_keys_1(struct process *p, const term *args)
{
	return term_is_map(args[0]) ? list_side(p, args[0], 0) : bif_badmap(p, args[0]);
}

term bif_maps_values_1(struct process *p, const term *args)
{
	return term_is_map(args[0]) ? list_side(p, args[0], 1) : bif_badmap(p, args[0]);
}

static void add_pair(struct pair_vec *pairs, term key, term value)
{
	vec_reserve(pairs, pairs->len + 2);
	pairs->items[pairs->len++] = key;
	pairs->items[pairs->len++] = value;
}

static void add_map(struct pair_vec *pairs, term map)
{
	struct tmap_iter it = tmap_iter(map);
	term key, value;

	while (tmap_next(&it, &key, &value))
		add_pair(pairs, key, value);
}

static term make_map(struct process *p, struct pair_vec *pairs)
{
	term map = tmap_from_pairs(p, pairs->items, pairs->len / 2);

	vec_release(pairs);
	return map;
}

/* A few pairs are put into a large map one by one; otherwise the result is built from all pairs. */
term bif_maps_merge_2(struct process *p, const term *args)
{
	struct pair_vec pairs = {0};
	struct tmap_iter it;
	term map = args[0], key, value;

	if (!term_is_map(args[0]))
		return bif_badmap(p, args[0]);
	if (!term_is_map(args[1]))
		return bif_badmap(p, args[1]);
	if (tmap_size(args[1]) == 0 || args[0] == args[1])
		return args[0];
	if (tmap_size(args[0]) == 0)
		return args[1];
	if (tmap_size(args[0]) / 8 < tmap_size(args[1])) {
		add_map(&pairs, args[0]);
		add_map(&pairs, args[1]);
		return make_map(p, &pairs);
	}
	it = tmap_iter(args[1]);
	while (tmap_next(&it, &key, &value))
		map = tmap_put(p, map, key, value);
	return map;
}

term bif_maps_from_list_1(struct process *p, const term *args)
{
	struct pair_vec pairs = {0};
	term list = args[0];

	for (; term_is_cons(list); list = cons_tail(list)) {
		term pair = cons_head(list);

		if (!term_is_tuple_of(pair, 2))
			break;
		add_pair(&pairs, tuple_element(pair, 0), tuple_element(pair, 1));
	}
	if (list != NIL) {
		vec_release(&pairs);
		return bif_badarg(p);
	}
	return make_map(p, &pairs);
}

term bif_maps_from_keys_2(struct process *p, const term *args)
{
	struct pair_vec pairs = {0};
	term list = args[0];

	for (; term_is_cons(list); list = cons_tail(list))
		add_pair(&pairs, cons_head(list), args[1]);
	if (list != NIL) {
		vec_release(&pairs);
		return bif_badarg(p);
	}
	return make_map(p, &pairs);
}

/* ---- iteration ---- */

/* {K1, V1, {K2, V2, ... none}} for iterators, [{K1, V1}, ... | Acc] for lists. */
static term chain_pairs(struct process *p, const struct pair_vec *pairs, term end)
{
	bool is_iterator = end == A_iterator;
	size_t n = pairs->len / 2;
	term result = is_iterator ? (term)A_none : end;
	term *hp = heap_alloc(p, n * (is_iterator ? 4 : 5));

	for (size_t i = n; i-- > 0;) {
		term key = pairs->items[2 * i], value = pairs->items[2 * i + 1];

		if (is_iterator) {
			result = tuple_build3(&hp, key, value, result);
		} else {
			term pair = tuple_build2(&hp, key, value);

			result = cons_build(&hp, pair, result);
		}
	}
	return result;
}

/* Path is 0, or (maps:iterator/2 of OTP 26) the keys in the wanted order. The real VM returns large
 * maps piece by piece; here all pairs come at once. */
term bif_erts_internal_map_next_3(struct process *p, const term *args)
{
	struct pair_vec pairs = {0};
	term path = args[0], map = args[1], end = args[2], result;

	if (!term_is_map(map))
		return bif_badarg(p);
	note_order(map);
	if (term_is_list(path)) {
		for (; term_is_cons(path); path = cons_tail(path)) {
			term value = tmap_get(map, cons_head(path));

			if (value == TERM_NONE)
				break;
			add_pair(&pairs, cons_head(path), value);
		}
	} else if (path == small_make(0)) {
		add_map(&pairs, map);
		path = NIL;
	}
	if (path != NIL || (end != A_iterator && !term_is_list(end))) {
		vec_release(&pairs);
		return bif_badarg(p);
	}
	result = chain_pairs(p, &pairs, end);
	vec_release(&pairs);
	return result;
}

term bif_erts_internal_map_to_tuple_keys_1(struct process *p, const term *args)
{
	return term_is_flatmap(args[0]) ? flatmap_keys(args[0]) : bif_badarg(p);
}
