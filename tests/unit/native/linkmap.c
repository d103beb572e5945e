#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "native/linkmap.h"

static const char gnu_map[] =
	"Archive member included to satisfy reference by file (symbol)\n"
	"\n"
	"./libb.a(b.o)                 a.o (f)\n"
	"\n"
	"Linker script and memory map\n"
	"\n"
	".note.fermata   0x0000000000000370       0x18\n"
	" .note.fermata  0x0000000000000370       0x18 a.o\n"
	"\n"
	".text           0x0000000000001060      0x133\n"
	" *(.text.unlikely .text.*_unlikely .text.unlikely.*)\n"
	" .text.unlikely.with_a_long_name\n"
	"                0x0000000000001060       0x10 /tmp/my objects/long.o\n"
	" .text          0x0000000000001070       0x22 /usr/lib/Scrt1.o\n"
	" .text          0x0000000000001149       0x3a a.o\n"
	" .text          0x0000000000001183        0xf ./libb.a(b.o)\n"
	" .text          0x0000000000001192        0x0 empty.o\n"
	" .text          0x0000000000001192       0x10 /lib/libc.a(printf.o)\n"
	" .data          0x0000000000004000       0x10 data.o\n";

static const char lld_map[] =
	"             VMA              LMA     Size Align Out     In      Symbol\n"
	"             370              370       18     4 .note.fermata\n"
	"             370              370       18     4         a.o:(.note.fermata)\n"
	"            1060             1060      133    16 .text\n"
	"            1060             1060       3a    16         a.o:(.text)\n"
	"            1060             1060       3a     1                 main\n"
	"            10a0             10a0        f    16         ./libb.a(b.o):(.text.f)\n"
	"            10b0             10b0        f    16         /usr/lib/crti.o:(.text)\n";

static void expect(const char *map, const char *names, size_t names_len)
{
	char path[] = "/tmp/fermata-map.XXXXXX";
	struct strbuf out = {0};
	struct err err = {0};
	int fd = mkstemp(path);

	assert_int_equal(write(fd, map, strlen(map)), (ssize_t)strlen(map));
	close(fd);
	assert_true(linkmap_foreign(path, &out, &err));
	assert_int_equal(out.len, names_len);
	if (names_len)
		assert_memory_equal(out.text, names, names_len);
	strbuf_release(&out);
	unlink(path);
}

static void test_maps(void **state)
{
	static const char gnu[] = "/tmp/my objects/long.o\0./libb.a(b.o)";
	static const char lld[] = "./libb.a(b.o)";

	expect(gnu_map, gnu, sizeof(gnu));
	expect(lld_map, lld, sizeof(lld));
	expect("", "", 0);
}

static void test_modelled(void **state)
{
	assert_true(linkmap_is_modelled("/usr/lib/libm-2.36.a(sin.o)"));
	assert_true(linkmap_is_modelled("/lib/libc.so.6"));
	assert_true(linkmap_is_modelled("/usr/lib64/libstdc++.so.6.0.30"));
	assert_true(linkmap_is_modelled("linux-vdso.so.1"));
	assert_true(linkmap_is_modelled("/a/b/libfermata-rt.a(hooks.o)"));
	assert_true(linkmap_is_modelled("/x/libfermata-rt-static.a(hooks.o)"));
	assert_false(linkmap_is_modelled("/usr/lib/libmine.so"));
	assert_false(linkmap_is_modelled("libcurl.so.4"));
	assert_false(linkmap_is_modelled("/libc.so.6/user.o"));
	/* The name alone does not make a library the system's, nor its beginning. */
	assert_false(linkmap_is_modelled("libc.so.6"));
	assert_false(linkmap_is_modelled("/home/me/libutil.a(util.o)"));
	assert_false(linkmap_is_modelled("/usr/lib/../../home/me/libutil.a(util.o)"));
	assert_false(linkmap_is_modelled("/usr/lib/libm-x.so"));
	assert_false(linkmap_is_modelled("/usr/lib/libm.o.so"));
}

static void test_missing(void **state)
{
	struct strbuf out = {0};
	struct err err = {0};

	assert_false(linkmap_foreign("/nonexistent/map", &out, &err));
	assert_int_equal(err.kind, ERR_INPUT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_maps),
		cmocka_unit_test(test_modelled),
		cmocka_unit_test(test_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
