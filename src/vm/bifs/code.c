/* Loading code by name, without a code server. */
#include <stdio.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "vm/bifs/bif.h"
#include "vm/code/code.h"
#include "vm/code/load.h"
#include "vm/terms/binary.h"
#include "vm/terms/text.h"
#include "vm/vm.h"

static term error_tuple(struct process *p, const char *reason)
{
	return heap_tuple2(p, A_error, atom_from_string(reason));
}

static bool is_loaded(struct process *p, term name)
{
	struct module *module = code_find_module(p->vm, name);

	return module && module->current;
}

/* {module, M}, running its on_load function first when it has one. */
static term activate_from(struct process *p, struct code_image *image, const char *file,
			  bool is_atom)
{
	struct module *module = code_activate(p->vm, image);

	if (file)
		code_name_file(module, file, is_atom);
	if (image->on_load)
		return code_run_on_load(p, module);
	return heap_tuple2(p, A_module, image->module);
}

static term activate(struct process *p, struct code_image *image)
{
	return activate_from(p, image, NULL, false);
}

static term load_by_name(struct process *p, term name)
{
	struct code_image *image = code_find_image(name, NULL);

	return image ? activate(p, image) : error_tuple(p, "nofile");
}

term bif_code_ensure_loaded_1(struct process *p, const term *args)
{
	if (!term_is_atom(args[0]))
		return bif_error(p, A_function_clause);
	if (is_loaded(p, args[0]) || args[0] == A_erlang)
		return heap_tuple2(p, A_module, args[0]);
	return load_by_name(p, args[0]);
}

term bif_code_ensure_modules_loaded_1(struct process *p, const term *args)
{
	term list = args[0], errors = NIL;

	for (; term_is_cons(list); list = cons_tail(list)) {
		term name = cons_head(list);

		if (!term_is_atom(name))
			return bif_error(p, A_function_clause);
		if (!is_loaded(p, name) && !code_load_module(p->vm, name, NULL))
			errors = heap_cons(p, heap_tuple2(p, name, A_nofile), errors);
	}
	return errors == NIL ? (term)A_ok : heap_tuple2(p, A_error, errors);
}

/* Old code that a process may still run must be purged first. */
static bool has_old_code(struct process *p, term name)
{
	struct module *module = code_find_module(p->vm, name);

	return module && module->old && module->current;
}

term bif_code_load_file_1(struct process *p, const term *args)
{
	if (!term_is_atom(args[0]))
		return bif_error(p, A_function_clause);
	code_purge(p->vm, args[0]);
	return load_by_name(p, args[0]);
}

static bool read_file(const char *path, struct bytes *out)
{
	FILE *file = fopen(path, "rb");
	uint8_t block[16384];
	size_t n;

	if (!file)
		return false;
	while ((n = fread(block, 1, sizeof(block), file)) > 0)
		bytes_add(out, block, n);
	fclose(file);
	return true;
}

term bif_code_load_abs_1(struct process *p, const term *args)
{
	struct bytes path = {0}, bytes = {0};
	struct code_image *image = NULL;
	term result;

	if (!text_flatten_utf8(args[0], &path)) {
		bytes_release(&path);
		return bif_error(p, A_function_clause);
	}
	bytes_add(&path, ".beam", 6);
	if (read_file((char *)path.items, &bytes))
		image = code_image_decode(bytes.items, bytes.len, (char *)path.items, NULL);
	result = image ? activate_from(p, image, (char *)path.items, false)
		       : error_tuple(p, "nofile");
	bytes_release(&path);
	bytes_release(&bytes);
	return result;
}

static struct code_image *decode_binary(term binary, const char *path)
{
	struct bytes bytes = {0};
	struct code_image *image = NULL;

	if (iolist_flatten(binary, &bytes))
		image = code_image_decode(bytes.items, bytes.len, path, NULL);
	bytes_release(&bytes);
	return image;
}

term bif_code_load_binary_3(struct process *p, const term *args)
{
	struct bytes path = {0};
	struct code_image *image;
	term result;

	if (!term_is_atom(args[0]) || !term_is_binary(args[2]) ||
	    !(term_is_list(args[1]) || term_is_atom(args[1]))) {
		return bif_error(p, A_function_clause);
	}
	if (term_is_list(args[1]) && !text_flatten_utf8(args[1], &path)) {
		bytes_release(&path);
		return bif_error(p, A_function_clause);
	}
	if (term_is_atom(args[1]))
		bytes_add(&path, atom_text(args[1]), strlen(atom_text(args[1])));
	bytes_add(&path, "", 1);
	image = decode_binary(args[2], (char *)path.items);
	if (!image || image->module != args[0]) {
		result = error_tuple(p, "badfile");
	} else {
		code_purge(p->vm, args[0]);
		result = activate_from(p, image, (char *)path.items, term_is_atom(args[1]));
	}
	bytes_release(&path);
	return result;
}

