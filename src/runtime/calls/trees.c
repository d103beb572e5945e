/* trees.c: the nodes of std::map, std::set and their kin, which the C++ library relinks in code without hooks.
 *
 * Inserting and erasing write to parents, uncles and nephews, and ++ climbs through any number of nodes;
 * none of them is an argument of the call. So the library's functions on red-black trees are done here, and
 * each field that they read or write is an access of the program (as in lists.c). The trees that come out
 * obey the same rules as the library's: the root is black, a red node has black children, and each way
 * down has as many black nodes.
 *
 * The header is not a node of the tree: its parent is the root, its left child the first node, its right
 * child the last one, and it is red.
 */
#include "runtime/calls/nodes.h"

enum { RED, BLACK };
enum side { LEFT, RIGHT };

/* std::_Rb_tree_node_base */
struct node {
	int32_t color;
	struct node *parent;
	struct node *child[2]; /* by side */
};

#define INSERT _ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_
#define ERASE _ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_
#define INCREMENT _ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base
#define INCREMENT_CONST _ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base
#define DECREMENT _ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base
#define DECREMENT_CONST _ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base

void INSERT(bool is_left, struct node *x, struct node *parent, struct node *header);
struct node *ERASE(struct node *z, struct node *header);
struct node *INCREMENT(struct node *x);
struct node *INCREMENT_CONST(struct node *x);
struct node *DECREMENT(struct node *x);
struct node *DECREMENT_CONST(struct node *x);

/* ---- fields ---- */

static struct node *get(struct node *const *from, uint64_t site)
{
	rt_plain(from, sizeof(*from), false, site);
	return *from;
}

static void set(struct node **to, struct node *node, uint64_t site)
{
	rt_plain(to, sizeof(*to), true, site);
	*to = node;
}

static bool is_red(const struct node *node, uint64_t site)
{
	if (!node)
		return false; /* no node counts as a black one */
	rt_plain(&node->color, sizeof(node->color), false, site);
	return node->color == RED;
}

static void paint(struct node *node, int32_t color, uint64_t site)
{
	rt_plain(&node->color, sizeof(node->color), true, site);
	node->color = color;
}

/* ---- shape ---- */

/* Which child of its parent a node is. */
static enum side side_of(const struct node *node, const struct node *parent, uint64_t site)
{
	return get(&parent->child[LEFT], site) == node ? LEFT : RIGHT;
}

/* Puts `by` (or nothing) where the node hangs: below its parent, or at the root. */
static void replace(struct node *node, struct node *by, struct node *header, uint64_t site)
{
	struct node *parent = get(&node->parent, site);

	if (get(&header->parent, site) == node)
		set(&header->parent, by, site);
	else
		set(&parent->child[side_of(node, parent, site)], by, site);
	if (by)
		set(&by->parent, parent, site);
}

/* The node's child on the other side takes its place, and the node becomes the child of that one. */
static void rotate(struct node *node, enum side side, struct node *header, uint64_t site)
{
	struct node *up = get(&node->child[!side], site);
	struct node *between = get(&up->child[side], site);

	replace(node, up, header, site);
	set(&node->child[!side], between, site);
	if (between)
		set(&between->parent, node, site);
	set(&up->child[side], node, site);
	set(&node->parent, up, site);
}

static struct node *outermost(struct node *node, enum side side, uint64_t site)
{
	for (struct node *next; (next = get(&node->child[side], site)); node = next)
		;
	return node;
}

/* ---- iterators ---- */

/* The next node on that side; behind the last one the header. */
static struct node *step(struct node *x, enum side side, uint64_t site)
{
	struct node *below = get(&x->child[side], site), *up;

	if (below)
		return outermost(below, !side, site);
	up = get(&x->parent, site);
	while (x == get(&up->child[side], site)) {
		x = up;
		up = get(&up->parent, site);
	}
	/* With one node the climb passes the header and comes to the root again. */
	return side == RIGHT && get(&x->child[RIGHT], site) == up ? x : up;
}

