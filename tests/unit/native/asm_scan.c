#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "native/asm_scan.h"

#define NOTE "#APP\n\t.pushsection .note.fermata,\"a\",%note\n\t.long 8, 4, 1\n\t.popsection\n#NO_APP\n"

/* Is there a fact of this text? */
static bool has_fact(const char *text, const char *fact)
{
	struct strbuf facts = {0}, hooked = {0};
	bool found = false;

	assert_true(asm_scan(text, &facts, &hooked));
	strbuf_release(&hooked);
	for (size_t at = 0; at < facts.len && !found; at += strlen(facts.text + at) + 1)
		found = strcmp(facts.text + at, fact) == 0;
	strbuf_release(&facts);
	return found;
}

static void test_calls(void **state)
{
	static const char text[] = NOTE
		"\t.file 1 \"dir\" \"main.c\"\n\t.text\n\t.globl main\n\t.type main, @function\n"
		"main:\n\t.loc 1 7 3\n\tcall\tstrtok@PLT\n\tcall __tsan_write4@PLT\n"
		"\t.loc 1 9 1 is_stmt 0\n\tmovq\tperror@GOTPCREL(%rip), %rax\n\tcall *%rax\n"
		"\tjmp *exit@GOTPCREL(%rip)\n\tcall helper\n\t.size main, .-main\n"
		"\t.weak hook\n\tcall hook\n"
		"helper:\n\tret\n\t.section .debug_info\n\t.quad in_debug\n\t.data\n\t.quad in_data\n";

	assert_true(has_fact(text, "C\tstrtok\tmain.c:7"));
	assert_true(has_fact(text, "A\tperror\tmain.c:9"));
	assert_true(has_fact(text, "C\texit\tmain.c:9"));
	assert_true(has_fact(text, "D\tmain"));
	assert_true(has_fact(text, "L\thelper"));
	assert_true(has_fact(text, "A\thook\tmain.c:9"));
	assert_true(has_fact(text, "A\tin_data\tmain.c:9"));
	assert_false(has_fact(text, "A\tin_debug\tmain.c:9"));
	assert_false(has_fact(text, "C\t__tsan_write4\tmain.c:7"));
	assert_false(has_fact(text, "A\trax\tmain.c:9"));
}

static void test_assembler(void **state)
{
	static const char gcc[] = NOTE
		"\t.text\n#APP\n# 12 \"a.c\" 1\n\tmovl $1, v(%rip)\n# 0 \"\" 2\n#NO_APP\n"
		"#APP\n# 14 \"a.c\" 1\n\tmfence; rep; nop ; # words\n# 0 \"\" 2\n#NO_APP\n";
	static const char clang[] = NOTE
		"                    # Start of file scope inline assembly\n.symver f, f@V1\n"
		"                    # End of file scope inline assembly\n"
		"\t.file 0 \"/tmp\" \"b.c\" md5 0x0\n\t.loc 0 3 1\n\t#APP\n\tincl v(%rip)\n\t#NO_APP\n";

	assert_true(has_fact(gcc, "I\ta.c:12\tmovl $1,v(%rip)"));
	assert_false(has_fact(gcc, "I\ta.c:14\tmfence"));
	assert_false(has_fact(gcc, "I\ta.c:14\tnop"));
	assert_true(has_fact(clang, "I\tb.c:3\tincl v(%rip)"));
	/* a prefix belongs to the statement behind it */
	assert_false(has_fact(NOTE "\t.text\n#APP\n# 9 \"a.c\" 1\n\tlock; addl $0,0(%rsp)\n"
			      "# 0 \"\" 2\n#NO_APP\n", "I\ta.c:9\tlock"));
	assert_true(has_fact(NOTE "\t.text\n#APP\n# 9 \"a.c\" 1\n\tlock; incl (%rdi)\n"
			     "# 0 \"\" 2\n#NO_APP\n", "I\ta.c:9\tlock incl (%rdi)"));
	assert_true(asm_is_harmless("  lock  addl $0 , (%rsp) "));
	assert_false(asm_is_harmless("lock addl $1, (%rsp)"));
	assert_false(asm_is_harmless("rdtsc"));
	assert_false(asm_is_harmless("pausecache"));
}