/* name_code_file(Module, File): where the code that was loaded last comes from. */
term bif_fermata_name_code_file_2(struct process *p, const term *args)
{
	struct module *module = code_find_module(p->vm, args[0]);
	struct bytes file = {0};

	if (!module || !text_flatten_utf8(args[1], &file)) {
		bytes_release(&file);
		return bif_badarg(p);
	}
	bytes_add(&file, "", 1);
	code_name_file(module, (char *)file.items, false);
	bytes_release(&file);
	return A_true;
}

term bif_fermata_runs_on_load_1(struct process *p, const term *args)
{
	struct module *module = code_find_module(p->vm, args[0]);

	return atom_from_bool(module && module->current && module->on_load_runner);
}

term bif_erlang_load_module_2(struct process *p, const term *args)
{
	struct code_image *image;

	if (!term_is_atom(args[0]) || !term_is_binary(args[1]))
		return bif_badarg(p);
	image = decode_binary(args[1], NULL);
	if (!image || image->module != args[0])
		return error_tuple(p, "badfile");
	if (has_old_code(p, args[0]))
		return error_tuple(p, "not_purged");
	return activate(p, image);
}

/* ---- taking away ---- */

term bif_code_delete_1(struct process *p, const term *args)
{
	if (!term_is_atom(args[0]))
		return bif_error(p, A_function_clause);
	code_purge(p->vm, args[0]);
	return atom_from_bool(code_delete(p->vm, args[0]));
}

/* Kills the processes that still run old code of the module, then forgets that code. */
term bif_code_purge_1(struct process *p, const term *args)
{
	if (!term_is_atom(args[0]))
		return bif_error(p, A_function_clause);
	return atom_from_bool(code_kill_users(p, args[0]));
}

term bif_code_soft_purge_1(struct process *p, const term *args)
{
	if (!term_is_atom(args[0]))
		return bif_error(p, A_function_clause);
	if (code_is_old_used(p->vm, args[0]))
		return A_false;
	code_purge(p->vm, args[0]);
	return A_true;
}

/* In the real module the process of this name does it. Here it exists only when a program asks for it
 * (boot.h), and it is not needed for this. */
term bif_erts_code_purger_purge_1(struct process *p, const term *args)
{
	struct module *module;
	bool was_old;

	if (!term_is_atom(args[0]))
		return bif_error(p, A_function_clause);
	module = code_find_module(p->vm, args[0]);
	was_old = module && module->old;
	return heap_tuple2(p, atom_from_bool(was_old), atom_from_bool(code_kill_users(p, args[0])));
}

term bif_erts_code_purger_soft_purge_1(struct process *p, const term *args)
{
	if (!term_is_atom(args[0])) /* the real function never returns */
		return bif_unsupported(p, "erts_code_purger:soft_purge/1 without a module");
	return bif_code_soft_purge_1(p, args);
}

/* ---- asking ---- */

static term file_of(struct process *p, const struct module *module)
{
	const char *file = module->given_file ? module->given_file : module->current->path;

	if (module->given_file && module->is_given_atom)
		return atom_from_string(file);
	return file ? heap_string(p, file) : NIL;
}

term bif_code_is_loaded_1(struct process *p, const term *args)
{
	struct module *module = term_is_atom(args[0]) ? code_find_module(p->vm, args[0]) : NULL;

	if (!term_is_atom(args[0]))
		return bif_error(p, A_function_clause);
	if (args[0] == A_erlang)
		return heap_tuple2(p, A_file, A_preloaded);
	code_note_question(p, args[0]);
	if (!module || !module->current)
		return A_false;
	return heap_tuple2(p, A_file, file_of(p, module));
}

term bif_code_all_loaded_0(struct process *p, const term *args)
{
	struct module_table *table = p->vm->modules;
	term list = NIL;

	code_note_question(p, TERM_NONE);
	for (uint32_t i = 0; table && i < table->len; i++)
		if (table->items[i].current)
			list = heap_cons(p, heap_tuple2(p, table->items[i].name,
							file_of(p, &table->items[i])), list);
	return list;
}

