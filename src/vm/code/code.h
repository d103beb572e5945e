/* code.h: decoded code and the names of functions.
 *
 * A struct code_image is one .beam decoded: an array of words (the address of an instruction's
 * handler, then its operands), literals, line table, funs. Images are immutable, live outside
 * the region, and are cached by the checksum of the file: loading the same module in a later
 * run costs a look-up. Which image is current is state of the run, in the region (struct module).
 *
 * An export is a name M:F/A. Its number never changes; its *slot* at a fixed address in the
 * region holds the address of the code that a call reaches, or NULL when no loaded module has the
 * function. Slots of native functions are filled from the start.
 */
#ifndef VM_CODE_CODE_H
#define VM_CODE_CODE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/map.h"
#include "base/vec.h"
#include "vm/memory/region.h"
#include "vm/process/process.h"
#include "vm/terms/atom.h"

struct bif;
struct beamfile;

struct export {
	term module;
	term function;
	uint32_t arity;
	uint32_t number;
	const struct bif *bif; /* native, or NULL */
};

struct fun_entry {
	term module;
	term function; /* '-f/1-fun-0-' */
	uint32_t arity; /* without the free variables */
	uint32_t num_free;
	uint32_t index;
	uint32_t old_index;
	uint32_t old_uniq;
	uint8_t uniq[16];
	const word *code; /* NULL: not loaded (code_unloaded_fun) */
	struct code_image *image;
};

struct code_call {
	term module; /* TERM_NONE: the function is native */
	term name;
};

struct code_function {
	const word *start; /* of func_info; the entry is start + FUNC_INFO_WORDS */
	term name;
	uint32_t arity;
	bool is_exported;
	/* Of a fun of the program: the functions that it calls, and the native ones that others notice. */
	const struct code_call *calls;
	uint32_t calls_len;
};

#define FUNC_INFO_WORDS 4u

/* The entry of a function is preceded by its func_info: op, module, name, arity. */
static inline term entry_module(const word *entry) { return entry[-3]; }
static inline term entry_function(const word *entry) { return entry[-2]; }
static inline unsigned entry_arity(const word *entry) { return (unsigned)entry[-1]; }

struct code_line {
	uint32_t offset; /* of the instruction the location belongs to */
	uint32_t line;
	uint32_t file;
};

struct code_image {
	term module;
	uint32_t number; /* in the cache, from 0 */
	uint64_t checksum;
	uint8_t md5[16];
	word *words;
	size_t words_len;
	struct code_function *functions; /* by address */
	size_t functions_len;
	struct code_line *lines; /* by offset */
	size_t lines_len;
	char **files;
	size_t files_len;
	struct fun_entry *funs;
	size_t funs_len;
	uint32_t *exports; /* export numbers, parallel to exports_code */
	const word **exports_code;
	size_t exports_len;
	term *atoms; /* all atoms of the file: they exist once it is loaded */
	size_t atoms_len;
	term *literals; /* terms; their words are in `constants` */
	size_t literals_len;
	term attributes;   /* literal term */
	term compile_info; /* literal term */
	const word *on_load;
	char *path; /* where it was found, or NULL */
	uint8_t *strings;
	struct arena constants; /* words of the literals and of large integers in the code */
	struct code_image *next; /* in the cache */
};

/* A module loaded in this run. */
struct module {
	term name;
	struct code_image *current;
	struct code_image *old;
	bool is_on_load_pending; /* it cannot be called yet: the first call runs on_load */
	term on_load_runner;     /* pid of the process that runs on_load now; 0 none */
	/* The file that the program itself named as it loaded the current code: a text, or an atom
	 * such as cover_compiled. NULL: the file where the image was found. */
	const char *given_file;
	bool is_given_atom;
	term caller;        /* who loaded it by calling it, in an explored run; else TERM_NONE */
	uint32_t called_at; /* and in which step */
};

struct module_table {
	struct module *items; /* in order of loading */
	uint32_t len;
	uint32_t cap;
};

/* Where a failing instruction or a return address is. line 0: not known. */
struct code_place {
	term module;
	term function;
	uint32_t arity;
	const char *file;
	uint32_t line;
	const struct code_image *image;
};

VEC_TYPE(export_vec, struct export *);
VEC_TYPE(image_vec, struct code_image *);
VEC_TYPE(dir_vec, char *);

/* Functions at whose entry a process is to stop (--side-effect): a number from 1 for such a
 * function, 0 for all others. */
typedef uint32_t code_stop_fn(term module, term name, uint32_t arity);

/* The part of a machine (machine.h) that belongs to decoded code. */
struct code_table {
	struct export_vec exports;  /* by number */
	struct map export_index;    /* hash of the name -> number; collisions chain by probing */
	struct code_image *images;
	struct image_vec images_by_address;
	code_stop_fn *find_stop;
};
void code_table_close(void);

/* The part of a machine that belongs to the search path; the same in every run. */
struct code_path {
	struct dir_vec dirs;
	size_t own_len; /* the first so many folders were added by -pa */
	char *otp_root;
	unsigned otp_release;
	struct map images_by_name; /* so that a later run neither searches nor reads again */
};
void code_path_close(void);

/* ---- names ---- */

struct export *export_of(term module, term function, unsigned arity); /* makes it if new */
struct export *export_find(term module, term function, unsigned arity);
struct export *export_get(uint32_t number);

static inline const word **export_slot(uint32_t number)
{
	return (const word **)(REGION_BASE + REGION_SLOTS_OFFSET) + number;
}

static inline struct export *export_of_fun(term t)
{
	return export_get((uint32_t)boxed_ptr(t)[1]);
}