#define FUNCTION(body) \
	NOTE "\t.file 1 \"c.c\"\n\t.section .rodata\nfixed:\n\t.long 1\n\t.text\n" \
	"\t.type f, @function\nf:\n\t.loc 1 2 1\n" body "\tret\n\t.size f, .-f\n"

/* The hook that the function's only access gets; "" for none. */
static const char *hook_of(const char *text)
{
	static char hook[64];
	struct strbuf facts = {0}, hooked = {0};
	const char *lea, *number;
	int how = 0;

	assert_true(asm_scan(text, &facts, &hooked));
	lea = strstr(strbuf_text(&hooked), "pushq %rax\n\tleaq ");
	number = lea ? strstr(lea, "pushq $") : NULL;
	hook[0] = '\0';
	if (number) {
		lea += strlen("pushq %rax\n\tleaq ");
		how = atoi(number + 7);
		snprintf(hook, sizeof(hook), "%.*s %d%s%s", (int)(strstr(lea, ", %rax") - lea), lea,
			 how >> 2, how & 1 ? "r" : "", how & 2 ? "w" : "");
	}
	strbuf_release(&facts);
	strbuf_release(&hooked);
	return hook;
}

static void test_unseen(void **state)
{
	assert_string_equal(hook_of(FUNCTION("\tmovl v(%rip), %eax\n")), "v(%rip) 4r");
	assert_string_equal(hook_of(FUNCTION("\tmovl $1, (%rdi)\n")), "(%rdi) 4w");
	assert_string_equal(hook_of(FUNCTION("\taddq $1, 4+v(%rip)\n")), "4+v(%rip) 8rw");
	assert_string_equal(hook_of(FUNCTION("\tcmpb $1, (%rsi,%rax,4)\n")), "(%rsi,%rax,4) 1r");
	assert_string_equal(hook_of(FUNCTION("\tpushq 8(%rdi)\n")), "8(%rdi) 8r");
	/* after a call that is not a hook, but not after a hook */
	assert_string_equal(hook_of(FUNCTION("\tcall __tsan_write8\n\tcall f\n"
					     "\tmovq %rax, (%rbx)\n")), "(%rbx) 8w");
	assert_string_equal(hook_of(FUNCTION("\tcall __tsan_write4\n\tmovl $1, (%rdi)\n")), "");
	/* the hook was called for a member of the variable, by way of a register with the variable's address */
	assert_string_equal(hook_of(FUNCTION("\tleaq v(%rip), %r12\n\tleaq 4(%r12), %rdi\n"
					     "\tcall __tsan_read4\n\tmovl 4+v(%rip), %eax\n")), "");
	/* frames, constants, thread-local variables, addresses */
	assert_string_equal(hook_of(FUNCTION("\tmovl $1, -4(%rbp)\n")), "");
	assert_string_equal(hook_of(FUNCTION("\tmovl %fs:x@tpoff, %eax\n")), "");
	assert_string_equal(hook_of(FUNCTION("\tleaq fixed(%rip), %rax\n"
					     "\tmovl (%rax,%rdi,4), %eax\n")), "");
	assert_string_equal(hook_of(FUNCTION("\tleaq v(%rip), %rax\n")), "");
	assert_string_equal(hook_of(FUNCTION("\tleaq -40(%rbp), %rax\n\tmovq %rax, -8(%rbp)\n"
					     "\tmovq -8(%rbp), %rcx\n\tmovl $1, (%rcx)\n")), "");
	assert_string_equal(hook_of(FUNCTION("\trep nop\n")), "");
	assert_string_equal(hook_of(FUNCTION("\trep bsfq\t%rdi, %rax\n")), "");
	assert_string_equal(hook_of(FUNCTION("\trep bsfq\t(%rdi), %rax\n")), "(%rdi) 8r");
	/* but not an address that was loaded over a constant one */
	assert_string_equal(hook_of(FUNCTION("\tleaq fixed(%rip), %rax\n\tmovq 8(%rsp), %rax\n"
					     "\tmovl (%rax), %eax\n")), "(%rax) 4r");
	assert_true(has_fact(FUNCTION("\trep stosq\n"), "N\tf\tc.c:2"));
	assert_false(has_fact(FUNCTION("\trep bsfl %edi, %eax\n"), "N\tf\tc.c:2"));
	assert_false(has_fact(FUNCTION("\tleaq -400(%rbp), %rdi\n\trep stosq\n"),
			      "N\tf\tc.c:2"));
	assert_true(has_fact(FUNCTION("\tmovnti %eax, (%rdi)\n"), "S\tc.c:2\tmovnti"));
	assert_true(has_fact(FUNCTION("\trdrand %rax\n"), "S\tc.c:2\trdrand"));
	assert_true(has_fact(FUNCTION("\txchgl %eax, (%rdi)\n"), "S\tc.c:2\txchgl"));
	assert_false(has_fact(FUNCTION("\txchgl %eax, %ebx\n"), "S\tc.c:2\txchgl"));
}