term bif_code_which_1(struct process *p, const term *args)
{
	struct module *module = term_is_atom(args[0]) ? code_find_module(p->vm, args[0]) : NULL;
	char *path;
	term result;

	if (!term_is_atom(args[0]))
		return bif_error(p, A_function_clause);
	if (args[0] == A_erlang)
		return A_preloaded;
	if (module && module->current)
		return file_of(p, module);
	path = code_path_find(atom_text(args[0]));
	result = path ? heap_string(p, path) : (term)A_non_existing;
	mem_free(path);
	return result;
}

term bif_code_get_object_code_1(struct process *p, const term *args)
{
	struct bytes bytes = {0};
	char *path = term_is_atom(args[0]) ? code_path_find(atom_text(args[0])) : NULL;
	term result = A_error;

	if (path && read_file(path, &bytes))
		result = heap_tuple3(p, args[0], binary_from(p, bytes.items, bytes.len),
				     heap_string(p, path));
	bytes_release(&bytes);
	mem_free(path);
	return result;
}

/* ---- folders ---- */

static bool is_there(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0;
}

term bif_code_where_is_file_1(struct process *p, const term *args)
{
	struct bytes name = {0};
	term result = A_non_existing;

	if (text_flatten_utf8(args[0], &name)) {
		bytes_add(&name, "", 1);
		for (size_t i = 0; i < code_path_len() && result == A_non_existing; i++) {
			struct strbuf path = {0};

			strbuf_addf(&path, "%s/%s", code_path_dir(i), (char *)name.items);
			if (is_there(strbuf_text(&path)))
				result = heap_string(p, strbuf_text(&path));
			strbuf_release(&path);
		}
	}
	bytes_release(&name);
	return result;
}

term bif_code_get_path_0(struct process *p, const term *args)
{
	term list = NIL;

	for (size_t i = code_path_len(); i-- > 0;)
		list = heap_cons(p, heap_string(p, code_path_dir(i)), list);
	return list;
}

static term add_path(struct process *p, term dir, bool is_last)
{
	struct bytes path = {0};
	term result = heap_tuple2(p, A_error, A_bad_directory);

	if (text_flatten_utf8(dir, &path)) {
		bytes_add(&path, "", 1);
		if (is_there((char *)path.items)) {
			code_path_add_in_run(p->vm, (char *)path.items, is_last);
			result = A_true;
		} else if (strstr((char *)path.items, ".ez/")) {
			result = bif_unsupported(p, "a code archive on the code path");
		}
	}
	bytes_release(&path);
	return result;
}

static term add_all(struct process *p, term list, bool is_last)
{
	for (; term_is_cons(list); list = cons_tail(list))
		add_path(p, cons_head(list), is_last);
	return A_ok;
}

#define ADDS(name, how, is_last)                                               \
	term name(struct process *p, const term *args)                         \
	{                                                                      \
		return how(p, args[0], is_last);                               \
	}
ADDS(bif_code_add_path_1, add_path, true)
ADDS(bif_code_add_patha_1, add_path, false)
ADDS(bif_code_add_pathz_1, add_path, true)
ADDS(bif_code_add_paths_1, add_all, true)
ADDS(bif_code_add_pathsa_1, add_all, false)
ADDS(bif_code_add_pathsz_1, add_all, true)
#undef ADDS

/* Whether it is a folder, or the name of an application in a folder, that was there before the
 * program began. */
static bool is_lasting(const char *name)
{
	struct strbuf part = {0};
	bool found = false;

	strbuf_addf(&part, "/%s-", name);
	for (size_t i = 0; i < code_path_len() && !found; i++)
		found = strcmp(code_path_dir(i), name) == 0 ||
			(!strchr(name, '/') && strstr(code_path_dir(i), strbuf_text(&part)));
	strbuf_release(&part);
	return found;
}

/* A folder, or the name of an application: an atom or a string. */
term bif_code_del_path_1(struct process *p, const term *args)
{
	struct bytes path = {0};
	term result = A_false;

	if (term_is_atom(args[0]))
		bytes_add(&path, atom_text(args[0]), strlen(atom_text(args[0])));
	else if (!text_flatten_utf8(args[0], &path))
		result = heap_tuple2(p, A_error, atom_from_string("bad_name"));
	bytes_add(&path, "", 1);
	if (result == A_false && code_path_remove_in_run(p->vm, (char *)path.items))
		result = A_true;
	else if (result == A_false && is_lasting((char *)path.items))
		result = bif_unsupported(p, "code:del_path/1 of %s, which the program did not add",
					 (char *)path.items);
	bytes_release(&path);
	return result;
}