/* ---- images ---- */

/* Decodes the bytes of a .beam, or finds them in the cache. */
struct code_image *code_image_decode(const void *bytes, size_t len, const char *path,
				     struct err *err);

/* Does a node load this module when it starts? Here it is loaded when it is first called. */
bool code_is_of_boot(term name);
/* Makes the image current in this run; the image that was current becomes old. */
struct module *code_activate(struct vm *vm, struct code_image *image);
/* The program says that the current code of the module is of this file; the text is copied. */
void code_name_file(struct module *module, const char *file, bool is_atom);
struct module *code_find_module(struct vm *vm, term name);
/* Whether the module has current code. */
bool code_is_current(struct vm *vm, term name);
/* The on_load function of the module has returned ok. */
void code_make_callable(struct module *module);
/* Makes the current code old (code:delete); forgets old code (code:purge). */
bool code_delete(struct vm *vm, term name);
bool code_purge(struct vm *vm, term name);
/* Undoes the last code_activate: the old image becomes current again. */
void code_revert(struct vm *vm, term name);
/* The purger, a process, begins to purge the old code of a module: a process that calls a fun of it
 * from now on is suspended. False: the module does not have old code. */
bool code_begin_purge(struct process *purger, term name);
bool code_is_purging(struct vm *vm, const struct code_image *image);
/* It forgets the code or keeps it, and lets the suspended processes go on: the fun is called again. */
void code_end_purge(struct process *purger, term name, bool is_complete);

/* The image of name.beam on the search path, or NULL. */
struct code_image *code_find_image(term name, struct err *err);
/* Finds name.beam on the search path and loads it. False with err when it is not found or cannot be
 * loaded. */
bool code_load_module(struct vm *vm, term name, struct err *err);
/* Loads a module of the tool itself (embedded.h) in place of one on the search path. */
bool code_load_embedded(struct vm *vm, term name);

/* Calls the on_load function of a module that a BIF just loaded. The BIF must return the value that
 * this returns. The BIF's caller then gets {module, M}; or {error, on_load_failure}, after on_load
 * failed and the module was removed. */
term code_run_on_load(struct process *p, struct module *module);
/* Whether a process still runs old code of the module; whether the process `pid` does; ends all
 * such processes (code:purge). */
bool code_is_old_used(struct vm *vm, term name);
bool code_runs_old(struct vm *vm, term pid, term name);
bool code_kill_users(struct process *p, term name);

/* p asks whether a module is loaded; `name` TERM_NONE: which ones are. Modules are loaded when they
 * are first called, which is not a step. Where the answer depends on another process' call the
 * verdict names that (RELIED_ON_LOADED). */
void code_note_question(const struct process *p, term name);
/* The code of module:function/arity, or NULL. Loads the module if it is not loaded. */
const word *code_resolve(struct vm *vm, struct export *export);

/* The loader calls `find` for every function of the modules that it decodes from now on. NULL, as
 * at the start: a process does not stop at any function. */
void code_use_stops(code_stop_fn *find);
uint32_t code_find_stop(term module, term name, uint32_t arity);

/* The place of an address inside an instruction (or just after a call). */
bool code_find_place(const word *address, struct code_place *place);
/* The function of an image with this name, or NULL. */
const struct code_function *code_function_named(const struct code_image *image, term name);
/* The fun of a module that agrees with `wanted` in everything that the external format says of a fun,
 * or NULL. The first loads the module if need be; the second takes it as it is. */
struct fun_entry *code_find_fun(struct vm *vm, const struct fun_entry *wanted);
struct fun_entry *code_loaded_fun(struct vm *vm, const struct fun_entry *wanted);
bool code_same_fun(const struct fun_entry *a, const struct fun_entry *b);
/* Funs outlive their code, and cannot be called then: the code of an image was purged; it was loaded
 * again. While vm->lost_words is 0, no image is lost. */
void code_lose_image(struct vm *vm, const struct code_image *image);
void code_keep_image(struct vm *vm, const struct code_image *image);
bool code_is_lost(const struct vm *vm, const struct code_image *image);
/* A fun without code, one for all that agree with `wanted`. */
struct fun_entry *code_unloaded_fun(struct vm *vm, const struct fun_entry *wanted);
/* The fun with code for a fun that had none when it was made, or whose code was purged. NULL: there is
 * still none; or it is being purged. */
const struct fun_entry *code_resolve_fun(struct vm *vm, const struct fun_entry *entry);

/* Whether the module was loaded from the OTP installation. */
bool code_is_of_otp(struct vm *vm, term module);
/* Whether the module belongs to OTP, to Elixir or to this tool (embedded.h), and not to the tested
 * program. */
bool code_is_of_library(struct vm *vm, term module);
/* The same of the path of its file; NULL: it is in no file. */
bool code_path_is_of_otp(const char *path);
bool code_path_is_of_library(const char *path, const char *module);

/* ---- the search path ---- */

void code_path_add(const char *dir);
/* Adds a folder for code:add_path and its like: state of the run, which a restore puts back. */
void code_path_add_in_run(struct vm *vm, const char *dir, bool is_last);
/* Removes a folder that the program itself has added; false if it did not add it. */
bool code_path_remove_in_run(struct vm *vm, const char *dir);
/* Adds the ebin folder of every application of OTP. otp_dir NULL: of the installed OTP. */
bool code_path_add_otp(const char *otp_dir, struct err *err);
/* The file of a module as mem_alloc'ed text, or NULL. */
char *code_path_find(const char *module);
const char *code_otp_dir(void);
unsigned code_otp_release(void);
size_t code_path_len(void);
const char *code_path_dir(size_t i);

#endif
