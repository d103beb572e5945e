/* The expression by which a line of C or C++ names a lock or an atomic. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "explain/expression.h"

static void expect_kind(const char *line, enum expression_kind kind, const char *expression)
{
	struct strbuf out = {0};

	assert_int_equal(expression_in(line, kind, &out), expression != NULL);
	assert_string_equal(strbuf_text(&out), expression ? expression : "");
	strbuf_release(&out);
}

static void expect(const char *line, const char *expression)
{
	expect_kind(line, EXPRESSION_ANY, expression);
}

static void test_c(void **state)
{
	expect("\tpthread_mutex_lock(&q->lock);", "q->lock");
	expect("\tpthread_mutex_lock(first);", "first");
	expect("\tpthread_cond_wait(&slots[i].ready, &slots[i].lock);", "slots[i].ready");
	expect("\tif (sem_wait( &pool->free[next(i)] ) != 0)", "pool->free[next(i)]");
	expect("\told = atomic_fetch_add_explicit(&entry->refs, 1, memory_order_relaxed);",
	       "entry->refs");
	expect("\t__atomic_store_n(&done, 1, __ATOMIC_RELEASE);", "done");
}

static void test_cxx(void **state)
{
	expect("\tstd::lock_guard<std::mutex> guard(pool.m);", "pool.m");
	expect("\tstd::unique_lock<std::mutex> guard{mutex_, std::defer_lock};", "mutex_");
	expect("\tn = head_.load(std::memory_order_acquire);", "head_");
	expect("\twhile (!node->next.compare_exchange_weak(a, b))", "node->next");
	expect("\tqueue->mutex.lock();", "queue->mutex");
}

/* A line that names a lock and a condition. */
static void test_kinds(void **state)
{
	const char *cxx = "\t{ std::lock_guard<std::mutex> g(m); n++; } changed.notify_one();";
	const char *c = "\tpthread_cond_wait(&q->changed, &q->lock);";

	expect_kind(cxx, EXPRESSION_LOCK, "m");
	expect_kind(cxx, EXPRESSION_CONDITION, "changed");
	expect_kind("\tready_.wait_for(guard, 10ms);", EXPRESSION_CONDITION, "ready_");
	expect_kind("\tready_.wait(guard);", EXPRESSION_LOCK, NULL);
	expect_kind(c, EXPRESSION_CONDITION, "q->changed");
	expect_kind(c, EXPRESSION_LOCK, NULL);
}

static void test_not_understood(void **state)
{
	expect("\tcounter++;", NULL);
	expect("\tpthread_mutex_lock(", NULL);
	expect("\tmy_pthread_mutex_lock(&a);", NULL);
	expect("\tunlock();", NULL);
	expect("", NULL);
}

static void expect_by(bool (*find)(const char *, struct strbuf *), const char *line,
		      const char *expression)
{
	struct strbuf out = {0};

	assert_int_equal(find(line, &out), expression != NULL);
	assert_string_equal(strbuf_text(&out), expression ? expression : "");
	strbuf_release(&out);
}

static void test_atomics(void **state)
{
	expect_by(expression_of_atomic, "\tif (atomic_load(&p->left) == 0)", "p->left");
	expect_by(expression_of_atomic, "\tdb.sessions.fetch_add(1);", "db.sessions");
	/* the load is that of another variable */
	expect_by(expression_of_atomic, "\tchanged.wait(lock, [&] { return stopping; });", NULL);
	expect_by(expression_of_atomic, "\tx = atomic_load(&a) + atomic_load(&b);", NULL);
	expect_by(expression_of_atomic, "\tpthread_mutex_lock(&m);", NULL);
}

static void test_written(void **state)
{
	expect_by(expression_written, "\topened++;", "opened");
	expect_by(expression_written, "\t++node->count;", "node->count");
	expect_by(expression_written, "\td->written = d->written + n;", "d->written");
	expect_by(expression_written, "\tslots[i].state += 2;", "slots[i].state");
	expect_by(expression_written, "\tvoid take(int n) { guard g(m); balance -= n; }", "balance");
	expect_by(expression_written, "\tif (left) { int n = left; }", NULL);
	expect_by(expression_written, "\tif (a == b)", NULL);
	expect_by(expression_written, "\tint old = balance;", NULL);
	expect_by(expression_written, "\ta = b++;", NULL); /* two writes */
	expect_by(expression_written, "\tfor (i = 0; i < n; i++)", NULL);
	expect_by(expression_written, "\tcall(x);", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_c),	cmocka_unit_test(test_cxx),
		cmocka_unit_test(test_kinds),	cmocka_unit_test(test_not_understood),
		cmocka_unit_test(test_atomics), cmocka_unit_test(test_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