#define CLANGS(text) FUNCTION(text) "\t.ident \"clang version 14.0.6\"\n"

/* clang makes no hook for a member of a local whose address is passed on. */
static void test_lent_frame(void **state)
{
	assert_string_equal(hook_of(CLANGS("\tleaq -40(%rbp), %rdi\n\tcall lend\n"
					   "\tmovl $1, -36(%rbp)\n")), "-36(%rbp) 4w");
	assert_string_equal(hook_of(FUNCTION("\tleaq -40(%rbp), %rdi\n\tcall lend\n"
					     "\tmovl $1, -36(%rbp)\n")), "");
	/* also where the address is taken later, by another register, and below the stack pointer */
	assert_string_equal(hook_of(CLANGS("\tmovl $1, -36(%rbp)\n\tleaq -40(%rbp), %rdi\n")),
			    "-36(%rbp) 4w");
	assert_string_equal(hook_of(CLANGS("\tleaq 8(%rsp), %rbx\n\tmovl $1, 4(%rbx)\n")),
			    "4(%rbx) 4w");
	assert_string_equal(hook_of(CLANGS("\tmovq %rsp, %rdi\n\tmovl $1, 4(%rsp)\n")),
			    "136+4(%rsp) 4w");
	assert_string_equal(hook_of(CLANGS("\tmovq %rsp, %rdi\n\tmovl $1, (%rsp)\n")),
			    "136(%rsp) 4w");
	/* not where nobody lends, of a spilled register, or behind a hook of its own */
	assert_string_equal(hook_of(CLANGS("\tmovl $1, -36(%rbp)\n")), "");
	assert_string_equal(hook_of(CLANGS("\tleaq -40(%rbp), %rdi\n"
					   "\tmovq %rdi, -8(%rbp)    # 8-byte Spill\n")), "");
	assert_string_equal(hook_of(CLANGS("\tleaq -40(%rbp), %rdi\n\tcall __tsan_write4\n"
					   "\tmovl $1, -40(%rbp)\n")), "");
	assert_string_equal(hook_of(CLANGS("\tleaq -40(%rbp), %rdi\n\tcall __tsan_write4\n"
					   "\tmovl $1, -40(%rbp)\n\tmovl $1, -36(%rbp)\n")),
			    "-36(%rbp) 4w");
	assert_string_equal(hook_of(CLANGS("\tleaq -40(%rbp), %rdi\n\tcall __tsan_atomic32_store\n"
					   "\tmovl $1, -36(%rbp)\n")), "-36(%rbp) 4w");
	assert_string_equal(hook_of(CLANGS("\tleaq -40(%rbp), %rdi\n\tcall __tsan_atomic32_load\n"
					   "\tmovl -40(%rbp), %ecx\n")), "");
	/* a function of gcc's with another one inside */
	assert_string_equal(hook_of(FUNCTION("\tleaq 4(%rsp), %rbx\n\tcall lend\n\taddl $1, (%rsp)\n")
				    "\t.section .note.GNU-stack,\"x\",@progbits\n"), "136(%rsp) 4rw");
	/* a comment is not an operand */
	assert_string_equal(hook_of(CLANGS("\tmovsd fixed(%rip), %xmm0    # xmm0 = mem[0],zero\n")), "");
}