static bool is_header(const struct node *x, uint64_t site)
{
	return is_red(x, site) && get(&get(&x->parent, site)->parent, site) == x;
}

static struct node *step_back(struct node *x, uint64_t site)
{
	return is_header(x, site) ? get(&x->child[RIGHT], site) : step(x, LEFT, site);
}

INTERCEPT_BY(struct node *, INCREMENT, (struct node * x))
{
	return nodes_are_ours(RT_SITE) ? step(x, RIGHT, RT_SITE) : REAL_BY(INCREMENT)(x);
}

INTERCEPT_BY(struct node *, INCREMENT_CONST, (struct node * x))
{
	return nodes_are_ours(RT_SITE) ? step(x, RIGHT, RT_SITE) : REAL_BY(INCREMENT_CONST)(x);
}

INTERCEPT_BY(struct node *, DECREMENT, (struct node * x))
{
	return nodes_are_ours(RT_SITE) ? step_back(x, RT_SITE) : REAL_BY(DECREMENT)(x);
}

INTERCEPT_BY(struct node *, DECREMENT_CONST, (struct node * x))
{
	return nodes_are_ours(RT_SITE) ? step_back(x, RT_SITE) : REAL_BY(DECREMENT_CONST)(x);
}

/* ---- inserting ---- */

static void hang(struct node *x, struct node *parent, enum side side, struct node *header, uint64_t site)
{
	set(&x->parent, parent, site);
	set(&x->child[LEFT], NULL, site);
	set(&x->child[RIGHT], NULL, site);
	paint(x, RED, site);
	if (parent == header) { /* the first node */
		set(&header->parent, x, site);
		set(&header->child[LEFT], x, site);
		set(&header->child[RIGHT], x, site);
		return;
	}
	set(&parent->child[side], x, site);
	if (get(&header->child[side], site) == parent)
		set(&header->child[side], x, site);
}

/* The red node x has a red parent and a black uncle. */
static void turn_up(struct node *x, struct node *parent, struct node *grandparent, struct node *header,
		    uint64_t site)
{
	enum side side = side_of(parent, grandparent, site);

	if (side_of(x, parent, site) != side) {
		rotate(parent, side, header, site);
		parent = x;
	}
	paint(parent, BLACK, site);
	paint(grandparent, RED, site);
	rotate(grandparent, !side, header, site);
}

INTERCEPT_BY(void, INSERT, (bool is_left, struct node *x, struct node *parent, struct node *header))
{
	if (!nodes_are_ours(RT_SITE)) {
		REAL_BY(INSERT)(is_left, x, parent, header);
		return;
	}
	hang(x, parent, is_left ? LEFT : RIGHT, header, RT_SITE);
	while (x != get(&header->parent, RT_SITE)) {
		struct node *above, *uncle;

		parent = get(&x->parent, RT_SITE);
		if (!is_red(parent, RT_SITE))
			break;
		above = get(&parent->parent, RT_SITE);
		uncle = get(&above->child[!side_of(parent, above, RT_SITE)], RT_SITE);
		if (!is_red(uncle, RT_SITE)) {
			turn_up(x, parent, above, header, RT_SITE);
			break;
		}
		paint(parent, BLACK, RT_SITE);
		paint(uncle, BLACK, RT_SITE);
		paint(above, RED, RT_SITE);
		x = above;
	}
	paint(get(&header->parent, RT_SITE), BLACK, RT_SITE);
}

/* ---- erasing ---- */

/* The first and the last node of the tree are known to the header: z is taken out, and has no child on
 * that side; `rest` is its other child. */
static void move_end(struct node *z, struct node *rest, enum side side, struct node *header, uint64_t site)
{
	if (get(&header->child[side], site) == z)
		set(&header->child[side],
		    rest ? outermost(rest, side, site) : get(&z->parent, site), site);
}