term bif_code_get_mode_0(struct process *p, const term *args) { return A_interactive; }
term bif_code_is_sticky_1(struct process *p, const term *args) { return A_false; }
term bif_code_stick_dir_1(struct process *p, const term *args) { return A_ok; }
term bif_code_unstick_dir_1(struct process *p, const term *args) { return A_ok; }
term bif_code_stick_mod_1(struct process *p, const term *args) { return A_true; }
term bif_code_unstick_mod_1(struct process *p, const term *args) { return A_true; }

term bif_code_root_dir_0(struct process *p, const term *args)
{
	return heap_string(p, code_otp_dir());
}

static term text_term(struct process *p, struct strbuf *text)
{
	term t = heap_string(p, strbuf_text(text));

	strbuf_release(text);
	return t;
}

term bif_code_lib_dir_0(struct process *p, const term *args)
{
	struct strbuf text = {0};

	strbuf_addf(&text, "%s/lib", code_otp_dir());
	return text_term(p, &text);
}

/* The folder of an application: its ebin is on the path as .../name/ebin or .../name-1.2/ebin. */
static bool find_application(const char *name, struct strbuf *out)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < code_path_len(); i++) {
		const char *dir = code_path_dir(i), *end = dir + strlen(dir) - strlen("/ebin");
		const char *start = end;

		if (end < dir || strcmp(end, "/ebin") != 0)
			continue;
		while (start > dir && start[-1] != '/')
			start--;
		if (strncmp(start, name, len) == 0 && (start + len == end || start[len] == '-')) {
			strbuf_add(out, dir, (size_t)(end - dir));
			return true;
		}
	}
	return false;
}

static term application_dir(struct process *p, term name, const char *under)
{
	struct strbuf text = {0};

	if (!term_is_atom(name) || !find_application(atom_text(name), &text)) {
		strbuf_release(&text);
		return heap_tuple2(p, A_error, A_bad_name);
	}
	strbuf_adds(&text, under);
	return text_term(p, &text);
}

term bif_code_lib_dir_1(struct process *p, const term *args)
{
	return application_dir(p, args[0], "");
}

term bif_code_priv_dir_1(struct process *p, const term *args)
{
	return application_dir(p, args[0], "/priv");
}

term bif_erts_internal_beamfile_module_md5_1(struct process *p, const term *args)
{
	struct bytes bytes = {0};
	uint8_t md5[16];
	struct code_image *image;

	if (!term_is_binary(args[0]))
		return bif_badarg(p);
	image = decode_binary(args[0], NULL);
	if (!image || !iolist_flatten(args[0], &bytes)) {
		bytes_release(&bytes);
		return A_undefined;
	}
	code_md5(bytes.items, bytes.len, md5);
	bytes_release(&bytes);
	return binary_from(p, md5, 16);
}

static uint32_t read_size(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* A file is "FOR1", the size of the rest, "BEAM", and chunks: a name of four bytes, a size, and as
 * many bytes, filled up to a multiple of four. */
static term find_chunk(struct process *p, const uint8_t *bytes, size_t len, const uint8_t *name)
{
	size_t end, at = 12;

	if (len < at || memcmp(bytes, "FOR1", 4) != 0 || memcmp(bytes + 8, "BEAM", 4) != 0)
		return A_undefined;
	end = 8 + (size_t)read_size(bytes + 4);
	if (end > len)
		return A_undefined;
	while (end >= at + 8) {
		size_t size = read_size(bytes + at + 4), filled = (size + 3) & ~(size_t)3;

		if (filled > end - at - 8)
			break;
		if (memcmp(bytes + at, name, 4) == 0)
			return binary_from(p, bytes + at + 8, size);
		at += 8 + filled;
	}
	return A_undefined;
}

term bif_erts_internal_beamfile_chunk_2(struct process *p, const term *args)
{
	struct bytes bytes = {0}, name = {0};
	term chunk = TERM_NONE;

	if (!term_is_binary(args[0]) || !term_is_list(args[1]))
		return bif_badarg(p);
	if (iolist_flatten(args[1], &name) && name.len == 4 && iolist_flatten(args[0], &bytes))
		chunk = find_chunk(p, bytes.items, bytes.len, name.items);
	bytes_release(&bytes);
	bytes_release(&name);
	return chunk == TERM_NONE ? bif_badarg(p) : chunk;
}
