/* Names of functions for people. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "native/demangle.h"

static void expect(const char *name, size_t room, const char *wanted)
{
	struct strbuf out = {0};

	demangle_add(&out, name, room);
	assert_string_equal(strbuf_text(&out), wanted);
	strbuf_release(&out);
}

static void test_names(void **state)
{
	(void)state;
	expect("_ZNSt12__basic_fileIcED1Ev", 184, "std::__basic_file<char>::~__basic_file()");
	expect("memfrob", 184, "memfrob");
	expect("memfrobnicate", 7, "memfrob"); /* an array that is full has no NUL */
	expect("_ZNSt12__basic_fileIcED1Ev", 10, "_ZNSt12__b");
}

static void expect_short(const char *readable, const char *wanted)
{
	struct strbuf out = {0};

	demangle_shorten(&out, readable);
	assert_string_equal(strbuf_text(&out), wanted);
	strbuf_release(&out);
}

#define STRING "std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >"
#define PAIR "std::pair<" STRING " const, int>"

static void test_short_names(void **state)
{
	(void)state;
	expect_short("run", "run");
	expect_short("ns::f(int, char) const", "ns::f");
	expect_short("main::{lambda(int)#1}::operator()(int) const", "main::{lambda(int)#1}::operator()");
	expect_short("(anonymous namespace)::Pool::work()", "(anonymous namespace)::Pool::work");
	expect_short("std::map<" STRING ", int, std::less<" STRING " >, std::allocator<" PAIR
		     " > >::operator[](" STRING " const&)",
		     "std::map<std::string, int>::operator[]");
	expect_short("void std::vector<" STRING ", std::allocator<" STRING
		     " > >::emplace_back<char const*>(char const*&&)",
		     "std::vector<std::string>::emplace_back<char const*>");
	expect_short("std::_Rb_tree_iterator<" PAIR " > find<int>(int)", "find<int>");
	expect_short("std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char)",
		     "std::operator<< <std::char_traits<char>>");
	expect_short("bool operator><int>(Box<int> const&, Box<int> const&)", "operator><int>");
	expect_short("Box<int>::operator std::vector<int, std::allocator<int> >() const",
		     "Box<int>::operator std::vector<int>");
	expect_short("Box<(1>2), 3>::operator->()", "Box<(1>2), 3>::operator->");
	expect_short("std::allocator<int>::allocate(unsigned long)", "std::allocator<int>::allocate");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_short_names)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
