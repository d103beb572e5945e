/* The parts of init and erl_prim_loader that libraries call. They work without the processes that
 * the real VM has for them. */
#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/machine.h"
#include "vm/process/boot.h"
#include "vm/terms/binary.h"
#include "vm/terms/text.h"
#include "vm/vm.h"

term bif_init_get_argument_1(struct process *p, const term *args)
{
	if (args[0] == A_root) {
		term root = heap_cons(p, heap_string(p, code_otp_dir()), NIL);

		return heap_tuple2(p, A_ok, heap_cons(p, root, NIL));
	}
	if (args[0] == atom_from_string("progname")) {
		term name = heap_cons(p, heap_string(p, "erl"), NIL);

		return heap_tuple2(p, A_ok, heap_cons(p, name, NIL));
	}
	return A_error;
}

term bif_init_get_arguments_0(struct process *p, const term *args) { return NIL; }
term bif_init_get_plain_arguments_0(struct process *p, const term *args) { return NIL; }
term bif_init_run_on_load_handlers_0(struct process *p, const term *args) { return A_ok; }

term bif_init_get_status_0(struct process *p, const term *args)
{
	return heap_tuple2(p, atom_from_string("started"), atom_from_string("started"));
}

term bif_init_script_id_0(struct process *p, const term *args)
{
	char release[16];

	snprintf(release, sizeof(release), "%u", code_otp_release());
	return heap_tuple2(p, heap_string(p, "OTP  APN 181 01"), heap_string(p, release));
}

static term stop_all(struct process *p, int status)
{
	p->vm->halt_status = status;
	p->vm->end = VM_HALTED;
	p->outcome = OUTCOME_STOP;
	return TERM_NONE;
}

term bif_init_stop_0(struct process *p, const term *args)
{
	return stop_all(p, 0);
}

/* A number from 0, or the text of a crash: a flat list of bytes. */
static bool is_stop_status(term t)
{
	if (term_is_small(t))
		return small_value(t) >= 0;
	while (term_is_cons(t) && term_is_small(cons_head(t)) && small_value(cons_head(t)) >= 0 &&
	       small_value(cons_head(t)) <= 255)
		t = cons_tail(t);
	return t == NIL;
}

term bif_init_stop_1(struct process *p, const term *args)
{
	if (!is_stop_status(args[0]))
		return bif_badarg(p);
	return stop_all(p, term_is_small(args[0]) ? (int)(small_value(args[0]) & 0xff) : 1);
}

term bif_init_notify_when_started_1(struct process *p, const term *args)
{
	return atom_from_string("started");
}

term bif_init_archive_extension_0(struct process *p, const term *args)
{
	return heap_string(p, ".ez");
}

/* ---- erl_prim_loader ---- */

/* A file name as text; the caller releases. */
static bool get_name(term t, struct bytes *name)
{
	bool ok = text_flatten_utf8(t, name);

	bytes_add(name, "", 1);
	return ok;
}

/* The loader's own path: the folders of -pa, and where the files of kernel and stdlib are. */
static bool is_of_loader(size_t i)
{
	const char *dir = machine.path.dirs.items[i], *root = code_otp_dir();

	return i < machine.path.own_len ||
	       (strncmp(dir, root, strlen(root)) == 0 &&
		(strstr(dir, "/lib/kernel-") || strstr(dir, "/lib/stdlib-")));
}

/* Whether the name leads into a code archive, of which the real loader reads the parts. */
static bool is_in_archive(const struct bytes *name)
{
	const char *text = (const char *)name->items, *found = strstr(text, ".ez");

	return found && (found[3] == '\0' || found[3] == '/');
}

/* The content as a binary, or TERM_NONE. */
static term read_path(struct process *p, const char *path)
{
	struct bytes bytes = {0};
	uint8_t block[16384];
	FILE *file = fopen(path, "rb");
	term result = TERM_NONE;
	size_t n;

	if (!file)
		return TERM_NONE;
	while ((n = fread(block, 1, sizeof(block), file)) > 0)
		bytes_add(&bytes, block, n);
	if (!ferror(file))
		result = binary_from(p, bytes.items, bytes.len);
	fclose(file);
	bytes_release(&bytes);
	return result;
}

/* A name without a folder is looked for on the loader's path. *name becomes the path of the file;
 * the caller releases it. */