/* clang makes hooks for 1, 2, 4, 8 and 16 bytes only. */
static void test_sizes(void **state)
{
	assert_string_equal(hook_of(CLANGS("\tleaq k(%rip), %rdi\n\tcall __tsan_write4@PLT\n\tmovl $1, k(%rip)\n"
					   "\tfstpt v(%rip)\n")), "v(%rip) 10w");
	assert_string_equal(hook_of(CLANGS("\tleaq v(%rip), %rdi\n\tcall __tsan_unaligned_write16\n\tmovq %rax, v(%rip)\n"
					   "\tmovq %rcx, v+8(%rip)\n")), "");
	assert_string_equal(hook_of(CLANGS("\tleaq k(%rip), %rdi\n\tcall __tsan_write8\n\tmovq $1, k(%rip)\n"
					   "\tmovb %al, v+4(%rip)\n")), "v+4(%rip) 1w");
	assert_string_equal(hook_of(CLANGS("\tcall __tsan_memcpy\n\tmovb %al, v(%rip)\n")), "v(%rip) 1w");
	assert_string_equal(hook_of(CLANGS("\tcall __tsan_atomic32_load\n\tmovl v(%rip), %eax\n")), "");
	/* an atomic access is made by its hook, which says nothing of the access behind it */
	assert_string_equal(hook_of(FUNCTION("\tcall __tsan_atomic32_load\n\tmovl v(%rip), %edi\n")), "v(%rip) 4r");
	assert_string_equal(hook_of(CLANGS("\tcall __tsan_atomic64_store\n\tmovq v(%rip), %rdi\n")), "v(%rip) 8r");
	assert_string_equal(hook_of(CLANGS("\tcall __tsan_atomic32_load\n\tmovl k(%rip), %ecx\n"
					   "\tmovl v(%rip), %ecx\n")), "v(%rip) 4r");
	assert_string_equal(hook_of(CLANGS("\tcall __tsan_vptr_update\n\tmovq %rax, (%rdi)\n")), "");
	assert_string_equal(hook_of(CLANGS("\tcall __tsan_write4\n\tvmovdqu %ymm0, (%rdi)\n")), "(%rdi) 32w");
	assert_string_equal(hook_of(FUNCTION("\tcall __tsan_write_range\n\tvmovdqu %ymm0, (%rdi)\n")), "");
	/* a copy, and an argument handed over by value behind the hook of another */
	assert_string_equal(hook_of(FUNCTION("\tleaq v(%rip), %rdi\n\tcall __tsan_read8\n\tleaq k(%rip), %rdi\n"
					     "\tcall __tsan_write8\n\tmovq v(%rip), %rax\n"
					     "\tmovq %rax, k(%rip)\n")), "");
	assert_string_equal(hook_of(FUNCTION("\tleaq i(%rip), %rdi\n\tcall __tsan_read4\n\tmovdqa s(%rip), %xmm0\n"
					     "\tmovl i(%rip), %edi\n")), "s(%rip) 16r");
	/* of the same size, but of another variable; the hook's own may be reached by a register */
	assert_string_equal(hook_of(FUNCTION("\tleaq i(%rip), %rdi\n\tcall __tsan_read4\n\tmovl s(%rip), %esi\n"
					     "\tmovl i(%rip), %edi\n")), "s(%rip) 4r");
	assert_string_equal(hook_of(FUNCTION("\tleaq i(%rip), %rdi\n\tcall __tsan_read4\n\tmovl (%rbx), %esi\n"
					     "\tmovl i(%rip), %edi\n")), "(%rbx) 4r");
	assert_string_equal(hook_of(FUNCTION("\tmovl $i+4, %edi\n\tcall __tsan_read4\n\tmovl i+4, %edi\n")), "");
	assert_string_equal(hook_of(FUNCTION("\tleaq i(%rip), %rbx\n\tmovq %rbx, %rdi\n\tcall __tsan_read4\n"
					     "\tmovl (%rbx), %edi\n")), "");
	assert_string_equal(hook_of(FUNCTION("\tmovl $16, %esi\n\tcall __tsan_read_range\n"
					     "\tmovdqa v(%rip), %xmm0\n\tmovdqa s(%rip), %xmm0\n")), "s(%rip) 16r");
	assert_string_equal(hook_of(CLANGS("\tvpaddd (%rdi), %ymm0, %ymm1\n")), "(%rdi) 32r");
	assert_string_equal(hook_of(CLANGS("\tvpaddd (%rdi), %zmm0, %zmm1\n")), "(%rdi) 64r");
	assert_string_equal(hook_of(CLANGS("\tvpaddd 8(%rdi){1to16}, %zmm0, %zmm1\n")), "8(%rdi) 1r");
	assert_string_equal(hook_of(CLANGS("\tvpmovzxwd (%rdi), %ymm0\n")), "(%rdi) 16r");
	assert_string_equal(hook_of(CLANGS("\tvpmovqd %zmm0, (%rdi)\n")), "(%rdi) 32rw");
	assert_string_equal(hook_of(CLANGS("\tvcvtpd2psy (%rdi), %xmm0\n")), "(%rdi) 32r");
	assert_string_equal(hook_of(CLANGS("\tvpslld (%rdi), %ymm0, %ymm0\n")), "(%rdi) 16r");
	assert_string_equal(hook_of(CLANGS("\tvmovss (%rdi), %xmm0\n")), "(%rdi) 4r");
	/* which bytes of many are touched is not known */
	assert_string_equal(hook_of(CLANGS("\tvmovdqu32 %zmm0, (%rdi) {%k1}\n")), "");
	assert_true(has_fact(CLANGS("\tvmovdqu32 %zmm0, (%rdi) {%k1}\n"), "S\tc.c:2\tvmovdqu32"));
	assert_string_equal(hook_of(FUNCTION("\tvpmaskmovd %ymm0, %ymm1, (%rdi)\n")), "");
	assert_string_equal(hook_of(FUNCTION("\tvpgatherdd %ymm0, (%rdi,%ymm1,4), %ymm2\n")), "");
	assert_true(has_fact(FUNCTION("\tvpgatherdd %ymm0, (%rdi,%ymm1,4), %ymm2\n"),
			     "S\tc.c:2\tvpgatherdd"));
}

static void test_not_ours(void **state)
{
	struct strbuf facts = {0}, hooked = {0};

	assert_false(asm_scan("\t.text\nmain:\n\tret\n", &facts, &hooked));
	assert_false(asm_scan("", &facts, &hooked));
	strbuf_release(&facts);
	strbuf_release(&hooked);
}

static void test_section(void **state)
{
	struct strbuf facts = {0}, text = {0};

	strbuf_add(&facts, "C\tf\ta\"b.c:1", 12);
	asm_facts_as_section(&facts, &text);
	assert_non_null(strstr(strbuf_text(&text), "\t.asciz \"O\"\n"));
	assert_non_null(strstr(strbuf_text(&text), "\t.asciz \"C\\tf\\ta\\\"b.c:1\"\n"));
	strbuf_release(&facts);
	strbuf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_assembler),
		cmocka_unit_test(test_unseen),
		cmocka_unit_test(test_lent_frame),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_not_ours),
		cmocka_unit_test(test_section),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
