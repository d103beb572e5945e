#include "native/symbols.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/file.h"
#include "base/map.h"
#include "native/demangle.h"
#include "native/symbols_functions.h"
#include "native/symbols_locals.h"
#include "native/symbols_types.h"

struct module {
	Dwfl_Module *dwfl;
	bool has_variables; /* `variables` was filled in */
	struct variable_vec variables;
	struct map unit_indexes; /* by the offset of a unit: its index in `units` */
	VEC(struct function_vec) units;
};

struct symbols {
	struct arena arena;
	Dwfl *dwfl;
	Dwfl_Callbacks callbacks;
	bool is_reported;
	char *folder; /* current folder with a slash at the end; NULL if unknown */
	VEC(struct module) modules;
	struct demangler demangler;
	struct map answers; /* by address: struct answer */
};

enum { ANSWER_FRAMES = 16 };

/* ---- modules ---- */

struct symbols *symbols_new(void)
{
	struct symbols *symbols = mem_zalloc(sizeof(*symbols));
	char *folder = getcwd(NULL, 0);

	symbols->callbacks = (Dwfl_Callbacks){
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = dwfl_build_id_find_debuginfo,
		.section_address = dwfl_offline_section_address,
	};
	symbols->dwfl = dwfl_begin(&symbols->callbacks);
	if (symbols->dwfl)
		dwfl_report_begin(symbols->dwfl);
	if (folder)
		symbols->folder = arena_printf(&symbols->arena, "%s/", folder);
	free(folder);
	return symbols;
}

static void release_module(struct module *module)
{
	for (size_t i = 0; i < module->units.len; i++)
		vec_release(&module->units.items[i]);
	vec_release(&module->units);
	map_release(&module->unit_indexes);
	vec_release(&module->variables);
}

void symbols_free(struct symbols *symbols)
{
	if (!symbols)
		return;
	for (size_t i = 0; i < symbols->modules.len; i++)
		release_module(&symbols->modules.items[i]);
	vec_release(&symbols->modules);
	if (symbols->dwfl)
		dwfl_end(symbols->dwfl);
	map_release(&symbols->answers);
	arena_release(&symbols->arena);
	mem_free(symbols);
}

bool symbols_add_module(struct symbols *symbols, const char *path, uint64_t bias)
{
	Dwfl_Module *module;

	BUG_ON(symbols->is_reported, "module %s added after the first question", path);
	if (!symbols->dwfl)
		return false;
	module = dwfl_report_elf(symbols->dwfl, path, path, -1, bias, true);
	if (!module)
		return false;
	*vec_push(&symbols->modules) = (struct module){.dwfl = module};
	return true;
}

static struct module *find_module(struct symbols *symbols, uint64_t address)
{
	Dwfl_Module *found;

	if (!symbols->dwfl)
		return NULL;
	if (!symbols->is_reported)
		dwfl_report_end(symbols->dwfl, NULL, NULL);
	symbols->is_reported = true;
	found = dwfl_addrmodule(symbols->dwfl, address);
	for (size_t i = 0; i < symbols->modules.len; i++)
		if (found && symbols->modules.items[i].dwfl == found)
			return &symbols->modules.items[i];
	return NULL;
}

static const char *path_of(const struct module *module)
{
	return dwfl_module_info(module->dwfl, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
}

/* ---- names ---- */

static const char *short_name(struct symbols *symbols, const char *readable)
{
	struct strbuf name = {0};
	const char *result;

	demangle_shorten(&name, readable);
	result = arena_strdup(&symbols->arena, strbuf_text(&name));
	strbuf_release(&name);
	return result;
}

static const char *readable_name(struct symbols *symbols, const char *name)
{
	char *demangled;
	const char *result;

	demangled = name ? demangle(&symbols->demangler, name) : NULL;
	if (!demangled)
		return name;
	result = short_name(symbols, demangled);
	free(demangled);
	return result;
}

static bool names_a_scope(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
	       tag == DW_TAG_structure_type || tag == DW_TAG_subprogram;
}

/* For what has no linkage name (lambdas): the names of all that it was declared in. */
static const char *qualified_name(struct symbols *symbols, Dwarf_Die *die)
{
	static const unsigned links[] = {DW_AT_abstract_origin, DW_AT_specification};
	Dwarf_Die declaration = *die, *scopes = NULL;
	Dwarf_Attribute attribute;
	const char *name = dwarf_diename(die);
	int len;

	for (size_t i = 0; i < 2; i++)
		if (dwarf_attr(&declaration, links[i], &attribute))
			dwarf_formref_die(&attribute, &declaration);
	len = dwarf_getscopes_die(&declaration, &scopes);
	for (int i = 1; name && i < len; i++) {
		const char *given = dwarf_diename(&scopes[i]), *outer = given ? given : "{lambda}";

		if (names_a_scope(dwarf_tag(&scopes[i])))
			name = arena_printf(&symbols->arena, "%s::%s", outer, name);
	}
	free(scopes);
	return name;
}

static const char *function_name(struct symbols *symbols, Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	const char *linkage = NULL, *name;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute))
		linkage = dwarf_formstring(&attribute);
	name = readable_name(symbols, linkage);
	return name && name != linkage ? name : qualified_name(symbols, die);
}

