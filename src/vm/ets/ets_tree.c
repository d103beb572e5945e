/* The store of ordered_set: an AVL tree. Its height is at most 1.45 log2 of its size, so recursion
 * over it is shallow however large it is. */
#include "vm/ets/ets_store.h"
#include "vm/ets/match_spec.h"

static unsigned height_of(const struct ets_object *node)
{
	return node ? node->height : 0;
}

static void update_height(struct ets_object *node)
{
	unsigned left = height_of(node->left), right = height_of(node->right);

	node->height = (uint8_t)((left > right ? left : right) + 1);
}

static struct ets_object *rotate_right(struct ets_object *node)
{
	struct ets_object *top = node->left;

	node->left = top->right;
	top->right = node;
	update_height(node);
	update_height(top);
	return top;
}

static struct ets_object *rotate_left(struct ets_object *node)
{
	struct ets_object *top = node->right;

	node->right = top->left;
	top->left = node;
	update_height(node);
	update_height(top);
	return top;
}

static struct ets_object *balance(struct ets_object *node)
{
	int lean = (int)height_of(node->left) - (int)height_of(node->right);

	if (lean > 1) {
		if (height_of(node->left->left) < height_of(node->left->right))
			node->left = rotate_left(node->left);
		return rotate_right(node);
	}
	if (lean < -1) {
		if (height_of(node->right->right) < height_of(node->right->left))
			node->right = rotate_right(node->right);
		return rotate_left(node);
	}
	update_height(node);
	return node;
}

struct ets_object *ets_tree_find(const struct ets_table *table, term key)
{
	struct ets_object *node = table->root;

	while (node) {
		int order = term_compare(key, ets_key(table, node));

		if (order == 0)
			break;
		node = order < 0 ? node->left : node->right;
	}
	return node;
}

/* ---- changing ---- */

struct tree_change {
	const struct ets_table *table;
	term key;
	struct ets_object *fresh; /* to put */
	struct ets_object *old;   /* the object that it replaced */
};

static struct ets_object *put_below(struct tree_change *change, struct ets_object *node)
{
	int order;

	if (!node) {
		change->fresh->height = 1;
		return change->fresh;
	}
	order = term_compare(change->key, ets_key(change->table, node));
	if (order == 0) {
		change->fresh->left = node->left;
		change->fresh->right = node->right;
		change->fresh->height = node->height;
		change->old = node;
		return change->fresh;
	}
	if (order < 0)
		node->left = put_below(change, node->left);
	else
		node->right = put_below(change, node->right);
	return change->old ? node : balance(node);
}

static struct ets_object *take_least(struct ets_object *node, struct ets_object **least)
{
	if (!node->left) {
		*least = node;
		return node->right;
	}
	node->left = take_least(node->left, least);
	return balance(node);
}

static struct ets_object *join_children(struct ets_object *node)
{
	struct ets_object *least, *right;

	if (!node->left)
		return node->right;
	if (!node->right)
		return node->left;
	right = take_least(node->right, &least);
	least->left = node->left;
	least->right = right;
	return balance(least);
}

static struct ets_object *remove_below(struct tree_change *change, struct ets_object *node)
{
	int order = term_compare(change->key, ets_key(change->table, node));

	if (order == 0) {
		change->old = node;
		return join_children(node);
	}
	if (order < 0)
		node->left = remove_below(change, node->left);
	else
		node->right = remove_below(change, node->right);
	return balance(node);
}

static void forget(struct ets_table *table, struct ets_object *old)
{
	table->len--;
	table->words -= old->words_len;
	ets_object_free(old);
}

void ets_tree_put(struct ets_table *table, struct ets_object *fresh)
{
	struct tree_change change = {table, ets_key(table, fresh), fresh, NULL};

	table->root = put_below(&change, table->root);
	table->len++;
	table->words += fresh->words_len;
	if (change.old)
		forget(table, change.old);
}

void ets_tree_remove(struct ets_table *table, struct ets_object *object)
{
	struct tree_change change = {table, ets_key(table, object), NULL, NULL};

	table->root = remove_below(&change, table->root);
	forget(table, change.old);
}

static void free_below(struct ets_table *table, struct ets_object *node)
{
	if (!node)
		return;
	free_below(table, node->left);
	free_below(table, node->right);
	forget(table, node);
}

void ets_tree_clear(struct ets_table *table)
{
	free_below(table, table->root);
	table->root = NULL;
}

/* ---- walking: the path holds the nodes still to be returned, the next one last ---- */

static void descend(struct ets_cursor *cursor, struct ets_object *node)
{
	while (node) {
		cursor->path[cursor->depth++] = node;
		node = cursor->is_backward ? node->right : node->left;
	}
}

void ets_tree_cursor_start(struct ets_cursor *cursor)
{
	descend(cursor, cursor->table->root);
}

/* Goes one step down towards the first node of the cursor. */
static struct ets_object *approach(struct ets_cursor *cursor, struct ets_object *node,
				   bool is_wanted)
{
	if (is_wanted)
		cursor->path[cursor->depth++] = node;
	return is_wanted != cursor->is_backward ? node->left : node->right;
}

void ets_tree_cursor_after(struct ets_cursor *cursor, term key, bool is_included)
{
	struct ets_object *node = cursor->table->root;

	while (node) {
		int order = term_compare(ets_key(cursor->table, node), key);

		if (cursor->is_backward)
			order = -order;
		node = approach(cursor, node, order > 0 || (order == 0 && is_included));
	}
}

void ets_tree_cursor_at_prefix(struct ets_cursor *cursor, term pattern)
{
	struct ets_object *node = cursor->table->root;

	while (node) {
		int order = match_compare_prefix(ets_key(cursor->table, node), pattern);

		node = approach(cursor, node, cursor->is_backward ? order <= 0 : order >= 0);
	}
}

struct ets_object *ets_tree_cursor_next(struct ets_cursor *cursor)
{
	struct ets_object *node;

	if (!cursor->depth)
		return NULL;
	node = cursor->path[--cursor->depth];
	descend(cursor, cursor->is_backward ? node->left : node->right);
	return node;
}