/* A black node is missing below `parent` on the way to x, and x's sibling is red: turns it up. Returns
 * the sibling, which is black now. */
static struct node *find_black_sibling(struct node *parent, enum side side, struct node *header, uint64_t site)
{
	struct node *sibling = get(&parent->child[!side], site);

	if (!is_red(sibling, site))
		return sibling;
	paint(sibling, BLACK, site);
	paint(parent, RED, site);
	rotate(parent, side, header, site);
	return get(&parent->child[!side], site);
}

/* The black sibling has a red child: one more black node comes on the side of x. */
static void borrow(struct node *parent, struct node *sibling, enum side side, struct node *header,
		   uint64_t site)
{
	struct node *far = get(&sibling->child[!side], site);

	if (!is_red(far, site)) {
		paint(get(&sibling->child[side], site), BLACK, site);
		paint(sibling, RED, site);
		rotate(sibling, !side, header, site);
		sibling = get(&parent->child[!side], site);
		far = get(&sibling->child[!side], site);
	}
	paint(sibling, is_red(parent, site) ? RED : BLACK, site);
	paint(parent, BLACK, site);
	if (far)
		paint(far, BLACK, site);
	rotate(parent, side, header, site);
}

/* The way to x, which may be nothing, below `parent` has one black node less than the others. */
static void fill_up(struct node *x, struct node *parent, struct node *header, uint64_t site)
{
	while (x != get(&header->parent, site) && !is_red(x, site)) {
		enum side side = side_of(x, parent, site);
		struct node *sibling = find_black_sibling(parent, side, header, site);

		if (is_red(get(&sibling->child[LEFT], site), site) ||
		    is_red(get(&sibling->child[RIGHT], site), site)) {
			borrow(parent, sibling, side, header, site);
			break;
		}
		paint(sibling, RED, site);
		x = parent;
		parent = get(&x->parent, site);
	}
	if (x)
		paint(x, BLACK, site);
}

/* Puts y, the next node behind z, in the place of z, which has two children. Returns the parent of
 * the place that y has left. */
static struct node *take_place(struct node *y, struct node *z, struct node *header, uint64_t site)
{
	struct node *parent = get(&y->parent, site), *below = get(&y->child[RIGHT], site);
	struct node *left = get(&z->child[LEFT], site), *right = get(&z->child[RIGHT], site);

	if (y == right) {
		parent = y;
	} else {
		replace(y, below, header, site);
		set(&y->child[RIGHT], right, site);
		set(&right->parent, y, site);
	}
	replace(z, y, header, site);
	set(&y->child[LEFT], left, site);
	set(&left->parent, y, site);
	return parent;
}

INTERCEPT_BY(struct node *, ERASE, (struct node * z, struct node *header))
{
	struct node *left, *right, *below, *parent;
	bool was_red;

	if (!nodes_are_ours(RT_SITE))
		return REAL_BY(ERASE)(z, header);
	left = get(&z->child[LEFT], RT_SITE);
	right = get(&z->child[RIGHT], RT_SITE);
	was_red = is_red(z, RT_SITE);
	if (left && right) {
		struct node *y = outermost(right, LEFT, RT_SITE);
		bool y_was_red = is_red(y, RT_SITE);

		below = get(&y->child[RIGHT], RT_SITE);
		parent = take_place(y, z, header, RT_SITE);
		paint(y, was_red ? RED : BLACK, RT_SITE);
		was_red = y_was_red;
	} else {
		below = left ? left : right;
		parent = get(&z->parent, RT_SITE);
		replace(z, below, header, RT_SITE);
		if (!left)
			move_end(z, right, LEFT, header, RT_SITE);
		if (!right)
			move_end(z, left, RIGHT, header, RT_SITE);
	}
	if (!was_red)
		fill_up(below, parent, header, RT_SITE);
	return z;
}