static term read_file(struct process *p, term t, struct bytes *name)
{
	term result = TERM_NONE;
	struct strbuf path = {0};

	if (!get_name(t, name))
		return TERM_NONE;
	if (strchr((char *)name->items, '/'))
		return read_path(p, (char *)name->items);
	for (size_t i = 0; i < machine.path.dirs.len && result == TERM_NONE; i++) {
		if (!is_of_loader(i))
			continue;
		strbuf_clear(&path);
		strbuf_addf(&path, "%s/%s", machine.path.dirs.items[i], (char *)name->items);
		result = read_path(p, strbuf_text(&path));
	}
	if (result != TERM_NONE) {
		name->len = 0;
		bytes_add(name, strbuf_text(&path), strlen(strbuf_text(&path)) + 1);
	}
	strbuf_release(&path);
	return result;
}

static term refuse_archive(struct process *p)
{
	return bif_unsupported(p, "a file in a code archive");
}

term bif_erl_prim_loader_get_file_1(struct process *p, const term *args)
{
	struct bytes name = {0};
	term content = read_file(p, args[0], &name), result = A_error;

	if (content != TERM_NONE)
		result = heap_tuple3(p, A_ok, content, heap_string(p, (char *)name.items));
	else if (is_in_archive(&name))
		result = refuse_archive(p);
	bytes_release(&name);
	return result;
}

/* Of OTP 26 and later. */
term bif_erl_prim_loader_read_file_1(struct process *p, const term *args)
{
	struct bytes name = {0};
	term content = read_file(p, args[0], &name);

	bytes_release(&name);
	return content == TERM_NONE ? (term)A_error : heap_tuple2(p, A_ok, content);
}

/* Newer releases take texts only. */
static term answer_no_name(struct process *p)
{
	return code_otp_release() >= 26 ? bif_error(p, A_function_clause) : (term)A_error;
}

static term trap_to_system(struct process *p, const char *function, unsigned arity,
			   const term *args)
{
	return bif_trap(p, atom_from_string("fermata_system"), atom_from_string(function), arity,
			args);
}

static term describe_file(struct process *p, const term *args, const char *function)
{
	struct bytes name = {0};
	bool is_name = get_name(args[0], &name), is_part = is_in_archive(&name);

	bytes_release(&name);
	if (!is_name)
		return answer_no_name(p);
	if (is_part)
		return refuse_archive(p);
	return trap_to_system(p, function, 1, args);
}

term bif_erl_prim_loader_read_file_info_1(struct process *p, const term *args)
{
	return describe_file(p, args, "read_file_info");
}

term bif_erl_prim_loader_read_link_info_1(struct process *p, const term *args)
{
	return describe_file(p, args, "read_link_info");
}

term bif_erl_prim_loader_get_modules_2(struct process *p, const term *args)
{
	return trap_to_system(p, "get_modules", 2, args);
}

term bif_erl_prim_loader_get_modules_3(struct process *p, const term *args)
{
	return trap_to_system(p, "get_modules", 3, args);
}

term bif_erl_prim_loader_get_path_0(struct process *p, const term *args)
{
	term list = NIL;

	for (size_t i = machine.path.dirs.len; i-- > 0;)
		if (is_of_loader(i))
			list = heap_cons(p, heap_string(p, machine.path.dirs.items[i]), list);
	return heap_tuple2(p, A_ok, list);
}

term bif_erl_prim_loader_list_dir_1(struct process *p, const term *args)
{
	struct bytes name = {0};
	bool is_name = get_name(args[0], &name);
	DIR *folder = is_name ? opendir((char *)name.items) : NULL;
	struct dirent *entry;
	term list = NIL;
	bool is_part = is_in_archive(&name);

	bytes_release(&name);
	if (!is_name)
		return answer_no_name(p);
	if (!folder)
		return is_part ? refuse_archive(p) : (term)A_error;
	while ((entry = readdir(folder)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			list = heap_cons(p, heap_string(p, entry->d_name), list);
	closedir(folder);
	return heap_tuple2(p, A_ok, list);
}

term bif_erl_prim_loader_get_cwd_0(struct process *p, const term *args)
{
	char path[4096];

	if (!getcwd(path, sizeof(path)))
		return A_error;
	return heap_tuple2(p, A_ok, heap_string(p, path));
}

/* ---- application ---- */

/* The application controller knows the keys of applications, so it is started if need be. */
static term ask_controller(struct process *p, term function, unsigned arity, const term *args)
{
	if (!boot_is_done(p->vm) && boot_must_wait(p, A_application_controller))
		return bif_wait(p);
	return bif_trap(p, A_application_controller, function, arity, args);
}

term bif_application_get_key_2(struct process *p, const term *args)
{
	return ask_controller(p, atom_from_string("get_key"), 2, args);
}

term bif_application_get_all_key_1(struct process *p, const term *args)
{
	return ask_controller(p, atom_from_string("get_all_key"), 1, args);
}