/* The whole path of a source that the debug information calls "../src/queue.c" or "queue.c", seen from
 * the folder in which it was compiled; NULL if that folder is not known. */
static const char *whole_path(struct symbols *symbols, Dwarf_Die *unit, const char *path)
{
	Dwarf_Attribute attribute;
	const char *folder = NULL;
	size_t len;

	if (path[0] == '/')
		return path;
	if (dwarf_attr_integrate(unit, DW_AT_comp_dir, &attribute))
		folder = dwarf_formstring(&attribute);
	len = folder ? strlen(folder) : 0;
	while (len && strncmp(path, "../", 3) == 0) {
		while (len && folder[len - 1] != '/')
			len--;
		len -= len > 0;
		path += 3;
	}
	return len ? arena_printf(&symbols->arena, "%.*s/%s", (int)len, folder, path) : NULL;
}

/* Relative to the current folder if the file is in it; else a path by which it can be read, if there
 * is one: a program may be tested in another folder than the one in which it was compiled. */
static const char *shorten_path(struct symbols *symbols, Dwarf_Die *unit, const char *path)
{
	size_t len = symbols->folder ? strlen(symbols->folder) : 0;
	const char *whole = path ? whole_path(symbols, unit, path) : NULL;

	if (!whole)
		return path;
	if (len && strncmp(whole, symbols->folder, len) == 0)
		return whole + len;
	return access(path, R_OK) != 0 && access(whole, R_OK) == 0 ? whole : path;
}

/* ---- code ---- */

/* The functions at an address, innermost first. The functions of a unit are collected once. */
static void find_chain(struct module *module, Dwarf_Die *unit, uint64_t address,
		       struct die_vec *chain)
{
	bool is_new;
	uint64_t *index = map_put(&module->unit_indexes, dwarf_dieoffset(unit), &is_new);

	if (is_new) {
		*index = module->units.len;
		*vec_push(&module->units) = (struct function_vec){0};
		functions_collect(vec_last(&module->units), unit);
	}
	functions_find(&module->units.items[*index], address, chain);
}

/* Where an inlined function was called: the place in the next frame. */
static void read_call_place(struct symbols *symbols, Dwarf_Die *die,
			    struct symbols_frame *caller)
{
	Dwarf_Attribute attribute;
	Dwarf_Files *files;
	Dwarf_Word number;
	Dwarf_Die unit;
	size_t files_len;

	if (dwarf_attr(die, DW_AT_call_line, &attribute) &&
	    dwarf_formudata(&attribute, &number) == 0)
		caller->line = (uint32_t)number;
	if (dwarf_attr(die, DW_AT_call_file, &attribute) &&
	    dwarf_formudata(&attribute, &number) == 0 && dwarf_diecu(die, &unit, NULL, NULL) &&
	    dwarf_getsrcfiles(&unit, &files, &files_len) == 0 && number < files_len)
		caller->file = shorten_path(symbols, &unit,
					    dwarf_filesrc(files, number, NULL, NULL));
}

static uint32_t read_frames(struct symbols *symbols, const struct die_vec *chain,
			    struct symbols_frame *frames, uint32_t frames_max)
{
	uint32_t len = 0;

	/* frames[0] has file and line already; each inlined function gives the next its. */
	for (size_t i = 0; i < chain->len && len < frames_max; i++) {
		bool is_inlined = dwarf_tag(&chain->items[i]) == DW_TAG_inlined_subroutine;

		frames[len].function = function_name(symbols, &chain->items[i]);
		frames[len].module = frames[0].module;
		frames[len].is_inlined = is_inlined;
		len++;
		if (is_inlined && len < frames_max) {
			frames[len] = (struct symbols_frame){0};
			read_call_place(symbols, &chain->items[i], &frames[len]);
		}
	}
	return len;
}

/* clang leaves its units out of the table from addresses to units (which then names the
 * neighbour that gcc made): each unit is asked. */
static Dwarf_Die *find_unit(const struct module *module, uint64_t address, Dwarf_Addr *bias)
{
	Dwarf_Die *unit = dwfl_module_addrdie(module->dwfl, address, bias);

	if (unit && dwarf_haspc(unit, address - *bias) == 1)
		return unit;
	unit = NULL;
	while ((unit = dwfl_module_nextcu(module->dwfl, unit, bias)) != NULL)
		if (dwarf_haspc(unit, address - *bias) == 1)
			return unit;
	return NULL;
}

static void read_line(struct symbols *symbols, Dwarf_Die *unit, uint64_t address,
		      struct symbols_frame *frame)
{
	Dwarf_Line *line = dwarf_getsrc_die(unit, address);
	int number = 0;
	const char *file;

	if (!line || dwarf_lineno(line, &number) != 0 || number <= 0)
		return;
	file = dwarf_linesrc(line, NULL, NULL);
	if (file) {
		frame->file = shorten_path(symbols, unit, file);
		frame->line = (uint32_t)number;
	}
}

uint32_t symbols_user_frame(const struct symbols_frame *frames, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++)
		if (frames[i].file && !file_is_of_library(frames[i].file))
			return i;
	return 0;
}

/* The answer of symbols_code() for one address, which is asked for many times. */
struct answer {
	uint32_t len;
	struct symbols_frame frames[ANSWER_FRAMES];
};

static void answer_code(struct symbols *symbols, uint64_t at, struct answer *out)
{
	struct module *module = find_module(symbols, at);
	struct die_vec chain = {0};
	Dwarf_Addr bias;
	Dwarf_Die *unit;

	if (!module)
		return;
	out->frames[0].module = path_of(module);
	unit = find_unit(module, at, &bias);
	if (unit) {
		read_line(symbols, unit, at - bias, &out->frames[0]);
		find_chain(module, unit, at - bias, &chain);
		out->len = read_frames(symbols, &chain, out->frames, ANSWER_FRAMES);
		vec_release(&chain);
	}
	if (out->len == 0) {
		out->frames[0].function =
			readable_name(symbols, dwfl_module_addrname(module->dwfl, at));
		out->len = 1;
	}
}

uint32_t symbols_code(struct symbols *symbols, uint64_t address, bool is_return,
		      struct symbols_frame *frames, uint32_t frames_max)
{
	uint64_t at = address - (is_return && address ? 1 : 0);
	bool is_new;
	uint64_t *known = map_put(&symbols->answers, at, &is_new);
	struct answer *answer;
	uint32_t len;

	if (is_new) {
		answer = arena_zalloc(&symbols->arena, sizeof(*answer));
		*known = (uintptr_t)answer;
		answer_code(symbols, at, answer);
	}
	answer = (struct answer *)(uintptr_t)*known;
	len = answer->len < frames_max ? answer->len : frames_max;
	memcpy(frames, answer->frames, len * sizeof(*frames));
	return len;
}

/* ---- data ---- */

static void load_variables(struct module *module)
{
	Dwarf_Addr bias;
	Dwarf_Die *unit = NULL;

	module->has_variables = true;
	while ((unit = dwfl_module_nextcu(module->dwfl, unit, &bias)) != NULL)
		variables_collect(&module->variables, unit);
	variables_sort(&module->variables);
}

/* Without debug information: the symbol and how far behind it. */
static bool add_symbol(struct symbols *symbols, struct module *module, uint64_t address,
		       struct strbuf *out)
{
	GElf_Off offset = 0;
	GElf_Sym symbol;
	const char *name = dwfl_module_addrinfo(module->dwfl, address, &offset, &symbol, NULL, NULL,
						NULL);

	if (!name || !*name || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT ||
	    offset >= symbol.st_size)
		return false;
	strbuf_adds(out, readable_name(symbols, name));
	if (offset)
		strbuf_addf(out, "+%llu", (unsigned long long)offset);
	return true;
}

bool symbols_data(struct symbols *symbols, uint64_t address, struct strbuf *out, bool *is_inside)
{
	struct module *module = find_module(symbols, address);
	struct variable *variable;
	Dwarf_Addr bias = 0;

	if (!module)
		return false;
	if (!module->has_variables)
		load_variables(module);
	if (!dwfl_module_getdwarf(module->dwfl, &bias))
		return add_symbol(symbols, module, address, out);
	variable = variables_find(&module->variables, address - bias);
	if (!variable)
		return add_symbol(symbols, module, address, out);
	variable_add_name(out, variable, address - bias - variable->address, is_inside);
	return true;
}

bool symbols_local(struct symbols *symbols, uint64_t site, uint64_t base, uint64_t address,
		   struct strbuf *out, bool *is_inside)
{
	struct module *module = find_module(symbols, site - 1);
	Dwarf_Addr bias;
	Dwarf_Die *unit = module ? find_unit(module, site - 1, &bias) : NULL;
	struct die_vec chain = {0};
	bool is_named = false;

	if (unit) {
		find_chain(module, unit, site - 1 - bias, &chain);
		is_named = locals_add_name(out, &chain, site - 1 - bias, base, address, is_inside);
	}
	vec_release(&chain);
	return is_named;
}

bool symbols_block(struct symbols *symbols, uint64_t site, uint64_t size, uint64_t offset,
		   uint32_t number, struct strbuf *out)
{
	struct module *module = find_module(symbols, site - 1);
	Dwarf_Addr bias;
	Dwarf_Die *unit = module ? find_unit(module, site - 1, &bias) : NULL;
	struct die_vec chain = {0};
	bool is_named = false;

	if (unit)
		find_chain(module, unit, site - 1 - bias, &chain);
	for (size_t i = 0; i < chain.len && !is_named; i++)
		is_named = block_add_name(out, &chain.items[i], size, offset, number);
	vec_release(&chain);
	return is_named;
}
